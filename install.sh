#!/bin/sh
# Installs tandem from an archive of a release, or from the folder of one that is unpacked, where
# it stands: install.sh [FILE] [PREFIX], by default below ~/.local. It needs no network, no Go and
# no node, and nothing outside of PREFIX is touched.
set -eu
file=${1:-$(dirname "$0")}
prefix=${2:-$HOME/.local}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
refuse() { echo "install.sh: $1" >&2; exit 1; }

# hash prints the SHA-256 of a file, by what this machine has.
hash() {
  if command -v sha256sum >/dev/null; then sha256sum "$1" | cut -d' ' -f1
  elif command -v shasum >/dev/null; then shasum -a 256 "$1" | cut -d' ' -f1
  elif command -v openssl >/dev/null; then openssl dgst -sha256 -r "$1" | cut -d' ' -f1
  fi
}

case $file in -*) refuse "write install.sh [tandem-VERSION-OS-ARCH.tar.gz] [PREFIX]" ;; esac
[ -e "$file" ] || refuse "there is no file $file"
# unpack checks the archive, and goes to what it holds.
unpack() {
  sums=$(dirname "$file")/SHA256SUMS
  if [ -f "$sums" ]; then
    name=$(basename "$file")
    want=$(awk -v name="$name" '{ n = $2; sub(/^[*]/, "", n) } n == name { print $1; exit }' "$sums")
    [ -n "$want" ] || refuse "SHA256SUMS does not list $name: download both of one release"
    is=$(hash "$file")
    [ -n "$is" ] || refuse "$file cannot be compared with SHA256SUMS: install sha256sum, shasum or openssl"
    [ "$want" = "$is" ] || refuse "$file is not what SHA256SUMS says: download it again"
  else
    echo "install.sh: no SHA256SUMS beside $file, so it is not checked" >&2
  fi
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
  tar -C "$dir" -xzf "$file"
  cd "$dir"/tandem-*
}
if [ -d "$file" ]; then
  cd "$file"
  [ -f tandem ] || refuse "there is no release in $file: write install.sh tandem-VERSION-OS-ARCH.tar.gz"
else
  unpack
fi
# One command a line: sh goes on after a failure in the middle of "a && b".
put() {
  mkdir -p "$(dirname "$prefix/$2")"
  cp -R "$1" "$prefix/$2"
}
put tandem bin/.tandem.new
chmod 755 "$prefix/bin/.tandem.new"
mv "$prefix/bin/.tandem.new" "$prefix/bin/tandem"
put completions/tandem.bash share/bash-completion/completions/tandem
put completions/tandem.zsh share/zsh/site-functions/_tandem
put completions/tandem.fish share/fish/vendor_completions.d/tandem.fish
put man/tandem.1 share/man/man1/tandem.1
mkdir -p "$prefix/share/doc"
rm -rf "$prefix/share/doc/tandem"
for f in *.md docs LICENSE THIRD_PARTY_NOTICES.txt; do put "$f" "share/doc/tandem/$f"; done
# Neovim loads it from here by itself.
plugin=$prefix/share/nvim/site/pack/tandem/start
rm -rf "$plugin/tandem"
put editors/neovim share/nvim/site/pack/tandem/start/tandem
"$prefix/bin/tandem" --version
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "Put $prefix/bin on your PATH." ;; esac
echo "Next, in a project of yours: tandem demo. tandem check --diff HEAD finds made-up names, and tandem setup a model."
