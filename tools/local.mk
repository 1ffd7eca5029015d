# The built-in engine: its benchmarks on trees that are not in the repository.

LOCAL_CACHE := .cache/local-bench
LOCAL_K8S := $(shell $(GO) env GOMODCACHE)/k8s.io/kubernetes@v1.34.1
LOCAL_TREES := k8s=go=$(LOCAL_K8S) django=python=$(LOCAL_CACHE)/django effect=typescript=$(LOCAL_CACHE)/effect
LOCAL_BENCH := $(LOCAL_CACHE)/bench
SEED ?= 21

$(LOCAL_CACHE)/django:
	mkdir -p $@.tmp && cd $@.tmp && apt-get download python3-django && dpkg -x *.deb .
	mv $@.tmp/usr/lib/python3/dist-packages/django $@ && rm -r $@.tmp

$(LOCAL_CACHE)/effect:
	mkdir -p $@.tmp && cd $@.tmp && npm pack --silent effect@4.1.0 && tar xzf *.tgz
	mv $@.tmp/package/src $@ && rm -r $@.tmp

.PHONY: bench-memory
bench-memory: build ## memory of a server after an hour of editing in k8s, without and with a model, and processor time of a second start
	@$(GO) mod download k8s.io/kubernetes@v1.34.1
	@failed=0; $(GO) run ./tools/bench/serve -tandem $(abspath bin/tandem) -root $(LOCAL_K8S) || failed=1; \
	$(GO) run ./tools/bench/serve -tandem $(abspath bin/tandem) -scripted $(abspath bin/scripted) -root $(LOCAL_K8S) || failed=1; exit $$failed

.PHONY: bench-memory-large
bench-memory-large: build ## the same in a tree of 6 million lines: Kubernetes four times beside each other
	@$(GO) mod download k8s.io/kubernetes@v1.34.1
	@mkdir -p $(LOCAL_CACHE)/large && cd $(LOCAL_CACHE)/large && for n in 1 2 3 4; do [ -d k$$n ] || { cp -r $(LOCAL_K8S) k$$n && chmod -R u+w k$$n; }; done
	@failed=0; $(GO) run ./tools/bench/serve -most 250 -tandem $(abspath bin/tandem) -root $(abspath $(LOCAL_CACHE)/large) || failed=1; \
	$(GO) run ./tools/bench/serve -most 250 -tandem $(abspath bin/tandem) -scripted $(abspath bin/scripted) -root $(abspath $(LOCAL_CACHE)/large) || failed=1; exit $$failed

.PHONY: bench-keys
bench-keys: build ## processor time of a key, invoked suggestions and memory in documents of 10 KB, 200 KB and 1 MB, in three languages, without and with a model
	@failed=0; $(GO) run ./tools/bench/serve -what keys -tandem $(abspath bin/tandem) || failed=1; \
	$(GO) run ./tools/bench/serve -what keys -tandem $(abspath bin/tandem) -scripted $(abspath bin/scripted) || failed=1; exit $$failed

.PHONY: bench-returns
bench-returns: ## Go's returns after error checks: REPOS=DIR with repositories, checked out or bare; LINES=1000
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with Go repositories"; exit 2; }
	@$(GO) build -o $(LOCAL_BENCH) ./tools/bench/local
	@rm -rf $(LOCAL_CACHE)/returns; trees=; \
	for r in $(REPOS)/*/; do n=$$(basename $$r); d=$$r; \
	  if [ -d $$r/objects ]; then d=$(LOCAL_CACHE)/returns/$$n; mkdir -p $$d; git --git-dir=$$r archive HEAD ":(glob)**/*.go" ":(glob)**/go.mod" 2>/dev/null | tar x -C $$d 2>/dev/null || true; fi; \
	  if [ $$(find $$d -name "*.go" | wc -l) -gt 30 ]; then trees="$$trees $$n=go=$$d"; fi; done; \
	$(LOCAL_BENCH) -returns -seed $(SEED) -lines $(or $(LINES),1000) $$trees

.PHONY: bench-local fit-local
bench-local: $(LOCAL_CACHE)/django $(LOCAL_CACHE)/effect ## the built-in engine on held-out lines of k8s, Django and effect
	$(GO) mod download k8s.io/kubernetes@v1.34.1
	$(GO) build -o $(LOCAL_BENCH) ./tools/bench/local
	$(LOCAL_BENCH) -seed $(SEED) $(LOCAL_TREES)

.PHONY: bench-local-heldout
bench-local-heldout: ## the built-in engine on trees that it was not fitted to: REPOS=DIR with the held-out clones (make pinned-clones) LINES=500
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder of bare clones; make pinned-clones fetches them into .cache/clones/held-out"; exit 2; }
	$(GO) build -o $(LOCAL_BENCH) ./tools/bench/local
	@rm -rf $(LOCAL_CACHE)/heldout; trees=; \
	for r in caddy=go=go prometheus=go=go scrapy=python=py vite=typescript=ts clap=rust=rs commons-lang=java=java; do \
	  n=$${r%%=*}; d=$(LOCAL_CACHE)/heldout/$$n; mkdir -p $$d; \
	  git --git-dir=$(REPOS)/$$n archive HEAD ":(glob)**/*.$${r##*=}" | tar x -C $$d || exit 1; trees="$$trees $${r%=*}=$$d"; done; \
	$(LOCAL_BENCH) -seed $(SEED) -lines $(or $(LINES),500) $$trees

fit-local: $(if $(REPOS),,pinned-clones) ## grow the forest that scores suggestions again, on typed commits of the pinned clones: REPOS=DIR has them already; COMMITS=16
	$(GO) build -o $(LOCAL_BENCH) ./tools/bench/local
	$(GO) run ./tools/bench/nextedits -repos $(or $(REPOS),$(PINNED_CLONES)/fit) -ghost -commits $(or $(COMMITS),16) -evidence $(LOCAL_CACHE)/features
	$(LOCAL_BENCH) -fit $(LOCAL_CACHE)/features > $(LOCAL_CACHE)/forest.txt && mv $(LOCAL_CACHE)/forest.txt model/local/complete/forest.txt
