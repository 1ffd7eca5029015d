package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A row is one promise: how its figure is found in a job's output, and the limit
// that it must meet.
type row struct {
	group string
	what  string
	job   string
	find  string  // a regular expression with one group, the figure
	scale float64 // of the figure; 0 is 1
	unit  string
	limit float64
	least bool   // the limit is a lower one
	over  string // a second expression, by whose figure the first is divided
	best  string // the best figure of others
}

func (r row) bar() string {
	sign := "≤"
	if r.least {
		sign = "≥"
	}
	return fmt.Sprintf("%s %s", sign, strings.TrimSuffix(strconv.FormatFloat(r.limit, 'f', -1, 64), ".0"))
}

func (r row) holds(v float64) bool {
	if r.least {
		return v >= r.limit
	}
	return v <= r.limit
}

// value reads the figure from a job's output.
func (r row) value(output string) (float64, bool) {
	v, ok := number(r.find, output)
	if r.scale != 0 {
		v *= r.scale
	}
	if r.over != "" && ok {
		var by float64
		if by, ok = number(r.over, output); ok && by != 0 {
			v /= by
		}
	}
	return v, ok
}

func number(find, output string) (float64, bool) {
	m := regexp.MustCompile("(?m)" + find).FindStringSubmatch(output)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v, err == nil
}

// bench returns the expression that finds a benchmark's figure by name and unit.
func bench(name, unit string) string {
	return `^Benchmark` + regexp.QuoteMeta(name) + `(?:-\d+)?\s.*?\s([\d.e+-]+) ` + regexp.QuoteMeta(unit) + `(?:\s|$)`
}

const kubernetes = "$(go env GOMODCACHE)/k8s.io/kubernetes@v1.34.1"

// jobs returns the benchmarks to run, in order.
func jobs() []job {
	return []job{
		{"process", "go test -tags reliability -run '^$' -bench 'Start|Ping|Pipelined|Change|Tokens' -benchtime 1s ./lsp/reliability"},
		{"inline", "go test -tags reliability -run '^$' -bench Inline -benchtime 50x ./lsp/reliability"},
		{"protocol", "go test -run '^$' -bench Inline -benchtime 1s ./lsp"},
		{"model", "go test -run '^$' -bench . -benchtime 1s ./model/provider"},
		{"index", "go test -run '^$' -bench 'Cold|Ctags' -benchtime 3x ./workspace/index; go test -run '^$' -bench 'Warm|OneFile|Lookup' ./workspace/index; bin/tandem index --json --workspace " + kubernetes},
		{"window", "go test -run '^$' -bench Window -benchtime 100x ./workspace/window"},
		{"tokens", "go test -run '^$' -bench Count ./workspace/tokens"},
		{"files", "go test -run '^$' -bench 'Watch50000|Open100000' -benchtime 1x ./workspace; go test -run '^$' -bench 'Keystroke|FileEvent' ./workspace; go test -run '^$' -bench . ./workspace/ignore ./workspace/redact"},
		{"edits", "go test -run '^$' -bench 'Parse|Apply' ./edits"},
		{"local", "go test -run '^$' -bench . ./model/local/complete"},
	}
}

// table holds every promise, in the order of the architecture's layers.
var table = []row{
	{group: "The server (lsp)", what: "launch until the answer to initialize", job: "process", find: bench("Start", "ns/op"), scale: 1e-6, unit: "ms", limit: 20, best: "gopls 80, Tabby 215, copilot 1,072"},
	{group: "The server (lsp)", what: "memory after initialize", job: "process", find: bench("Start", "MiB"), unit: "MiB", limit: 20, best: "Tabby 83, gopls 237, copilot 345 MB"},
	{group: "The server (lsp)", what: "ping, round trip", job: "process", find: bench("Ping", "ns/op"), scale: 1e-3, unit: "µs", limit: 25, best: "copilot 62"},
	{group: "The server (lsp)", what: "pipelined messages", job: "process", find: bench("Pipelined", "messages/s"), scale: 1e-3, unit: "k/s", limit: 130, least: true, best: "37-60"},
	{group: "The server (lsp)", what: "didChange, 1 MB", job: "process", find: bench("Change/1MB", "ns/op"), scale: 1e-6, unit: "ms", limit: 0.05, best: "Tabby 0.98, copilot 9.8"},
	{group: "The server (lsp)", what: "inline request without checks, instant model, 10 KB", job: "protocol", find: bench("Inline/engine/10KB", "ns/op"), scale: 1e-6, unit: "ms", limit: 0.6, best: "Tabby 6.0"},
	{group: "The server (lsp)", what: "the same, 200 KB", job: "protocol", find: bench("Inline/engine/200KB", "ns/op"), scale: 1e-6, unit: "ms", limit: 0.8, best: "Tabby 75"},
	{group: "The server (lsp)", what: "the same, 1 MB", job: "protocol", find: bench("Inline/engine/1MB", "ns/op"), scale: 1e-6, unit: "ms", limit: 1, best: "Tabby 439"},
	{group: "The server (lsp)", what: "whole program with model server and all checks, 10 KB of Go", job: "inline", find: bench("Inline/10KB", "p50-ms"), unit: "ms", limit: 0.6, best: "Tabby 6.0, unchecked"},
	{group: "The server (lsp)", what: "the same, 200 KB", job: "inline", find: bench("Inline/200KB", "p50-ms"), unit: "ms", limit: 0.8, best: "Tabby 75, unchecked"},
	{group: "The server (lsp)", what: "the same, 1 MB", job: "inline", find: bench("Inline/1MB", "p50-ms"), unit: "ms", limit: 1, best: "Tabby 439, unchecked"},
	{group: "The server (lsp)", what: "the same question again, 10 KB", job: "inline", find: bench("Inline/10KB", "cached-p50-ms"), unit: "ms", limit: 0.2, best: "Tabby 1.9"},
	{group: "The server (lsp)", what: "memory after requests in a document of 1 MB", job: "inline", find: bench("Inline/1MB", "MiB"), unit: "MiB", limit: 40, best: "copilot 447, Tabby 529 MB"},
	{group: "The server (lsp)", what: "CPU at 1,000 tokens/s, socket to LSP output", job: "process", find: bench("Tokens", "%core"), unit: "% of a core", limit: 6, best: "openai-go 8.5 alone"},

	{group: "Models (model/provider)", what: "decoding a token, coalesced", job: "model", find: bench("Decode/responses/coalesced", "ns/token"), scale: 1e-3, unit: "µs", limit: 1, best: "openai-go 15"},
	{group: "Models (model/provider)", what: "allocations a token", job: "model", find: bench("Decode/responses/coalesced", "allocs/token"), unit: "", limit: 1, best: "openai-go 42"},
	{group: "Models (model/provider)", what: "client CPU a token, against openai-go in the same run", job: "model", find: bench("ClientCPU/responses-over-a-socket", "%less"), unit: "% less", limit: 30, least: true},
	{group: "Models (model/provider)", what: "beyond the round trip, 400 KB at 20 ms: continuation against resending", job: "model", find: bench("RoundTrip/400KB/rtt=20ms", "%less-beyond-rtt"), unit: "% less", limit: 95, least: true},
	{group: "Models (model/provider)", what: "of the whole", job: "model", find: bench("RoundTrip/400KB/rtt=20ms", "%less-whole"), unit: "% less", limit: 78, least: true},
	{group: "Models (model/provider)", what: "the same at 80 ms, beyond the round trip", job: "model", find: bench("RoundTrip/400KB/rtt=80ms", "%less-beyond-rtt"), unit: "% less", limit: 95, least: true},
	{group: "Models (model/provider)", what: "first token, warmed connection against a new one, 20 ms", job: "model", find: bench("FirstToken/sockets=true/rtt=20ms", "%less"), unit: "% less", limit: 50, least: true},
	{group: "Models (model/provider)", what: "100 streams of 1,000 tokens/s: the last token late by, at most", job: "model", find: bench("Stream/responses-over-a-socket/100", "late-max-ms"), unit: "ms", limit: 100},

	{group: "The window (workspace; k8s v1.34.1)", what: "window of 3,000 tokens, in the function of the one before, p50", job: "window", find: bench("Window/3000", "same-p50-ms"), unit: "ms", limit: 1},
	{group: "The window (workspace; k8s v1.34.1)", what: "window of 3,000 tokens, at a new place, p50", job: "window", find: bench("Window/3000", "new-p50-ms"), unit: "ms", limit: 5},
	{group: "The window (workspace; k8s v1.34.1)", what: "window of 8,000 tokens, in the function of the one before, p50", job: "window", find: bench("Window/8000", "same-p50-ms"), unit: "ms", limit: 2},
	{group: "The window (workspace; k8s v1.34.1)", what: "window of 8,000 tokens, at a new place, p50", job: "window", find: bench("Window/8000", "new-p50-ms"), unit: "ms", limit: 8},
	{group: "The window (workspace; k8s v1.34.1)", what: "window of 128,000 tokens, in the function of the one before, p50", job: "window", find: bench("Window/128000", "same-p50-ms"), unit: "ms", limit: 10},
	{group: "The window (workspace; k8s v1.34.1)", what: "window of 128,000 tokens, at a new place, p50", job: "window", find: bench("Window/128000", "new-p50-ms"), unit: "ms", limit: 20},
	{group: "The window (workspace; k8s v1.34.1)", what: "cold index against ctags -R in the same run", job: "index", find: bench("Cold", "ns/op"), over: bench("Ctags", "ns/op"), unit: "×", limit: 0.5, best: "1"},
	{group: "The window (workspace; k8s v1.34.1)", what: "warm start from the kept index", job: "index", find: bench("Warm", "ns/op"), scale: 1e-6, unit: "ms", limit: 250},
	{group: "The window (workspace; k8s v1.34.1)", what: "changed open buffer until the index has it", job: "index", find: bench("OneFile", "ns/op"), scale: 1e-6, unit: "ms", limit: 2},
	{group: "The window (workspace; k8s v1.34.1)", what: "memory, indexed", job: "index", find: `"rss_mb":\s*([\d.]+)`, unit: "MB", limit: 200, best: "Zoekt 480"},
	{group: "The window (workspace; k8s v1.34.1)", what: "tokenizer, one thread, Go", job: "tokens", find: bench("Count/Go", "MB/s"), unit: "MB/s", limit: 40, least: true, best: "3.8, best exact Go library"},
	{group: "The window (workspace; k8s v1.34.1)", what: "tokenizer, one thread, Python", job: "tokens", find: bench("Count/Python", "MB/s"), unit: "MB/s", limit: 40, least: true, best: "3.8, best exact Go library"},
	{group: "The window (workspace; k8s v1.34.1)", what: "ignore decision", job: "files", find: bench("Ignored", "ns/op"), scale: 1e-3, unit: "µs", limit: 0.5, best: "7.2"},
	{group: "The window (workspace; k8s v1.34.1)", what: "50,000 folders watched", job: "files", find: bench("Watch50000", "watch-ms"), unit: "ms", limit: 1000},
	{group: "The window (workspace; k8s v1.34.1)", what: "event of one of them seen", job: "files", find: bench("Watch50000", "event-ms"), unit: "ms", limit: 200},
	{group: "The window (workspace; k8s v1.34.1)", what: "overflow recovered", job: "files", find: bench("Watch50000", "overflow-ms"), unit: "ms", limit: 2000},
	{group: "The window (workspace; k8s v1.34.1)", what: "secrets in 16 KiB", job: "files", find: bench("Prompt16KiB", "ns/op"), scale: 1e-6, unit: "ms", limit: 0.2, best: "betterleaks 1.7, gitleaks 3.1"},

	{group: "Edits", what: "parsing an apply_patch stream", job: "edits", find: bench("Parse/apply_patch", "MB/s"), unit: "MB/s", limit: 20, least: true},
	{group: "Edits", what: "allocations a line", job: "edits", find: bench("Parse/apply_patch", "allocs/line"), unit: "", limit: 1},
	{group: "Edits", what: "parse, locate and diff 200 lines in 5,000", job: "edits", find: bench("Apply/exact", "ns/op"), scale: 1e-6, unit: "ms", limit: 5},

	{group: "The built-in engine", what: "suggestion in a file of 1,600 lines", job: "local", find: bench("Suggestion", "ns/op"), scale: 1e-6, unit: "ms", limit: 2},
	{group: "The built-in engine", what: "learning (Kubernetes in 5 s)", job: "local", find: bench("ChangedFile", "MB/s"), unit: "MB/s", limit: 12, least: true},
}
