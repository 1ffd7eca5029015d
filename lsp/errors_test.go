package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tandem/lsp/wire"
	"tandem/model"
)

// asJSON is what a client receives.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := protocol.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}

// TestErrorsOfTheProtocol: each cause of an error has its code, its sentence and its data.
func TestErrorsOfTheProtocol(t *testing.T) {
	ended := func(cause error) context.Context {
		ctx, end := context.WithCancelCause(t.Context())
		end(cause)
		return ctx
	}
	failed := errors.New("it broke")
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		code jsonrpc2.Code
		text string
		data string
	}{
		{"known", t.Context(), fmt.Errorf("more: %w", invalid("The thing is %d.", 3)), -32602, "The thing is 3.", ""},
		{"known, of a request that ended", ended(failed), invalid("No."), -32602, "No.", ""},
		{"cancelled by the client", ended(wire.ErrCancelled), failed, -32800, "The request was cancelled.", ""},
		{"the server ends", ended(failed), failed, -32802, "The request was stopped because the server is shutting down.", ""},
		{"a bad request", t.Context(), &model.Error{Code: model.CodeBadRequest, Message: "There is no task."}, -32602, "There is no task.", ""},
		{"a model failed", t.Context(), &model.Error{Code: model.CodeDailyLimit, Message: "The limit is reached."}, -32803, "The limit is reached.", `{"code":"daily_limit"}`},
		{"anything else", t.Context(), errors.New("élan is missing"), -32803, "Élan is missing", ""},
		{"a model's words", t.Context(), errors.New("block 1: \"[a](command:evil.run)\x1b[2J\u202e\" is not in the file"), -32803, "Block 1: \"[a] (command:evil.run)[2J\" is not in the file", ""},
		{"a model's words in an error of the protocol", t.Context(), invalid("There is no [a](command:evil.run).\x1b"), -32602, "There is no [a] (command:evil.run).", ""},
		{"nothing to say", t.Context(), errors.New(""), -32803, "", ""},
	} {
		var got *jsonrpc2.Error
		if !errors.As(toWire(c.ctx, c.err, nil), &got) {
			t.Fatalf("%s: no error of the protocol", c.name)
		}
		if got.Code != c.code || strings.Trim(got.Message, "�") != c.text || string(got.Data) != c.data {
			t.Errorf("%s: %d %q %s; want %d %q %s", c.name, got.Code, got.Message, got.Data, c.code, c.text, c.data)
		}
	}
}

// TestErrorOfANotice: the error of a failure that a notice has just shown says so, and that of
// another failure does not.
func TestErrorOfANotice(t *testing.T) {
	var said reports
	said.noticed("Set a valid key.")
	for text, want := range map[string]string{"set a valid key.": `{"code":"key","shown":true}`, "wait.": `{"code":"key"}`} {
		var got *jsonrpc2.Error
		if !errors.As(toWire(t.Context(), &model.Error{Code: "key", Message: text}, said.asNotice), &got) || string(got.Data) != want {
			t.Errorf("%q has the data %s, want %s", text, got.Data, want)
		}
	}
}
