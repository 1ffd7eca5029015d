package state

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"tandem/workspace/redact"
	"tandem/workspace/terms"
)

// The directions of a Record.
const (
	FromEditor = "in"
	ToEditor   = "out"
	FromModel  = "model"
	Settings   = "settings" // the configuration that the session ran with
)

// A Record is one line of a recording: a message of the editor's protocol, or
// a piece of a model's answer.
type Record struct {
	T    int64           `json:"t"` // milliseconds since the recording began
	Dir  string          `json:"dir"`
	ID   string          `json:"id,omitempty"` // of the model request
	Body json.RawMessage `json:"body"`
}

// A Head is the first line of a recording.
type Head struct {
	Recording int    `json:"tandem_recording"` // version of the format
	Text      bool   `json:"text"`             // source text was kept
	Started   string `json:"started"`
	Life      string `json:"life,omitempty"` // part of the ids in the session
}

const recordingVersion = 1

// A Recorder writes a recording. It never contains keys: what looks like a secret
// is replaced, and unless text was requested every word of documents and answers
// is masked, with its length and line ends kept.
type Recorder struct {
	text  bool
	start time.Time
	life  string

	mu      sync.Mutex // guards all below
	out     *os.File
	err     error
	stopped bool
}

// NewRecorder begins a recording in a file that only the user can read.
func NewRecorder(path string, text bool) (*Recorder, error) {
	f, err := OpenPrivate(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY)
	if err != nil {
		return nil, fmt.Errorf("the recording cannot be written: %w", err)
	}
	r := &Recorder{text: text, start: time.Now(), life: NewLife(), out: f}
	r.line(Head{recordingVersion, text, r.start.UTC().Format(time.RFC3339), r.life})
	return r, r.err
}

// NewLife returns a part for the ids of one process that those of another hardly have.
func NewLife() string { return strings.ToLower(rand.Text()[:6]) + "-" }

// Life is the part of the ids in the recorded session.
func (r *Recorder) Life() string { return r.life }

// Message records a body of the editor's protocol or of a model.
func (r *Recorder) Message(dir, id string, body []byte) {
	clean, err := conceal(body, r.text)
	if err != nil {
		return // anything that is no JSON was no message
	}
	r.line(Record{time.Since(r.start).Milliseconds(), dir, id, clean})
}

// Settings records the configuration: values that hold no key and no text.
func (r *Recorder) Settings(body []byte) {
	r.line(Record{time.Since(r.start).Milliseconds(), Settings, "", body})
}

// Stop ends what is recorded; what comes after is dropped.
func (r *Recorder) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
}

// line writes one line at once, so that a crash does not lose the last ones.
func (r *Recorder) line(v any) {
	data, err := json.Marshal(v)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return
	}
	if err == nil && r.err == nil {
		_, err = r.out.Write(append(data, '\n'))
	}
	r.err = errors.Join(r.err, err)
}

// Close ends the recording and returns the first error of writing it.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.err, r.out.Close())
}

// plainKeys are the members whose strings are words of the protocol. The
// strings of every other member may be text of the user's.
var plainKeys = terms.Set("jsonrpc method id token uri rootUri rootPath newUri oldUri languageId kind state lane model served code action scheme " +
	"language pattern version positionEncoding command trace locale triggerKind severity stop_reason purpose error_code")

// conceal removes secrets, and unless keep is set all text, from a message.
func conceal(body []byte, keep bool) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(concealed("", v, keep))
}

func concealed(key string, v any, keep bool) any {
	switch v := v.(type) {
	case string:
		if keep {
			clean := new(redact.Redactor).Redact(v).String()
			return clean
		}
		if plainKeys[key] {
			return v
		}
		return mask(v)
	case []any:
		for i := range v {
			v[i] = concealed(key, v[i], keep)
		}
	case map[string]any:
		for k := range v {
			v[k] = concealed(k, v[k], keep)
		}
	}
	return v
}

// mask hides the content of a text and keeps its shape: white space, and as many
// UTF-16 units and UTF-8 bytes per character as there were.
func mask(text string) string {
	var b bytes.Buffer
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			b.WriteRune(r)
		case r < 0x80:
			b.WriteByte('x')
		case r < 0x800:
			b.WriteRune('ß')
		case r < 0x10000:
			b.WriteRune('字')
		default:
			b.WriteRune('𝕏')
		}
	}
	return b.String()
}

// ReadRecording reads a recording.
func ReadRecording(in io.Reader) (Head, []Record, error) {
	reader := bufio.NewReader(in)
	first, err := readLine(reader)
	var h Head
	if err != nil || json.Unmarshal(first, &h) != nil || h.Recording == 0 {
		return h, nil, errors.New("this is no recording of tandem's")
	}
	if h.Recording > recordingVersion {
		return h, nil, fmt.Errorf("the recording is of version %d and this tandem reads up to %d", h.Recording, recordingVersion)
	}
	var out []Record
	for n := 2; ; n++ {
		line, err := readLine(reader)
		if len(line) == 0 && errors.Is(err, io.EOF) {
			return h, out, nil
		}
		var r Record
		if json.Unmarshal(line, &r) != nil {
			if errors.Is(err, io.EOF) {
				return h, out, nil // tandem ended while it wrote the last line
			}
			return h, out, fmt.Errorf("line %d of the recording cannot be read", n)
		}
		out = append(out, r)
	}
}

// maxRecordLine bounds a line of a recording, in bytes.
const maxRecordLine = 64 << 20

// readLine reads one line with its line feed.
func readLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		piece, err := in.ReadSlice('\n')
		out = append(out, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return out, err
		}
		if len(out) > maxRecordLine {
			return out, fmt.Errorf("a line of it has more than %d MB", maxRecordLine>>20)
		}
	}
}
