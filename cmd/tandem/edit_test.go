package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestLargeEditIsRefused: what the window cannot show whole is not sent and not
// changed, whatever the format, selected or not. A deep task is no such edit: its steps
// change what their windows show.
func TestLargeEditIsRefused(t *testing.T) {
	var text strings.Builder
	text.WriteString("package big\n\nvar numbers = []int{\n")
	for n := range 4000 {
		fmt.Fprintf(&text, "\t%d, // the number %d\n", n, n)
	}
	text.WriteString("}\n")
	for _, format := range []string{"search_replace", "rewrite", "apply_patch"} {
		for _, args := range [][]string{{"big.go"}, {"big.go:1-4004"}} {
			t.Run(format+" "+strings.Join(args, " "), func(t *testing.T) {
				var asked atomic.Int32
				server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
				defer server.Close()
				h := newHome(t)
				settings := strings.Replace(oneModel(server.URL), "[models.m]\n", "deep = \"m\"\n[models.m]\ncontext_window = 32000\nedit_format = \""+format+"\"\n", 1)
				h.write(h.config, settings)
				h.setKey()
				file := filepath.Join(h.workspace, "big.go")
				h.write(file, text.String())
				code, out, problems := h.run(append([]string{"edit", args[0], "tidy up", "--write"}, args[1:]...)...)
				if code != exitUsage || out != "" || !strings.Contains(problems, "select less") || asked.Load() > 0 {
					t.Errorf("exit %d, %d requests: %s%s", code, asked.Load(), out, problems)
				}
				if now, err := os.ReadFile(file); err != nil || string(now) != text.String() {
					t.Errorf("the file is changed: %v", err)
				}
			})
		}
	}
}

// TestEditCompletes: with --complete what the change breaks in other files is asked for once and written
// with it; without it the places are named and nothing is written.
func TestEditCompletes(t *testing.T) {
	const first = "<<<<<<< SEARCH\nfunc beta() int {\n=======\nfunc gamma() int {\n>>>>>>> REPLACE\n"
	const rest = "user.go\n<<<<<<< SEARCH\nvar x = beta()\n=======\nvar x = gamma()\n>>>>>>> REPLACE\n"
	for _, complete := range []bool{false, true} {
		asked := 0
		end := wireEnd{wire: "chat", word: wireEnds["chat"].whole[0]}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			text := first
			if asked++; asked > 1 {
				text = rest
			}
			_, _ = io.WriteString(w, end.frames(text))
		}))
		t.Cleanup(server.Close)
		h := newHome(t)
		h.write(h.config, oneModel(server.URL))
		h.setKey()
		h.write(filepath.Join(h.workspace, "go.mod"), "module w\n\ngo 1.24\n")
		h.write(filepath.Join(h.workspace, "a.go"), "package w\n\nfunc beta() int {\n\treturn 1\n}\n")
		h.write(filepath.Join(h.workspace, "user.go"), "package w\n\nvar x = beta()\n")
		args := []string{"edit", "a.go", "rename beta to gamma", "--write"}
		if complete {
			args = append(args, "--complete")
		}
		code, out, problems := h.run(args...)
		user, err := os.ReadFile(filepath.Join(h.workspace, "user.go"))
		if err != nil {
			t.Fatal(err)
		}
		if complete && (code != exitDone || !strings.Contains(out, "+var x = gamma()") || !strings.Contains(string(user), "gamma") || !strings.Contains(problems, "it breaks 1 place in other files")) {
			t.Errorf("exit %d: %s%s\n%s", code, out, problems, user)
		}
		if !complete && (code != exitFailed || !strings.Contains(problems, "user.go:3: beta is declared nowhere") || strings.Contains(string(user), "gamma") || asked != 1) {
			t.Errorf("exit %d: %s%s\n%s", code, out, problems, user)
		}
	}
}
