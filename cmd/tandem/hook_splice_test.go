package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"tandem/workspace/platformtest"
)

// Settings as people have them. Tandem's hooks come and go, and every other byte stays.
var hookSettings = map[string]string{
	"other commands":   "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Edit\",\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"prettier\" }]\n      }\n    ]\n  }\n}\n",
	"comments":         "// mine\n{\n\t\"model\": \"x\", // the model\n\t/* hooks */ \"hooks\": {\n\t\t\"Start\": [ /* none */ ], // later\n\t\t\"stop\": [{\"command\": \"a\"}] // last\n\t} // end\n}\n",
	"trailing commas":  "{\n    \"a\": [1, 2,],\n    \"hooks\": {\n        \"afterFileEdit\": [\n            {\"command\": \"b\"},\n        ],\n    },\n}",
	"one line":         `{"a":1,"hooks":{"Stop":[{"hooks":[{"command":"other"}]}]},"z":{"b":1.50,"a":1e3}}`,
	"CRLF":             "{\r\n  \"a\": 1\r\n}\r\n",
	"byte order mark":  "\ufeff{\n  \"a\": \"\\u00e9\"\n}\n",
	"odd spacing":      "{ \"a\" :1 ,\n\n\n \"hooks\" : { \"Start\" : [ ] , \"x\" : [ ] } }",
	"empty":            "{}",
	"empty over lines": "{\n}\n",
	"comment at end":   "{\n  \"a\": 1 // why\n  // nothing else\n}",
	"its version":      "{\n  \"version\": 1,\n  \"other\": true\n}\n",
}

func TestHooksComeAndGoAndTheRestStays(t *testing.T) {
	t.Parallel()
	for name, old := range hookSettings {
		for agent, kind := range hookFiles {
			command := "tandem check --hook " + agent
			with, err := withHooks([]byte(old), kind, command, true)
			if err != nil {
				t.Errorf("%s, %s: %v", name, agent, err)
				continue
			}
			if !json.Valid(standardized(t, with)) || bytes.Count(with, []byte(command)) != len(kind.events) {
				t.Errorf("%s, %s: installed\n%s", name, agent, with)
			}
			if strings.Contains(old, "\r\n") && bytes.Count(with, []byte("\n")) != bytes.Count(with, []byte("\r\n")) {
				t.Errorf("%s, %s: mixed line ends\n%q", name, agent, with)
			}
			if again, err := withHooks(with, kind, command, true); err != nil || !bytes.Equal(again, with) {
				t.Errorf("%s, %s: installed twice\n%s\n%v", name, agent, again, err)
			}
			if kind.version && !strings.Contains(old, `"version"`) {
				continue // the version that the form needs stays
			}
			left, err := withHooks(with, kind, command, false)
			if empty := emptyContainer.ReplaceAllString(old, "$1$2"); err != nil || string(left) != old && emptyContainer.ReplaceAllString(string(left), "$1$2") != empty {
				t.Errorf("%s, %s: removed, %v\n%s", name, agent, err, cmp.Diff(old, string(left)))
			}
		}
	}
}

// The space inside of brackets that tandem filled and emptied again is its own.
var emptyContainer = regexp.MustCompile(`([\[{])\s+([\]}])`)

func standardized(t *testing.T, text []byte) []byte {
	t.Helper()
	out, err := hujson.Standardize(bytes.Clone(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
	return out
}

func TestHooksOfOthersStay(t *testing.T) {
	t.Parallel()
	const shared = `{"hooks":{"Stop":[{"hooks":[{"command":"/usr/local/bin/tandem check --hook claude"},{"command":"notify"}]},` +
		`{"hooks":[{"command":"mytandem check --hook claude"},{"command":"tandem check --hook claude --strict; notify"},{"command":"tandem check --hook cursor"}]}]}}`
	left, err := withHooks([]byte(shared), hookFiles["claude"], "tandem check --hook claude", false)
	want := strings.Replace(shared, `{"command":"/usr/local/bin/tandem check --hook claude"},`, "", 1)
	if err != nil || string(left) != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, string(left)))
	}
}

func TestHooksThatCannotBeSplicedAreRefused(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]string{
		"two objects":    `{"a":1} {"b":2}`,
		"a list":         `[1]`,
		"cut":            `{"hooks":{"Stop":[`,
		"nests":          strings.Repeat("[", 100_000),
		"twice":          `{"hooks":{},"hooks":{}}`,
		"hooks are text": `{"hooks":"none"}`,
		"event is text":  `{"hooks":{"Stop":"none","stop":"none"}}`,
	} {
		for agent, kind := range hookFiles {
			if next, err := withHooks([]byte(old), kind, "tandem check --hook "+agent, true); err == nil {
				t.Errorf("%s, %s: wrote\n%s", name, agent, next)
			}
		}
	}
}

func TestHookTables(t *testing.T) {
	t.Parallel()
	const command = "tandem check --hook codex"
	for _, old := range []string{"", "model = \"x\"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"other\" # mine", "[hooks]\n# none\n", "a = 1\r\n"} {
		with, err := withHookTables([]byte(old), hookFiles["codex"], command, true)
		if err != nil || bytes.Count(with, []byte(command)) != 2 || !bytes.HasPrefix(with, []byte(old)) {
			t.Errorf("%q: %v\n%s", old, err, with)
		}
		again, err := withHookTables(with, hookFiles["codex"], command, true)
		if err != nil || !bytes.Equal(again, with) {
			t.Errorf("%q: again %v\n%s", old, err, again)
		}
		if left, err := withHookTables(with, hookFiles["codex"], command, false); err != nil || string(left) != old {
			t.Errorf("%q: left %q, %v", old, left, err)
		}
	}
	if next, err := withHookTables([]byte("hooks = { Stop = [] }\n"), hookFiles["codex"], command, true); err == nil {
		t.Errorf("an inline table: wrote\n%s", next)
	}
}

func TestHooksOutsideOfTheProjectAreRefused(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, ".claude", "settings.json")
	other := filepath.Join(elsewhere, "settings.json")
	put := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	install := func(args ...string) int {
		root := newRoot()
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(&out)
		root.SetArgs(append([]string{"--workspace", dir, "hook", "install", "claude"}, args...))
		return report(root.Execute(), &out)
	}
	put(other, "{}")
	put(filepath.Join(dir, "settings.json"), "{}")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	link := func(to string) {
		t.Helper()
		_ = os.Remove(file)
		platformtest.Symlink(t, to, file)
	}
	for _, to := range []string{other, filepath.Join(elsewhere, "missing.json"), filepath.Join(dir, "missing.json")} {
		link(to)
		if code := install(); code != exitRefused {
			t.Errorf("a link to %s: code %d", to, code)
		}
	}
	if text, _ := os.ReadFile(other); string(text) != "{}" {
		t.Errorf("the file outside is %s", text)
	}
	link(filepath.Join(dir, "settings.json"))
	if code := install("--dry-run"); code != exitDone {
		t.Errorf("dry run: code %d", code)
	}
	if text, _ := os.ReadFile(file); string(text) != "{}" {
		t.Errorf("the dry run wrote %s", text)
	}
	if code := install(); code != exitDone {
		t.Errorf("a link in the project: code %d", code)
	}
	info, err := os.Lstat(file)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its permissions are %v, %v", info.Mode(), err)
	}
}
