package deps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A payments gate has no folders; the administrator denies what names payments.
type payments struct{ noFolders }

func (payments) Denies(real string) bool { return strings.Contains(real, "payments") }

// TestPolicyHoldsOutsideFolders: a module in a package manager's own place is shown,
// unless the policy denies it.
func TestPolicyHoldsOutsideFolders(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{"GOPATH": filepath.Join(home, "go")}[name] }
	r := New(Options{Home: home, Getenv: env, Gate: func() Gate { return payments{} }})
	for module, want := range map[string]bool{"example.com/plain@v1.0.0": true, "example.com/payments@v1.0.0": false} {
		file := filepath.Join(home, "go", "pkg", "mod", module, "lib.go")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("package lib\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := r.Shown(file); got != want {
			t.Errorf("%s is shown: %v, want %v", module, got, want)
		}
		if _, err := r.Library().ReadFile(t.Context(), file, 100); (err == nil) != want {
			t.Errorf("%s: %v", module, err)
		}
	}
}
