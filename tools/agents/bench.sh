#!/usr/bin/env bash
# bench.sh REPOS PROGRAMS CODEX: Codex CLI does TASKS tasks of real commits of Go repositories,
# with its own tools alone and with those of `tandem mcp` besides. A task is a commit whose
# tests fail on the tree before it and pass on its own: the agent gets its message, and has
# solved it if they pass. What was measured is in STATE/agents.tsv.
set -euo pipefail
if [ -z "${OPENAI_API_KEY:-}" ]; then
  echo "skipped: agents are measured with a key of yours, in OPENAI_API_KEY (MODEL=gpt-5.3-codex FAST=gpt-5.3-codex URL=https://api.openai.com/v1 TASKS=10)"
  exit 0
fi
repos=$(realpath "$1") programs=$(realpath "$2") codex=$(realpath "$3") state=$(realpath -m "${STATE:-.cache/agents/bench}")
model=${MODEL:-gpt-5.3-codex} url=${URL:-https://api.openai.com/v1} tasks=${TASKS:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$state" "$work/config/tandem"
cat > "$work/config/tandem/config.toml" <<END
fast = "fast"
models.fast = { provider = "openai", model = "${FAST:-$model}" }
providers.openai = { base_url = "$url", env_key = "OPENAI_API_KEY" }
mcp.write = true
END

# settings WITH: the agent's configuration, with tandem's tools or without.
settings() {
  printf 'model = "%s"\nmodel_provider = "bench"\napproval_policy = "never"\nsandbox_mode = "workspace-write"\n' "$model"
  printf '[model_providers.bench]\nname = "bench"\nbase_url = "%s"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n' "$url"
  if [ "$1" = tandem ]; then
    printf '[mcp_servers.tandem]\ncommand = "%s/tandem"\nargs = ["mcp"]\ndefault_tools_approval_mode = "approve"\nenv_vars = ["OPENAI_API_KEY"]\n' "$programs"
    printf 'env = { XDG_CONFIG_HOME = "%s/config", XDG_STATE_HOME = "%s/state" }\n' "$work" "$work"
  fi
}

# passes TREE COMMIT: the tests that a commit changed, put into a tree, pass there.
passes() {
  local tests
  mapfile -t tests < <(git -C "$repo" diff-tree --no-commit-id --name-only -r --diff-filter=AM "$2" | grep '_test\.go$')
  git -C "$repo" archive "$2" -- "${tests[@]}" | tar x -C "$1"
  (cd "$1" && timeout 180 go test $(printf './%s\n' "${tests[@]%/*}" | sed 's|^\./[^/]*_test\.go$|.|' | sort -u) > "$work/test.log" 2>&1)
}

tree() { rm -rf "$2" && mkdir "$2" && git -C "$repo" archive "$1" | tar x -C "$2"; }

: > "$state/agents.tsv"
done=0
for repo in "$repos"/*; do
  repo=$(git -C "$repo" rev-parse --absolute-git-dir 2>/dev/null) || continue
  git -C "$repo" cat-file -e HEAD:go.mod 2>/dev/null || continue
  here=0
  for commit in $(git -C "$repo" log --no-merges --format=%h -200); do
    changed=$(git -C "$repo" diff-tree --no-commit-id --name-only -r "$commit")
    code=$(grep '\.go$' <<< "$changed" | grep -vc '_test\.go$' || true)
    if [ "$done" -ge "$tasks" ] || [ "$here" -ge 3 ]; then break; fi
    if [ "$code" -lt 1 ] || [ "$code" -gt 3 ] || ! grep -q '_test\.go$' <<< "$changed"; then continue; fi
    tree "$commit^" "$work/before" && tree "$commit" "$work/after" 2>/dev/null || continue
    if passes "$work/before" "$commit" || ! passes "$work/after" "$commit"; then continue; fi
    done=$((done + 1)) here=$((here + 1))
    for with in alone tandem; do
      tree "$commit^" "$work/tree"
      git -C "$work/tree" init -q && git -C "$work/tree" add -A && git -C "$work/tree" -c user.name=n -c user.email=e@example.com commit -qm before
      mkdir -p "$work/$with" && settings "$with" > "$work/$with/config.toml"
      start=$SECONDS
      (cd "$work/tree" && CODEX_HOME="$work/$with" timeout 1200 "$codex" exec --json "$(git -C "$repo" log -1 --format=%B "$commit")" < /dev/null) > "$work/said" 2> "$work/problems" || echo "codex did not end well: $(tail -n 1 "$work/problems")" >&2
      used=$(sed -n 's/.*"turn.completed".*"input_tokens":\([0-9]*\).*"output_tokens":\([0-9]*\).*/\1 \2/p' "$work/said" | awk '{ n += $1 + $2 } END { print n + 0 }')
      solved=no
      if passes "$work/tree" "$commit"; then solved=yes; fi
      printf '%s\t%s\t%s\t%s\t%s\n' "$commit" "$with" "$solved" "$used" "$((SECONDS - start))" | tee -a "$state/agents.tsv"
    done
  done
done
[ "$done" -gt 0 ] || { echo "no commit below $repos changes one to three Go files and has tests that fail before it and pass with it: give others" >&2; exit 1; }
awk -F'\t' '{ n[$2]++; s[$2] += $3 == "yes"; t[$2] += $4; m[$2] += $5 } END { for (w in n) printf "%s: %d of %d solved, %d tokens, %.1f minutes\n", w, s[w], n[w], t[w], m[w] / 60 }' "$state/agents.tsv"
