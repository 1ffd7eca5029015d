#!/usr/bin/env bash
# codex.sh PROGRAMS CODEX: Codex CLI in a scripted session with `tandem mcp`: context, edit
# and check are called, and the patch lands.
set -euo pipefail
programs=$(realpath "$1") codex=$(realpath "$2") here=$(dirname "$(realpath "$0")")
dir=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$dir"' EXIT
"$programs/scripted" --script "$here/session.toml" > "$dir/server" &
server=$!
for _ in $(seq 100); do grep -q listening "$dir/server" && break; sleep 0.1; done
url=$(sed -n 's/^listening //p' "$dir/server")
mkdir -p "$dir/codex" "$dir/config/tandem" "$dir/lib"
cat > "$dir/codex/config.toml" <<END
model = "agent"
model_provider = "scripted"
approval_policy = "never"
[model_providers.scripted]
name = "scripted"
base_url = "$url/v1"
wire_api = "responses"
[mcp_servers.tandem]
command = "$programs/tandem"
args = ["mcp"]
default_tools_approval_mode = "approve"
env = { XDG_CONFIG_HOME = "$dir/config", XDG_STATE_HOME = "$dir/state" }
END
cat > "$dir/config/tandem/config.toml" <<END
fast = "fast"
models.fast = { provider = "scripted", model = "fast", edit_format = "search_replace" }
providers.scripted = { base_url = "$url/v1", wire_api = "chat" }
mcp.write = true
END
cd "$dir/lib"
git init -q .
printf 'module example.com/lib\n\ngo 1.26\n' > go.mod
printf 'package lib\n\nfunc Answer() int {\n\treturn 1\n}\n' > lib.go
git add . && git -c user.name=n -c user.email=e@example.com commit -qm one
CODEX_HOME=$dir/codex timeout 120 "$codex" exec "Let Answer return 10" < /dev/null > "$dir/said" 2>&1 || { cat "$dir/said"; exit 1; }
if ! grep -q '^Answer returns 10\.$' "$dir/said" || ! grep -q 'return 10' lib.go; then
  cat "$dir/said"; git diff; exit 1
fi
XDG_STATE_HOME=$dir/state "$programs/tandem" ledger | sed 1d
echo "codex: context, edit and check were called, and the patch is in lib.go"
