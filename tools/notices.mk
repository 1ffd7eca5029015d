.PHONY: notices
notices: $(VSCODE)/node_modules/.package-lock.json ## write THIRD_PARTY_NOTICES.txt from the module cache and node_modules
	$(GO) mod download
	$(GO) run ./tools/notices
