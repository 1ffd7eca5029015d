package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// A wireError is an error as servers send it.
type wireError struct {
	Status  int
	Headers map[string]string
	Body    string // instead of JSON
	Type    string
	Code    string
	Message string
	Param   string

	contentType string
}

func badRequest(code, param, format string, args ...any) *wireError {
	return &wireError{Status: 400, Type: "invalid_request_error", Code: code, Param: param, Message: fmt.Sprintf(format, args...)}
}

func previousNotFound(id string) *wireError {
	return badRequest("previous_response_not_found", "previous_response_id", "Previous response with id '%s' not found.", id)
}

// wire is the error that a fault describes; members that are not set get the
// usual values for the status.
func (f *fault) wire(status int) *wireError {
	e := &wireError{Status: status, Code: f.Code, Message: f.Message, Param: f.Param, Body: f.Body, contentType: f.ContentType}
	usual := map[int][3]string{
		401: {"invalid_request_error", "invalid_api_key", "Incorrect API key provided. You can find your API key in your account settings."},
		404: {"invalid_request_error", "model_not_found", "The model does not exist or you do not have access to it."},
		429: {"rate_limit_error", "rate_limit_exceeded", "Rate limit reached. Please try again in 1s."},
		503: {"server_error", "server_is_overloaded", "The server is overloaded."},
	}[status]
	e.Type, e.Code, e.Message = or(or(f.Type, usual[0]), "server_error"), or(e.Code, usual[1]), or(e.Message, usual[2])
	e.Message = or(e.Message, http.StatusText(status))
	return e
}

func (e *wireError) object() obj {
	return obj{{"message", e.Message}, {"type", e.Type}, {"param", nullable(e.Param)}, {"code", nullable(e.Code)}}
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// event is the error as a frame on a socket or in a stream.
func (e *wireError) event(streamID string) []byte {
	o := obj{{"type", "error"}, {"status", e.Status}}
	if streamID != "" {
		o = append(o, kv{"stream_id", streamID})
	}
	o = append(o, kv{"error", e.object()})
	if len(e.Headers) > 0 {
		o = append(o, kv{"headers", e.Headers})
	}
	return o.json()
}

func httpError(w http.ResponseWriter, e *wireError) {
	for k, v := range e.Headers {
		w.Header().Set(k, v)
	}
	if e.Body != "" {
		w.Header().Set("Content-Type", or(e.contentType, "text/html; charset=utf-8"))
		w.WriteHeader(e.Status)
		_, _ = w.Write([]byte(e.Body))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.Status)
	_, _ = w.Write(obj{{"error", e.object()}}.json())
}

// responseOf takes the response out of the last event of a stream.
func responseOf(event []byte) []byte {
	var e struct {
		Response json.RawMessage `json:"response"`
	}
	if json.Unmarshal(event, &e) != nil {
		return nil
	}
	return e.Response
}
