package model

import (
	"context"
	"testing"
	"time"

	"tandem/workspace/redact"
)

// The overhead of a lane for a stream of 100 pieces: limiter, daily limit, accounting.
func BenchmarkStream(b *testing.B) {
	answer := func(_ *Request, yield func(Delta, error) bool) {
		for range 100 {
			if !yield(Delta{Text: "word "}, nil) {
				return
			}
		}
		yield(Delta{Final: &Final{Usage: Usage{Input: 1000, Output: 100, Known: true}}}, nil)
	}
	limit := 1e9
	setup := testSetup()
	setup.DailyLimit = &limit
	bench := newBench(setup)
	bench.fast.answers = append(bench.fast.answers, answer)
	bench.Limits(Limits{Model: "spark", Requests: Allowance{Limit: 1 << 30, Remaining: 1 << 30, Reset: time.Minute, Known: true}})
	req := &Request{Purpose: Complete, Instructions: Instructions(KindComplete, ModelConfig{}), Input: []Message{{Role: "user", Text: redact.Said(string(make([]byte, 30000)))}}}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range bench.Stream(context.Background(), Fast, req) {
			if err != nil {
				b.Fatal(err)
			}
		}
		bench.fast.asked = bench.fast.asked[:0]
		bench.ledger.records = bench.ledger.records[:0]
	}
}

func BenchmarkRender(b *testing.B) {
	m := ModelConfig{Name: "m", Model: "gpt-5.3-codex-spark", ContextWindow: 128000, MaxOutputTokens: 4096}
	window := ""
	for len(window) < 32000 {
		window += "func add(a, b int) int { return a + b }\n"
	}
	p := Prompt{Kind: KindComplete, Window: redact.Said(window), Path: redact.Said("a.go"), Before: redact.Said("package a\n"), After: redact.Said("\n")}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Render(m, p); err != nil {
			b.Fatal(err)
		}
	}
}
