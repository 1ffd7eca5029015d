# Agents: the tools of `tandem mcp` as agents call them.

AGENTS := .cache/agents

$(AGENTS)/node_modules/.package-lock.json:
	mkdir -p $(AGENTS)
	cd $(AGENTS) && npm i --no-audit --no-fund --loglevel=error @modelcontextprotocol/inspector@0.15.0 @openai/codex@0.169.0

.PHONY: agents
agents: build $(AGENTS)/node_modules/.package-lock.json ## clients of tandem mcp: the SDK's in every version of the protocol, the MCP inspector, and Codex CLI with scripted models
	$(GO) test -count=1 ./cmd/tandem -run '^TestAgent' -v | grep -E '^(---|FAIL|ok|panic)'
	tools/agents/inspector.sh bin $(AGENTS)/node_modules/.bin/mcp-inspector
	tools/agents/codex.sh bin $(AGENTS)/node_modules/.bin/codex

.PHONY: bench-agents
bench-agents: build $(AGENTS)/node_modules/.package-lock.json ## with a key in OPENAI_API_KEY: tasks of real Go commits by Codex CLI, alone and with tandem's tools: REPOS=DIR MODEL=... FAST=... URL=... TASKS=10
	@test -n "$(REPOS)" || { echo "give REPOS=DIR: a folder with clones of Go repositories"; exit 2; }
	@tools/agents/bench.sh "$(REPOS)" bin $(AGENTS)/node_modules/.bin/codex
