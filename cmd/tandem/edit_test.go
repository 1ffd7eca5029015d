package main

import (
	"fmt"
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
