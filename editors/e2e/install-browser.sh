#!/usr/bin/env bash
# Installs Debian's chromium, a font for readable screenshots, and the driver,
# which downloads no browser of its own.
source "$(dirname "$0")/lib.sh"

need chromium chromium fonts-dejavu-core
install_driver() {
  rm -rf "$CACHE/driver"
  mkdir -p "$CACHE/driver"
  cp "$E2E_DIR/package.json" "$E2E_DIR/package-lock.json" "$CACHE/driver/"
  (cd "$CACHE/driver" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund)
}
once driver "$(sha256sum < "$E2E_DIR/package-lock.json")" quiet install-driver install_driver
