#!/usr/bin/env bash
# Tries a release of this platform as a machine that has nothing: release_bare.sh VERSION. It builds
# the release twice, from clones in two folders, compares the bytes, then installs and uses it in a
# minimal Debian (debootstrap), without network. It needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1 here=$PWD platform=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for n in first second; do
  git clone -q --shared . "$work/$n"
  ln -s "$here/editors/vscode/node_modules" "$work/$n/editors/vscode/node_modules"
  (cd "$work/$n/editors/vscode" && npm run --silent bundle -- --log-level=warning)
  "$work/$n/tools/release.sh" "$version" "$work/$n-release" "$platform"
done
cmp "$work/first-release/SHA256SUMS" "$work/second-release/SHA256SUMS"
echo "two builds in two folders: equal bytes"

bare=$work/bare
debootstrap --variant=minbase bookworm "$bare" > "$work/debootstrap.log" || { tail -3 "$work/debootstrap.log" >&2; exit 1; }
cp install.sh "$work"/first-release/{*.tar.gz,SHA256SUMS} "$bare/tmp/"
mkdir "$bare/tmp/w"
cat > "$bare/tmp/w/w.go" <<'C'
package w

func clamp(v, low int) int { return max(v, low) }

func Use() int { return clam(1, 2) }
C
unshare --net chroot "$bare" /usr/bin/env -i HOME=/root PATH=/root/.local/bin:/usr/bin:/bin sh -eu <<'C'
for program in go node make git python3 curl; do ! command -v $program || { echo "$program is there"; exit 1; }; done
sh /tmp/install.sh /tmp/tandem-*.tar.gz
cd /tmp/w
tandem ask "where is clamp defined?" | grep 'defined at w.go:3'
tandem check w.go | grep 'clam is declared nowhere'
C
echo "installed and used without Go, node, make and network"
