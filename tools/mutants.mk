MUTANTS ?= 200
SEED ?= 1

.PHONY: mutants lines-gone faults
mutants: .cache/tools/mutants ## plant faults in edits, workspace, model/assist, lsp, the gate and the ledger, one at a time: MUTANTS=200 SEED=1 AREA=gate,ledger MATCH=REGEXP
	.cache/tools/mutants -n $(MUTANTS) -seed $(SEED) $(if $(AREA),-area $(AREA)) $(if $(MATCH),-match '$(MATCH)')

lines-gone faults: export GOFLAGS := $(strip $(filter-out -trimpath,$(shell $(GO) env GOFLAGS)) -trimpath)
lines-gone faults: export GOROOT := $(shell $(GO) env GOROOT)
lines-gone: .cache/tools/mutants ## take an essential line out of edits, workspace, model/assist and lsp, one at a time (a call, what is assigned to last, all of a function): GONE=60 SEED=1
	.cache/tools/mutants -n $(or $(GONE),60) -seed $(SEED) -area edits,workspace,assist,lsp -least 90 -match '\| (drop call|drop assignment|return early) \|'

faults: .cache/tools/mutants ## plant the 40 faults of tools/mutants/faults.txt (redaction off for a part, a verdict ignored, a bound or a guard gone), one at a time: MATCH=REGEXP
	.cache/tools/mutants -faults tools/mutants/faults.txt $(if $(MATCH),-match '$(MATCH)')
