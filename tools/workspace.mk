.PHONY: oracle oracle-git
oracle: oracle-git
oracle-git: ## ask git about thousands of random paths and ignore files
	go test -count=1 -tags oracle -run AgreesWithGit -v ./workspace/ignore
