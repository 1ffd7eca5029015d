//go:build reliability && linux

package reliability

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// nested are what a hostile file repeats: brackets, operators, branches, texts and tags without
// end, which make parsers call themselves, or take the square of a text's time.
var nested = []string{"[", "{", "(", "<a>", "!", "a+", "a?b:", "a=>", "if(x){}else ", "`${", "\"", "'", "/*", "#", "a.", "a,", "x=", "a(", "not ", "\n> - "}

// heads begin a file of each language, where a text may nest.
var heads = map[string]string{
	"go": "package p\nvar x = ", "ts": "x=", "tsx": "x=", "js": "x=", "json": "", "css": "a{b:", "py": "x=", "rs": "fn f(){", "java": "class A { int x=", "c": "int x=", "cs": "class A { int x=", "rb": "x=", "md": "",
}

// flat are files that do not nest and have as much of everything as a generator writes: what a
// check does for each name must not grow with the file.
var flat = map[string][2]string{
	"ts": {"class A {\n", "  m%[1]d() { return this.m%[2]d() + a?.b }\n"},
	"py": {"class A:\n", "    def m%[1]d(self):\n        return self.m%[2]d()\n"},
	"go": {"package p\n", "func f%[1]d(a int) int { return g%[2]d(a.b%[1]d) }\n"},
}

// TestA12LongFiles: a check of a file with 3,000 functions takes little.
func TestA12LongFiles(t *testing.T) {
	for ending, parts := range flat {
		text := parts[0]
		for i := range 3000 {
			text += fmt.Sprintf(parts[1], i, i+1)
		}
		h := newHome(t)
		h.write("a."+ending, text)
		c := h.command("check", "a."+ending)
		if output, _ := c.CombinedOutput(); panicked(string(output)) { // its exit code says what was found
			t.Errorf("%s", output)
		}
		within(t, "processor time of a check of a long file, "+ending, c.ProcessState.UserTime()+c.ProcessState.SystemTime(), 2*time.Second)
	}
}

// TestA12NestedFiles: a file that nests without end takes little, and the server lives.
func TestA12NestedFiles(t *testing.T) {
	const size = 200_000
	for ending, head := range heads {
		s := launch(t)
		s.initialize(nil, t.TempDir())
		h, args := newHome(t), []string{"check"}
		var most time.Duration
		for i, unit := range nested {
			uri := fmt.Sprintf("untitled:a%d.%s", i, ending)
			text := head + strings.Repeat(unit, size/len(unit))
			before := s.processorTime()
			s.send(notification("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "", "version": 1, "text": text}}))
			for k, method := range []string{"textDocument/hover", "textDocument/inlineCompletion"} {
				id := fmt.Sprint(2*i + k + 1)
				s.send(request(2*i+k+1, method, object{"textDocument": object{"uri": uri}, "position": object{"line": 0, "character": len(head) + 10}, "context": object{"triggerKind": 1}}))
				s.wait(id, patience)
			}
			s.send(notification("textDocument/didClose", object{"textDocument": object{"uri": uri}}))
			most = max(most, s.processorTime()-before)
			args = append(args, fmt.Sprintf("a%d.%s", i, ending))
			h.write(args[i+1], text)
		}
		within(t, "processor time of a nested file in an editor, "+ending, most, 2*time.Second)
		c := h.command(args...)
		if output, _ := c.CombinedOutput(); panicked(string(output)) { // its exit code says what was found
			t.Errorf("%s", output)
		}
		within(t, "processor time of a check of all of them, "+ending, c.ProcessState.UserTime()+c.ProcessState.SystemTime(), 2*time.Second)
		below(t, "memory with nested files, "+ending, s.memory("VmHWM"), 300)
	}
}
