# Next edits and ghost text without a model, on the history of repositories.

.PHONY: bench-typed bench-ghost
bench-typed: build .cache/tools/bench/nextedits ## next edits and jumps while commits are typed, without a model: REPOS=DIR of git clones; COMMITS=7 VERBOSE=1
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git clones"; exit 2; }
	.cache/tools/bench/nextedits -bin bin -repos $(REPOS) -commits $(or $(COMMITS),7)$(if $(VERBOSE), -v)

bench-ghost: build .cache/tools/bench/nextedits ## ghost text without a model while commits are typed key by key: right, wrong an hour, characters saved: REPOS=DIR of git clones; COMMITS=6 VERBOSE=1
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git clones"; exit 2; }
	.cache/tools/bench/nextedits -bin bin -repos $(REPOS) -ghost -commits $(or $(COMMITS),6)$(if $(VERBOSE), -v)
