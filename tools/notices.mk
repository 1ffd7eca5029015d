.PHONY: notices
notices: $(VSCODE)/node_modules/.package-lock.json .cache/tools/notices ## write THIRD_PARTY_NOTICES.txt from the module cache and node_modules
	$(GO) mod download
	.cache/tools/notices
