.PHONY: conversations
conversations: ## what conversations hold, on clones in REPOS=DIR: follow-ups with the function still shown, the prefix kept, prompts in their bound, selections up to the window; then forty routed requests, attempts, interruptions and changes taken back
	CONVERSATIONS=$(abspath $(REPOS)) $(GO) test -vet=off -count=1 -v -timeout 30m -run 'TestConversationsOfClones|TestRoutesAsAnExpertWould|TakenBack|TestAttemptsDiffer|TestAnInterruptedQuestionStays|TestNamedIsShownWhole|TestRendersBeginWithEachOther' ./model/assist/... ./model/conversation
