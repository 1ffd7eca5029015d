# Edit cases, ours or a directory of them, through `tandem apply --jsonl`.

.PHONY: accept
accept: build ## edit cases through tandem apply: make accept CASES=DIR
	go test ./cmd/tandem -run '^TestAccept$$' -count=1 -v -args -tandem $(abspath bin/tandem) $(if $(CASES),-cases $(abspath $(CASES)))
