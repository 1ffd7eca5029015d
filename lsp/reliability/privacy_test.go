//go:build reliability && linux

package reliability

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hidingKinds are the ways to hide files: the file that holds the rule, and the
// prefix of the names that it hides.
var hidingKinds = []struct{ file, prefix string }{
	{".gitignore", "k0_"}, {".git/info/exclude", "k1_"}, {"GLOBAL", "k2_"}, {".ignore", "k3_"}, {".cursorignore", "k4_"}, {".cursorindexingignore", "k5_"},
	{".aiexclude", "k6_"}, {".codeiumignore", "k7_"}, {".copilotignore", "k8_"}, {".geminiignore", "k9_"}, {".tandemignore", "k10_"}, {"", ".aws/"},
}

// hidingSources are the ways in which a hidden file's text could get into a
// request.
var hidingSources = []string{"definition", "neighbour", "open", "edited", "diagnosed", "renamed", "linked", "place", "named"}

// A hiding is a workspace with a file of each kind for each source, each with
// a canary of its own.
type hiding struct {
	*home
	secret func(kind int, source string) string
}

func hide(t *testing.T) *hiding {
	h := &hiding{home: newHome(t)}
	seed := rand.Uint32()
	h.secret = func(kind int, source string) string { return fmt.Sprintf("zq%08xv%d%s", seed, kind, source) }
	h.write(".git/HEAD", "ref: refs/heads/main\n")
	h.write(".git/config", "[core]\n\trepositoryformatversion = 0\n")
	main := "package work\n\n// compute adds up what the others return.\nfunc compute() int {\n\ttotal := 0\n"
	for i, kind := range hidingKinds {
		switch kind.file {
		case "":
		case "GLOBAL":
			h.write(filepath.Join(h.dir, "config", "git", "ignore"), kind.prefix+"*\n")
		default:
			h.write(kind.file, kind.prefix+"*\n")
		}
		for _, source := range hidingSources {
			h.write(h.hidden(i, source), h.text(i, source))
		}
		main += fmt.Sprintf("\ttotal += %s%d()\n\ttotal += %s%d()\n\ttotal += %s%d()\n", "definition", i, "renamed", i, "linked", i)
		if err := os.Rename(filepath.Join(h.workspace, h.hidden(i, "renamed")), filepath.Join(h.workspace, h.visible(i))); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(h.hidden(i, "linked"), filepath.Join(h.workspace, fmt.Sprintf("link%d.go", i))); err != nil {
			t.Fatal(err)
		}
	}
	h.write("main.go", main+"\ttotal += shown()\n\treturn total\n}\n")
	h.write("shown.go", "package work\n\nfunc shown("+h.secret(99, "shown")+" int) int { return 1 }\n")
	return h
}

func (h *hiding) hidden(kind int, source string) string {
	return hidingKinds[kind].prefix + source + ".go"
}
func (h *hiding) visible(kind int) string { return fmt.Sprintf("moved%d.go", kind) }

func (h *hiding) text(kind int, source string) string {
	return fmt.Sprintf("package work\n\n// %[1]s%[2]d computes the total that compute adds: %[3]s.\nfunc %[1]s%[2]d(%[3]s ...int) int {\n\ttotal := 0\n\treturn total\n}\n", source, kind, h.secret(kind, source))
}

// window is the context window at a place, as the server would send it.
func (s *server) window(id, uri string, line int) string {
	s.send(request(id, "tandem/window", object{"textDocument": object{"uri": uri}, "position": object{"line": line, "character": 1}, "budget": 64000, "purpose": "edit", "text": true}))
	return string(s.wait(`"`+id+`"`, patience).Result)
}

// until repeats holds until it returns true.
func (s *server) until(what string, holds func(round int) bool) {
	s.t.Helper()
	deadline := time.Now().Add(patience)
	for round := 0; !holds(round); round++ {
		if time.Now().After(deadline) {
			s.t.Fatalf("it never happened: %s", what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestA24IgnoreRules works in an editor and on the command line in a workspace
// full of hidden files: the model's server never receives one of 108 canaries.
func TestA24IgnoreRules(t *testing.T) {
	m := serveModels(t, "")
	h := hide(t)
	h.twoModels(m.address, "supports_websockets = true")
	s := h.launch(nil)
	s.handshake(allOfTandem(), h.workspace)
	main, err := os.ReadFile(filepath.Join(h.workspace, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	s.openText(h.uri("main.go"), string(main))
	s.until("a renamed file is seen while its name is not hidden", func(n int) bool {
		return strings.Contains(s.window(fmt.Sprint("w", n), h.uri("main.go"), 4), h.secret(0, "renamed"))
	})
	h.renameAll(s)
	s.until("no renamed file is in the window", func(n int) bool {
		return !strings.Contains(s.window(fmt.Sprint("v", n), h.uri("main.go"), 4), h.secret(0, "renamed"))
	})
	h.openAll(s)
	h.askEverything(s)
	for i := range hidingKinds {
		for _, source := range []string{"named", "place"} {
			file := h.hidden(i, source)
			for _, args := range [][]string{{"complete", file + ":7:1"}, {"ask", "What does this compute?", file + ":4:1"}, {"edit", file + ":1-7", "Document it"}, {"review", file}} {
				if code, output := h.run("", args...); code == 0 {
					t.Errorf("tandem %s: exit code 0 and %q", strings.Join(args, " "), output)
				}
			}
		}
	}
	h.run("", "ask", "Which functions compute the total?")
	h.run("", "review", "main.go")
	sent := m.sent()
	for i := range hidingKinds {
		for _, source := range hidingSources {
			if strings.Contains(sent, h.secret(i, source)) {
				t.Errorf("%s %s left the machine", hidingKinds[i].file, source)
			}
		}
	}
	if n := strings.Count(sent, h.secret(99, "shown")); n < 4 {
		t.Errorf("what may be shown was sent %d times: the row measures nothing", n)
	}
}

func (h *hiding) renameAll(s *server) {
	var changes []object
	for i := range hidingKinds {
		from, to := h.visible(i), h.hidden(i, "renamed")
		if err := os.Rename(filepath.Join(h.workspace, from), filepath.Join(h.workspace, to)); err != nil {
			h.t.Fatal(err)
		}
		changes = append(changes, object{"uri": h.uri(from), "type": 3}, object{"uri": h.uri(to), "type": 1})
	}
	s.send(notification("workspace/didChangeWatchedFiles", object{"changes": changes}))
}

// openAll opens hidden files in the editor, types in them, and sends compiler
// diagnostics about them.
func (h *hiding) openAll(s *server) {
	for i := range hidingKinds {
		s.openText(h.uri(h.hidden(i, "open")), h.text(i, "open"))
		edited := h.uri(h.hidden(i, "edited"))
		s.openText(edited, "package work\n")
		at := object{"line": 1, "character": 0}
		s.send(notification("textDocument/didChange", object{"textDocument": object{"uri": edited, "version": 2},
			"contentChanges": []object{{"range": object{"start": at, "end": at}, "text": "// " + h.secret(i, "edited") + "\n"}}}))
		diagnosed := h.uri(h.hidden(i, "diagnosed"))
		s.openText(diagnosed, h.text(i, "diagnosed"))
		first := object{"start": object{"line": 0, "character": 0}, "end": object{"line": 0, "character": 7}}
		s.send(request(fmt.Sprint("diagnosed", i), "textDocument/codeAction", object{"textDocument": object{"uri": diagnosed}, "range": first,
			"context": object{"diagnostics": []object{{"range": first, "severity": 1, "message": "broken: " + h.secret(i, "diagnosed")}}}}))
		s.wait(fmt.Sprintf("%q", fmt.Sprint("diagnosed", i)), patience)
		place := h.uri(h.hidden(i, "place"))
		s.openText(place, h.text(i, "place"))
		for n, what := range []string{
			completion(fmt.Sprint("place0", i), place, 6, 0),
			request(fmt.Sprint("place1", i), "tandem/edit", object{"textDocument": object{"uri": place}, "instruction": "document it"}),
			request(fmt.Sprint("place2", i), "tandem/ask", object{"question": "what is this?", "textDocument": object{"uri": place}, "position": object{"line": 3, "character": 0}}),
			request(fmt.Sprint("place3", i), "textDocument/copilotInlineEdit", object{"textDocument": object{"uri": place, "version": 1}, "position": object{"line": 5, "character": 0}}),
		} {
			s.send(what)
			s.wait(fmt.Sprintf("%q", fmt.Sprintf("place%d%d", n, i)), patience)
		}
	}
}

// askEverything uses every model-backed part of the editor's surface in main.go.
func (h *hiding) askEverything(s *server) {
	main := h.uri("main.go")
	at := object{"line": 4, "character": 11}
	place := object{"textDocument": object{"uri": main, "version": 1}, "position": at}
	for id, what := range map[string]string{
		"complete": completion("complete", main, 4, 11),
		"next":     request("next", "textDocument/copilotInlineEdit", place),
		"hover":    request("hover", "textDocument/hover", place),
		"edit":     request("edit", "tandem/edit", object{"textDocument": object{"uri": main}, "instruction": "document compute and all it calls"}),
		"ask":      request("ask", "tandem/ask", object{"question": "which functions does compute call?", "textDocument": object{"uri": main}, "position": at}),
		"review":   request("review", "workspace/executeCommand", object{"command": "tandem.review", "arguments": []object{{"uri": main}}}),
		"explain":  request("explain", "workspace/executeCommand", object{"command": "tandem.explain", "arguments": []object{{"uri": main, "position": at}}}),
		"commit":   request("commit", "workspace/executeCommand", object{"command": "tandem.commitMessage", "arguments": []object{{"uri": main}}}),
		"escalate": request("escalate", "workspace/executeCommand", object{"command": "tandem.escalate", "arguments": []object{{"uri": main, "position": at, "instruction": "Add a comment to all functions that compute the total"}}}),
	} {
		s.send(what)
		s.wait(fmt.Sprintf("%q", id), patience)
	}
	s.until("the task is over", func(n int) bool {
		id := fmt.Sprint("tasks", n)
		s.send(request(id, "workspace/executeCommand", object{"command": "tandem.tasks"}))
		listed := string(s.wait(fmt.Sprintf("%q", id), patience).Result)
		return strings.Contains(listed, `"done"`) || strings.Contains(listed, `"failed"`)
	})
}

// TestA24AloneBuffers opens links that lead to hidden files and out of the folder, and
// buffers outside every folder, types in them and closes them: nothing of them reaches a
// request for another document.
func TestA24AloneBuffers(t *testing.T) {
	m := serveModels(t, "")
	h := &hiding{home: newHome(t)}
	h.twoModels(m.address, "")
	h.write(".gitignore", "secret.go\n")
	h.write(".git/HEAD", "ref: refs/heads/main\n")
	private := filepath.Join(h.dir, "private-place")
	if err := os.MkdirAll(private, 0o700); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{"toIgnored": "secret.go", "toDenied": ".env", "toOutside": filepath.Join(private, "outside.go"), "untitled": "", "elsewhere": filepath.Join(private, "notes.go")}
	uris := map[string]string{"untitled": "untitled:notes", "elsewhere": "file://" + filepath.ToSlash(kinds["elsewhere"])}
	text := func(kind string) string {
		return fmt.Sprintf("package work\n\n// %[1]sTotal computes the total that compute adds: canary_%[1]s.\nfunc %[1]sTotal(canary_%[1]s ...int) int {\n\ttotal := 0\n\treturn total\n}\n", kind)
	}
	main := "package work\n\n// compute adds up what the others return.\nfunc compute() int {\n\ttotal := 0\n"
	for kind, target := range kinds {
		main += fmt.Sprintf("\ttotal += %sTotal()\n", kind)
		switch {
		case target == "":
			continue
		case !filepath.IsAbs(target):
			h.write(target, text(kind))
		default:
			if err := os.WriteFile(target, []byte(text(kind)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if uris[kind] == "" {
			if err := os.Symlink(target, filepath.Join(h.workspace, kind+".go")); err != nil {
				t.Fatal(err)
			}
			uris[kind] = h.uri(kind + ".go")
		}
	}
	h.write("main.go", main+"\ttotal += shown()\n\treturn total\n}\n")
	h.write("shown.go", "package work\n\nfunc shown(canary_shown int) int { return 1 }\n")
	s := h.launch(nil)
	s.handshake(allOfTandem(), h.workspace)
	s.openText(h.uri("main.go"), main+"\ttotal += shown()\n\treturn total\n}\n")
	s.until("the workspace is indexed", func(n int) bool {
		return strings.Contains(s.window(fmt.Sprint("w", n), h.uri("main.go"), 4), "canary_shown")
	})
	at := object{"line": 1, "character": 0}
	for kind, uri := range uris {
		s.openText(uri, text(kind))
		s.send(notification("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": 2},
			"contentChanges": []object{{"range": object{"start": at, "end": at}, "text": "// typed_canary_" + kind + "\n"}}}))
	}
	h.askEverything(s)
	for _, uri := range uris {
		s.send(notification("textDocument/didClose", object{"textDocument": object{"uri": uri}}))
	}
	h.askEverything(s)
	sent := m.sent()
	for kind := range kinds {
		if strings.Contains(sent, "canary_"+kind) {
			t.Errorf("%s left the machine", kind)
		}
	}
	if strings.Contains(sent, "private-place") {
		t.Error("the path of a buffer outside the folder left the machine")
	}
	if strings.Count(sent, "canary_shown") < 4 {
		t.Error("what may be shown was not sent: the row measures nothing")
	}
}

const (
	digits = "0123456789"
	hexes  = digits + "abcdef"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	mixed  = uppers + "abcdefghijklmnopqrstuvwxyz" + digits
)

// secretForms are the formats of keys in code: a literal, an alphabet, the
// number of characters from it, and a literal again.
var secretForms = []struct {
	before, alphabet string
	n                int
	after            string
}{
	{"ghp_", mixed, 36, ""}, {"gho_", mixed, 36, ""}, {"ghs_", mixed, 36, ""}, {"glpat-", mixed, 20, ""}, {"AKIA", uppers + "234567", 16, ""}, {"ASIA", uppers + "234567", 16, ""},
	{"aws_secret_access_key = ", mixed, 40, ""}, {"AIza", mixed, 35, ""}, {"ya29.", mixed, 80, ""}, {"GOCSPX-", mixed, 28, ""}, {"AccountKey=", mixed, 86, "=="},
	{"sk-ant-api03-", mixed, 93, "AA"}, {"sk-or-v1-", hexes, 64, ""}, {"gsk_", mixed, 52, ""}, {"xai-", mixed, 80, ""}, {"hf_", mixed, 34, ""}, {"r8_", mixed, 37, ""}, {"pplx-", mixed, 48, ""},
	{"xoxb-123456789012-123456789012-", mixed, 24, ""}, {"https://hooks.slack.com/services/T01234567/B01234567/", mixed, 24, ""}, {"sk_live_", mixed, 24, ""}, {"rk_live_", mixed, 24, ""},
	{"whsec_", mixed, 32, ""}, {"SK", hexes, 32, ""}, {"key-", hexes, 32, ""}, {"npm_", mixed, 36, ""}, {"pypi-AgEIcHlwaS5vcmc", mixed, 100, ""}, {"rubygems_", hexes, 48, ""}, {"dckr_pat_", mixed, 27, ""},
	{"dop_v1_", hexes, 64, ""}, {"dapi", hexes, 32, ""}, {"hvs.", mixed, 90, ""}, {"shpat_", hexes, 32, ""}, {"lin_api_", mixed, 40, ""}, {"ntn_", mixed, 46, ""}, {"figd_", mixed, 40, ""},
	{"postgres://app:", mixed, 16, "@db.internal:5432/app"}, {"password = \\\"", mixed, 14, "\\\""}, {"DATABASE_PASSWORD=", mixed, 16, ""}, {"Authorization: Bearer ", mixed, 40, ""},
}

// TestA25Secrets puts 520 generated keys of 40 formats into code and searches
// the requests that are sent to the model.
func TestA25Secrets(t *testing.T) {
	m := serveModels(t, "")
	h := newHome(t)
	h.twoModels(m.address, "")
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	var made []string
	for round := range 13 {
		text := "package work\n"
		for i, form := range secretForms {
			core := make([]byte, form.n)
			for j := range core {
				core[j] = form.alphabet[random.IntN(len(form.alphabet))]
			}
			made = append(made, string(core))
			text += fmt.Sprintf("\n// value%d is for the service.\nvar value%d = \"%s%s%s\"\n", i, i, form.before, core, form.after)
		}
		file := h.write(fmt.Sprintf("keys%d/keys.go", round), text)
		if code, output := h.run("", "complete", file+":5:1"); code != 0 && code != 4 {
			t.Errorf("exit code %d: %s", code, output)
		}
		h.run("", "ask", "what is this?", file+":3:1")
	}
	sent := m.sent()
	seen := 0
	for _, core := range made {
		if strings.Contains(sent, core) {
			seen++
		}
	}
	t.Logf("%d of %d secrets left the machine (seed %d; bar: 2 of 100)", seen, len(made), seed)
	if len(made) < 500 || seen*100 > len(made)*2 {
		t.Error("too many secrets left the machine")
	}
	for i := range secretForms {
		if !strings.Contains(sent, fmt.Sprintf("value%d is for the service", i)) {
			t.Fatalf("the code around secret %d was not sent: the row measures nothing", i)
		}
	}
}
