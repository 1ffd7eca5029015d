# The built-in engine: its learned weights.

PINNED := tools/bench/nextedits/trees.txt
PINNED_CLONES := .cache/clones

# One clone for each row of the list, at its commit.
.PHONY: pinned-clones
pinned-clones: ## fetch the pinned clones: .cache/clones/fit and .cache/clones/held-out, about 1 GB
	@awk '$$2 ~ /^git:/ { print $$1, substr($$2, 5), $$3, ($$4 == "held-out" ? "held-out" : "fit") }' $(PINNED) | while read -r name url commit use; do \
	  d=$(PINNED_CLONES)/$$use/$$name; test -d $$d && continue; echo "$$url"; \
	  git clone -q --bare --single-branch $$url $$d.tmp && git -C $$d.tmp update-ref "$$(git -C $$d.tmp symbolic-ref HEAD)" $$commit && mv $$d.tmp $$d || exit 1; done

.PHONY: fit-local
fit-local: $(if $(REPOS),,pinned-clones) .cache/tools/bench/nextedits ## grow the forest that scores suggestions again, on typed commits of the pinned clones: REPOS=DIR has them already; COMMITS=16
	@mkdir -p $(NEXT_EDITS_CACHE)
	.cache/tools/bench/nextedits -repos $(or $(REPOS),$(PINNED_CLONES)/fit) -ghost -commits $(or $(COMMITS),16) -evidence $(NEXT_EDITS_CACHE)/features
	.cache/tools/bench/nextedits -forest $(NEXT_EDITS_CACHE)/features > $(NEXT_EDITS_CACHE)/forest.txt && mv $(NEXT_EDITS_CACHE)/forest.txt model/local/complete/forest.txt
