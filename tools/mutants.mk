MUTANTS ?= 200
SEED ?= 1

.PHONY: mutants
mutants: ## plant faults in lsp, model/assist, the gate and the ledger, one at a time: MUTANTS=200 SEED=1 AREA=ledger MATCH=REGEXP
	$(GO) run ./tools/mutants -n $(MUTANTS) -seed $(SEED) $(if $(AREA),-area $(AREA)) $(if $(MATCH),-match '$(MATCH)')
