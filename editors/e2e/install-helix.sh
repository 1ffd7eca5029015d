#!/usr/bin/env bash
# Installs Helix from Debian's testing suite into a separate prefix.
source "$(dirname "$0")/lib.sh"
SUITE=forky

once helix "$SUITE" quiet install-helix "$E2E_DIR/install-debian.sh" helix "$SUITE" hx usr/bin/hx
