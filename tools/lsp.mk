.PHONY: reliability
reliability: ## the reliability table A1 to A30: what was measured, the figure to beat, pass or fail
	@$(GO) run ./tools/reliability

.PHONY: bench-lsp
bench-lsp: ## the server's own costs: messages, changes, requests, start, memory
	go test -run '^$$' -bench . -benchtime 1s ./lsp/...
	go test -tags reliability -run '^$$' -bench . ./lsp/reliability

.PHONY: fuzz-lsp
fuzz-lsp: ## frames, sessions, positions and markdown from the fuzzer, 60 s each
	go test -run '^$$' -fuzz FuzzFrame -fuzztime 60s ./lsp/wire
	go test -run '^$$' -fuzz FuzzSession -fuzztime 60s -fuzzminimizetime 1x ./lsp
	go test -run '^$$' -fuzz FuzzPosition -fuzztime 60s ./lsp
	go test -run '^$$' -fuzz FuzzMarkdown -fuzztime 60s ./lsp/inert
