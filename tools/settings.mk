.PHONY: docs
docs: .cache/tools/settings ## write docs/settings.md and the editors' settings from the table of settings
	.cache/tools/settings
