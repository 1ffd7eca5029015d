package state

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tandem/workspace/platformtest"
)

func store(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "tandem"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func entry(i int) Entry {
	return Entry{Time: noon.Add(time.Duration(i) * time.Second), Event: EventSent, ID: fmt.Sprint("r", i), Host: "api.example.com", Bytes: 100 + i, Body: "ab", CostUSD: 0.25}
}

func appendAll(t *testing.T, l *Ledger, n int) {
	t.Helper()
	for i := range n {
		if err := l.Append(entry(i)); err != nil {
			t.Fatal(err)
		}
	}
}

func verify(t *testing.T, l *Ledger) (*Fault, int) {
	t.Helper()
	n := 0
	fault, err := l.Read(func(Entry) error { n++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return fault, n
}

func TestLedgerReadsWhatWasAppended(t *testing.T) {
	l := store(t).Ledger()
	if fault, n := verify(t, l); fault != nil || n != 0 {
		t.Errorf("an empty ledger: %v, %d entries", fault, n)
	}
	appendAll(t, l, 3)
	var got []Entry
	fault, err := l.Read(func(e Entry) error { got = append(got, e); return nil })
	if fault != nil || err != nil || len(got) != 3 || got[2].Seq != 3 || got[2].ID != "r2" || got[2].Bytes != 102 {
		t.Errorf("%+v, %v, %v", got, fault, err)
	}
}

func TestLedgerFindsEveryChange(t *testing.T) {
	lines := func(b []byte) [][]byte { return bytes.SplitAfter(bytes.TrimSuffix(b, nil), []byte("\n")) }
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		line   int
	}{
		{"a byte of a value", func(b []byte) []byte { return bytes.Replace(b, []byte(`"bytes":102`), []byte(`"bytes":1`), 1) }, 3},
		{"a host", func(b []byte) []byte { return bytes.Replace(b, []byte("api.example"), []byte("api.exampel"), 1) }, 1},
		{"white space", func(b []byte) []byte { return bytes.Replace(b, []byte(`"seq":2,`), []byte(`"seq":2, `), 1) }, 2},
		{"a key twice", func(b []byte) []byte { return bytes.Replace(b, []byte(`{"seq":2,`), []byte(`{"seq":9,"seq":2,`), 1) }, 2},
		{"first line removed", func(b []byte) []byte { return bytes.Join(lines(b)[1:], nil) }, 1},
		{"middle line removed", func(b []byte) []byte { l := lines(b); return bytes.Join(slices.Delete(l, 2, 3), nil) }, 3},
		{"last line removed", func(b []byte) []byte { l := lines(b); return bytes.Join(l[:4], nil) }, 5},
		{"all removed", func([]byte) []byte { return nil }, 1},
		{"two swapped", func(b []byte) []byte { l := lines(b); l[1], l[2] = l[2], l[1]; return bytes.Join(l, nil) }, 2},
		{"a line twice", func(b []byte) []byte { l := lines(b); return bytes.Join(slices.Insert(l, 2, l[1]), nil) }, 3},
		{"a line of rubbish", func(b []byte) []byte { return append(b, "rubbish\n"...) }, 6},
		{"cut short", func(b []byte) []byte { return b[:len(b)-5] }, 5},
	} {
		l := store(t).Ledger()
		appendAll(t, l, 5)
		path := filepath.Join(l.dir, linesFile)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, c.change(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if fault, _ := verify(t, l); fault == nil || fault.Line != c.line {
			t.Errorf("%s: found %v, want line %d", c.name, fault, c.line)
		}
		// A fault is still reported after more lines are appended.
		appendAll(t, l, 1)
		if fault, _ := verify(t, l); fault == nil {
			t.Errorf("%s: one more entry hides it", c.name)
		}
	}
}

// TestLedgerChainsEachLineToTheOneBefore computes the chain from the file's bytes,
// without the ledger's own code, over a restart and a rotation.
func TestLedgerChainsEachLineToTheOneBefore(t *testing.T) {
	s := store(t)
	var data []byte
	for range 3 {
		l := s.Ledger()
		l.most = 900
		appendAll(t, l, 3)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	names, err := filepath.Glob(filepath.Join(s.Dir, "ledger", "ledger-*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("the ledger did not rotate: %v", err)
	}
	for _, name := range append(names, filepath.Join(s.Dir, "ledger", "ledger.jsonl")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, text...)
	}
	before, n := "", 0
	for line := range strings.Lines(string(data)) {
		n++
		head, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), `"hash":"`)
		hash := strings.TrimSuffix(rest, `"}`)
		want := fmt.Sprintf("%x", sha256.Sum256([]byte(before+head+`"hash":""}`)))
		if !ok || hash != want {
			t.Fatalf("line %d has hash %q, want %q: it is not chained to the line before", n, hash, want)
		}
		before = hash
	}
	if n != 9 {
		t.Errorf("%d lines, want 9", n)
	}
}

// TestLedgerFindsAByteAtItsEnd: one byte behind the last line is a change too.
func TestLedgerFindsAByteAtItsEnd(t *testing.T) {
	for _, more := range []string{"x", "\n"} {
		l := store(t).Ledger()
		appendAll(t, l, 2)
		f, err := os.OpenFile(filepath.Join(l.dir, linesFile), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(more)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if fault, n := verify(t, l); fault == nil || fault.Line != 3 || n != 2 {
			t.Errorf("%q at the end: %v, %d entries", more, fault, n)
		}
	}
}

func TestLedgerOfAnImpossibleCost(t *testing.T) {
	l := store(t).Ledger()
	for _, cost := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0.5} {
		e := entry(0)
		e.CostUSD = cost
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if usd, err := l.Spent(noon); err != nil || usd != 0.5 {
		t.Errorf("%v dollars were spent, want 0.5 (%v)", usd, err)
	}
}

func TestFaultIsASentence(t *testing.T) {
	for fault, want := range map[Fault]string{{0, "is missing"}: "the head is missing", {1, "was changed"}: "line 1 was changed"} {
		if got := fault.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLedgerFilesAreOf32MiB(t *testing.T) {
	if got := store(t).Ledger().most; got != 33_554_432 {
		t.Errorf("a file of the ledger has up to %d bytes", got)
	}
}

func TestLedgerMissesItsHead(t *testing.T) {
	l := store(t).Ledger()
	appendAll(t, l, 3)
	if err := os.Remove(filepath.Join(l.dir, headFile)); err != nil {
		t.Fatal(err)
	}
	if fault, _ := verify(t, l); fault == nil || fault.Line != 0 {
		t.Errorf("found %v", fault)
	}
	appendAll(t, l, 1)
	if fault, n := verify(t, l); fault != nil || n != 4 {
		t.Errorf("after going on: %v, %d entries", fault, n)
	}
}

// A process may die at any byte of a line, before or after the head is written.
func TestLedgerGoesOnAfterACrash(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := &Ledger{dir: filepath.Join(t.TempDir(), "ledger"), most: 1 << 20}
		before := rapid.IntRange(0, 4).Draw(rt, "before")
		appendAll(t, l, before)
		head, headErr := os.ReadFile(filepath.Join(l.dir, headFile))
		appendAll(t, l, 1)
		path := filepath.Join(l.dir, linesFile)
		data, err := os.ReadFile(path)
		if err != nil {
			rt.Fatal(err)
		}
		start := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
		cut := rapid.OneOf(rapid.SampledFrom([]int{start, start + 1, len(data) - 1, len(data)}), rapid.IntRange(start, len(data))).Draw(rt, "cut")
		if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
			rt.Fatal(err)
		}
		if headErr == nil {
			err = os.WriteFile(filepath.Join(l.dir, headFile), head, 0o600)
		} else {
			err = os.Remove(filepath.Join(l.dir, headFile))
		}
		if err != nil {
			rt.Fatal(err)
		}
		if fault, _ := verify(t, l); fault != nil {
			rt.Errorf("half a line is taken for a change: %v", fault)
		}
		appendAll(t, l, 1)
		want := before + 1
		if cut == len(data) {
			want++
		}
		if fault, n := verify(t, l); fault != nil || n != want {
			rt.Errorf("%v, %d entries, want %d", fault, n, want)
		}
	})
}

func TestLedgerRotatesToTheNextFile(t *testing.T) {
	l := store(t).Ledger()
	l.most = 1000
	appendAll(t, l, 20)
	parts, err := filepath.Glob(filepath.Join(l.dir, "ledger-*.jsonl"))
	if err != nil || len(parts) < 3 {
		t.Fatalf("%q, %v", parts, err)
	}
	if fault, n := verify(t, l); fault != nil || n != 20 {
		t.Errorf("%v, %d entries", fault, n)
	}
	if usd, err := l.Spent(noon); err != nil || math.Abs(usd-5) > 1e-9 {
		t.Errorf("$%v, %v", usd, err)
	}
	if err := os.Remove(parts[1]); err != nil {
		t.Fatal(err)
	}
	if fault, _ := verify(t, l); fault == nil || !strings.Contains(fault.Message, "removed") {
		t.Errorf("a missing file: %v", fault)
	}
}

// A process may die between renaming a full file and writing the head.
func TestLedgerGoesOnAfterACrashBetweenFiles(t *testing.T) {
	l := store(t).Ledger()
	appendAll(t, l, 3)
	if err := os.Rename(filepath.Join(l.dir, linesFile), filepath.Join(l.dir, "ledger-000000000000003.jsonl")); err != nil {
		t.Fatal(err)
	}
	appendAll(t, l, 2)
	if fault, n := verify(t, l); fault != nil || n != 5 {
		t.Errorf("%v, %d entries", fault, n)
	}
}

func TestLedgerSpent(t *testing.T) {
	l := store(t).Ledger()
	appendAll(t, l, 3)
	tomorrow := noon.AddDate(0, 0, 1)
	check := func(at time.Time, want float64) {
		t.Helper()
		if got, err := l.Spent(at); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("on %s: $%v (%v), want $%v", at.Format(time.DateOnly), got, err, want)
		}
	}
	check(noon, 0.75)
	check(tomorrow, 0)
	if err := l.Append(Entry{Time: tomorrow, Event: EventDone, CostUSD: 2}); err != nil {
		t.Fatal(err)
	}
	check(tomorrow, 2)
	if err := l.Append(Entry{Time: tomorrow, Event: EventDone, CostUSD: math.NaN()}); err != nil {
		t.Errorf("a cost that is no number: %v", err)
	}
}

// TestMain lets the test binary be another process.
func TestMain(m *testing.M) {
	switch os.Getenv("STATE_TEST") {
	case "append":
		l := (&Store{Dir: os.Getenv("STATE_DIR")}).Ledger()
		for i := range 50 {
			if err := l.Append(entry(i)); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	case "task":
		tasks := (&Store{Dir: os.Getenv("STATE_DIR")}).Tasks()
		if err := tasks.Save(Task{ID: "other", State: "running", Started: noon, Steps: []Step{{Title: "a", Lane: "fast", State: "done"}, {Title: "b", Lane: "deep", State: "running"}}}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("saved")
		time.Sleep(time.Hour) // until it is killed
		runtime.KeepAlive(tasks)
	}
	os.Exit(m.Run())
}

func process(t *testing.T, s *Store, what string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "STATE_TEST="+what, "STATE_DIR="+s.Dir)
	return cmd
}

func TestLedgerProcessesAppendTogether(t *testing.T) {
	s := store(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if out, err := process(t, s, "append").CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	appendAll(t, s.Ledger(), 50)
	wg.Wait()
	if fault, n := verify(t, s.Ledger()); fault != nil || n != 250 {
		t.Errorf("%v, %d entries, want 250", fault, n)
	}
}

func TestNothingIsForOthers(t *testing.T) {
	platformtest.Unix(t, platformtest.Modes)
	s := store(t)
	appendAll(t, s.Ledger(), 1)
	if err := s.Tasks().Save(Task{ID: "a", State: "running"}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(s.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenClosesAnOpenFolder(t *testing.T) {
	platformtest.Unix(t, platformtest.Modes)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestDefaultDirIsNeverRelative(t *testing.T) {
	for _, env := range []map[string]string{{}, {"XDG_STATE_HOME": "state"}, {"HOME": "."}, {"XDG_STATE_HOME": "", "HOME": "home"}} {
		if got := DefaultDir(func(k string) string { return env[k] }); got != "" {
			t.Errorf("%v: %q", env, got)
		}
	}
	home := t.TempDir()
	if got := DefaultDir(func(k string) string { return map[string]string{"XDG_STATE_HOME": home}[k] }); got != filepath.Join(home, "tandem") {
		t.Errorf("%q", got)
	}
}

func TestPurge(t *testing.T) {
	s := store(t)
	appendAll(t, s.Ledger(), 2)
	for _, task := range []Task{{ID: "a", Root: "/w"}, {ID: "b", Root: "/v"}} {
		if err := s.Tasks().Save(task); err != nil {
			t.Fatal(err)
		}
	}
	index := filepath.Join(s.Dir, "index-w")
	if err := os.WriteFile(index, make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	gone, err := s.PurgeWorkspace("/w", index, filepath.Join(s.Dir, "nothing"))
	if err != nil || len(gone) != 2 || gone[0].Files != 1 || gone[1].Bytes != 1000 {
		t.Errorf("one workspace: %+v, %v", gone, err)
	}
	gone, err = s.Purge()
	var names []string
	for _, p := range gone {
		names = append(names, p.Name)
	}
	if err != nil || strings.Join(names, " ") != "ledger tasks" {
		t.Errorf("all: %v, %v", names, err)
	}
	if left, _ := s.Sizes(); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
}

func BenchmarkLedgerAppend(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	l := s.Ledger()
	for b.Loop() {
		if err := l.Append(entry(1)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLedgerIsClosedAndOpenedAgain(t *testing.T) {
	l := store(t).Ledger()
	appendAll(t, l, 1)
	for range 2 {
		if err := errors.Join(l.Close(), l.Close()); err != nil {
			t.Fatal(err)
		}
		appendAll(t, l, 1)
	}
	if fault, n := verify(t, l); fault != nil || n != 3 {
		t.Errorf("%v, %d entries", fault, n)
	}
}

// TestLedgerFileIsFullAtItsBound: a file that has as many bytes as allowed gets no
// other line.
// TestLedgerClosesItsFiles: a closed ledger holds no file open.
func TestLedgerClosesItsFiles(t *testing.T) {
	held := func(dir string) (n int) {
		fds, err := filepath.Glob("/proc/self/fd/*")
		if err != nil || len(fds) == 0 || runtime.GOOS != "linux" {
			t.Skip("open files are listed on Linux alone")
		}
		for _, fd := range fds {
			if file, err := os.Readlink(fd); err == nil && strings.HasPrefix(file, dir) {
				n++
			}
		}
		return n
	}
	l := store(t).Ledger()
	appendAll(t, l, 1)
	if n := held(l.dir); n != 2 {
		t.Errorf("an open ledger holds %d files, want its lines and its head", n)
	}
	for range 2 {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := held(l.dir); n != 0 {
		t.Errorf("a closed ledger holds %d files", n)
	}
	appendAll(t, l, 1)
	if err := l.Close(); err != nil || held(l.dir) != 0 {
		t.Errorf("closed again it holds %d files, %v", held(l.dir), err)
	}
}

func TestLedgerFileIsFullAtItsBound(t *testing.T) {
	l := store(t).Ledger()
	appendAll(t, l, 1)
	info, err := os.Stat(filepath.Join(l.dir, linesFile))
	if err != nil {
		t.Fatal(err)
	}
	l.most = info.Size()
	appendAll(t, l, 1)
	parts, err := filepath.Glob(filepath.Join(l.dir, "ledger-*.jsonl"))
	if err != nil || len(parts) != 1 {
		t.Errorf("%q, %v", parts, err)
	}
}

// TestLedgerHeadIsOneLine: the head is a line of its own, always of the same length,
// so that a program that reads lines reads it.
func TestLedgerHeadIsOneLine(t *testing.T) {
	l := store(t).Ledger()
	appendAll(t, l, 1)
	data, err := os.ReadFile(filepath.Join(l.dir, headFile))
	if err != nil || len(data) != headSize || bytes.IndexByte(data, '\n') != headSize-1 {
		t.Errorf("%d bytes, %q, %v", len(data), data, err)
	}
}

// TestFaultNamesTheNumbers: what is missing is named by the number that should follow.
func TestFaultNamesTheNumbers(t *testing.T) {
	l := store(t).Ledger()
	appendAll(t, l, 4)
	path := filepath.Join(l.dir, linesFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if err := os.WriteFile(path, bytes.Join(append(lines[:1:1], lines[2:]...), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if fault, _ := verify(t, l); fault == nil || !strings.Contains(fault.Message, "number 3 where 2 follows") {
		t.Errorf("%v", fault)
	}
}

// TestLedgerRemovedWhileWaitedFor: an entry that waits while another process removes the
// ledger is in the new one.
func TestLedgerRemovedWhileWaitedFor(t *testing.T) {
	s := store(t)
	waiting, holding := s.Ledger(), s.Ledger()
	defer waiting.Close()
	defer holding.Close()
	for _, l := range []*Ledger{waiting, holding} {
		if err := l.Append(entry(1)); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	err := holding.locked(func() error {
		all.Go(func() {
			if err := waiting.Append(entry(2)); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(20 * time.Millisecond) // so that it waits; the result is the same if it does not yet
		return os.RemoveAll(holding.dir)
	})
	if all.Wait(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	fault, err := s.Ledger().Read(func(e Entry) error { ids = append(ids, e.ID); return nil })
	if want := []string{entry(2).ID}; err != nil || fault != nil || !slices.Equal(ids, want) {
		t.Errorf("%v, %v, %v; want %v", ids, fault, err, want)
	}
}

// TestSpentCountsTheLastLine: what a process spent that was killed before it wrote where
// the ledger ends counts at once.
func TestSpentCountsTheLastLine(t *testing.T) {
	s := store(t)
	l := s.Ledger()
	defer l.Close()
	if err := l.Append(entry(1)); err != nil {
		t.Fatal(err)
	}
	head, err := os.ReadFile(filepath.Join(l.dir, headFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Append(entry(2)), os.WriteFile(filepath.Join(l.dir, headFile), head, 0o600)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Ledger().Spent(noon); err != nil || got != 0.5 {
		t.Errorf("%v, %v; want 0.5", got, err)
	}
}

// TestSpentNeedsSpace: on a full disk the day's sum would not grow any more, which is an
// error of its own; with space, looking for it leaves nothing behind.
func TestSpentNeedsSpace(t *testing.T) {
	s := store(t)
	l := s.Ledger()
	appendAll(t, l, 2)
	before, err := os.ReadFile(filepath.Join(l.dir, linesFile))
	if err != nil {
		t.Fatal(err)
	}
	if usd, err := l.Spent(noon); err != nil || usd != 0.5 {
		t.Errorf("$%v, %v", usd, err)
	}
	if after, err := os.ReadFile(filepath.Join(l.dir, linesFile)); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%v, %q after %q", err, after, before)
	}
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil || runtime.GOOS != "linux" {
		t.Skip("no device here is always full")
	}
	other := store(t)
	if err := errors.Join(os.MkdirAll(other.Ledger().dir, 0o700), os.Symlink(full, filepath.Join(other.Ledger().dir, linesFile))); err != nil {
		t.Fatal(err)
	}
	if usd, err := other.Ledger().Spent(noon); err == nil {
		t.Errorf("on a full disk: $%v and no error", usd)
	}
}
