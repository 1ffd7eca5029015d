#!/usr/bin/env bash
# demo.sh PROGRAMS: tandem's main job on the repository it is run in: first with the built-in
# engine, then with the scripted models, which are configured like any provider and know only
# what they are shown. It works on a copy, and needs no key and no network.
set -euo pipefail
programs=$(realpath "$1") here=$(dirname "$(realpath "$0")")
dir=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$dir"' EXIT
export XDG_CONFIG_HOME=$dir/xdg XDG_STATE_HOME=$dir/state NO_COLOR=1
mkdir "$dir/repository"
git ls-files -z | tar c --ignore-failed-read --null -T - | tar x -C "$dir/repository"
cd "$dir/repository"
: > "$dir/config.toml" # the built-in engine needs no setting

title() { printf '\n%s\n%s\n' "$1" "${1//?/-}"; }
# show ARGUMENT...: a command as a person types it, and what it prints; 4 is "no suggestion".
show() {
  printf '\n$ tandem'; for a in "$@"; do case $a in *[\ ?]*) printf ' "%s"' "$a" ;; *) printf ' %s' "$a" ;; esac; done; echo
  s=0; "$programs/tandem" "$@" --config "$dir/config.toml" > "$dir/said" 2>&1 || s=$?
  sed 's/^/    /' "$dir/said"
  [ $s = 0 ] || [ $s = 4 ] || { echo "demo: tandem $1 ends with $s" >&2; exit 1; }
}
# line FILE TEXT: the number of the first line with a text, so that places stay right when files change.
line() { grep -nF -m 1 -- "$2" "$1" | cut -d: -f1 | grep . || { echo "demo: $1 has no \"$2\" any more; choose another" >&2; exit 1; }; }

title "1. The built-in engine: no model, no key, no network"
file=workspace/git/git.go text='return nil, fmt.Errorf("open the git repository around %s: %w", dir, err)'
n=$(line $file "$text")
sed -i "${n}s/return nil.*/return /" $file # as somebody types it
show complete "$file:$n:10"
show ask "Where is Snapshot defined?"

title "2. Two models behind one configuration: scripted-fast and scripted-deep"
sed -e "s/@DEFINED@/$(line edits/rebase_case.go 'func FromUTF16Edits')/" -e "s/@USED@/$(line edits/rebase_case.go 'FromUTF16Edits(before, c.User)')/" \
  "$here/models.toml" > "$dir/models.toml"
"$programs/scripted" --script "$dir/models.toml" > "$dir/server" &
server=$!
until grep -q listening "$dir/server"; do sleep 0.1; done
cat > "$dir/config.toml" <<END
fast = "quick"
deep = "thorough"
models.quick = { provider = "demo", model = "scripted-fast", context_window = 128000, max_output_tokens = 4096 }
models.thorough = { provider = "demo", model = "scripted-deep", context_window = 400000, max_output_tokens = 8192 }
providers.demo = { base_url = "$(sed -n 's/^listening //p' "$dir/server")/v1", wire_api = "responses", supports_websockets = true }
END
printf '\nconfig.toml\n'; sed 's/^/    /' "$dir/config.toml"
n=$(line edits/edit.go "func piecesOf")
show edit "edits/edit.go:$((n - 1))-$n" "Rename piecesOf to piecesFrom" --write
show ask "What is FromUTF16Edits for?" edits/edit.go:1:1

title "3. A task: the deep model plans, the fast one types"
show edit edits/edit.go "Add a comment to the functions of this file that have none" --deep --write --yes
