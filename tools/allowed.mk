.PHONY: allowed
allowed: .cache/tools/allowed ## files that make programs run or decide what is seen, created by a model on every road that writes: none is written unasked; harmless ones; with REPOS=DIR (git clones) what is asked of real commits
	TANDEM_ALL=1 $(TEST) -count=1 -v -run 'MayWrite|TestOf|Disguises|NothingThatRuns|WhatRunsIsConfirmed|WhatTheUserNamesIsWritten|HarmlessFiles' ./workspace ./workspace/role ./model/assist/edit ./cmd/tandem
	@$(if $(REPOS),.cache/tools/allowed -repos "$(abspath $(REPOS))")
