#!/usr/bin/env bash
# commit.sh PYTHON: the hook of .pre-commit-hooks.yaml by pre-commit itself, and the steps of
# action.yml as a runner takes them: a right commit passes, one that calls what is not there
# does not. PYTHON has pre-commit installed.
set -euo pipefail
python=$(realpath -s "$1") project=$(git rev-parse --show-toplevel)
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
export XDG_STATE_HOME=$dir/state PRE_COMMIT_HOME=$dir/pre-commit GOMODCACHE GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e@example.com GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e@example.com
GOMODCACHE=$(go env GOMODCACHE)
expect() { grep -qF -- "$1" "$dir/said" || { echo "no $1 in:"; cat "$dir/said"; exit 1; }; }
git clone -q "$project" "$dir/action"
git init -q "$dir/app" && cd "$dir/app"
printf 'module example.com/app\n\ngo 1.26\n' > go.mod
printf 'repos:\n  - repo: %s\n    rev: %s\n    hooks:\n      - id: tandem-check\n' "$dir/action" "$(git -C "$dir/action" rev-parse HEAD)" > .pre-commit-config.yaml
git add . && git commit -qm zero
"$python" -m pre_commit install > "$dir/said"
right='package app\n\nimport "strings"\n\nfunc F(s string) string { return strings.TrimSpace(s) }\n'
printf "$right" > right.go && git add .
git commit -qm right > "$dir/said" 2>&1 || { cat "$dir/said"; exit 1; }
printf "${right/TrimSpace/TrimSpaces}" | sed 's/func F/func G/' > wrong.go && git add .
if git commit -qm wrong > "$dir/said" 2>&1; then echo "pre-commit let an invented name through"; exit 1; fi
expect 'wrong.go:5:42: error: package strings has no TrimSpaces'
echo "pre-commit: a right commit passes, an invented name does not"

git commit -qnm wrong
# step NAME BASE: runs a step of action.yml with its environment, as pull request from BASE.
step() {
  "$python" - "$project/action.yml" "$1" "$2" "$dir" <<'PYTHON'
import os, subprocess, sys, yaml
action, (name, base, work) = yaml.safe_load(open(sys.argv[1])), sys.argv[2:]
values = {"github.event.pull_request.base.sha": base, "github.action_path": os.path.join(work, "action")}
values |= {"inputs." + k: v["default"] for k, v in action["inputs"].items()}
def filled(s):
    for k, v in values.items():
        s = s.replace("${{ %s }}" % k, v)
    return s
step = next(s for s in action["runs"]["steps"] if s.get("name") == name)
env = os.environ | {"RUNNER_TEMP": work} | {k: filled(v) for k, v in step.get("env", {}).items()}
sys.exit(subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=env, cwd=filled(step.get("working-directory", "."))).returncode)
PYTHON
}
step "Build tandem" ""
if step Check HEAD~1 > "$dir/said" 2>&1; then echo "the Action let an invented name through"; exit 1; fi
expect '::error file=wrong.go,line=5'
git reset -q --hard HEAD~1
step Check HEAD~1 > "$dir/said" 2>&1 || { cat "$dir/said"; exit 1; }
echo "Action: a right pull request passes, an invented name is annotated"
