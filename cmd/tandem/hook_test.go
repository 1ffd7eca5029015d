package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace/git/gittest"
)

// An agentRun is an agent that works in a repository with one commit.
type agentRun struct {
	*testing.T
	dir string
}

func newAgentRun(t *testing.T, files map[string]string) agentRun {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	repo := gittest.New(t, dir)
	repo.Write("refs/heads/main", repo.Commit("first", repo.Files(files))+"\n")
	run := agentRun{t, dir}
	for name, text := range files {
		run.write(name, text)
	}
	return run
}

func (r agentRun) write(name, text string) string {
	r.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
	return path
}

// event sends an event, and returns the answer and the exit code.
func (r agentRun) event(agent string, event map[string]any) (answer, problems string, code int) {
	r.Helper()
	in, err := json.Marshal(event)
	if err != nil {
		r.Fatal(err)
	}
	return r.raw(agent, string(in))
}

func (r agentRun) raw(agent, in string) (answer, problems string, code int) {
	r.Helper()
	root := newRoot()
	var out, wrong bytes.Buffer
	root.SetIn(strings.NewReader(in))
	root.SetOut(&out)
	root.SetErr(&wrong)
	root.SetArgs([]string{"check", "--hook", agent})
	code = report(root.Execute(), &wrong)
	return out.String(), wrong.String(), code
}

const moduleFile = "module m\n\ngo 1.24\n"

// goWith is a Go file with a statement that uses strings.
func goWith(statement string) string {
	return "package m\n\nimport \"strings\"\n\nfunc F() {\n\t_ = strings.TrimSpace(\"\")\n\t" + statement + "\n}\n"
}

// TestHookOfEachAgent sends each agent's documented events about the same edit: after it, the
// agent learns what a library lacks, and nothing of what a later edit may bring; when it stops,
// both are errors, once.
func TestHookOfEachAgent(t *testing.T) {
	for _, c := range []struct {
		agent              string
		common, edit, stop map[string]any // with the path in place of PATH, the folder in place of DIR
		context, reason    []string       // where the answers have their text
		again              map[string]any
	}{
		{"claude", map[string]any{"session_id": "s", "cwd": "DIR"},
			map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": "PATH", "old_string": "OLD", "new_string": "NEW"}},
			map[string]any{"hook_event_name": "Stop", "stop_hook_active": false},
			[]string{"hookSpecificOutput", "additionalContext"}, []string{"reason"}, map[string]any{"stop_hook_active": true}},
		{"codex", map[string]any{"session_id": "s", "cwd": "DIR", "turn_id": "t", "model": "m"},
			map[string]any{"hook_event_name": "PostToolUse", "tool_name": "apply_patch", "tool_input": map[string]any{"command": "*** Begin Patch\n*** Update File: a.go\n@@\n-\tOLD\n+\tPATCHED\n*** End Patch"}},
			map[string]any{"hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": nil},
			[]string{"hookSpecificOutput", "additionalContext"}, []string{"reason"}, map[string]any{"stop_hook_active": true}},
		{"cursor", map[string]any{"conversation_id": "c", "generation_id": "g", "cursor_version": "3.7.21", "workspace_roots": []string{"DIR"}},
			map[string]any{"hook_event_name": "postToolUse", "tool_name": "Write", "tool_input": map[string]any{"file_path": "PATH"}, "cwd": "DIR"},
			map[string]any{"hook_event_name": "stop", "status": "completed", "loop_count": 0},
			[]string{"additional_context"}, []string{"followup_message"}, map[string]any{"loop_count": 1}},
		{"copilot", map[string]any{"session_id": "s", "timestamp": "2026-10-01T00:00:00Z", "cwd": "DIR"},
			map[string]any{"hook_event_name": "PostToolUse", "tool_name": "replace_string_in_file", "tool_input": map[string]any{"filePath": "PATH", "oldString": "OLD", "newString": "NEW"}},
			map[string]any{"hook_event_name": "Stop", "stop_hook_active": false},
			[]string{"additionalContext"}, []string{"hookSpecificOutput", "reason"}, map[string]any{"stop_hook_active": true}},
	} {
		t.Run(c.agent, func(t *testing.T) {
			const old, wrong = "_ = 1", "_ = strings.Trimmed(\"\")\n\tlater()"
			r := newAgentRun(t, map[string]string{"go.mod": moduleFile, "a.go": goWith(old), "dirty.go": "package m\n"})
			r.write("dirty.go", "package m\n\nfunc D() { unwritten() }\n")
			path := r.write("a.go", goWith(wrong))
			event := func(parts ...map[string]any) map[string]any {
				all := maps.Clone(c.common)
				for _, p := range parts {
					maps.Copy(all, p)
				}
				data, _ := json.Marshal(all)
				text := strings.NewReplacer("PATCHED", strings.ReplaceAll(strings.ReplaceAll(wrong, `"`, `\"`), "\n\t", `\n+\t`), "PATH", strings.ReplaceAll(path, `\`, `\\`), "DIR", strings.ReplaceAll(r.dir, `\`, `\\`), "OLD", old, "NEW", strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(wrong, `"`, `\"`), "\n", `\n`), "\t", `\t`)).Replace(string(data))
				out := map[string]any{}
				if err := json.Unmarshal([]byte(text), &out); err != nil {
					t.Fatal(err)
				}
				return out
			}
			said := func(part string, fields []string, e map[string]any) string {
				out, problems, code := r.event(c.agent, e)
				if code != exitDone {
					t.Fatalf("%s: code %d: %s", part, code, problems)
				}
				if out == "" {
					return ""
				}
				var value any
				if err := json.Unmarshal([]byte(out), &value); err != nil {
					t.Fatalf("%s: %q is no JSON object: %v", part, out, err)
				}
				for _, f := range fields {
					value = value.(map[string]any)[f]
				}
				text, _ := value.(string)
				return text
			}
			if got := said("edit", c.context, event(c.edit)); !strings.Contains(got, "Trimmed") || strings.Contains(got, "later") {
				t.Errorf("after the edit: %q", got)
			}
			if got := said("the same edit", c.context, event(c.edit)); got != "" {
				t.Errorf("after the same edit: %q", got)
			}
			if got := said("stop", c.reason, event(c.stop)); !strings.Contains(got, "Trimmed") || !strings.Contains(got, "later") || strings.Contains(got, "unwritten") {
				t.Errorf("at the end: %q", got)
			}
			if got := said("stop again", c.reason, event(c.stop, c.again)); got != "" {
				t.Errorf("at the end again: %q", got)
			}
			r.write("a.go", goWith("other()"))
			if got := said("an error of somebody else", c.reason, event(c.stop, c.again)); got != "" {
				t.Errorf("at the end with somebody else's error: %q", got)
			}
			said("an edit of a whole file", c.context, event(c.common, map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": map[string]any{"file_path": "PATH", "content": goWith("other()")}}))
			if got := said("another error", c.reason, event(c.stop, c.again)); !strings.Contains(got, "other") {
				t.Errorf("at the end with another error: %q", got)
			}
			r.write("a.go", goWith(old))
			if got := said("repaired", c.reason, event(c.stop)); got != "" {
				t.Errorf("repaired: %q", got)
			}
		})
	}
}

// TestHookOfWrongEvents shows that no event, however wrong or large, makes an agent stop: no
// answer, and no exit code that refuses.
func TestHookOfWrongEvents(t *testing.T) {
	r := newAgentRun(t, map[string]string{"go.mod": moduleFile, "a.go": goWith("_ = 1")})
	path := r.write("a.go", goWith("nowhere()"))
	for name, in := range map[string]string{
		"nothing": "", "no JSON": "{", "a list": "[]", "null": "null", "no session": `{"cwd":"` + r.dir + `"}`,
		"no folder":       `{"session_id":"s"}`,
		"a folder gone":   `{"session_id":"s","cwd":"/no/such/folder","hook_event_name":"Stop"}`,
		"wrong types":     `{"session_id":1,"cwd":["x"],"hook_event_name":{},"tool_input":3}`,
		"another event":   `{"session_id":"o","cwd":"` + r.dir + `","hook_event_name":"PreToolUse"}`,
		"another tool":    `{"session_id":"o","cwd":"` + r.dir + `","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`,
		"a file outside":  `{"session_id":"o","cwd":"` + r.dir + `","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/etc/hosts","content":""}}`,
		"a file gone":     `{"session_id":"o","cwd":"` + r.dir + `","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"` + r.dir + `/none.go"}}`,
		"too large":       strings.Repeat(" ", maxEvent+1),
		"large":           `{"session_id":"l","cwd":"` + r.dir + `","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"` + path + `","content":"` + strings.Repeat("x", 20<<20) + `"}}`,
		"aborted, cursor": `{"conversation_id":"a","workspace_roots":["` + r.dir + `"],"cursor_version":"3","hook_event_name":"stop","status":"aborted","loop_count":0}`,
	} {
		if out, problems, code := r.raw("claude", in); out != "" || code != exitDone && code != exitFailed {
			t.Errorf("%s: code %d, %q, %q", name, code, out, problems)
		}
	}
	if _, _, code := r.raw("nobody", "{}"); code != exitUsage {
		t.Errorf("an unknown agent: code %d", code)
	}
}

func TestHookInstall(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("USERPROFILE", os.Getenv("HOME"))
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	do := func(args ...string) string {
		t.Helper()
		root := newRoot()
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(&out)
		root.SetArgs(append([]string{"--workspace", dir, "hook"}, args...))
		if code := report(root.Execute(), &out); code != exitDone {
			t.Fatalf("%v: code %d: %s", args, code, out.String())
		}
		return out.String()
	}
	for agent, kind := range hookFiles {
		file := filepath.Join(dir, filepath.FromSlash(kind.project))
		const foreign = `{"z":{"b":1,"a":2},"hooks":{"Stop":[{"hooks":[{"command":"other"}]}],"stop":[{"command":"other"}]},"version":1}`
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(foreign), 0o644); err != nil {
			t.Fatal(err)
		}
		shown := do("install", agent)
		if !strings.Contains(shown, "tandem check --hook "+agent) || !strings.Contains(shown, "PATH") {
			t.Errorf("%s: shown %q", agent, shown)
		}
		once, _ := os.ReadFile(file)
		do("install", agent)
		if twice, _ := os.ReadFile(file); !bytes.Equal(once, twice) || bytes.Count(once, []byte("--hook "+agent)) != len(kind.events) {
			t.Errorf("%s: installed twice:\n%s\nonce:\n%s", agent, twice, once)
		}
		do("remove", agent)
		if data, _ := os.ReadFile(file); string(data) != foreign {
			t.Errorf("%s: left %s", agent, data)
		}
		do("install", agent, "--user")
		user, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), filepath.FromSlash(kind.user)))
		program, _ := os.Executable()
		program = strings.ReplaceAll(program, `\`, `\\`) // as JSON has it
		if err != nil || !bytes.Contains(user, []byte(program+" check --hook "+agent)) {
			t.Errorf("%s: of the user: %s, %v", agent, user, err)
		}
		do("remove", agent, "--user")
	}
}
