package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tandem/workspace/git/gittest"
	"tandem/workspace/platformtest"
)

// A claudeRun is a session of an agent that edits and stops.
type claudeRun struct {
	agentRun
	cwd string // that its events name
}

func (r claudeRun) send(more map[string]any) string {
	r.Helper()
	all := map[string]any{"session_id": "s", "cwd": r.cwd, "stop_hook_active": false}
	for k, v := range more {
		all[k] = v
	}
	out, problems, code := r.event("claude", all)
	if code != exitDone {
		r.Errorf("code %d: %s", code, problems)
	}
	return out + problems
}

// edits replaces a text in a file, as the agent, and then does what else happens before its event.
func (r claudeRun) edits(name, old, new string, then ...func(path string)) string {
	r.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), old) {
		r.Fatalf("%s has no %q: %v", name, old, err)
	}
	r.write(name, strings.Replace(string(data), old, new, 1))
	for _, do := range then {
		do(path)
	}
	return r.send(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": path, "old_string": old, "new_string": new}})
}

func (r claudeRun) stop(session string) string {
	r.Helper()
	return r.send(map[string]any{"hook_event_name": "Stop", "session_id": session})
}

// TestHookHoldsForItsOwnErrors: an agent is held for what its edits have broken, anywhere, and not
// for what others do before, between and after them.
func TestHookHoldsForItsOwnErrors(t *testing.T) {
	const user = "package m\n\nfunc Use() { F() }\n"
	for _, c := range []struct {
		name string
		do   func(r claudeRun)
		want string // in the answer at the end; "" for none
	}{
		{"its own", func(r claudeRun) { r.edits("a.go", "_ = 1", "later()") }, "later"},
		{"its own, elsewhere", func(r claudeRun) { r.edits("a.go", "func F()", "func G()") }, "user.go:3"},
		{"its own, of which a formatter changed the line", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "later( )", func(string) { r.write("a.go", goWith("later()")) })
		}, "later"},
		{"its own, beside an edit that it makes later", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "later()")
			r.edits("user.go", "Use", "Used")
		}, "later"},
		{"its own, mended by an edit of its own", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "later()")
			r.edits("user.go", "package m", "package m\n\nfunc later() {}")
		}, ""},
		{"the user's line, in another file", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "_ = 2")
			r.write("user.go", strings.Replace(user, "F()", "half()", 1))
		}, ""},
		{"the user's line, in the same file", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "_ = 2", func(string) { r.write("a.go", goWith("_ = 2\n\thalf()")) })
		}, ""},
		{"the user's line, between its edits", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "_ = 2")
			r.write("a.go", goWith("_ = 2\n\thalf()"))
			r.edits("a.go", "_ = 2", "_ = 3")
		}, ""},
		{"a name that the user took from under its file", func(r claudeRun) {
			r.edits("user.go", "F()", "F(); F()")
			r.write("a.go", strings.Replace(goWith("_ = 1"), "func F", "func G", 1))
		}, ""},
		{"what was half-finished before it began", func(r claudeRun) {
			r.write("a.go", goWith("_ = 1\n\thalf()"))
			r.edits("a.go", "_ = 1", "_ = 2")
		}, ""},
		{"what was half-finished before it deleted something", func(r claudeRun) {
			r.write("a.go", goWith("_ = 1\n\thalf()"))
			r.edits("a.go", "\t_ = 1\n", "")
		}, ""},
		{"what was half-finished before it deleted what the user had written", func(r claudeRun) {
			r.write("a.go", goWith("_ = 1\n\thalf()\n\tmine := 2\n\t_ = mine"))
			r.edits("a.go", "\t_ = mine\n", "\t_, _ = mine, 1\n")
			r.edits("a.go", "\t_ = 1\n", "")
		}, ""},
		{"its own, a deleted function that another file calls", func(r claudeRun) {
			whole := goWith("_ = 1")
			r.edits("a.go", whole[strings.Index(whole, "import"):], "")
		}, "user.go:3"},
		{"its own, a deleted declaration", func(r claudeRun) {
			r.write("a.go", goWith("x := 1\n\t_ = x"))
			r.edits("a.go", "\tx := 1\n", "")
		}, "x is declared nowhere"},
		{"a pull", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "_ = 2")
			r.write("user.go", strings.Replace(user, "F()", "half()", 1))
			r.write("a.go", goWith("_ = 2\n\tpulled()"))
			r.edits("a.go", "_ = 2", "_ = 3")
		}, ""},
		{"a checkout of what its edit was not in", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "later()")
			r.write("a.go", goWith("_ = 1\n\told()"))
		}, ""},
		{"another session's edit, of the same file", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "_ = 2")
			r.write("a.go", goWith("_ = 2\n\tothers()"))
			r.send(map[string]any{"session_id": "other", "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": filepath.Join(r.dir, "a.go"), "old_string": "_ = 2", "new_string": "_ = 2\n\tothers()"}})
		}, ""},
		{"another session's edit, of what its file calls", func(r claudeRun) {
			r.edits("user.go", "F()", "F(); F()")
			r.write("a.go", strings.Replace(goWith("_ = 1"), "func F", "func G", 1))
			r.send(map[string]any{"session_id": "other", "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": filepath.Join(r.dir, "a.go"), "old_string": "func F", "new_string": "func G"}})
		}, ""},
		{"the user's new file", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "_ = 2")
			r.write("mine.go", "package m\n\nfunc M() { half() }\n")
		}, ""},
		{"a file that the user deleted", func(r claudeRun) {
			r.edits("user.go", "F()", "F(); F()")
			if err := os.Remove(filepath.Join(r.dir, "a.go")); err != nil {
				r.Fatal(err)
			}
		}, ""},
		{"a file of its own that the user moved", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "later()")
			if err := os.Rename(filepath.Join(r.dir, "a.go"), filepath.Join(r.dir, "c.go")); err != nil {
				r.Fatal(err)
			}
		}, ""},
		{"its own, which the user mended", func(r claudeRun) {
			r.edits("a.go", "_ = 1", "later()")
			r.write("a.go", goWith("_ = 1"))
		}, ""},
		{"its own, in a new file", func(r claudeRun) {
			r.write("new.go", "package m\n\nfunc N() { later() }\n")
			r.send(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(r.dir, "new.go"), "content": "package m\n\nfunc N() { later() }\n"}})
		}, "new.go:3"},
		{"its own, in a file that it writes whole", func(r claudeRun) {
			r.write("a.go", goWith("later()"))
			r.send(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(r.dir, "a.go"), "content": goWith("later()")}})
		}, "a.go:"},
		{"what was half-finished in a file that it writes whole", func(r claudeRun) {
			before, after := goWith("_ = 1\n\thalf()"), goWith("_ = 2\n\thalf()")
			r.write("a.go", after)
			r.send(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(r.dir, "a.go"), "content": after}, "tool_response": map[string]any{"originalFile": before}})
		}, ""},
		{"its own, in the second of several replacements", func(r claudeRun) {
			r.write("a.go", goWith("_ = 2\n\tlater()"))
			r.send(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "MultiEdit", "tool_input": map[string]any{"file_path": filepath.Join(r.dir, "a.go"), "edits": []map[string]any{{"old_string": "_ = 1", "new_string": "_ = 2"}, {"old_string": "_ = 2", "new_string": "_ = 2\n\tlater()"}}}})
		}, "later"},
		{"its own, in each place", func(r claudeRun) {
			r.write("a.go", goWith("later()\n\tlater()"))
			r.send(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": filepath.Join(r.dir, "a.go"), "old_string": "F()", "new_string": "later()", "replace_all": true}})
		}, "later"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newAgentRun(t, map[string]string{"go.mod": moduleFile, "a.go": goWith("_ = 1"), "user.go": user})
			run := claudeRun{r, r.dir}
			c.do(run)
			if got := run.stop("s"); !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("at the end %q, want %q in it", got, c.want)
			}
			if got := run.stop("another session"); got != "" {
				t.Errorf("another session at its end: %q", got)
			}
		})
	}
}

// A hookedLanguage is a file that an agent edits and one that uses it.
type hookedLanguage struct {
	own, user     string // their names
	text, using   string // STEP is the agent's line
	step, lineEnd string // that line with its number N, and what begins another one
	calls         string // a statement that calls NAME
}

var hookedLanguages = map[string]hookedLanguage{
	"Go":         {"own.go", "user.go", "package m\n\nfunc F() {\n\tSTEP\n}\n", "package m\n\nfunc Use() { F() }\n", "_ = N", "\n\t", "NAME()"},
	"Python":     {"own.py", "user.py", "def f():\n    STEP\n    return x\n", "from own import f\n\n\ndef use():\n    f()\n", "x = N", "\n    ", "NAME()"},
	"TypeScript": {"own.ts", "user.ts", "export function f() {\n  STEP\n  return x\n}\n", "import { f } from './own'\n\nexport function use() {\n  f()\n}\n", "let x = N", "\n  ", "NAME()"},
}

// with is the agent's file with the n-th form of its line, and calls of names behind it.
func (l hookedLanguage) with(n string, called ...string) string {
	line := strings.Replace(l.step, "N", n, 1)
	for _, name := range called {
		line += l.lineEnd + strings.Replace(l.calls, "NAME", name, 1)
	}
	return strings.Replace(l.text, "STEP", line, 1)
}

// othersDo are what others do about an agent's edit, each of which leaves an error that is theirs.
// An edit of the agent is what edit makes; gone is whether nothing of it is left.
var othersDo = []struct {
	name string
	do   func(r claudeRun, l hookedLanguage, edit func(then ...func(string)))
	gone bool
}{
	{"the user types in the same file before the event", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		edit(func(path string) { r.typed(l.own, l.lineEnd+strings.Replace(l.calls, "NAME", "halfDone", 1)) })
	}, false},
	{"the user types in the same file after the event", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		edit()
		r.typed(l.own, l.lineEnd+strings.Replace(l.calls, "NAME", "halfDone", 1))
	}, false},
	{"the user had a half-finished line", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		r.typed(l.own, l.lineEnd+strings.Replace(l.calls, "NAME", "halfDone", 1))
		edit()
	}, false},
	{"the user types in another file", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		edit()
		r.write(l.user, l.with("1", "halfDone"))
	}, false},
	{"the user types in another file of the agent's", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		r.edits(l.user, l.using, l.using+"\n")
		edit()
		r.typed(l.user, "\n"+strings.Replace(l.using, "F()", "halfDone()", 1))
	}, false},
	{"the user writes a new file", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		edit()
		r.write("new"+filepath.Ext(l.own), strings.Replace(l.with("1", "halfDone"), "F()", "G()", 1))
	}, false},
	{"a pull", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		edit()
		r.write(l.own, l.with("7", "halfDone"))
		r.write(l.user, l.using+"\n"+l.with("8", "halfDone"))
	}, true},
	{"a checkout between two edits", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		edit()
		r.write(l.own, l.with("1", "halfDone"))
		r.edits(l.own, strings.Replace(l.step, "N", "1", 1), strings.Replace(l.step, "N", "3", 1))
	}, true},
	{"another session's edit of the same file", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		edit()
		r.typed(l.own, l.lineEnd+strings.Replace(l.calls, "NAME", "halfDone", 1))
		r.send(map[string]any{"session_id": "other", "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": filepath.Join(r.dir, l.own), "old_string": "", "new_string": l.lineEnd + strings.Replace(l.calls, "NAME", "halfDone", 1)}})
	}, false},
	{"another session takes what the agent's file uses", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		r.edits(l.user, l.using, l.using+"\n")
		edit()
		text := readFile(r.T, r.dir, l.own)
		r.write(l.own, strings.NewReplacer("func F", "func G", "def f", "def g", "function f", "function g").Replace(text))
	}, false},
	{"the user moves the file", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		edit()
		if err := os.Rename(filepath.Join(r.dir, l.own), filepath.Join(r.dir, "moved"+filepath.Ext(l.own))); err != nil {
			r.Fatal(err)
		}
	}, true},
	{"the user deletes a file", func(r claudeRun, l hookedLanguage, edit func(...func(string))) {
		r.edits(l.user, l.using, l.using+"\n")
		edit()
		if err := os.Remove(filepath.Join(r.dir, l.own)); err != nil {
			r.Fatal(err)
		}
	}, true},
}

// typed puts a text behind the agent's line, or at the end of a file that has none.
func (r claudeRun) typed(name, text string) {
	r.Helper()
	now := readFile(r.T, r.dir, name)
	for _, l := range hookedLanguages {
		if before, n, ok := strings.Cut(l.step, "N"); ok && l.own == name && strings.Contains(now, before) {
			at := strings.Index(now, before) + len(before) + 1 + len(n)
			r.write(name, now[:at]+text+now[at:])
			return
		}
	}
	r.write(name, now+text)
}

// TestHookAmongOthers: whatever others do about an agent's edit, in each language, it is not held
// for it, and held for an error of its own that is still there.
func TestHookAmongOthers(t *testing.T) {
	for lang, l := range hookedLanguages {
		for _, c := range othersDo {
			for _, own := range []string{"", "laterOn"} {
				t.Run(lang+"/"+c.name+"/own="+own, func(t *testing.T) {
					r := claudeRun{agentRun: newAgentRun(t, map[string]string{"go.mod": moduleFile, "package.json": "{}", "tsconfig.json": "{}", "node_modules/.package-lock.json": "{}", l.own: l.with("1"), l.user: l.using})}
					r.cwd = r.dir
					was, is := strings.Replace(l.step, "N", "1", 1), strings.Replace(l.step, "N", "2", 1)
					if own != "" {
						is += l.lineEnd + strings.Replace(l.calls, "NAME", own, 1)
					}
					c.do(r, l, func(then ...func(string)) { r.edits(l.own, was, is, then...) })
					said := r.stop("s")
					if want := own != "" && !c.gone; strings.Contains(said, "halfDone") || strings.Contains(said, "laterOn") != want || !want && said != "" {
						t.Errorf("at the end %q", said)
					}
				})
			}
		}
	}
}

// TestHookOfTheFilesRepository: a file is judged in its own repository, whatever folder an event
// names, and without one in the agent's folder.
func TestHookOfTheFilesRepository(t *testing.T) {
	files := map[string]string{"go.mod": moduleFile, "a.go": goWith("_ = 1"), ".gitignore": "trees/\n"}
	r := newAgentRun(t, files)
	other := filepath.Join(r.dir, "trees", "feature") // as a worktree that the main repository ignores
	repo := gittest.New(t, other)
	repo.Write("refs/heads/main", repo.Commit("first", repo.Files(files))+"\n")
	for name, text := range files {
		r.write("trees/feature/"+name, text)
	}
	run := claudeRun{r, r.dir}
	run.edits("trees/feature/a.go", "_ = 1", "later()")
	if got := run.stop("s"); !strings.Contains(got, "later") {
		t.Errorf("another repository: %q", got)
	}
	main := filepath.Join(r.dir, ".git")
	linked := gittest.New(t, filepath.Join(r.dir, "trees", "linked")) // its data lies in that of the main one, as that of a worktree and a submodule does
	linked.Write("refs/heads/main", linked.Commit("first", linked.Files(files))+"\n")
	if err := os.MkdirAll(filepath.Join(main, "modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(linked.Git, filepath.Join(main, "modules", "linked")); err != nil {
		t.Fatal(err)
	}
	r.write("trees/linked/.git", "gitdir: ../../.git/modules/linked\n")
	for name, text := range files {
		r.write("trees/linked/"+name, text)
	}
	run.edits("trees/linked/a.go", "_ = 1", "linked()")
	if got := run.stop("s"); !strings.Contains(got, "trees/linked/a.go:7:2: error: linked is declared nowhere") {
		t.Errorf("a repository whose .git is a file: %q", got)
	}
	plain := agentRun{t, t.TempDir()}
	plain.write("p.py", "import os\n\n\ndef f():\n    return os.getcwd()\n")
	run = claudeRun{plain, plain.dir}
	run.edits("p.py", "os.getcwd()", "later()")
	if got := run.stop("s"); !strings.Contains(got, "later") {
		t.Errorf("no repository: %q", got)
	}
}

// TestHookWarm: a program that serves the repository answers its events, and an event of another
// repository is judged without it.
func TestHookWarm(t *testing.T) {
	platformtest.Unix(t, platformtest.Sockets)
	r := newAgentRun(t, map[string]string{"go.mod": moduleFile, "a.go": goWith("_ = 1")})
	short, err := os.MkdirTemp("", "hook") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	t.Setenv("XDG_RUNTIME_DIR", short)
	serving(t, r.dir)
	request := func(dir, name string) (string, bool) {
		path := filepath.Join(dir, name)
		event, err := json.Marshal(map[string]any{"session_id": "w", "cwd": r.dir, "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": path, "old_string": "_ = 1", "new_string": "_ = strings.Trimmed(\"\")"}})
		if err != nil {
			t.Fatal(err)
		}
		answer, _, ok := askJudge(t.Context(), r.dir, hookRequest{"claude", event})
		return answer, ok
	}
	r.write("a.go", goWith("_ = strings.Trimmed(\"\")"))
	answer, ok := request(r.dir, "a.go")
	for start := time.Now(); !ok && time.Since(start) < 20*time.Second; time.Sleep(10 * time.Millisecond) { // the server listens as soon as it can
		answer, ok = request(r.dir, "a.go")
	}
	if !ok || !strings.Contains(answer, "Trimmed") || strings.Count(answer, "\n") != 1 {
		t.Errorf("warm: %v, %q", ok, answer)
	}
	if answer, ok := request(t.TempDir(), "a.go"); ok {
		t.Errorf("of another folder: %q", answer)
	}
}
