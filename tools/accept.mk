# Edit cases, ours or a directory of them, through `tandem apply --jsonl`.

.PHONY: accept
accept: build ## edit cases through tandem apply: make accept CASES=DIR
	go test ./cmd/tandem -run '^TestAccept$$' -count=1 -v -args -tandem $(abspath bin/tandem) $(if $(CASES),-cases $(abspath $(CASES)))

SLOPPY_CHANGES ?= 60
SLOPPY_SEED ?= 1

.PHONY: accept-generated
accept-generated: build .cache/tools/sloppy ## changes of real commits, written as models write them, through tandem apply: REPOS=DIR
	.cache/tools/sloppy -tandem $(abspath bin/tandem) -repos $(abspath $(REPOS)) -changes $(SLOPPY_CHANGES) -seed $(SLOPPY_SEED) -least 86

.PHONY: accept-sloppy
accept-sloppy: build .cache/tools/sloppy ## changes of real commits in every usual form of an answer, through tandem apply and edit --write, judged by the files on disk: REPOS=DIR
	.cache/tools/sloppy -tandem $(abspath bin/tandem) -repos $(abspath $(REPOS)) -changes $(or $(FORM_CHANGES),12) -seed $(SLOPPY_SEED) -forms $(or $(FORMS),8)

.PHONY: accept-insertions
accept-insertions: ## parts of real files inserted again, half as models write them that err, seed drawn: REPOS=DIR FIT_SEED=1 FIT_N=20000
	FIT_CORPUS=$(abspath $(REPOS)) $(GO) test ./workspace/style -run '^TestGeneratedInsertions$$' -count=1 -v

.PHONY: accept-answers
accept-answers: build .cache/tools/answers ## answers of models that obey badly or fail, by edit, editor and task, judged by the text on disk: SEED=1 N=300
	.cache/tools/answers -tandem $(abspath bin/tandem) -seed $(or $(SEED),1) -n $(or $(N),300)
