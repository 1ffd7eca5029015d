# The index: its oracles.

INDEX_TREES := .cache/oracle/trees

# Source trees in other languages than Go, from their package registries.
.PHONY: oracle-trees
oracle-trees:
	@mkdir -p $(INDEX_TREES)
	@for p in effect@4.1.0 rxjs@7.8.1 express@5.1.0 lodash@4.17.21 re2@1.24.0; do \
		d=$(INDEX_TREES)/$${p%@*}; test -d $$d && continue; \
		mkdir -p $$d && (cd $$d && npm pack --silent $$p >/dev/null && tar xzf *.tgz --strip-components=1 && rm *.tgz) || rm -rf $$d; done
	@test -d $(INDEX_TREES)/java || ! test -n "$(wildcard /usr/lib/jvm/*/lib/src.zip)" || \
		unzip -q -d $(INDEX_TREES)/java $(lastword $(wildcard /usr/lib/jvm/*/lib/src.zip)) 'java.base/java/util/*' 'java.base/java/lang/*'
	@test -d $(INDEX_TREES)/rust || (mkdir -p $(INDEX_TREES)/deb && cd $(INDEX_TREES)/deb && \
		apt-get download librust-cargo-dev librust-tokio-dev librust-syn-dev && for d in *.deb; do dpkg -x $$d .; done && mv usr/share/cargo/registry ../rust; \
		cd .. && rm -rf deb)
	@go mod download k8s.io/kubernetes@v1.34.1 github.com/apache/thrift@v0.21.0 github.com/mattn/go-sqlite3@v1.14.24

.PHONY: oracle-ctags
oracle: oracle-ctags
oracle-ctags: oracle-trees ## definitions and their ends against universal-ctags, on real trees of every language
	@command -v ctags >/dev/null || apt-get install -y universal-ctags
	TREES=$(abspath $(INDEX_TREES)) go test -count=1 -tags oracle -run '^TestOracle' -v ./workspace/language

.PHONY: oracle-bindings
oracle-bindings: ## what names are bound to, against CPython's symbol tables and TypeScript's checker: REPOS names clones
	@test -n "$(REPOS)" || { echo "give REPOS=\"DIR DIR\": clones with Python or TypeScript"; exit 2; }
	@mkdir -p .cache/oracle && npm install --no-audit --no-fund --no-save --loglevel=error --prefix .cache/oracle typescript@5.9.3
	find $(REPOS) -name '*.py' -size -100k -not -path '*/node_modules/*' | sort | python3 tools/oracle/bindings.py .cache/oracle/python.jsonl
	find $(REPOS) \( -name '*.ts' -o -name '*.tsx' \) -size -100k -not -name '*.d.ts' -not -path '*/node_modules/*' | sort | TYPESCRIPT=$(abspath .cache/oracle) node tools/oracle/bindings.mjs .cache/oracle/script.jsonl
	for f in python script; do BINDINGS=$(abspath .cache/oracle)/$$f.jsonl $(GO) test -count=1 -tags oracle -run '^TestOracleBindings$$' -v ./workspace/dynamic || exit 1; done
