.PHONY: secrets secrets-kept
secrets: ## secrets as people keep them, with names and values drawn afresh (SEED=N): how many of 150 leave, by syntax; false findings in Go's own sources
	SEED=$(SEED) $(TEST) -count=1 -v -run 'KindsOfSecrets|DrawnSecrets|FewFalseFindings|SecretsAreRedacted' ./workspace/redact

secrets-kept: ## the same secrets in a repository that is indexed, edited, reviewed and asked about: which stand in the state folder, a log, a title or a message
	$(TEST) -count=1 -v -run 'NothingOfASecretIsWritten|KeptHoldsNoSecret|TraceWithTextsHasNoSecret|SealedText|KeptText' ./cmd/tandem ./model/local/complete ./workspace/redact
