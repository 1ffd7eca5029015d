package provider

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/model"
	"tandem/model/tool"
	"tandem/workspace/redact"
)

// streamed is a whole stream: its text, its calls, and how it ended.
func streamed(t *testing.T, c model.Client, req *model.Request) (text string, calls []model.ToolCall, err error) {
	t.Helper()
	for d, failed := range c.Stream(t.Context(), req) {
		if failed != nil {
			return text, calls, failed
		}
		text += d.Text
		if d.Call != nil {
			calls = append(calls, *d.Call)
		}
	}
	return text, calls, nil
}

var callTools = []tool.Tool{{Name: "file", About: "shows a file", Text: "path", Says: "its path", Lines: true}, {Name: "users", About: "lists users", Text: "name", Says: "a name"}}

// TestCallsOverEveryTransport holds that calls arrive whole, several at once and broken
// ones as they are, that their results go back in the same conversation, and that a
// socket is sent only what it does not hold.
func TestCallsOverEveryTransport(t *testing.T) {
	script := `
[[rule]]
contains = "two users"
answer = "Done."
[[rule]]
answer = "I look first. "
[[rule.call]]
name = "file"
arguments = '{"path":"wört 世界/\"a\".go","first":3}'
[[rule.call]]
name = "users"
arguments = '{"name":"A'
`
	for _, tc := range transports[:3] {
		t.Run(tc.name, func(t *testing.T) {
			address, record := startRecorded(t, script)
			client := tc.client(t, address, "m")
			defer func() { _ = client.Close() }()
			req := tc.request()
			req.Tools = callTools
			text, calls, err := streamed(t, client, req)
			if err != nil || text != "I look first. " || len(calls) != 2 {
				t.Fatalf("%q, %+v, %v", text, calls, err)
			}
			ids := []string{calls[0].ID, calls[1].ID}
			want := []model.ToolCall{{ID: ids[0], Name: "file", Arguments: redact.Said(`{"path":"wört 世界/\"a\".go","first":3}`)}, {ID: ids[1], Name: "users", Arguments: redact.Said(`{"name":"A`)}}
			if diff := cmp.Diff(want, calls, cmp.Comparer(func(a, b redact.Text) bool { return a == b })); diff != "" || ids[0] == "" || ids[0] == ids[1] {
				t.Errorf("-want +got:\n%s", diff)
			}
			next := *req
			next.ID = "q2"
			next.Input = append(next.Input[:1:1], model.Message{Role: "assistant", Text: redact.Said(text)}, model.Message{Role: "assistant", Call: calls[0]}, model.Message{Role: "assistant", Call: calls[1]},
				model.Message{Role: "tool", Text: redact.Said("a file"), Call: model.ToolCall{ID: ids[0]}}, model.Message{Role: "tool", Text: redact.Said("two users"), Call: model.ToolCall{ID: ids[1]}})
			if text, calls, err = streamed(t, client, &next); err != nil || text != "Done." || len(calls) != 0 {
				t.Errorf("%q, %+v, %v", text, calls, err)
			}
			if sent := sentTo(t, record); tc.sockets {
				if last := sent[len(sent)-1].Body; len(last.Input) != 2 || last.Previous == "" {
					t.Errorf("the second request over a socket is %+v, want the 2 results after the first response", last)
				}
			}
		})
	}
}

// TestCallsAlone holds that an answer may consist of calls, and that a server that finds no
// call for a result, as real ones do, is reported.
func TestCallsAlone(t *testing.T) {
	script := "[[rule]]\ncontains = \"a stray result\"\nfault = {status = 400, message = \"No tool call found for function call output with call_id nowhere.\"}\n[[rule]]\n[[rule.call]]\nname = \"file\"\narguments = '{}'\n"
	for _, tc := range transports[:3] {
		client := tc.client(t, startScripted(t, script), "m")
		req := tc.request()
		req.Tools = callTools
		if text, calls, err := streamed(t, client, req); err != nil || text != "" || len(calls) != 1 {
			t.Errorf("%s: %q, %+v, %v", tc.name, text, calls, err)
		}
		stray := tc.request()
		stray.Tools = callTools
		stray.Input = append(stray.Input, model.Message{Role: "tool", Text: redact.Said("a stray result"), Call: model.ToolCall{ID: "nowhere"}})
		var known *model.Error
		if _, _, err := streamed(t, client, stray); !errors.As(err, &known) || known.Code != model.CodeBadRequest {
			t.Errorf("%s: a stray result gives %v", tc.name, err)
		}
		_ = client.Close()
	}
}

// TestToolsRefused holds that tools are not left out in silence: the caller has to ask in
// other words.
func TestToolsRefused(t *testing.T) {
	for name, fault := range map[string]string{
		"unsupported parameter": "status = 400\ncode = 'unsupported_parameter'\nparam = 'tools'\nmessage = \"Unsupported parameter: 'tools' is not supported with this model.\"",
		"in its own words":      "status = 400\nmessage = 'registry.example/m:latest does not support tools'",
		"a parser is missing":   `status = 400` + "\n" + `message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'`,
		"not found":             "status = 404\nmessage = 'No endpoints found that support tool use.'",
		"a fault of the server": "status = 500\nmessage = 'tools param requires --jinja flag'",
	} {
		t.Run(name, func(t *testing.T) {
			client := transports[2].client(t, startScripted(t, "[[rule]]\n[rule.fault]\n"+fault+"\n"), "m")
			defer func() { _ = client.Close() }()
			req := transports[2].request()
			req.Tools = callTools
			var known *model.Error
			if _, _, err := streamed(t, client, req); !errors.As(err, &known) || known.Code != model.CodeParameter || known.Param != "tools" {
				t.Errorf("%v, want an error about the parameter tools", err)
			}
		})
	}
}
