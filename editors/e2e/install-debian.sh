#!/usr/bin/env bash
# Unpacks a Debian package of any suite, with all libraries including the C
# library, below the cache: install-debian.sh NAME SUITE PACKAGE BINARY. The binary
# is patched to load those libraries; programs that it starts use the host's.
source "$(dirname "$0")/lib.sh"
NAME=$1 SUITE=$2 PACKAGE=$3 BINARY=$4
APT=$CACHE/$NAME/apt PREFIX=$CACHE/$NAME/root
[ "$(uname -m)" = x86_64 ] || { echo "only x86_64 is supported here" >&2; exit 1; }

need patchelf patchelf
rm -rf "$APT" "$PREFIX"
mkdir -p "$APT"/{lists/partial,archives/partial,etc/preferences.d,etc/apt.conf.d,etc/sources.list.d} "$PREFIX"
: > "$APT/status"

# The mirror that this machine uses, in either of the two notations.
mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  grep -v '^#' | grep -v security | grep -oE 'https?://[^ ]+/debian/?' | head -1 || true)
[ -n "$mirror" ] || { echo "no Debian mirror is configured in /etc/apt; add one and run this again" >&2; exit 1; }
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $SUITE main" > "$APT/etc/sources.list"

options=(
  -o Dir::Etc="$APT/etc" -o Dir::Etc::parts="$APT/etc/apt.conf.d"
  -o Dir::Etc::sourcelist="$APT/etc/sources.list" -o Dir::Etc::sourceparts="$APT/etc/sources.list.d"
  -o Dir::State="$APT" -o Dir::State::lists="$APT/lists" -o Dir::State::status="$APT/status"
  -o Dir::Cache="$APT" -o Dir::Cache::archives="$APT/archives"
  -o APT::Install-Recommends=false -o APT::Sandbox::User=root -o APT::Keep-Downloaded-Packages=true
  -o Acquire::Languages=none -o Debug::NoLocking=1
)
apt-get "${options[@]}" update
apt-get "${options[@]}" install -y --download-only $PACKAGE # there may be several
for deb in "$APT"/archives/*.deb; do dpkg -x "$deb" "$PREFIX"; done
rm -rf "$APT"

program=$(readlink -f "$PREFIX/$BINARY")
loader=$(find "$PREFIX" -name ld-linux-x86-64.so.2 | sort | head -1)
patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$PREFIX/usr/lib/x86_64-linux-gnu" "$program"
