.PHONY: bench-workspace
bench-workspace: ## watching, opening, typing, ignoring, redacting: the workspace's benchmarks
	go test -run '^$$' -bench 'Watch50000|Open100000|DidOpen50MB' -benchtime 1x ./workspace
	go test -run '^$$' -bench 'Keystroke|FileEvent' ./workspace
	go test -run '^$$' -bench . ./workspace/ignore ./workspace/redact

.PHONY: oracle oracle-git
oracle: oracle-git
oracle-git: ## ask git about thousands of random paths and ignore files
	go test -count=1 -tags oracle -run AgreesWithGit -v ./workspace/ignore
