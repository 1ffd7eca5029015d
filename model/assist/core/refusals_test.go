package core

import (
	"testing"

	"tandem/model/assist/assisttest"
)

// TestWhyNothingIsSuggested: what the user has switched off, and for which requests.
func TestWhyNothingIsSuggested(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	o, _ := b.Session.Snapshot().Overlay(b.URI)
	on := Preferences{Enabled: true, Automatic: true}
	for _, c := range []struct {
		change          func(*Preferences)
		typing, invoked string
	}{
		{func(*Preferences) {}, "", ""},
		{func(p *Preferences) { p.Disabled = []string{"*.txt"} }, "", ""},
		{func(p *Preferences) { p.Disabled = []string{"*.txt", "*.go"} }, "Suggestions are off for *.go in your configuration.", "Suggestions are off for *.go in your configuration."},
		{func(p *Preferences) { p.Enabled = false }, "Suggestions are off for go in your configuration.", "Suggestions are off for go in your configuration."},
		{func(p *Preferences) { p.Automatic = false }, `Suggestions come only when asked for: trigger is "invoked" in your configuration.`, ""},
	} {
		p := on
		c.change(&p)
		b.engine.Core.Preferences = func(language string) Preferences {
			if language != "go" {
				t.Errorf("asked for %q", language)
			}
			return p
		}
		for invoked, want := range map[bool]string{false: c.typing, true: c.invoked} {
			if got := b.engine.Core.Quiet(b.Session.Snapshot(), o, invoked); got != want {
				t.Errorf("%+v, invoked %v: %q, want %q", p, invoked, got, want)
			}
		}
	}
	for _, c := range []struct {
		others []string
		want   string
	}{
		{[]string{"A", "B"}, "A and B may suggest at the cursor too, and the editor shows one suggestion at a time; switch off the inline suggestions of the others to see tandem's."},
		{nil, ""},
	} {
		before := len(b.Events)
		b.engine.Core.SetOtherProviders(c.others)
		if got := b.engine.Core.Status(b.Session.Snapshot()).Others; got != c.want || len(b.Events) != before+1 || b.Events[before].(*Status) == nil {
			t.Errorf("%q: %q, events %+v", c.others, got, b.Events[before:])
		}
	}
	now := newBench(t, lanes{}, assisttest.Source, map[string]string{"lib.go": "package main\n"})
	now.Session.Snapshot().Views()[0].Index() // brings it up to date
	if got := now.engine.Core.Status(now.Session.Snapshot()).Files; got != 2 {
		t.Errorf("%d files are counted", got)
	}
}
