package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	"tandem/model"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// recorded copies both directions of an editor's connection into a recording;
// without a file it returns them unchanged. done ends the recording.
func recorded(in io.ReadCloser, out io.Writer, file string, text bool) (tappedIn io.ReadCloser, tappedOut io.Writer, rec *state.Recorder, done func(), err error) {
	if file == "" {
		return in, out, nil, func() {}, nil
	}
	rec, err = state.NewRecorder(file, text)
	if err != nil {
		return nil, nil, nil, nil, exit(exitUsage, err)
	}
	read := &frames{message: func(body []byte) { rec.Message(state.FromEditor, "", body) }}
	written := &frames{message: func(body []byte) { rec.Message(state.ToEditor, "", body) }}
	// Close errors are ignored: a full disk may lose the last lines of the
	// recording, but it must not end the session.
	return tapReader{in, read}, tapWriter{out, written}, rec, func() { _ = rec.Close() }, nil
}

type tapReader struct {
	io.ReadCloser
	tap *frames
}

func (t tapReader) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	_, _ = t.tap.Write(p[:n])
	return n, err
}

type tapWriter struct {
	io.Writer
	tap *frames
}

func (t tapWriter) Write(p []byte) (int, error) {
	n, err := t.Writer.Write(p)
	_, _ = t.tap.Write(p[:n])
	return n, err
}

// frames splits bytes into the bodies of protocol messages.
type frames struct {
	message func(body []byte)

	mu   sync.Mutex // guards rest
	rest []byte
}

// maxHeader bounds how many bytes are kept while no frame is found.
const maxHeader = 64 << 10

// Write takes the next bytes; it never fails.
func (f *frames) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rest = append(f.rest, p...)
	f.cut()
	return len(p), nil
}

// cut passes on the complete messages.
func (f *frames) cut() {
	for {
		header, after, found := bytes.Cut(f.rest, []byte("\r\n\r\n"))
		length := contentLength(header)
		if !found || length < 0 {
			if len(f.rest) > maxHeader {
				f.rest = nil
			}
			return
		}
		if len(after) < length {
			return
		}
		f.message(after[:length])
		f.rest = append([]byte(nil), after[length:]...)
	}
}

func contentLength(header []byte) int {
	for line := range strings.SplitSeq(string(header), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
				return n
			}
		}
	}
	return -1
}

// A piece is what a recording keeps of a model's stream: one field is set.
type piece struct {
	Ask    *streamKey     `json:"ask,omitempty"` // the request began
	Text   string         `json:"text,omitempty"`
	Choice int            `json:"choice,omitempty"` // of several answers, the one that Text belongs to
	Reason string         `json:"reasoning,omitempty"`
	Served string         `json:"served,omitempty"`
	Call   *recordedCall  `json:"call,omitempty"`
	Final  *recordedFinal `json:"final,omitempty"`
	Error  *recordedError `json:"error,omitempty"`
}

// A streamKey is what a replay matches streams by.
type streamKey struct {
	Model   string `json:"model"`
	Purpose string `json:"purpose"`
}

type recordedCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type recordedFinal struct {
	Usage   model.Usage `json:"usage"`
	End     recordedEnd `json:"end"`
	Choices int         `json:"choices,omitempty"`
}

type recordedEnd struct {
	Why  model.Why `json:"why"`
	Word string    `json:"word,omitempty"`
}

type recordedError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// A recordingClient passes a model's answers on and records them.
type recordingClient struct {
	model.Client
	config model.ModelConfig
	rec    *state.Recorder
}

// Stream implements model.Client.
func (c *recordingClient) Stream(ctx context.Context, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		c.record(req.ID, piece{Ask: &streamKey{c.config.Name, string(req.Purpose)}})
		c.tap(req.ID, c.Client.Stream(ctx, req))(yield)
	}
}

// tap records a stream while it is passed on.
func (c *recordingClient) tap(id string, stream model.Stream) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		for delta, err := range stream {
			c.record(id, pieceOf(delta, err))
			if !yield(delta, err) {
				return
			}
		}
	}
}

// recordingOf wraps clients so that rec records them; nil for no recording.
func recordingOf(rec *state.Recorder) wrapClient {
	if rec == nil {
		return nil
	}
	return func(m model.ModelConfig, c model.Client) model.Client { return &recordingClient{c, m, rec} }
}

// recordSettings records the session's settings, for its replay. An untrusted
// workspace is not recorded.
func (s *server) recordSettings(trusted bool) {
	switch {
	case s.recorder == nil:
		return
	case !trusted:
		s.log.Warn("the recording ends: the workspace is not trusted")
		s.recorder.Stop()
		return
	}
	// Values are strings, numbers and lists of strings.
	if body, err := json.Marshal(s.live.Config().Values()); err == nil {
		s.recorder.Settings(body)
	}
}

func (c *recordingClient) record(id string, p piece) {
	// A piece has no value that JSON cannot encode.
	if body, err := json.Marshal(p); err == nil {
		c.rec.Message(state.FromModel, id, body)
	}
}

func pieceOf(d model.Delta, err error) piece {
	if err != nil {
		e := model.AsError(err)
		return piece{Error: &recordedError{string(e.Code), e.Error()}}
	}
	p := piece{Text: d.Text, Choice: d.Choice, Reason: d.Reasoning, Served: d.Served}
	if d.Call != nil {
		p.Call = &recordedCall{d.Call.ID, d.Call.Name, d.Call.Arguments.String()}
	}
	if d.Final != nil {
		p.Final = &recordedFinal{d.Final.Usage, recordedEnd{d.Final.End.Why, d.Final.End.Word()}, d.Final.Choices}
	}
	return p
}

// delta is the inverse of pieceOf.
func (p piece) delta() (model.Delta, error) {
	if p.Error != nil {
		return model.Delta{}, &model.Error{Code: model.Code(p.Error.Code), Message: p.Error.Message, Err: errors.New(p.Error.Code)}
	}
	d := model.Delta{Text: p.Text, Choice: p.Choice, Reasoning: p.Reason, Served: p.Served}
	if p.Call != nil {
		d.Call = &model.ToolCall{ID: p.Call.ID, Name: p.Call.Name, Arguments: redact.Said(p.Call.Arguments)}
	}
	if p.Final != nil {
		d.Final = &model.Final{Usage: p.Final.Usage, End: model.Ended(p.Final.End.Why, p.Final.End.Word), Choices: p.Final.Choices}
	}
	return d, nil
}
