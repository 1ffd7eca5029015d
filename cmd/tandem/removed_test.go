package main

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tandem/cmd/tandem/config"
	"tandem/workspace/state"
)

// TestRemovedWordsOnTheCommandLine: a removed command says what replaces it, and a removed flag is
// accepted and named once.
func TestRemovedWordsOnTheCommandLine(t *testing.T) {
	h := newHome(t)
	for _, r := range config.Removals {
		args := strings.Fields(r.Name)
		switch r.Kind {
		case config.RemovedCommand:
			if code, out, problems := h.run(append(args, "x", "--y")...); code != exitUsage || out != "" || problems != "tandem: "+r.Said()+"\n" {
				t.Errorf("%s: %d %q %q", r.Name, code, out, problems)
			}
		case config.RemovedFlag:
			c, _, err := newRoot().Find(args[:1])
			if err != nil {
				t.Fatal(err)
			}
			var problems strings.Builder
			c.SetErr(&problems)
			if err := c.ParseFlags(args[1:]); err != nil || problems.String() != "tandem: "+r.Said()+".\n" {
				t.Errorf("%s: %v, %q", r.Name, err, problems.String())
			}
			if strings.Contains(c.UsageString(), args[1]) {
				t.Errorf("the help of %s still has %s", args[0], args[1])
			}
		}
	}
}

// TestRemovedWordsInFiles: a removed word is ignored where it is written, and doctor names it.
func TestRemovedWordsInFiles(t *testing.T) {
	h := newHome(t)
	managed := filepath.Join(t.TempDir(), "managed.toml")
	h.write(managed, "[policy]\ndisable = [\"record\", \"mcp\"]\n")
	h.write(h.config, "fast = \"local\"\n")
	code, said := h.runManaged(managed, "--offline", "doctor")
	if code != exitDone || strings.Count(said, "sessions are no longer recorded") != 1 || !strings.Contains(said, `disable = ["mcp"]`) {
		t.Errorf("%d %s", code, said)
	}
}

// TestRemovedWordsAreForgotten: a word stays known for two minor versions, as the version of the
// release that is being made says.
func TestRemovedWordsAreForgotten(t *testing.T) {
	for _, r := range config.Removals {
		switch now, since := minor(t, version()), minor(t, r.Since); {
		case now >= since+2:
			t.Errorf("%s was removed in %s and this is %s: take it out of the list", r.Name, r.Since, version())
		case since > now:
			t.Errorf("%s is removed, and this is not %s yet but %s", r.Name, r.Since, version())
		}
		if r.Instead == "" || strings.HasSuffix(r.Instead, ".") {
			t.Errorf("%s: what to do instead is no end of a sentence: %q", r.Name, r.Instead)
		}
	}
}

// minor is a version's number of minor versions, a major one counted as a thousand.
func minor(t *testing.T, version string) int {
	t.Helper()
	m := regexp.MustCompile(`^(\d+)\.(\d+)\.\d+$`).FindStringSubmatch(version)
	if m == nil {
		t.Fatalf("%q is no version", version)
	}
	major, _ := strconv.Atoi(m[1])
	n, _ := strconv.Atoi(m[2])
	return 1000*major + n
}

// TestRecordsOfALaterVersion: what a later tandem has written is listed, and what of it is not known
// is named.
func TestRecordsOfALaterVersion(t *testing.T) {
	h := newHome(t)
	store := h.store()
	for _, event := range []string{state.EventSent, "refunded"} {
		if err := store.Ledger().Append(state.Entry{Event: event, ID: "1", Model: "m"}); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, problems := h.run("ledger"); code != exitDone || strings.Count(out, "\n") != 2 || !strings.Contains(problems, "1 line of a later tandem not listed: refunded") {
		t.Errorf("ledger: %d %s%s", code, out, problems)
	}
	tasks := store.Tasks()
	defer tasks.Close()
	if err := tasks.Save(state.Task{ID: "abcd", State: "paused", Title: "t", Root: h.workspace}); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"list", "show abcd"} {
		if code, out, _ := h.run(append([]string{"tasks"}, strings.Fields(command)...)...); code != exitDone || !strings.Contains(out, `paused (of a later tandem: state "paused")`) {
			t.Errorf("tasks %s: %d %s", command, code, out)
		}
	}
	for _, command := range []string{"apply abcd", "resume abcd"} {
		if code, _, problems := h.run(append([]string{"tasks"}, strings.Fields(command)...)...); code == exitDone || !strings.Contains(problems, "was written by a later tandem") {
			t.Errorf("tasks %s: %d %s", command, code, problems)
		}
	}
}
