# The context window: its benchmarks. What it is worth to a model is measured by make real.

WINDOW_K8S := $(shell go env GOMODCACHE)/k8s.io/kubernetes@v1.34.1

.PHONY: window-trees
window-trees: oracle-trees
	@test -d $(INDEX_TREES)/django || (mkdir -p $(INDEX_TREES)/deb-django && cd $(INDEX_TREES)/deb-django && \
		apt-get download python3-django && dpkg -x *.deb . && mkdir -p ../django && mv usr/lib/python3/dist-packages/django ../django/django; \
		cd .. && rm -rf deb-django)

# What windows are judged by: clones that a person names, WINDOW_FLAGS for
# what go run ./tools/bench/commits -help lists.
WINDOW_REPORT ?= .cache/window.json

.PHONY: bench-window
bench-window: build ## what windows hold of what a person asked for, and how fast: REPOS=DIR (a folder of git clones) COMMITS=120 WINDOW_SEED=1
	@test -n "$(REPOS)" || { echo "name a folder of git clones with their history: make bench-window REPOS=DIR"; exit 2; }
	@mkdir -p .cache
	$(GO) run ./tools/bench/commits -repos "$(REPOS)" -commits $(or $(COMMITS),120) -seed $(or $(WINDOW_SEED),1) -json $(WINDOW_REPORT) $(WINDOW_FLAGS)

.PHONY: bench-window-times
bench-window-times: ## how long windows take in Kubernetes, in the function before and at a new place: PLACES=100
	@$(GO) mod download k8s.io/kubernetes@v1.34.1
	go test -run '^$$' -bench Window -benchtime $(or $(PLACES),100)x ./workspace/window

.PHONY: bench-prefix
bench-prefix: build window-trees ## how much consecutive requests of a typing user share, as a model server sees them: PREFIX_TREES=DIR,DIR TRACES=6
	$(GO) run ./tools/bench/prefix -trees $(or $(PREFIX_TREES),$(WINDOW_K8S),$(INDEX_TREES)/django,.) -traces $(or $(TRACES),6)

PINNED := tools/bench/pinned/trees.txt
PINNED_CLONES := .cache/clones

# One clone for each row of the list that is a git repository, at its commit.
.PHONY: pinned-clones
pinned-clones: ## fetch the pinned clones: .cache/clones/fit and .cache/clones/held-out, about 1 GB
	@awk '$$2 ~ /^git:/ { print $$1, substr($$2, 5), $$3, ($$4 == "held-out" ? "held-out" : "fit") }' $(PINNED) | while read -r name url commit use; do \
	  d=$(PINNED_CLONES)/$$use/$$name; test -d $$d && continue; echo "$$url"; \
	  git clone -q --bare --single-branch $$url $$d.tmp && git -C $$d.tmp update-ref "$$(git -C $$d.tmp symbolic-ref HEAD)" $$commit && mv $$d.tmp $$d || exit 1; done

.PHONY: bench-tokens
bench-tokens: ## the tokenizer's speed; TANDEM_BENCH_TS=DIR names a TypeScript tree
	TANDEM_BENCH_TS=$(or $(TANDEM_BENCH_TS),$(abspath $(INDEX_TREES)/effect/src)) go test -run '^$$' -bench . ./workspace/tokens
