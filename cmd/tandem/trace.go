package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"tandem/edits"
	"tandem/workspace/redact"
	"tandem/workspace/state"
	"tandem/workspace/terms"
)

// A trace writes a line for each message between an editor and the server, as VS Code's
// language client does with the trace format JSON; the LSP inspector reads such lines. They
// are seen from the editor: it sends what the server receives. What recognizably is a secret
// is never written.
type trace struct {
	texts bool // keeps texts; else only words of the protocol are written

	mu   sync.Mutex // guards all below
	out  *os.File
	left int64 // bytes until the file is full
}

// maxTrace bounds a trace file, in bytes.
const maxTrace = 256 << 20

// openTrace opens a file for a trace. Several servers may append to it.
func openTrace(name string, texts bool) (*trace, error) {
	f, err := state.OpenPrivate(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return nil, fmt.Errorf("the log cannot be written: %w", err)
	}
	t := &trace{texts: texts, out: f, left: maxTrace}
	if info, err := f.Stat(); err == nil {
		t.left -= info.Size()
	}
	return t, nil
}

func (t *trace) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.out.Close() // a full disk may lose the last lines, but must not end the session
	t.left = 0
}

// An rpc holds the members that tell what kind of message one is.
type rpc struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// message implements wire.Trace.
func (t *trace) message(fromClient bool, body []byte) {
	var m rpc
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var all any
	if json.Unmarshal(body, &m) != nil || decoder.Decode(&all) != nil {
		return // a message that is no JSON was refused
	}
	kind := "receive"
	if fromClient {
		kind = "send"
	}
	switch {
	case m.Method == "":
		kind += "-response"
	case m.ID == nil:
		kind += "-notification"
	default:
		kind += "-request"
	}
	t.line(kind, t.shown("", all))
}

// A traceLine is one message in the form that the inspector reads.
type traceLine struct {
	IsLSPMessage bool   `json:"isLSPMessage"`
	Type         string `json:"type"`
	Message      any    `json:"message"`
	Timestamp    int64  `json:"timestamp"` // in milliseconds since 1970
}

// line writes a line at once, so that a crash does not lose the last ones.
func (t *trace) line(kind string, message any) {
	now := time.Now()
	var line bytes.Buffer
	fmt.Fprintf(&line, "[LSP   - %s] ", now.Format("3:04:05 PM"))
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(traceLine{true, kind, message, now.UnixMilli()}) != nil {
		return // decoded JSON can be encoded
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left -= int64(line.Len()); t.left < 0 {
		return
	}
	_, _ = io.WriteString(t.out, edits.Visible(line.String())) // an inspector reads the escapes, a terminal obeys none
}

// Write takes a line of the server's own log. It is written as a notification that LSP has for it.
func (t *trace) Write(p []byte) (int, error) {
	params := map[string]any{"message": strings.TrimSpace(string(p))}
	t.line("receive-notification", map[string]any{"jsonrpc": "2.0", "method": "$/logTrace", "params": params})
	return len(p), nil
}

// log returns the server's log: warnings to stderr, where editors keep them, and all of it
// into the trace, unless that is nil.
func (t *trace) log() *slog.Logger {
	warnings := slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})
	if t == nil {
		return slog.New(warnings)
	}
	return slog.New(slog.NewMultiHandler(warnings, slog.NewTextHandler(t, &slog.HandlerOptions{Level: slog.LevelDebug})))
}

// protocolWords are the members whose strings are words of the protocol, or names of files
// and models. The strings of every other member may be text of the user's or a model's.
var protocolWords = terms.Set("jsonrpc id method token uri rootUri rootPath oldUri newUri targetUri scheme languageId language " +
	"kind only state lane model served action command positionEncoding trace locale")

// vocabularies are the members that hold words of the protocol alone, at any depth.
var vocabularies = terms.Set("capabilities clientInfo serverInfo registrations unregisterations")

// shown is a value of a message as it is written: without secrets, and unless texts are kept
// with the length of each in its place.
func (t *trace) shown(key string, v any) any {
	keep := t.texts || protocolWords[key] || vocabularies[key]
	switch v := v.(type) {
	case string:
		if !keep && v != "" {
			return fmt.Sprintf("(%d characters)", utf8.RuneCountInString(v))
		}
		return new(redact.Redactor).Redact(v).String()
	case []any:
		for i := range v {
			v[i] = t.shown(key, v[i])
		}
	case map[string]any:
		for k := range v {
			under := k
			if vocabularies[key] {
				under = key
			}
			v[k] = t.shown(under, v[k])
		}
	}
	return v
}
