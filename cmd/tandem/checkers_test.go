//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"tandem/cmd/tandem/config"
	"tandem/lsp/checker"
)

// TestNoCheckerOfTheWorkspace: a program of a workspace is never a checker, whatever leads to it, and
// neither is a script.
func TestNoCheckerOfTheWorkspace(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	workspace, outside, links, scripts := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{workspace, outside} {
		if err := os.WriteFile(filepath.Join(dir, "ty"), program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(workspace, "ty"), filepath.Join(links, "ty")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(scripts, "ty"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ty, own := checker.Adapters[0], real(t, filepath.Join(outside, "ty"))
	for _, c := range []struct{ path, setting, want string }{
		{workspace, config.CheckerAuto, ""},
		{links, config.CheckerAuto, ""},
		{scripts, config.CheckerAuto, ""},
		{".", config.CheckerAuto, ""},
		{workspace + ":" + links + ":" + scripts + ":" + outside, config.CheckerAuto, own},
		{outside, config.CheckerAsked, own},
		{outside, config.CheckerOff, ""},
		{"", filepath.Join(outside, "ty"), own},
		{"", filepath.Join(workspace, "ty"), ""},
		{"", filepath.Join(links, "ty"), ""},
	} {
		t.Setenv("PATH", c.path)
		if got, err := findChecker(ty, c.setting, []string{workspace}); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("PATH %s, %s: %q, %v", c.path, c.setting, got, err)
		}
	}
}
