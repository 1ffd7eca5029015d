#!/usr/bin/env bash
# throttled.sh RATE ARGUMENT...: a llama.cpp stand-in that reads RATE tokens of a prompt a second,
# and the rig with the other arguments at it.
set -euo pipefail
rate=$1; shift
script=$(mktemp)
trap 'rm -f "$script"; kill "$server" 2>/dev/null' EXIT
cat >"$script" <<END
[server]
models = ["qwen2.5-coder-7b-stand-in-$rate"]
context = 32768

[[rule]]
prompt_tokens_per_second = $rate
tokens_per_second = 100
END
port=$((20000 + RANDOM % 20000))
bin/scripted -listen 127.0.0.1:$port -script "$script" >/dev/null &
server=$!
.cache/tools/real -server http://127.0.0.1:$port "$@"
