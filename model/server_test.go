package model

import (
	"context"
	"strings"
	"testing"
	"time"

	"tandem/workspace/redact"
)

// localSetup is one model of a server on this machine for all lanes.
func localSetup() Setup {
	return Setup{Providers: map[string]ProviderConfig{"llamacpp": {Name: "llamacpp", BaseURLs: []string{"http://127.0.0.1:8080"}}}, Fast: "own", Deep: "own", Models: map[string]ModelConfig{
		"own": {Name: "own", Provider: "llamacpp", Model: "qwen2.5-coder-1.5b", ContextWindow: 32000, MaxOutputTokens: 2048},
	}}
}

// TestALocalServerHasNoAccount holds what is said where a server answers with another model
// than the one that was asked for.
func TestALocalServerHasNoAccount(t *testing.T) {
	for _, c := range []struct {
		asked, served, want string
	}{
		{"qwen2.5-coder-1.5b", "/srv/models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", ""},
		{"own", "/srv/models/starcoder2-3b.gguf", ""},
		{"qwen2.5-coder-1.5b", "/srv/models/starcoder2-3b.gguf", "Load qwen2.5-coder-1.5b in llamacpp, or write starcoder2-3b.gguf as the model of [models.own]: that is what it has loaded."},
	} {
		s := localSetup()
		m := s.Models["own"]
		m.Model = c.asked
		s.Models["own"] = m
		b := newBench(s)
		b.deep.answers = append(b.deep.answers, replies("a", c.served, Usage{}))
		if _, err := b.ask(Fast, Complete, "1"); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range b.notices {
			got += n.Text
		}
		if got != c.want {
			t.Errorf("%s served by %s: %q, want %q", c.asked, c.served, got, c.want)
		}
	}
}

// TestTheServersContextIsTheBound holds that every kind of request has a window in the
// context that the server really has, and that a larger one changes nothing.
func TestTheServersContextIsTheBound(t *testing.T) {
	for _, c := range []struct{ says, window, output int }{{0, 32000, 2048}, {131072, 32000, 2048}, {4096, 4096, 1024}, {16384, 16384, 2048}} {
		b := newBench(localSetup())
		b.deep.answers = append(b.deep.answers, replies("a", "", Usage{}))
		if _, err := b.ask(Fast, Complete, "1"); err != nil {
			t.Fatal(err)
		}
		b.Lanes.Server("own", Server{ContextWindow: c.says, Slots: 1})
		m, _ := b.ConfigFor(Complete)
		if m.ContextWindow != c.window || m.MaxOutputTokens != c.output || m.Server.ContextWindow != c.says {
			t.Errorf("a server with %d: %d tokens, %d of them for the answer", c.says, m.ContextWindow, m.MaxOutputTokens)
		}
		for kind := range kinds {
			for _, id := range []string{"qwen2.5-coder-1.5b", "of-an-unknown-vocabulary"} {
				m.Model = id
				budget := WindowBudget(Fast, m, kind, 0, 100)
				if budget < 512 {
					t.Errorf("a server with %d leaves %d tokens for %s of %s", c.says, budget, kind, id)
				}
				text := strings.Repeat("word ", budget)
				if _, err := Render(m, Prompt{Kind: kind, Path: redact.Said("a.go"), Before: redact.Said(text), Request: redact.Said("do it")}); err != nil {
					t.Errorf("a server with %d, %s of %s: %v", c.says, kind, id, err)
				}
			}
		}
	}
}

// TestRatesOfLanes holds that what clients measure is known by server and model, and that
// what was kept from before is used until then.
func TestRatesOfLanes(t *testing.T) {
	rates := &Rates{}
	rates.Restore(map[string]Rate{"http://127.0.0.1:8080 qwen2.5-coder-1.5b": {Evaluated: 50, Written: 5}})
	f := &fake{answers: []func(*Request, func(Delta, error) bool){replies("a", "", Usage{})}}
	kept := map[string]Rate{}
	l := NewLanes(localSetup(), Parts{Rates: rates, StoreRate: func(key string, r Rate) { kept[key] = r }, Open: func(_ ModelConfig, o Observer) (Client, error) { return f, nil }})
	for _, err := range l.Stream(context.Background(), Fast, &Request{ID: "1", Purpose: Complete}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if m, _ := l.Config(Fast); m.Rate != (Rate{50, 5}) {
		t.Errorf("kept: %+v", m.Rate)
	}
	for range 100 {
		l.Measured("own", Speed{Evaluated: 200, EvaluatedIn: time.Second, Written: 50, WrittenIn: time.Second})
	}
	if m, _ := l.Config(Fast); m.Rate.Evaluated < 199 || m.Rate.Written < 49 {
		t.Errorf("measured: %+v", m.Rate)
	}
	if r := kept["http://127.0.0.1:8080 qwen2.5-coder-1.5b"]; len(kept) != 1 || r.Evaluated < 175 || r.Written < 44 {
		t.Errorf("to be kept until the next start: %+v", kept)
	}
	l.Server("own", Server{Loaded: "/m/other.gguf"})
	if m, _ := l.Config(Fast); m.Rate != (Rate{}) {
		t.Errorf("another model was loaded, and has the rate %+v", m.Rate)
	}
}
