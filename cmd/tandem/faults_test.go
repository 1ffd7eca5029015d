package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// chunks is a chat stream of one delta.
func chunks(delta string) string {
	return `data: {"id":"1","model":"gpt-9","choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n" +
		`data: {"id":"1","model":"gpt-9","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
}

// TestFaultsAreReportedOnce: for every fault of a model, each command prints
// one sentence on stderr and ends with the fault's exit code.
func TestFaultsAreReportedOnce(t *testing.T) {
	const events, object = "text/event-stream", "application/json"
	for name, c := range map[string]struct {
		status            int
		contentType, body string
		code              int
		want              string
	}{
		"key":     {401, object, `{"error":{"message":"bad key"}}`, exitNoModel, "set a valid key"},
		"model":   {404, object, `{"error":{"message":"no such model","code":"model_not_found"}}`, exitNoModel, "[models.m]"},
		"quota":   {429, object, `{"error":{"message":"no credit","code":"insufficient_quota"}}`, exitNoModel, "credit"},
		"page":    {200, "text/html", "<html>log in</html>", exitNoModel, "web page"},
		"empty":   {200, events, chunks(`{"content":""}`), exitNoModel, "answered with nothing"},
		"refusal": {200, events, chunks(`{"refusal":"I would rather not."}`), exitRefused, "declined"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.write(h.config, oneModel(chatServer(t, c.status, c.contentType, c.body)))
			h.setKey()
			h.write("a.go", "package a\n\nfunc F() {}\n")
			for _, args := range [][]string{{"ask", "where is F?"}, {"edit", "a.go", "rename F to G"}, {"review", "a.go"}, {"complete", "a.go:3:11"}} {
				want := c.code
				if args[0] == "complete" {
					want = exitNoModel
				}
				code, out, stderr := h.run(args...)
				if code != want || out != "" || !strings.Contains(stderr, c.want) {
					t.Errorf("%s: exit %d, printed %q, stderr %q, want exit %d and %q", args[0], code, out, stderr, want, c.want)
				}
				if args[0] != "complete" { // a place without a suggestion may have further reasons
					sentence(t, stderr)
				}
			}
			if code, out, _ := h.run("doctor"); code != exitNoModel || !strings.Contains(out, c.want) {
				t.Errorf("doctor: exit %d, %s", code, out)
			}
		})
	}
}

// TestNothingToFind: a review without findings succeeds.
func TestNothingToFind(t *testing.T) {
	h := newHome(t)
	h.write(h.config, oneModel(chatServer(t, 200, "text/event-stream", chunks(`{"content":"none"}`))))
	h.setKey()
	h.write("a.go", "package a\n\nfunc F() {}\n")
	if code, out, stderr := h.run("review", "a.go"); code != exitDone || out != "" {
		t.Errorf("exit %d, printed %q, stderr %q", code, out, stderr)
	}
}

// TestLimitWithoutState: where nothing can be kept, nobody can count what a day costs, so
// a daily limit lets no paid model be asked.
func TestLimitWithoutState(t *testing.T) {
	for limit, want := range map[string]int{"": exitDone, "daily_limit_usd = 5.0\n": exitDailyLimit} {
		h := newHome(t)
		h.write(h.config, limit+oneModel(chatServer(t, 200, "text/event-stream", chunks(`{"content":"In a.go."}`))))
		h.setKey()
		h.write("a.go", "package a\n\nfunc F() {}\n")
		state := filepath.Join(t.TempDir(), "state")
		h.write(state, "no folder")
		t.Setenv("XDG_STATE_HOME", state)
		code, out, stderr := h.run("ask", "where is F?")
		if code != want || (out == "") != (limit != "") || strings.Contains(stderr, "cannot be counted") != (limit != "") {
			t.Errorf("%q: exit %d, printed %q, stderr %q", limit, code, out, stderr)
		}
	}
}
