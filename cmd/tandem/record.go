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
	"tandem/workspace/state"
)

// recorded taps an editor's streams into a recording; without a file it gives
// them back as they are. done ends the recording.
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
	// Whoever wants the recording looks at the file; its last lines may be lost
	// to a full disk, the session is not.
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

// frames cuts a stream of bytes into the bodies of its messages.
type frames struct {
	message func(body []byte)

	mu   sync.Mutex // guards rest
	rest []byte
}

// maxHeader bounds how much is kept of a stream that has no frames.
const maxHeader = 64 << 10

// Write takes the next bytes of the stream; it never fails.
func (f *frames) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rest = append(f.rest, p...)
	f.cut()
	return len(p), nil
}

// cut hands on the messages that are whole.
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
	Ask    *asked    `json:"ask,omitempty"` // the request began
	Text   string    `json:"text,omitempty"`
	Reason string    `json:"reasoning,omitempty"`
	Served string    `json:"served,omitempty"`
	Final  *ending   `json:"final,omitempty"`
	Error  *mistaken `json:"error,omitempty"`
}

type asked struct {
	Model   string `json:"model"`
	Purpose string `json:"purpose"`
}

type ending struct {
	Usage      model.Usage `json:"usage"`
	StopReason string      `json:"stop_reason"`
}

type mistaken struct {
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
		c.record(req.ID, piece{Ask: &asked{c.config.Name, string(req.Purpose)}})
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

// Steer implements model.Steerer where the client inside does.
func (c *recordingClient) Steer(ctx context.Context, requestID, text string) (model.Stream, bool) {
	inner, ok := c.Client.(model.Steerer)
	if !ok {
		return nil, false
	}
	next, ok := inner.Steer(ctx, requestID, text)
	return c.tap(requestID, next), ok
}

// recordingOf wraps clients so that rec hears them; nil for no recording.
func recordingOf(rec *state.Recorder) wrapClient {
	if rec == nil {
		return nil
	}
	return func(m model.ModelConfig, c model.Client) model.Client { return &recordingClient{c, m, rec} }
}

// recordSettings notes what the session runs with, for its replay. A workspace
// that nobody trusts is not recorded.
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
	// A piece has nothing that JSON refuses.
	if body, err := json.Marshal(p); err == nil {
		c.rec.Message(state.FromModel, id, body)
	}
}

func pieceOf(d model.Delta, err error) piece {
	if err != nil {
		e := model.AsError(err)
		return piece{Error: &mistaken{string(e.Code), e.Error()}}
	}
	p := piece{Text: d.Text, Reason: d.Reasoning, Served: d.Served}
	if d.Final != nil {
		p.Final = &ending{d.Final.Usage, d.Final.StopReason}
	}
	return p
}

// delta is the other way round.
func (p piece) delta() (model.Delta, error) {
	if p.Error != nil {
		return model.Delta{}, &model.Error{Code: model.Code(p.Error.Code), Message: p.Error.Message, Err: errors.New(p.Error.Code)}
	}
	d := model.Delta{Text: p.Text, Reasoning: p.Reason, Served: p.Served}
	if p.Final != nil {
		d.Final = &model.Final{Usage: p.Final.Usage, StopReason: p.Final.StopReason}
	}
	return d, nil
}
