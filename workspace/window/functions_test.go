package window

import (
	"fmt"
	"strings"
	"testing"
)

// TestFunctionsThatWordsAreAbout: the function is shown whole and before those of tests and
// examples with the same words; a property of Python is a function; of a long one its beginning
// is shown and the part that has the words.
func TestFunctionsThatWordsAreAbout(t *testing.T) {
	long := "package a\n\n// Migrate moves old settings.\nfunc Migrate(all []string) {\n"
	for i := range 300 {
		long += fmt.Sprintf("\tstep%d(all, %d)\n", i, i)
		if i == 200 {
			long += "\tdropFrobnicator(all) // the frobnicator is obsolete\n"
		}
	}
	body := "(n int) int {\n\tbackoff := 1 << n // of a retry\n\treturn backoff\n}\n"
	s := openWindows(t, map[string]string{
		"a/long.go":        long + "}\n",
		"a/wait.go":        "package a\n\nfunc pause" + body,
		"a/wait_test.go":   "package a\n\nfunc backoffTest" + body,
		"examples/wait.go": "package main\n\nfunc backoffExample" + body,
		"b/task.py":        "class Task:\n    @property\n    def velocity(self):\n        # steps a second since the last checkpoint\n        return self.steps / self.seconds\n",
	}, true)
	for _, c := range []struct {
		words string
		holds []string
		not   string
	}{
		{"How does the backoff of a retry grow?", []string{"func pause(n", "func backoff"}, ""},
		{"How many steps a second since the checkpoint?", []string{"@property\n    def velocity(self):\n        # steps a second"}, ""},
		{"Why is the frobnicator obsolete?", []string{"// Migrate moves old settings.\nfunc Migrate(all []string) {\n", "the frobnicator is obsolete"}, "step150("},
	} {
		w, err := Build(t.Context(), s.Snapshot(), Request{Purpose: "context", Words: c.words, Budget: 1000})
		if err != nil {
			t.Fatal(err)
		}
		checkWindow(t, w)
		got := w.Text().String()
		at := 0
		for _, want := range c.holds {
			i := strings.Index(got[at:], want)
			if i < 0 {
				t.Fatalf("%s: %q is not in its place in\n%s", c.words, want, got)
			}
			at += i
		}
		if c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: %q is in\n%s", c.words, c.not, got)
		}
	}
}

// TestWordsBeyond: what the words of a comment were not looked for in is told.
func TestWordsBeyond(t *testing.T) {
	files := map[string]string{}
	for i := range 6 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package a\n\nfunc f%d() {\n\t// the frobnicator is obsolete %d\n}\n", i, i)
	}
	s := openWindows(t, files, true)
	for room, want := range map[int]string{4 * 62: "2 files are not searched for words in comments and prose", 1 << 20: ""} {
		req := Request{Purpose: "context", Words: "Why is the frobnicator obsolete?", Budget: 1000}
		f, err := newFill(t.Context(), s.Snapshot(), req)
		if err != nil {
			t.Fatal(err)
		}
		f.scanned = room
		if n := len(found(f)); n == 0 || f.unread.String() != want {
			t.Errorf("of %d bytes: %d functions, left %q", room, n, f.unread)
		}
		if w, err := Build(t.Context(), s.Snapshot(), req); err != nil || !w.Left.None() {
			t.Errorf("a small tree is not searched whole: %v, %q", err, w.Left)
		}
	}
}
