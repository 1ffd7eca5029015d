# Next edits and ghost text without a model, on the history of repositories.

.PHONY: bench-typed bench-ghost
bench-typed: build .cache/tools/bench/nextedits ## next edits and jumps while commits are typed, without a model: REPOS=DIR of git clones; COMMITS=7 VERBOSE=1
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git clones"; exit 2; }
	.cache/tools/bench/nextedits -bin bin -repos $(REPOS) -commits $(or $(COMMITS),7)$(if $(VERBOSE), -v)

bench-ghost: build .cache/tools/bench/nextedits ## ghost text without a model while commits are typed key by key, in an editor that closes brackets and quotes: right, wrong an hour, characters saved: REPOS=DIR of git clones; COMMITS=6 VERBOSE=1
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with git clones"; exit 2; }
	.cache/tools/bench/nextedits -bin bin -repos $(REPOS) -ghost -commits $(or $(COMMITS),6)$(if $(VERBOSE), -v)

.PHONY: next-projects
next-projects: ## what one change of 56 small projects leads to, by Tab alone, and 24 kinds of the same change made twice: carried out, led to, wrong
	$(GO) test -count=1 -v -run 'TestProjects|TestTwice' ./model/assist/next | grep 'projects_test.go'
