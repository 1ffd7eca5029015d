package dialect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Bounds of what a server may send for one answer.
const (
	MaxEvent  = 4 << 20
	MaxStream = 16 << 20

	// BytesPerToken is the largest size of an event of one token; it raises
	// MaxStream if a very long answer was requested.
	BytesPerToken = 512

	firstBuffer = 16 << 10
)

// ErrTooLarge is a stream that is longer than any answer.
var ErrTooLarge = errors.New("too large")

// An EventReader splits a body into events: server-sent events, or lines of JSON.
type EventReader struct {
	lines   *bufio.Scanner // of the body
	json    bool           // each line is one event (NDJSON)
	rest    []byte         // what was read behind the last line
	afterCR bool           // the last line ended in CR: an LF that follows belongs to it
	hasCR   bool           // a line ended in CR
	started bool
	event   []byte // data of the event that is read
	any     bool   // an event was read
	stray   []byte // the first line that is none of an event
	next    []byte // the data with which the next event begins, if no blank line was before it
	failed  bool   // the event's name is that of an error
}

// NewEventReader reads an answer of at most tokens tokens; 0 means unknown.
func NewEventReader(r io.Reader, lines bool, tokens int) *EventReader {
	e := &EventReader{lines: bufio.NewScanner(&boundedReader{r, max(MaxStream, tokens*BytesPerToken), 0}), json: lines}
	e.lines.Buffer(make([]byte, 0, firstBuffer), MaxEvent)
	e.lines.Split(e.split)
	return e
}

// A boundedReader fails where more is read than an answer may have.
type boundedReader struct {
	r          io.Reader
	most, read int
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.read += n; b.read > b.most {
		return 0, fmt.Errorf("an answer of more than %d MiB: %w", b.most>>20, ErrTooLarge)
	}
	return n, err
}

// Ready reports whether Next returns without reading: what was read holds a
// complete event or line.
func (e *EventReader) Ready() bool {
	if e.json {
		return bytes.IndexByte(e.rest, '\n') >= 0
	}
	if bytes.Contains(e.rest, []byte("\n\n")) {
		return true
	}
	return e.hasCR && (bytes.Contains(e.rest, []byte("\r\n\r\n")) || bytes.Contains(e.rest, []byte("\r\r")))
}

// Next returns the data of the next event. It is valid until the next call.
// The error is io.EOF if the body ended. The last event needs no blank line after it.
func (e *EventReader) Next() ([]byte, error) {
	e.event, e.failed = append(e.event[:0], e.next...), false
	begun := len(e.next) > 0
	e.next = e.next[:0]
	for e.lines.Scan() {
		line := e.lines.Bytes()
		if !e.started {
			e.started, line = true, bytes.TrimPrefix(line, []byte("\uFEFF")) // the byte order mark that may begin a stream
		}
		if e.json {
			if event := e.jsonLine(bytes.TrimSpace(line)); event != nil {
				return event, nil
			}
			continue
		}
		if len(line) == 0 {
			if begun {
				e.any = true
				return e.event, nil
			}
			continue
		}
		value, ok := dataOf(line)
		if !ok && (begun || line[0] == '{') {
			value, ok = line, isJSONLine(line) // of an object over several lines, or without its field
		}
		if !ok {
			e.failed = e.failed || isErrorName(line)
			e.note(line)
			continue
		}
		if begun && ok && e.isNext(value) {
			e.next, e.any = append(e.next, value...), true
			return e.event, nil
		}
		if begun {
			e.event = append(e.event, '\n')
		}
		begun = true
		if e.event = append(e.event, value...); len(e.event) > MaxEvent {
			return nil, errLargeEvent
		}
	}
	switch err := e.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, errLargeEvent
	case err == nil && (begun || len(e.event) > 0):
		event := e.event
		e.event, e.any = nil, true
		return event, nil
	case err == nil && !e.any && len(e.stray) > 0:
		e.any = true
		return e.stray, nil
	case err == nil:
		return nil, io.EOF
	default:
		return nil, err
	}
}

// jsonLine returns the event that a line is or ends: some servers write an object over several
// lines. It is nil while more belongs to it.
func (e *EventReader) jsonLine(line []byte) []byte {
	if object, ok := bytes.CutSuffix(line, []byte("}data: [DONE]")); ok {
		line = line[:len(object)+1] // the end of events behind an object
	}
	switch {
	case len(line) == 0:
		return nil
	case len(e.event) == 0 && (line[0] != '{' || line[len(line)-1] == '}'):
		return line
	}
	e.event = append(append(e.event, line...), '\n')
	if line[len(line)-1] == '}' && json.Valid(e.event) {
		return e.event
	}
	return nil
}

// isNext reports whether a line of data begins another event although no blank line is before
// it: what was read is an object already.
func (e *EventReader) isNext(value []byte) bool {
	begins := bytes.HasPrefix(value, []byte("{")) || string(value) == "[DONE]"
	return begins && bytes.HasPrefix(e.event, []byte("{")) && json.Valid(e.event)
}

// isJSONLine reports whether a line looks like one of a JSON object: the names of fields begin
// with letters.
func isJSONLine(line []byte) bool {
	return len(line) > 0 && bytes.IndexByte([]byte(" \t{}[]\""), line[0]) >= 0
}

// note keeps the first line that is no field: a body without events may say why.
func (e *EventReader) note(line []byte) {
	if e.any || len(e.stray) > 0 {
		return
	}
	name, _, field := bytes.Cut(line, []byte(":"))
	if len(bytes.TrimSpace(line)) > 0 && !(field && len(name) <= len("event")) {
		e.stray = bytes.Clone(line[:min(len(line), maxSaid)])
	}
}

// Failed reports whether the event that was read is named as an error.
func (e *EventReader) Failed() bool { return e.failed }

func isErrorName(line []byte) bool {
	return bytes.HasSuffix(line, []byte("error")) && bytes.HasPrefix(line, []byte("event:")) && string(bytes.TrimSpace(line[len("event:"):])) == "error"
}

var errLargeEvent = fmt.Errorf("an event of more than %d MiB: %w", MaxEvent>>20, ErrTooLarge)

// dataOf is the value of a data line; other fields and comments have none.
func dataOf(line []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(line, []byte("data"))
	if !ok {
		return nil, false
	}
	if len(rest) == 0 {
		return rest, true
	}
	if rest[0] != ':' {
		return nil, false
	}
	value := bytes.TrimPrefix(rest[1:], []byte(" "))
	if bytes.HasPrefix(value, []byte("data: ")) { // a gateway has put it around what had it
		value = value[len("data: "):]
	}
	return value, true
}

// split takes the next line without its end: LF, CR LF or CR. The last line needs none.
func (e *EventReader) split(data []byte, atEOF bool) (advance int, line []byte, err error) {
	skipped := 0
	if e.afterCR && len(data) > 0 {
		if e.afterCR = false; data[0] == '\n' {
			skipped = 1
		}
	}
	i := lineEnd(data[skipped:])
	if i < 0 {
		if rest := data[skipped:]; atEOF && len(rest) > 0 {
			e.rest = nil
			return len(data), rest, nil
		}
		return skipped, nil, nil
	}
	end := skipped + i
	e.afterCR, e.rest = data[end] == '\r', data[end+1:]
	e.hasCR = e.hasCR || e.afterCR
	return end + 1, data[skipped:end], nil
}

// lineEnd is the offset of the first CR or LF, or -1: two vectorised searches
// are several times faster than one for either.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}
