#!/usr/bin/env bash
# Renames and changes of parameters, by Tab alone, in a real Neovim beside a real language
# server: series.sh LANGUAGE=FOLDER... with go, python, typescript, rust or java.
source "$(dirname "$0")/lib.sh"
export E2E_DIR E2E_PLUGIN=$ROOT/editors/neovim E2E_BIN=${TANDEM_BIN:-$ROOT/bin}
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
  export SERIES_SERVER E2E_OUT=$CACHE/out/series-$SERIES_FILETYPE
  rm -rf "$E2E_OUT" && mkdir -p "$E2E_OUT"
  XDG_CONFIG_HOME=$E2E_OUT XDG_STATE_HOME=$E2E_OUT XDG_CACHE_HOME=$E2E_OUT "$CACHE/nvim/bin/nvim" --clean --headless -l "$E2E_DIR/series.lua" 2>&1 | tee "$E2E_OUT/report.txt"
done
