MUTANTS ?= 200
SEED ?= 1

.PHONY: mutants faults
mutants: ## plant faults in lsp, model/assist, the gate and the ledger, one at a time: MUTANTS=200 SEED=1 AREA=ledger MATCH=REGEXP
	$(GO) run ./tools/mutants -n $(MUTANTS) -seed $(SEED) $(if $(AREA),-area $(AREA)) $(if $(MATCH),-match '$(MATCH)')

faults: export GOFLAGS := $(strip $(filter-out -trimpath,$(shell $(GO) env GOFLAGS)) -trimpath)
faults: export GOROOT := $(shell $(GO) env GOROOT)
faults: ## plant the 40 faults of tools/mutants/faults.txt (redaction off for a part, a verdict ignored, a bound or a guard gone), one at a time: MATCH=REGEXP
	$(GO) run ./tools/mutants -faults tools/mutants/faults.txt $(if $(MATCH),-match '$(MATCH)')
