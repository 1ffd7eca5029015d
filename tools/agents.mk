# Agents: the tools of `tandem mcp` as agents call them.

AGENTS := .cache/agents

$(AGENTS)/node_modules/.package-lock.json:
	mkdir -p $(AGENTS)
	cd $(AGENTS) && npm i --no-audit --no-fund --loglevel=error @modelcontextprotocol/inspector@0.15.0 @openai/codex@0.169.0

.PHONY: agents
agents: build $(AGENTS)/node_modules/.package-lock.json ## the MCP inspector and Codex CLI, with scripted models, as clients of tandem mcp
	tools/agents/inspector.sh bin $(AGENTS)/node_modules/.bin/mcp-inspector
	tools/agents/codex.sh bin $(AGENTS)/node_modules/.bin/codex
