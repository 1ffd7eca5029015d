package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A memorySink keeps what it is sent.
type memorySink struct{ sent int }

func (s *memorySink) send(frame) error { s.sent++; return nil }
func (s *memorySink) flush() error     { return nil }
func (s *memorySink) cut()             {}

// TestHoldWhileAFileExists: the tokens after hold_tokens come once the file is gone.
func TestHoldWhileAFileExists(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hold")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		out := &memorySink{}
		done := make(chan error, 1)
		go func() {
			done <- play(t.Context(), out, &rule{HoldTokens: 2, HoldWhile: file}, slices.Values([]frame{{token: true}, {token: true}, {token: true}, {}}))
		}()
		time.Sleep(time.Minute)
		if out.sent != 2 {
			t.Errorf("%d frames while the file exists, want 2", out.sent)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil || out.sent != 4 {
			t.Errorf("%d frames, %v after the file is gone, want 4", out.sent, err)
		}
	})
}
