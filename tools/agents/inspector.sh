#!/usr/bin/env bash
# inspector.sh PROGRAMS INSPECTOR: the MCP inspector lists the tools of `tandem mcp`, calls
# two of them, and gets a refusal for arguments that are wrong.
set -euo pipefail
programs=$(realpath "$1") inspector=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export XDG_CONFIG_HOME=$dir/config XDG_STATE_HOME=$dir/state
mkdir "$dir/lib"
cd "$dir/lib"
printf 'module example.com/lib\n\ngo 1.26\n' > go.mod
printf 'package lib\n\nfunc Answer() int {\n\treturn 1\n}\n' > lib.go
ask() { timeout 60 "$inspector" --cli "$programs/tandem" mcp "$@" > "$dir/said" 2>&1 || true; }
expect() { grep -qF -- "$1" "$dir/said" || { echo "no $1 in:"; cat "$dir/said"; exit 1; }; }
ask --method tools/list
for tool in check context edit; do expect "\"name\": \"$tool\""; done
ask --method tools/call --tool-name context --tool-arg 'words=what is the answer'
expect 'lib.go:3-5'
ask --method tools/call --tool-name check --tool-arg 'files=["lib.go"]'
expect '0 findings in 1 file' # the inspector reads what it sends by the schema
ask --method tools/call --tool-name context --tool-arg 'question=what'
expect 'question'
echo "inspector: the tools are listed, called, and refuse what they do not know"
