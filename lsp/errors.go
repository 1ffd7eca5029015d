package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"

	"tandem/lsp/inert"
	"tandem/lsp/wire"
	"tandem/model"
)

// LSP's own error codes.
const (
	codeRequestFailed    jsonrpc2.Code = -32803
	codeServerCancelled  jsonrpc2.Code = -32802
	codeRequestCancelled jsonrpc2.Code = -32800
)

var (
	errNotInitialized = jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "The server is not initialized: send initialize first.")
	errShutDown       = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "The server was shut down: send exit.")
	errCancelled      = jsonrpc2.NewError(codeRequestCancelled, "The request was cancelled.")
)

// errSuperseded is the cause of a request's context when a newer request for
// the same document replaced it: the response is an empty result.
var errSuperseded = errors.New("superseded by a newer request")

// invalid is an error about what the client sent.
func invalid(format string, args ...any) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidParams, format, args...)
}

// toWire translates an error to the protocol's, in one place; its message, which may
// quote a model or a server, is inert. ctx is the request's: for an error caused by the
// end of ctx, the cause of ctx decides the result. shown reports whether a notice has just
// said the same, which the client then need not show again.
func toWire(ctx context.Context, err error, shown func(message string) bool) error {
	e := *wireError(ctx, err)
	if failed, ok := errors.AsType[*model.Error](err); ok && shown != nil && shown(sentence(failed.Error())) {
		e.Data = jsonrpc2.RawMessage(fmt.Appendf(nil, `{"code":%q,"shown":true}`, failed.Code))
	}
	e.Message = inert.Message(e.Message)
	return &e
}

func wireError(ctx context.Context, err error) *jsonrpc2.Error {
	var ofWire *jsonrpc2.Error
	var failed *model.Error
	switch {
	case errors.As(err, &ofWire):
		return ofWire
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), wire.ErrCancelled):
		return errCancelled
	case ctx.Err() != nil:
		return jsonrpc2.NewError(codeServerCancelled, "The request was stopped because the server is shutting down.")
	case errors.As(err, &failed) && failed.Code == model.CodeBadRequest:
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, failed.Error())
	case errors.As(err, &failed):
		e := jsonrpc2.NewError(codeRequestFailed, failed.Error())
		e.Data = jsonrpc2.RawMessage(fmt.Appendf(nil, `{"code":%q}`, failed.Code))
		return e
	}
	return jsonrpc2.NewError(codeRequestFailed, sentence(err.Error()))
}

// sentence returns text with an upper-case first letter.
func sentence(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

func clipLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(line); len(r) > 60 {
		line = string(r[:59]) + "…"
	}
	return inert.Message(line)
}
