# Shared by the scripts of this folder: the folders, and the installation of
# missing Debian packages. Source it, do not run it.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

E2E_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$E2E_DIR/../.." && pwd)
CACHE=${TANDEM_E2E_CACHE:-$ROOT/.cache/e2e}
mkdir -p "$CACHE"

# as_root COMMAND...: runs it as root, with sudo if needed.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -E "$@"; fi
}

# need PROGRAM PACKAGE...: installs Debian packages if the program is missing.
need() {
  local program=$1; shift
  command -v "$program" >/dev/null 2>&1 && return
  command -v apt-get >/dev/null || { echo "$program is missing and there is no apt-get; install it yourself" >&2; exit 1; }
  as_root apt-get update -qq
  as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# once NAME VERSION COMMAND...: runs the command unless it succeeded with this version before.
once() {
  local stamp=$CACHE/$1.installed version=$2; shift 2
  [ "$(cat "$stamp" 2>/dev/null)" = "$version" ] && return
  rm -f "$stamp"
  "$@"
  echo "$version" > "$stamp"
}

# quiet NAME COMMAND...: writes the output to a file and shows it on failure only.
quiet() {
  local log=$CACHE/$1.log; shift
  "$@" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
}
