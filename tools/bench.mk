# The headline table and the benchmarks that it reads.

.PHONY: bench bench-all bench-doc
bench: build .cache/tools/bench/headline ## the headline table, each figure with its limit, in under 10 minutes: BENCH=index for a part
	@$(GO) mod download k8s.io/kubernetes@v1.34.1
	@command -v ctags >/dev/null || apt-get install -y universal-ctags
	@cd tools/oracle/openai && $(GO) build -o $(abspath $(OPENAI_ORACLE)) .
	@TANDEM=$(abspath bin/tandem) SCRIPTED=$(abspath bin/scripted) OPENAI_ORACLE=$(abspath $(OPENAI_ORACLE)) .cache/tools/bench/headline $(if $(BENCH),-only $(BENCH))

bench-doc: .cache/tools/bench/headline ## write the figures of the last make bench into docs/measurements/bench.md
	@.cache/tools/bench/headline -reuse -doc docs/measurements/bench.md

bench-all: bench ## the same, then every benchmark of the packages
	TANDEM=$(abspath bin/tandem) SCRIPTED=$(abspath bin/scripted) OPENAI_ORACLE=$(abspath $(OPENAI_ORACLE)) $(GO) test -tags reliability -run '^$$' -bench . -timeout 60m ./edits/... ./workspace/... ./model/... ./lsp/...
