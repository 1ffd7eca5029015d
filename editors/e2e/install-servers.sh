#!/usr/bin/env bash
# Installs the language servers that make e2e-series judges by.
source "$(dirname "$0")/lib.sh"
GOPLS=v0.23.0
NPM="typescript-language-server@5.3.0 typescript@5.9.3 pyright@1.1.414"

install_servers() {
  mkdir -p "$CACHE/servers"
  (cd "$CACHE/servers" && GOBIN=$CACHE/servers/bin go install "golang.org/x/tools/gopls@$GOPLS")
  npm install --prefix "$CACHE/servers" --no-audit --no-fund --loglevel=error $NPM
}

once servers "$GOPLS $NPM" quiet install-servers install_servers
