package main

import (
	"fmt"
	"strings"
	"testing"

	"tandem/workspace"
)

// TestFoldersComeAndGo: requests of every kind that are about the workspace, while its only folder is
// removed and added again, are answered, and none by an internal error: each looks at one state of
// the workspace.
func TestFoldersComeAndGo(t *testing.T) {
	h := newHome(t)
	h.write("lib.go", lib)
	h.git("init", "-q")
	h.git("add", "-A")
	h.git("commit", "-qm", "a")
	h.write("lib.go", lib+"\n// more\n")
	folder := fmt.Sprintf(`{"uri":%q,"name":"w"}`, workspace.URIOf(h.workspace))
	requests := []string{
		`"workspace/executeCommand","params":{"command":"tandem.changes","arguments":[{}]}`,
		`"workspace/executeCommand","params":{"command":"tandem.changes","arguments":[{"action":"moment"}]}`,
		`"workspace/executeCommand","params":{"command":"tandem.commitMessage","arguments":[]}`,
		`"workspace/executeCommand","params":{"command":"tandem.status","arguments":[]}`,
		`"tandem/tasks","params":{}`,
		`"tandem/ask","params":{"question":"where is One called?"}`,
	}
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	id := 1000
	h.session(`"capabilities":{}`, nil, nil, func(e *editor) {
		for range rounds {
			first := id
			for i, change := range []string{`"removed":[%s],"added":[]`, `"added":[%s],"removed":[]`} {
				for n := range requests {
					id++
					e.send(`{"jsonrpc":"2.0","id":%d,"method":%s}`, id, requests[(n+i)%len(requests)])
				}
				e.send(`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{`+change+`}}}`, folder)
			}
			waiting := map[int]bool{}
			for n := first + 1; n <= id; n++ {
				waiting[n] = true
			}
			for len(waiting) > 0 {
				r := <-e.answers
				delete(waiting, r.ID)
				if strings.Contains(string(r.Error), "-32603") || strings.Contains(string(r.Error), "tandem made an error") {
					t.Fatalf("%d: %s", r.ID, r.Error)
				}
			}
		}
	})
}
