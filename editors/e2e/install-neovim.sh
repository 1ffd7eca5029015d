#!/usr/bin/env bash
# Installs Neovim 0.12 or later, from Debian's testing suite, into a separate
# prefix: the host's packages do not change, except for a missing patchelf.
source "$(dirname "$0")/lib.sh"
SUITE=forky

install_neovim() {
  "$E2E_DIR/install-debian.sh" nvim "$SUITE" neovim usr/bin/nvim
  mkdir -p "$CACHE/nvim/bin"
  cat > "$CACHE/nvim/bin/nvim" <<W
#!/bin/sh
VIMRUNTIME="$CACHE/nvim/root/usr/share/nvim/runtime" exec "$(readlink -f "$CACHE/nvim/root/usr/bin/nvim")" "\$@"
W
  chmod +x "$CACHE/nvim/bin/nvim"
  "$CACHE/nvim/bin/nvim" --clean --headless \
    '+lua if vim.fn.has("nvim-0.12") == 0 then io.stderr:write("Debian gave Neovim " .. tostring(vim.version()) .. ", 0.12 is needed\n") vim.cmd.cquit() end' +qa
}

once nvim "$SUITE $CACHE" quiet install-neovim install_neovim
