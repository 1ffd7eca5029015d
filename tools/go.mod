// The tools measure and test the product, and are no part of it: they have a module of their own.
module tandem/tools

go 1.26.0

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/google/licensecheck v0.3.1
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/sourcegraph/go-diff v0.9.0
	go.lsp.dev/jsonrpc2 v1.0.1
	golang.org/x/tools v0.52.0
	tandem v0.0.0
)

require (
	github.com/fsnotify/fsnotify v1.10.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260623181947-01eb4420fa68 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/time v0.16.0 // indirect
)

replace tandem => ../
