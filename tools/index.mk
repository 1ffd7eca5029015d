# The index: its judge and its figures.

.PHONY: oracle-ctags
oracle: oracle-ctags
oracle-ctags: ## definitions and their ends against universal-ctags, on the trees this machine has
	@command -v ctags >/dev/null || apt-get install -y universal-ctags
	go test -count=1 -tags oracle -run '^TestOracle' -v ./workspace/index

.PHONY: bench-index
bench-index: build ## cold index beside ctags in the same run, warm start, one file, lookups, memory: BENCH_TREE=DIR for another tree
	go mod download k8s.io/kubernetes@v1.34.1
	go test -run '^$$' -bench 'Cold|Ctags' -benchtime 5x ./workspace/index
	go test -run '^$$' -bench 'Warm|Save|OneFile|Lookup' -benchmem ./workspace/index
	bin/tandem index --json --workspace $(or $(BENCH_TREE),$(shell go env GOMODCACHE)/k8s.io/kubernetes@v1.34.1)
