# Next edits and ghost text without a model, on the history of repositories.

NEXT_EDITS_CACHE := .cache/next-edits

.PHONY: bench-typed bench-ghost
bench-typed: build .cache/tools/bench/nextedits ## next edits and jumps while commits are typed, without a model: REPOS=DIR of git clones; COMMITS=7 VERBOSE=1
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git clones"; exit 2; }
	.cache/tools/bench/nextedits -bin bin -repos $(REPOS) -typed -commits $(or $(COMMITS),7)$(if $(VERBOSE), -v)

bench-ghost: build .cache/tools/bench/nextedits ## ghost text without a model while commits are typed key by key: right, wrong an hour, characters saved: REPOS=DIR of git clones; COMMITS=6 VERBOSE=1
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git clones"; exit 2; }
	.cache/tools/bench/nextedits -bin bin -repos $(REPOS) -ghost -commits $(or $(COMMITS),6)$(if $(VERBOSE), -v)

.PHONY: fit-next-edits
fit-next-edits: .cache/tools/bench/nextedits ## fit how sure the built-in engine must be of a next edit, each repository judged by the others: REPOS=DIR of git repositories; COMMITS=25 TRACES=500
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git repositories"; exit 2; }
	@mkdir -p $(NEXT_EDITS_CACHE) && rm -f $(NEXT_EDITS_CACHE)/evidence.jsonl
	.cache/tools/bench/nextedits -repos $(REPOS) -commits $(or $(COMMITS),25) -traces $(or $(TRACES),500) -evidence $(NEXT_EDITS_CACHE)/evidence.jsonl
	.cache/tools/bench/nextedits -fit $(NEXT_EDITS_CACHE)/evidence.jsonl -weights model/local/nextedit/weights.go
