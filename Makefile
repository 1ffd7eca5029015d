# tandem: `make help` lists the targets. Targets of one package or tool are in tools/*.mk.
.DEFAULT_GOAL := help
export CGO_ENABLED := 0

GO ?= go
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
VERSION ?= $(shell git describe --tags --always 2>/dev/null || echo dev)
BUILD := $(GO) build -trimpath -ldflags '-s -w -X main.buildVersion=$(VERSION)'
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z][a-z0-9-]*:.*##' $(MAKEFILE_LIST) | sort | awk -F':.*## ' '{printf "  %-16s %s\n", $$1, $$2}'

.PHONY: build
build: ## bin/tandem and bin/scripted
	$(BUILD) -o bin/ ./cmd/tandem ./cmd/scripted

.PHONY: install
install: ## tandem into GOBIN
	$(GO) install -trimpath -ldflags '-s -w -X main.buildVersion=$(VERSION)' ./cmd/tandem

.PHONY: test
test: ## every test that needs Go alone
	$(GO) test -count=1 ./... # to find that nothing has changed takes longer: one test reads all of the code

.PHONY: check
check: format vet ## format, vet, staticcheck, tests with the race detector, architecture
	$(GO) run $(STATICCHECK) ./...
	CGO_ENABLED=1 $(GO) test -race -timeout 20m ./...

.PHONY: oracle
oracle: ## all oracles: comparison with npm tiktoken, git, ctags and openai-go

.PHONY: format
format:
	@out=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "not gofmt-ed:"; echo "$$out"; exit 1; }

.PHONY: vet
vet:
	$(GO) vet ./...

.PHONY: release
release: ## dist/: every platform, without cgo, and the licences
	@for p in $(PLATFORMS); do \
	  out=dist/tandem-$${p%/*}-$${p#*/}; case $$p in windows/*) out=$$out.exe;; esac; \
	  echo "$$out"; GOOS=$${p%/*} GOARCH=$${p#*/} $(BUILD) -o $$out ./cmd/tandem || exit 1; done
	cp LICENSE THIRD_PARTY_NOTICES.txt dist/

include $(wildcard tools/*.mk)
