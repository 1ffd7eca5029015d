.PHONY: bench-workspace
bench-workspace: ## watching, opening, typing, ignoring, redacting: the workspace's benchmarks
	go test -run '^$$' -bench 'Watch50000|Open100000|DidOpen50MB' -benchtime 1x ./workspace
	go test -run '^$$' -bench 'Keystroke|FileEvent' ./workspace
	go test -run '^$$' -bench . ./workspace/ignore ./workspace/redact

SECRETS := .cache/secrets

.PHONY: bench-secrets
bench-secrets: ## what the detector of secrets finds in projects, and what it found at another revision: TREES="DIR DIR" BEFORE=REVISION
	@test -n "$(TREES)" || { echo "give TREES=\"DIR DIR\": folders of projects"; exit 2; }
	@mkdir -p $(SECRETS)
	@$(GO) run ./tools/bench/secrets -list $(SECRETS)/now.txt $(abspath $(TREES))
ifneq ($(BEFORE),)
	@rm -rf $(SECRETS)/before && mkdir -p $(SECRETS)/before/tools/bench && git archive $(BEFORE) | tar x -C $(SECRETS)/before && cp -r tools/bench/secrets $(SECRETS)/before/tools/bench/
	@echo "at $(BEFORE):" && cd $(SECRETS)/before && $(GO) run ./tools/bench/secrets -list ../before.txt $(abspath $(TREES))
	@sort $(SECRETS)/before.txt >$(SECRETS)/b && sort $(SECRETS)/now.txt >$(SECRETS)/n && comm -13 $(SECRETS)/b $(SECRETS)/n >$(SECRETS)/new.txt && comm -23 $(SECRETS)/b $(SECRETS)/n >$(SECRETS)/gone.txt
	@echo "$$(wc -l <$(SECRETS)/new.txt) new, $$(wc -l <$(SECRETS)/gone.txt) gone: $(SECRETS)/new.txt, $(SECRETS)/gone.txt"
endif

.PHONY: oracle oracle-git
oracle: oracle-git
oracle-git: ## ask git about thousands of random paths and ignore files
	go test -count=1 -tags oracle -run AgreesWithGit -v ./workspace/ignore
