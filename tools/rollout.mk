# What an administrator is promised (docs/rollout.md), as figures.
.PHONY: rollout
rollout: ## pairs of versions that meet, canaries in a bundle for support, use counted against a driven session of 200 suggestions
	@set -o pipefail; GOFLAGS=-trimpath $(GO) test -vet=off -count=1 -v -run '^(TestVersionsMeet|TestMinVersionIsReadFirst|TestUnknownRules|TestRecordsOfALaterVersion|TestProgramsOfAnotherVersion|TestBundleHasNothingOfTheUsers|TestUseIsCounted|TestTasksOfALaterVersion|TestTasksOfEarlierVersions|TestLedgerOfALaterVersion)$$' ./cmd/tandem/config ./cmd/tandem ./workspace/state | grep -E '^(--- |ok|FAIL)|_test.go' | sed -E 's/^ *[a-z_]*_test.go:[0-9]*: //'
rollout: SHELL := bash
