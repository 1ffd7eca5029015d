package deps

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A payments gate has no folders; the administrator denies what names payments.
type payments struct{ noFolders }

func (payments) Denies(real string) bool { return strings.Contains(real, "payments") }

// TestPolicyHoldsOutsideFolders: a module in a package manager's own place is shown,
// unless the policy denies it.
func TestPolicyHoldsOutsideFolders(t *testing.T) {
	t.Parallel()
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
	}
}

// TestActiveEnvironmentInTheWorkspace: that the user activated an environment which lies
// in the workspace does not show what its files and links name outside.
func TestActiveEnvironmentInTheWorkspace(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work, other := filepath.Join(dir, "work"), filepath.Join(dir, "other")
	private := filepath.Join(other, "lib", "python3.11", "site-packages", "private.py")
	venv := filepath.Join(work, ".venv")
	for name, text := range map[string]string{private: "x = 1\n", filepath.Join(other, "lib", "python3.11", "os.py"): "", filepath.Join(other, "bin", "python3.11"): "",
		filepath.Join(venv, "pyvenv.cfg"): "home = " + filepath.Join(other, "bin") + "\n", filepath.Join(venv, "lib", "python3.11", "site-packages", "installed.py"): "x = 1\n"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(venv, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(other, "bin", "python3.11"), filepath.Join(bin, "python3")); err != nil {
		t.Log(err) // Windows lets not everybody make links: pyvenv.cfg leads out alone then
	}
	for _, env := range []map[string]string{{"VIRTUAL_ENV": venv, "PATH": bin}, {"CONDA_PREFIX": venv}, {"PATH": bin}, {}} {
		r := New(Options{Home: dir, Getenv: func(name string) string { return env[name] }, Gate: func() Gate { return tree{work, work} }})
		if e := r.Python.Env(work); e == nil || !slices.Contains(e.Sites, filepath.Dir(private)) {
			t.Fatalf("%v: checks do not read the environment: %+v", env, e)
		}
		if r.Shown(private) {
			t.Errorf("%v: a model is shown %s", env, private)
		}
		if installed := filepath.Join(venv, "lib", "python3.11", "site-packages", "installed.py"); !r.Shown(installed) {
			t.Errorf("%v: a model is not shown %s", env, installed)
		}
	}
	r := New(Options{Home: dir, Getenv: func(name string) string { return map[string]string{"VIRTUAL_ENV": other}[name] }, Gate: func() Gate { return tree{work, work} }})
	if r.Python.Env(work); !r.Shown(private) {
		t.Error("a model is not shown what is installed in an environment of the user's")
	}
}
