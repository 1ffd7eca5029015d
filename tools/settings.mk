.PHONY: docs
docs: ## write docs/settings.md and the editors' settings from the table of settings
	$(GO) run ./tools/settings
