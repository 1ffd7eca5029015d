# The context window. What it is worth to a model is measured by make real.

# What windows are judged by: clones that a person names.
.PHONY: bench-window
bench-window: build .cache/tools/bench/commits ## what windows hold of what a person asked for: REPOS=DIR (a folder of git clones) COMMITS=120 WINDOW_SEED=1
	@test -n "$(REPOS)" || { echo "name a folder of git clones with their history: make bench-window REPOS=DIR"; exit 2; }
	.cache/tools/bench/commits -repos "$(REPOS)" -commits $(or $(COMMITS),120) -seed $(or $(WINDOW_SEED),1)
