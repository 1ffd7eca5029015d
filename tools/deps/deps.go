//go:build deps

// Package deps pins what the packages under construction will import.
package deps

import (
	_ "github.com/aymanbagabas/go-udiff"
	_ "github.com/aymanbagabas/go-udiff/lcs"
	_ "github.com/coder/websocket"
	_ "github.com/evanw/esbuild/pkg/api"
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/go-git/go-git/v5"
	_ "github.com/go-git/go-git/v5/plumbing"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/pelletier/go-toml/v2"
	_ "github.com/pkoukk/tiktoken-go-loader"
	_ "github.com/pkoukk/tiktoken-go"
	_ "github.com/sourcegraph/go-diff/diff"
	_ "github.com/spf13/cobra"
	_ "github.com/yuin/goldmark"
	_ "github.com/zalando/go-keyring"
	_ "go.lsp.dev/jsonrpc2"
	_ "go.lsp.dev/protocol"
	_ "go.lsp.dev/uri"
	_ "go.uber.org/goleak"
	_ "golang.org/x/mod/modfile"
	_ "golang.org/x/net/http/httpproxy"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/text/unicode/norm"
	_ "golang.org/x/time/rate"
	_ "golang.org/x/tools/txtar"
	_ "golang.org/x/tools/go/packages"
	_ "pgregory.net/rapid"
)
