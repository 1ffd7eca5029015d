# Editors: the VS Code extension, and end-to-end tests in real editors.

VSCODE := editors/vscode
VSIX_TARGET := $(shell go env GOOS | sed 's/windows/win32/')-$(shell go env GOARCH | sed 's/amd64/x64/')
NPM_CI := npm ci --no-audit --no-fund --loglevel=error

$(VSCODE)/node_modules/.package-lock.json: $(VSCODE)/package-lock.json
	cd $(VSCODE) && $(NPM_CI)
	touch $@

.PHONY: vscode
vscode: build $(VSCODE)/node_modules/.package-lock.json ## dist/: the VS Code extension with the server inside, for this platform
	cd $(VSCODE) && npm run --silent check && npm run --silent test && npm run --silent bundle -- --log-level=warning
	rm -rf $(VSCODE)/bin && mkdir -p $(VSCODE)/bin dist
	cp bin/tandem$(shell go env GOEXE) $(VSCODE)/bin/ && cp LICENSE THIRD_PARTY_NOTICES.txt $(VSCODE)/
	cd $(VSCODE) && npx --no-install vsce package --target $(VSIX_TARGET) --no-dependencies --allow-missing-repository --out ../../dist/tandem-$(VSIX_TARGET).vsix

.PHONY: e2e e2e-install e2e-vscode e2e-neovim
e2e-install: ## install the editors that make e2e drives, below .cache/e2e
	editors/e2e/install-neovim.sh
	editors/e2e/install-helix.sh
	editors/e2e/install-emacs.sh
	editors/e2e/install-browser.sh
	editors/e2e/install-code-server.sh

e2e: build vscode e2e-install ## real VS Code, Neovim, Helix and Emacs, as a user works with them
	.cache/e2e/nvim/bin/nvim --clean -l editors/draft_cases.lua
	editors/e2e/run.sh

.PHONY: recordings
recordings: build e2e-install ## docs/images/, every picture of the pages, recorded in real Neovim, at most 25 s each; make e2e compares them with what it sees
	E2E_RECORD=yes E2E_ONLY='last place' editors/e2e/run.sh neovim
	cp $${TANDEM_E2E_CACHE:-.cache/e2e}/out/latest/neovim/rename.svg docs/images/neovim-rename.svg
	E2E_RECORD=yes editors/e2e/run.sh first_neovim
	for name in ghost-text made-up-name; do cp $${TANDEM_E2E_CACHE:-.cache/e2e}/out/latest/first_neovim/$$name.svg docs/images/neovim-$$name.svg; done

e2e-vscode: build vscode e2e-install ## make e2e with VS Code alone
	editors/e2e/run.sh vscode

e2e-neovim: build e2e-install ## make e2e with Neovim alone
	.cache/e2e/nvim/bin/nvim --clean -l editors/draft_cases.lua
	editors/e2e/run.sh neovim

.PHONY: e2e-clients
e2e-clients: build ## Emacs with eglot and lsp-mode, Helix, Kakoune, Kate, and Vim with ALE, by the lines of docs/editors.md; with PLUGINS=DIR, which has vim-lsp, lsp (yegappan's), a built coc.nvim and micro-plugin-lsp, Vim and micro with these too
	editors/e2e/install-helix.sh
	editors/e2e/install-clients.sh
	$(if $(PLUGINS),PLUGINS=$(abspath $(PLUGINS)) )editors/e2e/run.sh emacs lsp_mode helix kakoune kate ale $(if $(PLUGINS),vim_lsp yegappan_lsp coc micro)

.PHONY: e2e-conflicts
e2e-conflicts: build vscode e2e-install ## CONFLICTS=20 tasks of the deep model, while each of which the user types what it breaks, in Neovim and VS Code
	E2E_CONFLICTS=$(or $(CONFLICTS),20) E2E_ONLY='typed while' editors/e2e/run.sh neovim vscode

.PHONY: e2e-unaccepted
e2e-unaccepted: build vscode e2e-install ## EDITS=20 edits in Neovim and VS Code, each file saved after 100 ms and formatted: bytes on disk before acceptance
	E2E_EDITS=$(or $(EDITS),20) E2E_ONLY='100 ms' editors/e2e/run.sh neovim vscode

.PHONY: first-minutes
first-minutes: build ## from nothing to the first ghost text of a model, in Neovim: answers and seconds; with managed.toml no question
	editors/e2e/install-neovim.sh
	E2E_ONLY='ghost text' editors/e2e/run.sh first_neovim > .cache/first-minutes.txt; s=$$?; grep -E 'ghost text|FAIL' .cache/first-minutes.txt; exit $$s

.PHONY: first-minutes-vscode
first-minutes-vscode: build vscode e2e-install ## all scenarios of the first minutes in VS Code, the wrong set-ups among them, to their end whatever fails
	E2E_ALL=yes E2E_GO_ON=yes editors/e2e/run.sh first_vscode

.PHONY: e2e-series
e2e-series: build ## renames and changed parameters to their last place by Tab alone, in Neovim beside real language servers: PROJECTS="go=DIR python=DIR typescript=DIR rust=DIR java=DIR" RENAMES=20 SIGNATURES=12 a language
	@test -n "$(PROJECTS)" || { echo "give PROJECTS=\"go=DIR python=DIR typescript=DIR rust=DIR java=DIR\": folders of projects"; exit 2; }
	editors/e2e/install-neovim.sh
	editors/e2e/install-servers.sh $(foreach p,$(PROJECTS),$(firstword $(subst =, ,$(p))))
	RENAMES=$(or $(RENAMES),20) SIGNATURES=$(or $(SIGNATURES),12) editors/e2e/series.sh neovim $(PROJECTS)

.PHONY: e2e-series-vscode
e2e-series-vscode: vscode ## the same in VS Code
	@test -n "$(PROJECTS)" || { echo "give PROJECTS=\"go=DIR python=DIR typescript=DIR rust=DIR java=DIR\": folders of projects"; exit 2; }
	editors/e2e/install-browser.sh
	editors/e2e/install-code-server.sh
	editors/e2e/install-servers.sh $(foreach p,$(PROJECTS),$(firstword $(subst =, ,$(p))))
	RENAMES=$(or $(RENAMES),20) SIGNATURES=$(or $(SIGNATURES),12) editors/e2e/series.sh vscode $(PROJECTS)
