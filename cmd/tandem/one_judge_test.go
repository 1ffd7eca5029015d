package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tandem/edits"
)

var (
	judgedChanges = flag.Int("changes", 6, "how many generated changes TestOneJudge sends over every road")
	judgedSeed    = flag.Uint64("changes-seed", 1, "of these changes")
)

// A madeChange is a change of one line of a file, whose names another file uses.
type madeChange struct {
	id, file, before, old, new string
	wrong                      string // the file that is wrong with it, "" if none is
	names                      string // what the request names
}

// A madeKind is what becomes of a line of a file or of the one that uses it. NAME and MORE are names,
// one of which is made up.
type madeKind struct {
	in       int // which of both files
	old, new string
	wrong    int // which of them is wrong then; right: none
}

const (
	inLib = iota
	inUse
	right
)

var madeKinds = map[string][]madeKind{
	"go": {
		{inLib, "func NAME(a int) int { return a }", "func MORE(a int) int { return a }", inUse},
		{inLib, "func NAME(a int) int { return a }", "func NAME(a, b int) int { return a + b }", inUse},
		{inLib, "func NAME(a int) int { return a }", "", inUse},
		{inLib, "func NAME(a int) int { return a }", "func NAME(a int) int { return a + 1 }", right},
		{inLib, "	return NAME(1)", "	return MORE(1)", inLib},
		{inLib, "	return NAME(1)", "	return NAME(1, 2)", inLib},
		{inLib, "	return NAME(1)", "	return NAME(2)", right},
		{inLib, "type NAMEd struct{ Size int }", "type MOREd struct{ Size int }", inUse},
		{inLib, "type NAMEd struct{ Size int }", "type NAMEd struct{ Width int }", inUse},
		{inLib, "const NAMEc = 1", "const MOREc = 1", inUse},
		{inLib, "func (NAMEv) Put() {}", "func (NAMEv) Take() {}", inUse},
		{inUse, "var used = own() + NAME(3) + NAMEd{Size: NAMEc}.Size", "var used = own() + MORE(3) + NAMEd{Size: NAMEc}.Size", inUse},
	},
	"py": {
		{inLib, "def NAME(a):", "def MORE(a):", inUse},
		{inLib, "def NAME(a):", "def NAME(a, b):", inUse},
		{inLib, "    return NAME(1)", "    return MORE(1)", inLib},
		{inLib, "    return NAME(1)", "    return NAME(1, 2)", inLib},
		{inLib, "    return NAME(1)", "    return NAME(2)", right},
		{inLib, "class NAMEd:", "class MOREd:", inUse},
		{inLib, "NAMEc = 1", "MOREc = 1", inUse},
		{inLib, "def own():\n    return NAME(1)", "", inUse},
		{inUse, "from .lib import NAME, NAMEc, NAMEd, own", "from .MORE import NAME, NAMEc, NAMEd, own", inUse},
		{inUse, "    return NAME(NAMEc), NAMEd(), own()", "    return NAME(NAMEc), MOREd(), own()", inUse},
	},
	"tsx": {
		{inLib, "export function NAME(a: number) { return a }", "export function MORE(a: number) { return a }", inUse},
		{inLib, "export function NAME(a: number) { return a }", "export function NAME(a: number, b: number) { return a + b }", inUse},
		{inLib, "export function NAME(a: number) { return a }", "function NAME(a: number) { return a }", inUse},
		{inLib, "  return NAME(1)", "  return MORE(1)", inLib},
		{inLib, "  return NAME(1)", "  return NAME(1, 2)", inLib},
		{inLib, "  return NAME(1)", "  return NAME(2)", right},
		{inLib, "export class NAMEd {}", "export class MOREd {}", inUse},
		{inLib, "export const NAMEc = 1", "export const MOREc = 1", inUse},
		{inLib, "export function own() {\n  return NAME(1)\n}", "", inUse},
		{inUse, "import { NAME, NAMEc, NAMEd, own } from './lib'", "import { NAME, NAMEc, NAMEd, own } from './MORE'", inUse},
		{inUse, "export const used = [NAME(NAMEc), new NAMEd(), own()]", "export const used = [NAME(NAMEc), new MOREd(), own()]", inUse},
	},
}

// madeSources are a file and one that uses it, of each language.
var madeSources = map[string][2]string{
	"go":  {"package PKG\n\nfunc NAME(a int) int { return a }\n\ntype NAMEd struct{ Size int }\n\ntype NAMEv int\n\nfunc (NAMEv) Put() {}\n\nconst NAMEc = 1\n\nfunc own() int {\n\treturn NAME(1)\n}\n", "package PKG\n\nvar used = own() + NAME(3) + NAMEd{Size: NAMEc}.Size\n\nfunc use(v NAMEv) { v.Put() }\n"},
	"py":  {"NAMEc = 1\n\n\ndef NAME(a):\n    return a\n\n\nclass NAMEd:\n    pass\n\n\ndef own():\n    return NAME(1)\n", "from .lib import NAME, NAMEc, NAMEd, own\n\n\ndef use():\n    return NAME(NAMEc), NAMEd(), own()\n"},
	"tsx": {"export const NAMEc = 1\n\nexport function NAME(a: number) { return a }\n\nexport class NAMEd {}\n\nexport function own() {\n  return NAME(1)\n}\n", "import { NAME, NAMEc, NAMEd, own } from './lib'\n\nexport const used = [NAME(NAMEc), new NAMEd(), own()]\n"},
}

// TestOneJudge: each of some generated changes gets the same findings on all eight roads by which one
// reaches files: check, of a patch and of what git says, apply, edit, a task, an editor (a whole
// proposal and its hunk), MCP, the hook and Review Changes.
func TestOneJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(*judgedSeed, 1))
	var list []madeChange
	var answers []answer
	files := map[string]string{"package.json": "{}", "node_modules/.package-lock.json": "{}", "tsconfig.json": "{}"}
	word := func() string {
		out := "qu"
		for range 5 {
			out += string("bdfgklmnprtvz"[random.IntN(13)]) + string("aeiou"[random.IntN(5)])
		}
		return out
	}
	for n := range *judgedChanges {
		lang := []string{"go", "py", "tsx"}[n%3]
		kind := madeKinds[lang][n/3%len(madeKinds[lang])]
		name, more := word(), word()
		in := strings.NewReplacer("NAME", name, "MORE", more, "PKG", fmt.Sprintf("p%d", n)).Replace
		both := []string{fmt.Sprintf("p%d/lib.%s", n, lang), fmt.Sprintf("p%d/use.%s", n, lang), right: ""}
		g := madeChange{id: fmt.Sprintf("(%d)", n), file: both[kind.in], before: in(madeSources[lang][kind.in]), old: in(kind.old), new: in(kind.new), wrong: both[kind.wrong], names: name + " " + more}
		files[both[inLib]], files[both[inUse]] = in(madeSources[lang][inLib]), in(madeSources[lang][inUse])
		if lang == "py" {
			files[fmt.Sprintf("p%d/__init__.py", n)] = ""
		}
		list = append(list, g)
		answers = append(answers, answer{"Do step " + g.id, g.block()}, answer{"Plan " + g.id, "1. [FAST] Do step " + g.id + " | write: " + g.file}, answer{"Change " + g.id, g.block()})
	}
	h, _ := withModel(t, append(answers, answer{"Do step 1", "NUMBER"})...)
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(h.workspace, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		h.write(filepath.Join(h.workspace, name), text)
	}
	h.write(filepath.Join(h.workspace, ".gitignore"), "node_modules\n")
	h.git("init", "-q")
	h.git("add", "-A")
	h.git("commit", "-qm", "first")
	r := roads{h: h, agent: h.agent(""), seen: map[string]int{}}
	for _, g := range list {
		r.judge(g)
	}
	t.Logf("%d changes, of which %v", len(list), r.seen)
}

func (g madeChange) block() string {
	return g.file + "\n<<<<<<< SEARCH\n" + g.old + "\n=======\n" + g.new + "\n>>>>>>> REPLACE\n"
}

// roads are the ways of one workspace.
type roads struct {
	h     *home
	agent *agent
	seen  map[string]int // how many changes have so many findings
}

// judge sends a change over all roads.
func (r roads) judge(g madeChange) {
	t, h := r.h.t, r.h
	t.Helper()
	path := filepath.Join(h.workspace, filepath.FromSlash(g.file))
	after := strings.Replace(g.before, g.old, g.new, 1)
	patch := edits.UnifiedChange(edits.FileChange{Path: g.file, Before: g.before, After: after})
	h.stdin = strings.NewReader(patch)
	_, out, _ := h.run("check", "--json")
	var want, own []string // sentences; those of the file itself
	for line := range strings.Lines(out) {
		var f findingJSON
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("%s: %q", g.id, line)
		}
		if want = append(want, f.Message); f.Path == g.file {
			own = append(own, f.Message)
		}
	}
	if (len(want) > 0) != (g.wrong != "") || !strings.Contains(out, g.wrong) {
		t.Errorf("%s %q -> %q: %s is wrong then, and check finds %q", g.file, g.old, g.new, g.wrong, out)
	}
	r.seen[fmt.Sprint(len(want))]++
	event := func(name string) string {
		e, _ := json.Marshal(map[string]any{"session_id": g.id, "cwd": h.workspace, "hook_event_name": name, "tool_name": "Edit", "tool_input": map[string]any{"file_path": path, "old_string": g.old, "new_string": g.new}})
		h.stdin = strings.NewReader(string(e))
		_, said, problems := h.run("check", "--hook", "claude")
		return said + problems
	}
	command := func(stdin string, args ...string) string {
		h.stdin = strings.NewReader(stdin)
		_, said, problems := h.run(args...)
		return said + problems
	}
	for _, road := range []struct {
		name    string
		applied bool // the disk has the change
		ask     func() string
	}{
		{"check --diff", true, func() string { return command("", "check", "--diff", "HEAD", g.file) }},
		{"apply", false, func() string { return command(g.block(), "apply", "--write") }},
		{"edit", false, func() string { return command("", "edit", g.file, "Change "+g.id+" "+g.names, "--write") }},
		{"task", false, func() string {
			return command("", "edit", g.file, "Plan "+g.id+" "+g.names, "--deep", "--write", "--yes")
		}},
		{"editor", false, func() string { return r.accepted(g, `"action":"accept"`) }},
		{"hunk", false, func() string { return r.accepted(g, `"action":"acceptHunk","hunk":0`) }},
		{"MCP", false, func() string {
			out, err := r.agent.CallTool(t.Context(), &sdk.CallToolParams{Name: "check", Arguments: map[string]any{"patch": patch}})
			if err != nil {
				return err.Error()
			}
			said, _ := json.Marshal(out.Content)
			return string(said)
		}},
		{"hook", true, func() string { return event("PostToolUse") + event("Stop") }},
		{"Review Changes", true, func() string {
			files, _, err := serving(t, h.workspace).changes(t.Context(), "", true)
			if err != nil {
				return err.Error()
			}
			said := ""
			for _, f := range files {
				for _, found := range f.Findings {
					said += found.Message + "\n"
				}
			}
			return said
		}},
	} {
		h.write(path, g.before)
		if road.applied {
			h.write(path, after)
		}
		said := road.ask()
		if now := readFile(t, "", path); !road.applied && len(want) > 0 && now != g.before {
			t.Errorf("%s by %s: it is written:\n%s", g.file, road.name, now)
		}
		h.write(path, g.before)
		rest, missing, expected := said, []string{}, want
		if strings.Contains(said, "tandem: step 1") { // a step is wrong by itself: its task ends before anything uses it
			expected = own
		}
		for _, sentence := range expected {
			quoted, _ := json.Marshal(sentence) // as JSON has it
			if !strings.Contains(said, sentence) && !strings.Contains(said, strings.Trim(string(quoted), `"`)) {
				missing = append(missing, sentence)
			}
			rest = strings.ReplaceAll(strings.ReplaceAll(rest, strings.Trim(string(quoted), `"`), ""), sentence, "")
		}
		if more := found.FindAllString(rest, -1); len(missing) > 0 || len(more) > 0 {
			t.Errorf("%s %q -> %q by %s: without %q, beside them %q, in\n%s", g.file, g.old, g.new, road.name, missing, slices.Compact(more), said)
		}
	}
}

// found is what every finding of such a change says.
var found = regexp.MustCompile(`is declared nowhere|is bound nowhere|has no \w+|takes \d|(?:not enough|too many) arguments`)

// accepted is what an editor is told of a proposal and when it accepts it.
func (r roads) accepted(g madeChange, action string) (said string) {
	path := filepath.Join(r.h.workspace, filepath.FromSlash(g.file))
	uri := "file://" + filepath.ToSlash(path)
	r.h.session(`"capabilities":{"experimental":{"tandem":{"proposals":true}}},"rootUri":`+fmt.Sprintf("%q", "file://"+filepath.ToSlash(r.h.workspace))+`,"initializationOptions":{"trusted":true}`, nil, nil, func(e *editor) {
		e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"x","version":1,"text":%q}}}`, uri, g.before)
		e.send(`{"jsonrpc":"2.0","id":3,"method":"tandem/edit","params":{"textDocument":{"uri":%q,"version":1},"range":{"start":{"line":0,"character":0},"end":{"line":3,"character":0}},"instruction":%q}}`, uri, "Change "+g.id+" "+g.names)
		m := e.answer(3)
		_, id, _ := strings.Cut(string(m.Result), `"proposalId":"`)
		id, _, _ = strings.Cut(id, `"`)
		e.send(`{"jsonrpc":"2.0","id":4,"method":"tandem/resolve","params":{"id":%q,%s}}`, id, action)
		got := e.answer(4)
		said = string(m.Error) + string(got.Result) + string(got.Error)
	})
	return said
}
