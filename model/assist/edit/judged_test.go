package edit

import (
	"errors"
	"path"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/judge"
)

// renaming is a proposal that gives beta another name, and a call of it that the user types in
// another document.
func renaming(t *testing.T, others map[string]string) (*bench, *Proposal, func(text string)) {
	t.Helper()
	others["go.mod"] = "module m\n\ngo 1.24\n"
	b := newBench(t, lanes{}, assisttest.Source, others)
	if err := b.Session.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.engine.Editor.Judge = judge.New(nil, nil)
	changes := []edits.FileChange{assisttest.ChangeOf("main.go", assisttest.Source, "func beta", "func gamma", "return 1", "return 11")}
	p, err := b.engine.Editor.ProposeChanges(t.Context(), b.Session.Snapshot(), changes, Proposal{Request: Request{URI: b.URI}})
	if err != nil {
		t.Fatal(err)
	}
	uri := strings.TrimSuffix(b.URI, path.Base(b.URI)) + "other.go"
	version := int32(0)
	return b, p, func(text string) {
		var snap *workspace.Snapshot
		if version++; version == 1 {
			snap = b.Session.Update(workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("package main\n")})
			b.Follow.Opened(snap, uri)
			version++
		}
		o, _ := b.Session.Snapshot().Overlay(uri)
		steps, err := workspace.Steps(o.Text, edits.Edit{Span: edits.Span{End: o.Text.Len()}, New: text})
		if err != nil {
			t.Fatal(err)
		}
		snap = b.Session.Update(workspace.Edited{URI: uri, Version: version, Steps: steps})
		b.Follow.Changed(snap, uri, steps)
	}
}

// TestTypedSince: a caller that the user types makes a proposal that passed "not judged", and in
// the next pause it fails with the place; accepted before that, it is judged first.
func TestTypedSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, p, typed := renaming(t, map[string]string{"other.go": "package main\n"})
		state := func() string {
			now, err := b.engine.Editor.Get(p.ID)
			if err != nil {
				t.Fatal(err)
			}
			return now.Judged().State() + ": " + now.Judged().Reason()
		}
		if got := state(); got != "passed: " {
			t.Fatalf("at first %s", got)
		}
		typed("package main\n\nvar x = beta()\n")
		if got := state(); got != "not_judged: you typed since" {
			t.Errorf("typed: %s", got)
		}
		_, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, false)
		var refused *model.Error
		if !errors.As(err, &refused) || refused.Code != model.CodeFailedChecks || !strings.Contains(err.Error(), "other.go:3: beta is declared nowhere") {
			t.Errorf("accepted at once: %v", err)
		}
		time.Sleep(pause + time.Millisecond)
		synctest.Wait()
		if got := state(); !strings.HasPrefix(got, "failed: other.go:3: beta is declared nowhere") {
			t.Errorf("in a pause: %s", got)
		}
		if now, _ := b.engine.Editor.Get(p.ID); len(now.Judged().Breaks()) != 1 || now.Judged().Breaks()[0].Path != "other.go" {
			t.Errorf("it breaks %+v", now.Judged().Breaks())
		}
		typed("package main\n")
		time.Sleep(pause + time.Millisecond)
		synctest.Wait()
		if got := state(); got != "passed: " {
			t.Errorf("taken back: %s", got)
		}
	})
}

// TestHunksAreJudged: a part of a proposal is refused for what it breaks by itself, and what the
// rest mends is said.
func TestHunksAreJudged(t *testing.T) {
	b, p, _ := renaming(t, map[string]string{"user.go": "package main\n\nvar x = beta()\n"})
	accept := func(id string, hunk int) error {
		_, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), id, hunk, false)
		return err
	}
	if err := accept(p.ID, 1); err == nil || !strings.Contains(err.Error(), "user.go:3: beta is declared nowhere") {
		t.Errorf("the change that breaks a caller: %v", err)
	}
	if err := accept(p.ID, 0); err != nil {
		t.Errorf("a change that breaks nothing: %v", err)
	}
	whole := []edits.FileChange{assisttest.ChangeOf("main.go", assisttest.Source, "func beta", "func gamma"), assisttest.ChangeOf("user.go", "package main\n\nvar x = beta()\n", "beta", "gamma")}
	q, err := b.engine.Editor.ProposeChanges(t.Context(), b.Session.Snapshot(), whole, Proposal{Request: Request{URI: b.URI}})
	if err != nil || !q.Judged().Passed() {
		t.Fatalf("%s, %v", q.Judged().Reason(), err)
	}
	if err := accept(q.ID, 0); err != nil {
		t.Errorf("a part of what passes as a whole: %v", err)
	}
	said := ""
	for _, e := range b.Events {
		if notice, ok := e.(core.Notice); ok {
			said += string(notice)
		}
	}
	if !strings.Contains(said, "Until the rest of the suggestion is accepted: user.go:3: beta is declared nowhere") {
		t.Errorf("said %q", said)
	}
}
