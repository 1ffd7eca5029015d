package complete

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/model/local/localtest"
	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// asked is a place where the other handlers of the tests say what follows.
var asked = strings.Replace(handler("Ticket"), "s.metrics.Count(\"ticket.get\")", "|", 1)

// keeping returns an engine that keeps what it learns in a folder.
func keeping(dir string) *Engine {
	e := New(nil)
	e.KeepIn(func(string) string { return dir })
	return e
}

func (e *Engine) trained(c *localtest.Memory) trained { return e.store(c, "go").current() }

// reads counts how often a corpus is read.
type reads struct {
	*localtest.Memory
	n int
}

func (r *reads) Text(path string) (string, bool) {
	r.n++
	return r.Memory.Text(path)
}

// TestKept: what one engine learned, the next one uses without reading a file, but for
// those that changed.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	c := &reads{Memory: handlers("Order", "Customer", "Invoice", "Payment")}
	want := suggested(t, keeping(dir), c, "api/ticket.go", asked)
	if !strings.HasPrefix(want, "s.metrics.Count(\"ticket.get\")") {
		t.Fatalf("the first engine suggested %q", want)
	}
	c.n = 0
	if got := suggested(t, keeping(dir), c, "api/ticket.go", asked); got != want || c.n != 0 {
		t.Errorf("the second engine suggested %q, want %q, and read %d files", got, want, c.n)
	}
	for path, old := range c.Texts {
		c.Write(path, strings.ReplaceAll(old, "metrics.Count", "stats.Add"))
	}
	if got := suggested(t, keeping(dir), c, "api/ticket.go", asked); !strings.HasPrefix(got, "s.stats.Add(\"ticket.get\")") || c.n != 4 {
		t.Errorf("after all 4 files changed the next suggested %q and read %d files", got, c.n)
	}
}

// TestDamagedShardIsLearnedAgain damages what was kept, byte by byte.
func TestDamagedShardIsLearnedAgain(t *testing.T) {
	c := handlers("Order", "Customer", "Invoice", "Payment")
	first := t.TempDir()
	want := suggested(t, keeping(first), c, "api/ticket.go", asked)
	files, err := filepath.Glob(filepath.Join(first, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("kept %v, %v", files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, whole[:len(whole)/2], []byte(strings.Repeat("x", 4000))}
	for at := 0; at < len(whole); at += 211 {
		flipped := append([]byte{}, whole...)
		flipped[at] ^= 0x10
		damaged = append(damaged, flipped)
	}
	for i, data := range damaged {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(files[0])), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := suggested(t, keeping(dir), c, "api/ticket.go", asked); got != want {
			t.Errorf("damage %d: suggested %q, want %q", i, got, want)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
			t.Errorf("damage %d left %v", i, left)
		}
	}
}

// TestManyChangedFilesBecomeAShard: beyond maxLoose changed files are learned together,
// and what they replace is not used any more. Of many small shards few remain.
func TestManyChangedFilesBecomeAShard(t *testing.T) {
	dir := t.TempDir()
	c := handlers("Order")
	var names []string
	for i := range maxLoose + 10 {
		names = append(names, fmt.Sprintf("Thing%d", i))
	}
	for _, n := range names {
		c.Write("api/"+strings.ToLower(n)+".go", handler(n))
	}
	e := keeping(dir)
	suggested(t, e, c, "api/ticket.go", asked)
	for round := range 8 {
		count := fmt.Sprintf("stats%d.Add", round)
		for _, n := range names {
			c.Write("api/"+strings.ToLower(n)+".go", strings.ReplaceAll(handler(n), "metrics.Count", count))
		}
		if got := suggested(t, e, c, "api/ticket.go", asked); !strings.HasPrefix(got, "s."+count) {
			t.Fatalf("round %d: suggested %q", round, got)
		}
		known := e.trained(c)
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		if len(known.shards) > maxSmall+1 || len(known.since) > maxLoose || len(files) != len(known.shards) {
			t.Fatalf("round %d: %d shards in %d files, and %d loose files", round, len(known.shards), len(files), len(known.since))
		}
	}
}

// TestOnlyTheLanguageInUse: files of other languages are not read.
func TestOnlyTheLanguageInUse(t *testing.T) {
	c := &reads{Memory: handlers("Order", "Customer")}
	for i := range 20 {
		c.Write(fmt.Sprintf("web/a%d.ts", i), "export const a = 1;\n")
	}
	suggested(t, New(nil), c, "api/ticket.go", asked)
	if c.n != 2 {
		t.Errorf("read %d files for a suggestion in one of 2 Go files", c.n)
	}
}

// TestKeptHoldsNoSecret: secrets of files that may be read are neither suggested nor kept.
func TestKeptHoldsNoSecret(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	dir := t.TempDir()
	c := localtest.New(nil)
	for _, n := range []string{"Order", "Customer", "Invoice", "Payment"} {
		c.Write("api/"+n+".go", strings.Replace(handler(n), "s.metrics.Count(\""+strings.ToLower(n)+".get\")", "s.login(\""+secret+"\")", 1))
	}
	e := keeping(dir)
	if got := suggested(t, e, c, "api/ticket.go", asked); strings.Contains(got, secret) || strings.Contains(got, "redacted") {
		t.Errorf("suggested %q", got)
	}
	c.Write("api/Order.go", handler("Order")+"// "+secret+"\n")
	if got := suggested(t, e, c, "api/ticket.go", asked); strings.Contains(got, secret) {
		t.Errorf("after a change suggested %q", got)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range files {
		if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), secret) {
			t.Errorf("%s holds the secret, or %v", file, err)
		}
	}
	if len(files) == 0 {
		t.Error("nothing was kept")
	}
}

// TestRemovedFile: a file that is gone is not used any more.
func TestRemovedFile(t *testing.T) {
	c := handlers("Order", "Customer", "Invoice", "Payment")
	e := New(nil)
	suggested(t, e, c, "api/ticket.go", asked)
	for path := range c.Texts {
		c.Indexed = c.Indexed.With(index.Change{Path: rel.Must(path), Removed: true})
	}
	if got := suggested(t, e, c, "api/ticket.go", asked); strings.Contains(got, "metrics") {
		t.Errorf("suggested %q from files that are gone", got)
	}
}

// A typing corpus has its index without the document that is typed in at no cost.
type typing struct {
	*localtest.Memory
	whole int // how often the index of all was asked for
}

func (c *typing) Index() *index.Index {
	c.whole++
	return c.Memory.Index()
}

func (c *typing) IndexBut(string) *index.Index { return c.Memory.Index() }

// TestTypingIndexesNothing: a suggestion does not have the open document indexed.
func TestTypingIndexesNothing(t *testing.T) {
	c := &typing{Memory: handlers("Order", "Customer", "Invoice", "Payment")}
	if got := suggested(t, New(nil), c, "api/ticket.go", asked); got == "" || c.whole != 0 {
		t.Errorf("suggested %q and had the index %d times", got, c.whole)
	}
}

// TestSample: of more than is learned, each folder has a part, of the files that changed last, and
// the folder of the document the greatest; what is left is told.
func TestSample(t *testing.T) {
	c := localtest.New(nil)
	text := "package p\n\nfunc f() { metrics.Count() }\n" + strings.Repeat("// a line of a file\n", 50)
	for _, folder := range []string{"a", "b", "z/fs", "z/net"} {
		for i := range 8 {
			path := fmt.Sprintf("%s/f%d.go", folder, i)
			c.Texts[path] = text
			c.Indexed = c.Indexed.With(index.Change{Path: rel.Must(path), Text: text, ModTime: time.Unix(int64(i+1), 0)})
		}
	}
	e := New(nil)
	e.most = 16 * len(text)
	found, left := e.Holding(c, "z/net/new.go", []string{"metrics"}).All()
	if len(found) != 16 || left.String() != "16 files are not searched" {
		t.Errorf("%q, left %q", found, left)
	}
	count := map[string]int{}
	for _, path := range found {
		count[filepath.Dir(path)]++
	}
	if count["z/net"] != 8 || count["z/fs"] <= count["a"] || count["a"] == 0 || count["b"] == 0 {
		t.Errorf("learned of each folder: %v", count)
	}
	if !slices.Contains(found, "a/f7.go") || slices.Contains(found, "a/f0.go") {
		t.Errorf("not what changed last: %q", found)
	}
}
