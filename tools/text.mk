# Texts and edits: long runs of tests that `make test` runs briefly.

.PHONY: typing
typing: ## 100,000 runs of random typing during random streams
	$(GO) test ./edits -run '^(TestRebaseKeepsWhatIsTyped|TestTypingDuringStreams)$$' -count=1 -v -rapid.checks=100000
