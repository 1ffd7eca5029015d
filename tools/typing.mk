# What a user pays for typing: a real server against the scripted model.

TYPING := .cache/tools/bench/typing -tandem bin/tandem -scripted bin/scripted

.PHONY: bench-keystrokes
bench-keystrokes: build .cache/tools/bench/typing ## prompt tokens for each character typed in Kubernetes at a human rhythm, and the price of a day at three price lists: CHARACTERS=2000 (about 9 minutes)
	@$(GO) mod download k8s.io/kubernetes@v1.34.1
	@mkdir -p .cache/keystrokes
	@for p in mercury groq cerebras; do ($(TYPING) -prices $$p -tree $(shell go env GOMODCACHE)/k8s.io/kubernetes@v1.34.1 -characters $(or $(CHARACTERS),2000) -seed $(or $(SEED),1) > .cache/keystrokes/$$p 2>&1; echo $$? > .cache/keystrokes/$$p.status) & done; wait
	@cat .cache/keystrokes/mercury .cache/keystrokes/groq .cache/keystrokes/cerebras; test "$$(sort -u .cache/keystrokes/*.status)" = 0
