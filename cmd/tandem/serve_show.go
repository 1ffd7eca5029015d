package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tandem/edits"
	"tandem/lsp"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/terms"
	"tandem/workspace/window"
)

// window implements lsp.Deps.Window.
func (s *server) window(ctx context.Context, snap *workspace.Snapshot, q lsp.WindowQuery) (any, error) {
	if err := knownPurpose(q.Purpose); err != nil {
		return nil, err
	}
	start := time.Now()
	w, err := window.Build(ctx, snap, s.app.windows().request(q.URI, edits.Span{Start: q.Offset, End: q.Offset}, q.Budget, q.Purpose))
	if err != nil {
		return nil, err
	}
	return newWindowAnswer(windowRequest{Text: q.Text}, w, time.Since(start)), nil
}

// maxPreviews bounds how many previews stay in the state folder.
const maxPreviews = 20

// preview implements lsp.Deps.Preview: it writes a text without its secrets to a file, for an
// editor without virtual documents.
func (s *server) preview(name, text string) (string, error) {
	if s.app.store == nil {
		return "", errors.New("there is no state folder to write the preview to")
	}
	dir := filepath.Join(s.app.store.Dir, "previews")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a place for previews: %w", err)
	}
	forgetPreviews(dir)
	path := filepath.Join(dir, plainName(name))
	if err := os.WriteFile(path, []byte(redact.Kept(text)), 0o600); err != nil {
		return "", fmt.Errorf("write the preview: %w", err)
	}
	return path, nil
}

// plainName replaces the characters that not every file system accepts.
func plainName(name string) string {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune(terms.ASCII+"._-", r) {
			return r
		}
		return '-'
	}, name)
	return strings.TrimLeft(plain[:min(len(plain), 80)], ".")
}

// forgetPreviews removes the oldest preview when there are too many. tandem
// purge removes one that cannot be removed now.
func forgetPreviews(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < maxPreviews {
		return
	}
	oldest, name := time.Now(), ""
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().Before(oldest) {
			oldest, name = info.ModTime(), e.Name()
		}
	}
	if name != "" {
		_ = os.Remove(filepath.Join(dir, name))
	}
}
