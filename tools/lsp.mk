.PHONY: reliability
reliability: .cache/tools/reliability ## the reliability table A1 to A31: what was measured, the figure to beat, pass or fail
	@.cache/tools/reliability

.PHONY: generated
generated: build ## messages that the protocol allows and that it does not, folders coming and going, to the built server; each of its own is judged: N=12000 SEED=1
	@TANDEM=$(abspath bin/tandem) SCRIPTED=$(abspath bin/scripted) GENERATED_N=$(or $(N),12000) GENERATED_SEED=$(or $(SEED),1) $(GO) test -vet=off -count=1 -timeout 0 -run '^TestGeneratedMessages$$' ./lsp

.PHONY: clients
clients: ## 36 clients, the recorded ones and drawn variants of them, through what they can ask for: nothing unannounced, each action ends: SEED=1
	@CLIENTS_SEED=$(or $(SEED),1) $(GO) test -vet=off -count=1 -run 'EveryClient$$|^TestNothingIsReadAheadUnasked$$' ./lsp
