package dialect

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/model"
	"tandem/model/tool"
	"tandem/workspace/redact"
)

// decoded feeds events to a decoder and returns the calls of the answer.
func decoded(dec Decoder, events ...string) ([]model.ToolCall, error) {
	b := &Batch{}
	for _, e := range events {
		if done, err := dec.Event([]byte(e), b); err != nil && !errors.Is(err, errBadEvent) || done {
			return b.Calls, err
		}
	}
	return b.Calls, dec.Ended(b)
}

// TestCallsOfChatServers holds that calls are read in every shape in which servers stream
// them.
func TestCallsOfChatServers(t *testing.T) {
	t.Parallel()
	chunk := func(delta string) string { return `{"id":"c","choices":[{"index":0,"delta":` + delta + `}]}` }
	const end, done = `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]"
	two := []model.ToolCall{{ID: "a", Name: "file", Arguments: redact.Said(`{"path":"x"}`)}, {ID: "b", Name: "users", Arguments: redact.Said(`{"name":"y"}`)}}
	for _, c := range []struct {
		name   string
		events []string
		want   []model.ToolCall
	}{
		{"fragments by index", []string{
			chunk(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"file","arguments":""}}]}`),
			chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":"}}]}`),
			chunk(`{"tool_calls":[{"index":1,"id":"b","function":{"name":"users","arguments":"{\"name\":\"y\"}"}},{"index":0,"function":{"arguments":"\"x\"}"}}]}`), end, done}, two},
		{"id and name in every fragment", []string{
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"file","arguments":"{\"path\""}}]}`),
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"file","arguments":":\"x\"}"}}]}`),
			chunk(`{"tool_calls":[{"index":1,"id":"b","function":{"name":"users","arguments":"{\"name\":\"y\"}"}}]}`), end, done}, two},
		{"one index, new ids", []string{
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"file","arguments":"{\"path\":\"x\"}"}}]}`),
			chunk(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"users","arguments":"{\"name\""}}]}`),
			chunk(`{"tool_calls":[{"index":0,"function":{"arguments":":\"y\"}"}}]}`), end, done}, two},
		{"whole, without index and id", []string{
			chunk(`{"tool_calls":[{"function":{"name":"file","arguments":"{}"}},{"function":{"name":"file","arguments":{"path":"z"}}}]}`), end, done},
			[]model.ToolCall{{ID: "call_1", Name: "file", Arguments: redact.Said("{}")}, {ID: "call_2", Name: "file", Arguments: redact.Said(`{"path":"z"}`)}}},
		{"not streamed", []string{`{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"file","arguments":"{\"path\":\"x\"}"}},{"id":"b","function":{"name":"users","arguments":"{\"name\":\"y\"}"}}]},"finish_reason":"tool_calls"}]}`}, two},
		{"a stray fragment", []string{chunk(`{"tool_calls":[{"index":4,"function":{"arguments":"x"}}]}`), chunk(`{"tool_calls":null}`), end, done}, nil},
	} {
		got, err := decoded(choiceEvents(1), c.events...)
		if diff := cmp.Diff(c.want, got, cmp.Comparer(func(a, b redact.Text) bool { return a == b })); diff != "" || err != nil {
			t.Errorf("%s: %v, -want +got:\n%s", c.name, err, diff)
		}
	}
}

// TestCallsOfResponses holds that calls are complete however much of them a server sends,
// and that one with a lost fragment is an error.
func TestCallsOfResponses(t *testing.T) {
	t.Parallel()
	n := -1
	event := func(kind, members string) string {
		n++
		return fmt.Sprintf(`{"type":"response.%s","sequence_number":%d%s}`, kind, n, members)
	}
	const item = `,"output_index":1,"item":{"id":"fc","type":"function_call","call_id":"a","name":"file","arguments":`
	added := event("output_item.added", item+`""}`)
	first := event("function_call_arguments.delta", `,"output_index":1,"delta":"{\"path\":"`)
	second := event("function_call_arguments.delta", `,"output_index":1,"delta":"\"x\"}"`)
	arguments := event("function_call_arguments.done", `,"output_index":1,"arguments":"{\"path\":\"x\"}"`)
	done := event("output_item.done", item+`"{\"path\":\"x\"}"}`)
	end := event("completed", `,"response":{"id":"r","output":[]}`)
	whole := event("completed", `,"response":{"id":"r","output":[{"type":"reasoning"},{"type":"function_call","call_id":"a","name":"file","arguments":"{\"path\":\"x\"}"}]}`)
	want := []model.ToolCall{{ID: "a", Name: "file", Arguments: redact.Said(`{"path":"x"}`)}}
	unnumbered := func(events ...string) []string {
		out := make([]string, len(events))
		for i, e := range events {
			head, rest, _ := strings.Cut(e, `"sequence_number":`)
			_, rest, _ = strings.Cut(rest, ",")
			out[i] = head + rest
		}
		return out
	}
	for _, c := range []struct {
		name   string
		events []string
		want   []model.ToolCall
		err    error
	}{
		{"all events", []string{added, first, second, arguments, done, end}, want, nil},
		{"fragments alone", unnumbered(added, first, second, end), want, nil},
		{"the last event alone", unnumbered(whole), want, nil},
		{"the last event repeats it", unnumbered(added, first, second, arguments, done, whole), want, nil},
		{"a lost fragment, then the whole", []string{added, first, `{"type":"resp`, arguments, done, end}, want, nil},
		{"a lost fragment", unnumbered(added, first, `{"type":"response.","sequence_number":1,`, end), nil, ErrLostText},
	} {
		got, err := decoded(responsesEvents(1), c.events...)
		if diff := cmp.Diff(c.want, got, cmp.Comparer(func(a, b redact.Text) bool { return a == b })); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v, -want +got:\n%s", c.name, err, c.err, diff)
		}
	}
}

// TestTooManyCalls holds that an answer cannot hold calls without bound.
func TestTooManyCalls(t *testing.T) {
	t.Parallel()
	var events []string
	for i := range maxCalls + 1 {
		events = append(events, fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"function":{"name":"x","arguments":"{}"}}]}}]}`, i))
	}
	if _, err := decoded(choiceEvents(1), append(events, "[DONE]")...); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want %v", err, ErrTooLarge)
	}
}

// TestCallsOnTheWire holds how tools, calls and results are written.
func TestCallsOnTheWire(t *testing.T) {
	t.Parallel()
	req := &model.Request{Tools: []tool.Tool{{Name: "users", About: "lists", Text: "name", Says: "a name"}}, Prediction: redact.Said("p"), Input: []model.Message{
		{Role: "user", Text: redact.Said("q")}, {Role: "assistant", Text: redact.Said("I look.")}, {Role: "assistant", Call: model.ToolCall{ID: "a", Name: "users", Arguments: redact.Said(`{"name":"x"}`)}},
		{Role: "assistant", Call: model.ToolCall{ID: "b", Name: "users", Arguments: redact.Said("{")}}, {Role: "tool", Text: redact.Said("one"), Call: model.ToolCall{ID: "a"}}, {Role: "tool", Text: redact.Said("two"), Call: model.ToolCall{ID: "b"}},
		{Role: "assistant", Call: model.ToolCall{ID: "c", Name: "users", Arguments: redact.Said("{}")}}, {Role: "tool", Text: redact.Said("three"), Call: model.ToolCall{ID: "c"}}}}
	const schema = `{"type":"object","properties":{"name":{"type":"string","description":"a name"}},"required":["name"],"additionalProperties":false}`
	for wire, want := range map[string][]string{
		"responses": {`"tools":[{"type":"function","name":"users","description":"lists","parameters":` + schema + `,"strict":false}]`,
			`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]},{"type":"function_call","call_id":"a","name":"users","arguments":"{\"name\":\"x\"}"},{"type":"function_call","call_id":"b","name":"users","arguments":"{"},{"type":"function_call_output","call_id":"a","output":"one"}`},
		"chat": {`"tools":[{"type":"function","function":{"name":"users","description":"lists","parameters":` + schema + `}}]`,
			`{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"users","arguments":"{\"name\":\"x\"}"}},{"id":"b","type":"function","function":{"name":"users","arguments":"{"}}]},{"role":"tool","tool_call_id":"a","content":"one"},{"role":"tool","tool_call_id":"b","content":"two"},{"role":"assistant","content":"","tool_calls":[{"id":"c"`},
	} {
		body, failed := encodedAs(t, model.ProviderConfig{WireAPI: wire}, model.ModelConfig{Prediction: true}, req, "")
		if failed != nil {
			t.Fatal(failed.Error)
		}
		for _, w := range want {
			if !strings.Contains(body, w) {
				t.Errorf("%s: no %s in %s", wire, w, body)
			}
		}
		if strings.Contains(body, "prediction") {
			t.Errorf("%s: a prediction beside tools in %s", wire, body)
		}
	}
}
