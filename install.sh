#!/bin/sh
# Installs tandem from an archive of a release: install.sh FILE [PREFIX], by default below
# ~/.local. It needs no network, no Go and no node, and nothing outside of PREFIX is touched.
set -eu
file=${1:?give the archive: install.sh tandem-VERSION-OS-ARCH.tar.gz [PREFIX]}
prefix=${2:-$HOME/.local}
sums=$(dirname "$file")/SHA256SUMS
if [ -f "$sums" ]; then
  want=$(sed -n "s/  $(basename "$file" | sed 's/[.]/[.]/g')\$//p" "$sums")
  is=$({ sha256sum "$file" 2>/dev/null || shasum -a 256 "$file"; } | cut -d' ' -f1)
  [ "$want" = "$is" ] || { echo "install.sh: $file is not what SHA256SUMS says: download it again" >&2; exit 1; }
else
  echo "install.sh: no SHA256SUMS beside $file, so it is not checked" >&2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tar -C "$dir" -xzf "$file"
cd "$dir"/tandem-*
put() { mkdir -p "$(dirname "$prefix/$2")" && cp -R "$1" "$prefix/$2"; }
mkdir -p "$prefix/bin"
cp tandem "$prefix/bin/.tandem.new" && chmod 755 "$prefix/bin/.tandem.new" && mv "$prefix/bin/.tandem.new" "$prefix/bin/tandem"
put completions/tandem.bash share/bash-completion/completions/tandem
put completions/tandem.zsh share/zsh/site-functions/_tandem
put completions/tandem.fish share/fish/vendor_completions.d/tandem.fish
put man/tandem.1 share/man/man1/tandem.1
for f in README.md LICENSE THIRD_PARTY_NOTICES.txt; do put "$f" "share/doc/tandem/$f"; done
# Neovim loads it from here by itself.
plugin=$prefix/share/nvim/site/pack/tandem/start
rm -rf "$plugin/tandem" && mkdir -p "$plugin" && cp -R editors/neovim "$plugin/tandem"
"$prefix/bin/tandem" --version
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "Put $prefix/bin on your PATH." ;; esac
echo "Next: tandem setup"
