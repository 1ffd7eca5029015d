package declared

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tandem/workspace/deps"
	"tandem/workspace/language"
	"tandem/workspace/run"
)

// TestMain fails the package if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestPackage reads what a package of the standard library declares.
func TestPackage(t *testing.T) {
	l := New(deps.New(deps.Options{}), nil)
	ix, ok := l.Package(t.TempDir(), "go/token")
	if !ok {
		t.Skip("no Go distribution is installed")
	}
	found := map[string]language.Kind{}
	for _, name := range []string{"Token", "GOTO", "FileSet", "NewFileSet", "searchInts"} {
		for _, d := range ix.Lookup(name) {
			if d.Container == "" {
				found[name] = d.Kind
			}
		}
	}
	if found["GOTO"] != language.KindConst || found["FileSet"] != language.KindStruct || found["NewFileSet"] != language.KindFunc || found["searchInts"] != 0 {
		t.Errorf("go/token declares %v", found)
	}
	if _, ok := l.Package(t.TempDir(), "no/such/package"); ok {
		t.Error("a package that is not installed was read")
	}
}

// TestPackagesAreBounded: a package is read in the background, and those not used for long
// are dropped.
func TestPackagesAreBounded(t *testing.T) {
	group := run.NewGroup(context.Background(), nil)
	defer group.Close()
	l := New(deps.New(deps.Options{}), group)
	dir := t.TempDir()
	if _, ok := l.Package(dir, "strings"); ok {
		t.Error("the caller waited for a package")
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if ix, ok := l.Package(dir, "strings"); ok {
			if len(ix.Lookup("Builder")) == 0 {
				t.Error("strings.Builder is not declared")
			}
			break
		}
	}
	for _, p := range []string{"bufio", "bytes", "cmp", "context", "errors", "expvar", "flag", "fmt", "hash", "html", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort"} {
		l.Package(dir, p)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.kept[l.resolver.Go.Package(dir, "strings").Dir]; ok || len(l.kept) != len(l.order) || len(l.kept) > maxPackages {
		t.Errorf("%d packages are kept, in an order of %d", len(l.kept), len(l.order))
	}
}
