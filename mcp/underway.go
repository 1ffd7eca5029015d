package mcp

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// underWay counts the requests that a client has sent and that have no answer yet. The SDK
// drops them when the input ends, so the end is held back until the last answer is written:
// scripts send all of their requests and close the stream.
type underWay struct {
	mu     sync.Mutex          // guards all below
	ids    map[jsonrpc.ID]bool // of requests without an answer
	idle   chan struct{}       // closed if there are none and somebody waits
	closed bool
}

// came notes what a client sent: a message, or an array of some.
func (u *underWay) came(line []byte) { u.each(line, u.begin) }

// went notes what was written to the client.
func (u *underWay) went(line []byte) { u.each(line, u.end) }

func (u *underWay) each(line []byte, note func(jsonrpc.Message)) {
	var list []json.RawMessage
	if json.Unmarshal(line, &list) != nil {
		list = []json.RawMessage{line}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, one := range list {
		if message, err := jsonrpc.DecodeMessage(one); err == nil {
			note(message)
		}
	}
	if u.idle != nil && (len(u.ids) == 0 || u.closed) {
		close(u.idle)
		u.idle = nil
	}
}

func (u *underWay) begin(message jsonrpc.Message) {
	r, ok := message.(*jsonrpc.Request)
	switch {
	case !ok:
	case r.ID.IsValid():
		if u.ids == nil {
			u.ids = map[jsonrpc.ID]bool{}
		}
		u.ids[r.ID] = true
	case r.Method == "notifications/cancelled": // gets no answer
		var params struct {
			RequestID any `json:"requestId"`
		}
		if json.Unmarshal(r.Params, &params) == nil {
			if id, err := jsonrpc.MakeID(params.RequestID); err == nil {
				delete(u.ids, id)
			}
		}
	}
}

func (u *underWay) end(message jsonrpc.Message) {
	if r, ok := message.(*jsonrpc.Response); ok {
		delete(u.ids, r.ID)
	}
}

// wait returns when every request has its answer, or after close.
func (u *underWay) wait() {
	u.mu.Lock()
	if len(u.ids) == 0 || u.closed {
		u.mu.Unlock()
		return
	}
	if u.idle == nil {
		u.idle = make(chan struct{})
	}
	idle := u.idle
	u.mu.Unlock()
	<-idle
}

// close ends waiting: nothing can be written any more.
func (u *underWay) close() {
	u.mu.Lock()
	u.closed = true
	u.mu.Unlock()
	u.went(nil)
}

// An answerWriter writes whole messages of two writers and notes the answers among them.
type answerWriter struct {
	io.WriteCloser
	mu  sync.Mutex // guards Write
	way *underWay
}

func (w *answerWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.WriteCloser.Write(p)
	if err != nil {
		w.way.close()
		return n, err
	}
	w.way.went(p)
	return n, nil
}
