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
