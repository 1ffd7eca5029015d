#!/usr/bin/env bash
# Installs Emacs 29 or later and its mode for Go, from Debian's testing suite, into a separate prefix.
source "$(dirname "$0")/lib.sh"
SUITE=forky

install_emacs() {
  "$E2E_DIR/install-debian.sh" emacs "$SUITE" "emacs-nox elpa-go-mode" usr/bin/emacs-nox
  local share; share=$(echo "$CACHE"/emacs/root/usr/share/emacs/[0-9]*)
  local lib; lib=$(echo "$CACHE"/emacs/root/usr/libexec/emacs/[0-9]*/*/)
  local mode; mode=$(echo "$CACHE"/emacs/root/usr/share/emacs/site-lisp/elpa-src/go-mode-*)
  mkdir -p "$CACHE/emacs/bin"
  cat > "$CACHE/emacs/bin/emacs" <<W
#!/bin/sh
export EMACSLOADPATH="$(find "$share/lisp" -type d ! -name obsolete | paste -sd:):$mode" EMACSDATA="$share/etc" EMACSDOC="$share/etc" EMACSPATH="$lib"
exec "$(readlink -f "$CACHE/emacs/root/usr/bin/emacs-nox")" --dump-file="$(echo "$lib"*.pdmp)" "\$@"
W
  chmod +x "$CACHE/emacs/bin/emacs"
  "$CACHE/emacs/bin/emacs" --batch --eval '(when (< emacs-major-version 29) (error "Debian gave Emacs %s, 29 is needed" emacs-version))'
}

once emacs "$SUITE $CACHE" quiet install-emacs install_emacs
