//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/model"
)

// TestRunsTheTestCommand holds how a test command ends, and that the output of a failed
// one is no error.
func TestRunsTheTestCommand(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		argv []string
		want string
		fail string
	}{
		{"success in the folder", []string{"sh", "-c", "pwd -P; echo $1", "sh", "a b; *"}, "succeeded.\n" + real(t, dir) + "\na b; *\n", ""},
		{"failure", []string{"sh", "-c", "echo \x1b[31mFAIL\x1b[0m >&2; exit 3"}, "failed (exit status 3).\nFAIL\n", ""},
		{"no shell", []string{"echo", "$HOME", "&&", "x"}, "succeeded.\n$HOME && x\n", ""},
		{"no such program", []string{"no-such-program-at-all"}, "", "correct tasks.test_command"},
	} {
		got, err := runTests(t.Context(), c.argv, dir, os.Environ(), 2*time.Minute)
		if !strings.HasSuffix(got, c.want) || c.fail == "" && err != nil || c.fail != "" && (err == nil || !strings.Contains(err.Error(), c.fail)) {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
	for limit := 300 * time.Millisecond; ; limit *= 2 { // on a busy machine it takes long to begin
		got, err := runTests(t.Context(), []string{"sh", "-c", "echo begun; sleep 600 & sleep 600"}, dir, os.Environ(), limit)
		if err != nil || !strings.Contains(got, fmt.Sprintf("did not end within %v and was stopped.\n", limit)) {
			t.Fatalf("too long: %q, %v", got, err)
		}
		if strings.HasSuffix(got, "begun\n") {
			break
		}
		if limit > time.Minute {
			t.Fatalf("too long: what was printed before is lost: %q", got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runTests(ctx, []string{"true"}, dir, nil, time.Minute); err == nil {
		t.Error("a cancelled run is no error")
	}
}

func real(t *testing.T, dir string) string {
	t.Helper()
	out, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTestsGetNoKeys holds that no key of the configuration, and nothing with the name of
// a secret, is in the environment of the test command.
func TestTestsGetNoKeys(t *testing.T) {
	c := &config.Config{Providers: map[string]model.ProviderConfig{"p": {EnvKey: "LLM_LOGIN", EnvHTTPHeaders: map[string]string{"X-A": "ORG_HEADER"}}}}
	got := withoutKeys([]string{"LLM_LOGIN=1", "ORG_HEADER=2", "HOME=/h", "PATH=/bin", "GITHUB_TOKEN=3", "aws_secret_access=4", "DB_PASSWORD=5", "SSH_AUTH_SOCK=6",
		"PGPASS=7", "SSH_PASSPHRASE=8", "DB_PWD=9", "REDIS_CONN=10", "SITE_COOKIE=11", "AWS_SESSION=12", "CARD_PIN=13", "STRIPE_SK=14", "GOFLAGS=-x", "PWD=/w", "OLDPWD=/v", "PING=y", "MAPPING=z", "TASK=t"}, keyVariables(c))
	if want := []string{"HOME=/h", "PATH=/bin", "GOFLAGS=-x", "PWD=/w", "OLDPWD=/v", "PING=y", "MAPPING=z", "TASK=t"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTestOutputIsBounded holds that output without end costs bounded memory and keeps
// both its ends, in whole lines.
func TestTestOutputIsBounded(t *testing.T) {
	got, err := runTests(t.Context(), []string{"sh", "-c", "echo first; yes middle | head -c 3000000; echo; echo last"}, t.TempDir(), os.Environ(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) > testHead+testTail+200 || !strings.Contains(got, "\nfirst\nmiddle\n") || !strings.HasSuffix(got, "middle\n\nlast\n") && !strings.HasSuffix(got, "last\n") || !strings.Contains(got, "bytes are left out …\nmiddle\n") {
		t.Errorf("%d bytes: %.120q … %q", len(got), got, got[max(0, len(got)-60):])
	}
}
