# tandem: make help lists the targets.
.DEFAULT_GOAL := help
export CGO_ENABLED := 0

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z][a-z-]*:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

.PHONY: build
build: ## bin/tandem and bin/scripted
	go build -trimpath -o bin/ ./cmd/tandem ./cmd/scripted

.PHONY: test
test: ## every test that needs Go alone
	go test ./...

include $(wildcard tools/*.mk)
