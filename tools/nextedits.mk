# Next edits: public cases through the built programs, and the history of repositories.

NEXT_EDITS_CACHE := .cache/next-edits
NEXT_EDITS_FROM := https://github.com/zed-industries/zed
NEXT_EDITS_AT := crates/edit_prediction_cli/evals

.PHONY: bench-next-edits cases-next-edits
bench-next-edits: build ## next edits: CASES=DIR of public cases (make cases-next-edits), REPOS=DIR of git repositories; COMMITS=60 TRACES=500 VERBOSE=1
	$(GO) run ./tools/bench/nextedits $(if $(CASES),-cases $(CASES) -bin bin)$(if $(VERBOSE), -v) $(if $(REPOS),-repos $(REPOS) -commits $(or $(COMMITS),60) -traces $(or $(TRACES),500))

.PHONY: bench-typed bench-ghost
bench-typed: build ## next edits and jumps while commits are typed, without a model: REPOS=DIR of git clones; COMMITS=7 VERBOSE=1
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git clones"; exit 2; }
	$(GO) run ./tools/bench/nextedits -bin bin -repos $(REPOS) -typed -commits $(or $(COMMITS),7)$(if $(VERBOSE), -v)

bench-ghost: build ## ghost text without a model while commits are typed key by key: right, wrong an hour, characters saved: REPOS=DIR of git clones; COMMITS=6 VERBOSE=1
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git clones"; exit 2; }
	$(GO) run ./tools/bench/nextedits -bin bin -repos $(REPOS) -ghost -commits $(or $(COMMITS),6)$(if $(VERBOSE), -v)

.PHONY: fit-next-edits
fit-next-edits: ## fit how sure the built-in engine must be of a next edit, each repository judged by the others: REPOS=DIR of git repositories; COMMITS=25 TRACES=500
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git repositories"; exit 2; }
	@mkdir -p $(NEXT_EDITS_CACHE) && rm -f $(NEXT_EDITS_CACHE)/evidence.jsonl
	$(GO) run ./tools/bench/nextedits -repos $(REPOS) -commits $(or $(COMMITS),25) -traces $(or $(TRACES),500) -evidence $(NEXT_EDITS_CACHE)/evidence.jsonl
	$(GO) run ./tools/bench/nextedits -fit $(NEXT_EDITS_CACHE)/evidence.jsonl -weights model/local/nextedit/weights.go

.PHONY: bench-next-latency
bench-next-latency: build ## a next edit beyond the model's time at 200 KB, and the prompts' sizes, in each format
	$(GO) run ./tools/bench/nextedits -bin bin -latency

cases-next-edits: ## fetch the public next-edit cases into .cache/next-edits/cases: ZED=DIR takes them from a local mirror, a git directory with any revision that has them
	@mkdir -p $(NEXT_EDITS_CACHE)
	rm -rf $(NEXT_EDITS_CACHE)/zed $(NEXT_EDITS_CACHE)/cases
ifeq ($(ZED),)
	git clone -q --depth 1 --filter=blob:none --sparse $(NEXT_EDITS_FROM) $(NEXT_EDITS_CACHE)/zed
	git -C $(NEXT_EDITS_CACHE)/zed sparse-checkout set $(NEXT_EDITS_AT)
else
	mkdir -p $(NEXT_EDITS_CACHE)/zed && git -C $(ZED) archive --format=tar $(or $(ZED_REVISION),HEAD) $(NEXT_EDITS_AT) | tar x -C $(NEXT_EDITS_CACHE)/zed
endif
	mkdir -p $(NEXT_EDITS_CACHE)/cases && cp $(NEXT_EDITS_CACHE)/zed/$(NEXT_EDITS_AT)/*.md $(NEXT_EDITS_CACHE)/cases/
	@echo "make bench-next-edits CASES=$(NEXT_EDITS_CACHE)/cases"
