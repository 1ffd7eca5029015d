#!/usr/bin/env bash
# Installs what make e2e-clients drives beside make e2e: Vim, ALE, micro, Kate, Emacs' lsp-mode and Kakoune from
# Debian, and Kakoune's client from crates.io, which takes minutes.
source "$(dirname "$0")/lib.sh"
"$E2E_DIR/install-neovim.sh"
"$E2E_DIR/install-emacs.sh"
need vim vim
need micro micro
need kate kate xvfb xdotool at-spi2-core dbus-daemon dbus-bin python3-pyatspi # and what shows its windows and reads them
need patchelf patchelf

# unpacked NAME PACKAGE...: Debian packages without what they depend on, below the cache.
unpacked() {
  local name=$1; shift
  rm -rf "$CACHE/$name" && mkdir -p "$CACHE/$name"
  (cd "$CACHE/$name" && apt-get -o APT::Sandbox::User=root download "$@" && for deb in *.deb; do dpkg -x "$deb" . && rm "$deb"; done)
}
once ale "vim-ale" quiet install-ale unpacked ale vim-ale
install_lsp_mode() {
  unpacked lsp-mode "$@"
  "$CACHE/emacs/bin/emacs" --batch -Q --eval '(setq native-comp-enable-subr-trampolines nil)' \
    --eval "(dolist (d (directory-files \"$CACHE/lsp-mode/usr/share/emacs/site-lisp/elpa-src\" t \"^[a-z]\")) (add-to-list 'load-path d))" \
    -f batch-byte-compile "$CACHE"/lsp-mode/usr/share/emacs/site-lisp/elpa-src/*/*.el || true # what lacks a package is loaded as it is
}
once lsp-mode "elpa-lsp-mode" quiet install-lsp-mode install_lsp_mode elpa-lsp-mode elpa-dash elpa-f elpa-s elpa-ht elpa-spinner elpa-markdown-mode elpa-lv
once kakoune "forky" quiet install-kakoune "$E2E_DIR/install-debian.sh" kakoune forky kakoune usr/bin/kak
need perl perl # for kak-lsp's menus
command -v cargo >/dev/null || { echo "cargo 1.75 or later is missing, with which kak-lsp is built: install Rust, and run this again" >&2; exit 1; }
once kak-lsp "22.0.0" quiet install-kak-lsp cargo install --quiet --locked --no-default-features --root "$CACHE/kak-lsp" kak-lsp@22.0.0
