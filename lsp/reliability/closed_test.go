//go:build reliability && linux

package reliability

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// documentKinds make a file of about 384 KB by numbered pieces.
var documentKinds = map[string]func(i int) string{
	"go":     func(i int) string { return fmt.Sprintf("func f%d(a, b int) int {\n\treturn a + b*%d\n}\n\n", i, i) },
	"python": func(i int) string { return fmt.Sprintf("def f%d(a, b):\n    return a + b * %d\n\n\n", i, i) },
	"typescript": func(i int) string {
		return fmt.Sprintf("export function f%d(a: number, b: number): number {\n  return a + b * %d;\n}\n\n", i, i)
	},
}

// TestA31ClosedDocuments: nothing of a document that was closed goes on or stays. 200 opens and
// closes, fast ones and some that wait until all is prepared for the document.
func TestA31ClosedDocuments(t *testing.T) {
	for language, piece := range documentKinds {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			extension := map[string]string{"go": "go", "python": "py", "typescript": "ts"}[language]
			text := map[string]string{"go": "package a\n\n"}[language]
			for i := 0; len(text) < 384<<10; i++ {
				text += piece(i)
			}
			h := newHome(t)
			h.env = []string{"GODEBUG=gctrace=1"}
			h.write("a."+extension, text)
			s := h.launch(nil)
			s.handshake(allOfTandem(), h.workspace)
			s.quiet()
			start := s.memory("VmRSS")
			for i := range 200 {
				uri := h.uri("a." + extension)
				s.send(notification("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": language, "version": 1, "text": text + strings.Repeat("\n", i%7)}}))
				if i%20 == 0 {
					time.Sleep(time.Second)
				} else {
					time.Sleep(30 * time.Millisecond)
				}
				s.send(notification("textDocument/didClose", object{"textDocument": object{"uri": uri}}))
			}
			s.send(request("synced", "tandem/tasks", object{}))
			s.wait(`"synced"`, patience)
			time.Sleep(time.Second)
			before, since := s.processorTime(), time.Now()
			time.Sleep(time.Minute)
			withinSince(t, "processor time from a second after the last close on", since, s.processorTime()-before, 100*time.Millisecond)
			below(t, "memory a minute later, more than before", s.memory("VmRSS")-start, 60)
			s.send(request("bye", "shutdown", nil))
			s.wait(`"bye"`, patience)
			s.send(notification("exit", nil))
			<-s.exited
			below(t, "heap in use after a collection", lastCollected(t, s.stderr.String()), 20)
		})
	}
}

// collected is what a collection of garbage that was asked for left in use.
var collected = regexp.MustCompile(`(?m)^gc .*->(\d+) MB, .*\(forced\)$`)

// lastCollected is what the last collection left, in MB.
func lastCollected(t *testing.T, trace string) float64 {
	t.Helper()
	all := collected.FindAllStringSubmatch(trace, -1)
	if len(all) == 0 {
		t.Fatal("no garbage was collected when the server was idle")
	}
	mb, _ := strconv.Atoi(all[len(all)-1][1])
	return float64(mb)
}
