.PHONY: reliability
reliability: .cache/tools/reliability ## the reliability table A1 to A31: what was measured, the figure to beat, pass or fail
	@.cache/tools/reliability

.PHONY: generated
generated: build ## messages that the protocol allows and that it does not, folders coming and going, to the built server; each of its own is judged: N=12000 SEED=1
	@TANDEM=$(abspath bin/tandem) SCRIPTED=$(abspath bin/scripted) GENERATED_N=$(or $(N),12000) GENERATED_SEED=$(or $(SEED),1) $(GO) test -vet=off -count=1 -timeout 0 -run '^TestGeneratedMessages$$' ./lsp

.PHONY: clients
clients: ## 36 clients, the recorded ones and drawn variants of them, through what they can ask for: nothing unannounced, each action ends: SEED=1
	@CLIENTS_SEED=$(or $(SEED),1) $(GO) test -vet=off -count=1 -run 'EveryClient$$|^TestNothingIsReadAheadUnasked$$' ./lsp

PYTEST_LSP := lsprotocol==2025.0.0 pytest-lsp==1.0.1 pytest==9.0.0 pytest-asyncio==1.5.0 pygls==2.1.1

.PHONY: oracle oracle-lsp
oracle: oracle-lsp
oracle-lsp: build .cache/oracle/lsp/.installed ## tandem serve against lsprotocol's types and pytest-lsp, as three editors that it has recorded and ours announced themselves
	TANDEM=$(abspath bin/tandem) SCRIPTED=$(abspath bin/scripted) PYTHONPATH=$(abspath .cache/oracle/lsp) PYTHONDONTWRITEBYTECODE=1 python3 tools/oracle/lsp/test_clients.py

.cache/oracle/lsp/.installed: tools/lsp.mk
	python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --upgrade --target .cache/oracle/lsp $(PYTEST_LSP) && touch $@
