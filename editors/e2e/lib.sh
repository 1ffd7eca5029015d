# Shared by the scripts of this folder and by .ci/run: the folders, and the installation of
# missing Debian packages. Source it, do not run it.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

E2E_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$E2E_DIR/../.." && pwd)
CACHE=${TANDEM_E2E_CACHE:-$ROOT/.cache/e2e}
mkdir -p "$CACHE"
echo "root = true" > "$CACHE/.editorconfig" # what is typed there is not indented as this repository is

# as_root COMMAND...: runs it as root, with sudo if needed.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -E "$@"; fi
}

# need PROGRAM PACKAGE...: installs Debian packages if the program is missing.
need() {
  local program=$1; shift
  command -v "$program" >/dev/null 2>&1 && return
  command -v apt-get >/dev/null || { echo "$program is missing and there is no apt-get; install it yourself" >&2; exit 1; }
  apt update -qq
  apt install -y -qq --no-install-recommends "$@" >/dev/null
}

# apt ARGUMENT...: apt-get as root. It waits for other scripts that install at the same
# time, by a lock of its own, because apt-get update fails at once where another one runs.
apt() {
  as_root flock /var/lib/apt apt-get -o DPkg::Lock::Timeout=600 "$@"
}

# once NAME VERSION COMMAND...: runs the command unless it succeeded with this version before.
once() {
  local stamp=$CACHE/$1.installed version=$2; shift 2
  [ "$(cat "$stamp" 2>/dev/null)" = "$version" ] && return
  rm -f "$stamp"
  "$@"
  echo "$version" > "$stamp"
}

# quiet NAME COMMAND...: writes the output to a file and shows it on failure only. The
# command runs outside of any condition: within one, bash goes on after a failed step.
quiet() {
  local log=$CACHE/$1.log status; shift
  set +e
  (set -e; "$@") >"$log" 2>&1
  status=$?
  set -e
  [ "$status" = 0 ] || cat "$log" >&2
  return "$status"
}
