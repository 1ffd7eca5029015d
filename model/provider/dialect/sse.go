package dialect

import (
	"bufio"
	"bytes"
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
	started bool
	event   []byte // data of the event that is read
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
	return bytes.Contains(e.rest, []byte("\n\n")) || bytes.Contains(e.rest, []byte("\r\n\r\n")) || bytes.Contains(e.rest, []byte("\r\r"))
}

// Next returns the data of the next event. It is valid until the next call.
// The error is io.EOF if the body ended after a whole event,
// io.ErrUnexpectedEOF if it ended inside one.
func (e *EventReader) Next() ([]byte, error) {
	e.event = e.event[:0]
	begun := false
	for e.lines.Scan() {
		line := e.lines.Bytes()
		if !e.started {
			e.started, line = true, bytes.TrimPrefix(line, []byte("\uFEFF")) // the byte order mark that may begin a stream
		}
		if e.json {
			if len(bytes.TrimSpace(line)) > 0 {
				return line, nil
			}
			continue
		}
		if len(line) == 0 && begun {
			return e.event, nil
		}
		value, ok := dataOf(line)
		if !ok {
			continue
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
	case err == nil && begun:
		return nil, io.ErrUnexpectedEOF
	case err == nil:
		return nil, io.EOF
	default:
		return nil, err
	}
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
	return bytes.TrimPrefix(rest[1:], []byte(" ")), true
}

// split takes the next line without its end: LF, CR LF or CR. The last line of NDJSON needs
// none; an event that ends in a line is cut.
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
			if e.json {
				return len(data), rest, nil
			}
			return len(data), nil, io.ErrUnexpectedEOF
		}
		return skipped, nil, nil
	}
	end := skipped + i
	e.afterCR, e.rest = data[end] == '\r', data[end+1:]
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
