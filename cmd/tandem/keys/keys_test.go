package keys

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"tandem/model"
	"tandem/workspace/platformtest"
)

const canary = "sk-canary-0123456789"

// ring returns a new ring, with or without an OS keyring.
func ring(t *testing.T, withKeyring bool, env map[string]string) *Ring {
	t.Helper()
	keyring.MockInit()
	if !withKeyring { // Windows and macOS ask it all the same
		keyring.MockInitWithError(errors.New("there is no keyring"))
	}
	return New(t.TempDir(), func(k string) string {
		if k == "DBUS_SESSION_BUS_ADDRESS" && withKeyring {
			return "unix:path=/mock"
		}
		return env[k]
	})
}

func TestSetGetListDelete(t *testing.T) {
	for _, withKeyring := range []bool{true, false} {
		r := ring(t, withKeyring, nil)
		where, err := r.Set("openai", model.NewSecret(canary))
		if err != nil || (where == "keyring") != withKeyring {
			t.Errorf("set: %q, %v", where, err)
		}
		key, _, err := r.Get("openai")
		if err != nil || key.Reveal() != canary {
			t.Errorf("get: %v", err)
		}
		list, err := r.List()
		if err != nil || len(list) != 1 || list[0].Name != "openai" || list[0].Where != where {
			t.Errorf("list: %+v, %v", list, err)
		}
		if err := r.Delete("openai"); err != nil {
			t.Error(err)
		}
		if _, _, err := r.Get("openai"); !errors.Is(err, ErrNone) {
			t.Errorf("after deleting: %v", err)
		}
		if err := r.Delete("openai"); !errors.Is(err, ErrNone) {
			t.Errorf("deleting twice: %v", err)
		}
		if list, _ := r.List(); len(list) != 0 {
			t.Errorf("list after deleting: %+v", list)
		}
	}
}

func TestKeyFileIsTheUsersAlone(t *testing.T) {
	platformtest.Unix(t, platformtest.Modes)
	r := ring(t, false, nil)
	path, err := r.Set("a", model.NewSecret(canary))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o644, 0o620, 0o666} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		key, _, err := r.Get("a")
		if err == nil || !key.Empty() || !strings.Contains(err.Error(), "chmod 600") || strings.Contains(err.Error(), canary) {
			t.Errorf("mode %04o: %v", mode, err)
		}
	}
}

func TestNamesStayNames(t *testing.T) {
	r := ring(t, false, nil)
	for _, name := range []string{"", "../x", "a/b", ".hidden", "a b", "a\nb", strings.Repeat("x", 100), "-x", "a..b"} {
		if _, err := r.Set(name, model.NewSecret("k")); err == nil {
			t.Errorf("%q was taken for a name", name)
		}
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{canary: canary, " " + canary + "\r\n": canary} {
		if key, err := Read(strings.NewReader(text)); err != nil || key.Reveal() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "\n", "a\nb", "a\x1b[0m", strings.Repeat("x", maxKey+1)} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%.10q was taken for a key", text)
		}
	}
}

func keyOf(t *testing.T, s *Source) (string, string) {
	t.Helper()
	key, err := s.Key(t.Context())
	if err == nil {
		return key.Reveal(), ""
	}
	var known *model.Error
	if !errors.As(err, &known) || known.Code != model.CodeNotConfigured {
		t.Errorf("%#v", err)
	}
	return key.Reveal(), err.Error()
}

func TestSources(t *testing.T) {
	r := ring(t, false, map[string]string{"OPENAI_API_KEY": "from-env\n"})
	for _, name := range []string{"work", "cerebras"} {
		if _, err := r.Set(name, model.NewSecret("stored-"+name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name     string
		p        model.ProviderConfig
		key, err string
	}{
		{"environment", model.ProviderConfig{Name: "openai", EnvKey: "OPENAI_API_KEY"}, "from-env", ""},
		{"stored under the provider's name", model.ProviderConfig{Name: "cerebras", EnvKey: "CEREBRAS_API_KEY"}, "stored-cerebras", ""},
		{"stored under a name", model.ProviderConfig{Name: "corp", Keyring: "work"}, "stored-work", ""},
		{"nowhere: none is needed", model.ProviderConfig{Name: "ollama"}, "", ""},
		{"missing", model.ProviderConfig{Name: "mistral", EnvKey: "MISTRAL_API_KEY"}, "", "Run tandem key set mistral, or set MISTRAL_API_KEY: there is no key for mistral (see the console)."},
		{"missing by name", model.ProviderConfig{Name: "corp", Keyring: "gone"}, "", "Run tandem key set gone: there is no key for corp (see the console)."},
	} {
		key, err := keyOf(t, r.Source(c.p, "see the console"))
		if key != c.key || err != c.err {
			t.Errorf("%s: %q, %q", c.name, key, err)
		}
	}
}

// helper returns a provider whose token comes from this test binary.
func helper(t *testing.T, mode string, args ...string) (*Source, *time.Time) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("KEYS_TEST", mode)
	now := time.Now()
	s := ring(t, false, nil).Source(model.ProviderConfig{Name: "corp", AuthCommand: append([]string{self}, args...), AuthRefresh: time.Minute}, "")
	s.now = func() time.Time { return now }
	return s, &now
}

func TestMain(m *testing.M) {
	switch os.Getenv("KEYS_TEST") {
	case "token":
		dir, _ := os.Getwd()
		fmt.Printf("token-%s-%d\n", filepath.Base(dir), time.Now().UnixNano())
		os.Exit(0)
	case "args":
		fmt.Println(strings.Join(os.Args[1:], "|"))
		os.Exit(0)
	case "fail":
		fmt.Println(canary)
		fmt.Fprintln(os.Stderr, "first\nlog in \x1b[31mfirst")
		os.Exit(3)
	case "flood":
		fmt.Print(strings.Repeat("x", 10*maxKey))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestTokenIsKeptUntilItIsOldOrRejected(t *testing.T) {
	s, now := helper(t, "token")
	first, problem := keyOf(t, s)
	if problem != "" {
		t.Fatal(problem)
	}
	if again, _ := keyOf(t, s); again != first {
		t.Error("the program ran again for a fresh token")
	}
	s.Rejected(model.NewSecret("another"))
	if again, _ := keyOf(t, s); again != first {
		t.Error("somebody else's token was rejected")
	}
	s.Rejected(model.NewSecret(first))
	second, _ := keyOf(t, s)
	if second == first {
		t.Error("a rejected token was used again")
	}
	*now = now.Add(time.Minute)
	if third, _ := keyOf(t, s); third == second {
		t.Error("an old token was used again")
	}
}

func TestProgramRunsOutsideTheWorkspaceWithoutAShell(t *testing.T) {
	workspace := t.TempDir()
	t.Chdir(workspace)
	s, _ := helper(t, "token")
	if token, problem := keyOf(t, s); problem != "" || strings.HasPrefix(token, "token-"+filepath.Base(workspace)+"-") {
		t.Errorf("it ran in the working directory: %q, %s", token, problem)
	}
	s, _ = helper(t, "args", "$(touch x)", "a b;c")
	if token, problem := keyOf(t, s); token != "$(touch x)|a b;c" {
		t.Errorf("%q, %s", token, problem)
	}
}

func TestProgramThatFailsIsOneSentence(t *testing.T) {
	s, _ := helper(t, "fail")
	_, problem := keyOf(t, s)
	if !strings.Contains(problem, "log in [31mfirst") || strings.Contains(problem, canary) || strings.ContainsAny(problem, "\n\x1b") {
		t.Errorf("%q", problem)
	}
	s, _ = helper(t, "flood")
	if _, problem := keyOf(t, s); !strings.Contains(problem, "longer than") {
		t.Errorf("%q", problem)
	}
	s = ring(t, false, nil).Source(model.ProviderConfig{Name: "corp", AuthCommand: []string{"/nonexistent/token"}}, "")
	if _, problem := keyOf(t, s); !strings.Contains(problem, "Run /nonexistent/token by hand to see why it gave no token for corp") {
		t.Errorf("%q", problem)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, _ = helper(t, "token")
	if _, err := s.Key(ctx); err == nil {
		t.Error("a cancelled request ran the program")
	}
}

// TestLeftoversGo removes a key that a killed program was writing, not one that
// another is writing now.
func TestLeftoversGo(t *testing.T) {
	r := ring(t, false, nil)
	old, young := filepath.Join(r.dir, newPrefix+"1"), filepath.Join(r.dir, newPrefix+"2")
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{old, young} {
		if err := os.WriteFile(path, []byte(canary), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-2 * leftoverAge)
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Set("openai", model.NewSecret(canary)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was left is there: %v", err)
	}
	if _, err := os.Lstat(young); err != nil {
		t.Errorf("what is being written: %v", err)
	}
}

// TestNamesOfManyProcesses: processes that name keys at the same time lose none.
func TestNamesOfManyProcesses(t *testing.T) {
	first := ring(t, true, nil)
	var all sync.WaitGroup
	for i := range 8 {
		r := New(filepath.Dir(first.dir), first.getenv)
		all.Go(func() {
			if err := r.note(fmt.Sprint("key", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if names := first.names(); len(names) != 8 {
		t.Errorf("%d names: %v", len(names), names)
	}
}
