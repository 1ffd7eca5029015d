.PHONY: mutants
mutants: .cache/tools/mutants ## plant faults in edits, workspace, model/assist, lsp, the gate and the ledger, one at a time: MUTANTS=200 SEED=1 AREA=gate,ledger MATCH=REGEXP
	.cache/tools/mutants -n $(or $(MUTANTS),200) -seed $(or $(SEED),1) $(if $(AREA),-area $(AREA)) $(if $(MATCH),-match '$(MATCH)')
