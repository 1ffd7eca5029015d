package dialect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Bounds of what a server may send for one answer.
const (
	MaxEvent  = 4 << 20
	MaxStream = 16 << 20

	// bytesPerToken is the largest size of an event of one token; it raises
	// maxStream if a very long answer was requested.
	BytesPerToken = 512
)

// ErrTooLarge is a stream that is longer than any answer.
var ErrTooLarge = errors.New("too large")

// An EventReader splits a body into events: server-sent events, or lines of JSON.
type EventReader struct {
	r     io.Reader
	lines bool // NDJSON
	limit int  // bytes of the whole body

	buf      []byte // what was read; buf[at:] is not yet consumed
	at       int
	total    int
	multi    []byte // data of an event with several data lines
	eof      bool
	afterCR  bool // the last line ended in CR: an LF that follows belongs to it
	started  bool
	scanFrom int // buf[at:scanFrom] has no line end
}

// NewEventReader reads an answer of at most tokens tokens; 0 means unknown.
func NewEventReader(r io.Reader, lines bool, tokens int) *EventReader {
	return &EventReader{r: r, lines: lines, limit: max(MaxStream, tokens*BytesPerToken), buf: make([]byte, 0, 16<<10)}
}

// Ready reports whether next returns without reading: the buffer holds a
// complete event or line.
func (e *EventReader) Ready() bool {
	if e.lines {
		return bytes.IndexByte(e.buf[e.at:], '\n') >= 0
	}
	rest := e.buf[e.at:]
	return bytes.Contains(rest, []byte("\n\n")) || bytes.Contains(rest, []byte("\r\n\r\n")) || bytes.Contains(rest, []byte("\r\r"))
}

// Next returns the data of the next event. It is valid until the next call.
// The error is io.EOF if the body ended after a whole event,
// io.ErrUnexpectedEOF if it ended inside one.
func (e *EventReader) Next() ([]byte, error) {
	e.multi = e.multi[:0]
	var data []byte
	have := false
	for {
		line, err := e.line()
		if err != nil {
			return nil, e.ended(err, have)
		}
		if e.lines {
			if len(bytes.TrimSpace(line)) > 0 {
				return line, nil
			}
			continue
		}
		if len(line) == 0 {
			if have {
				return data, nil
			}
			continue
		}
		value, ok := dataOf(line)
		if !ok {
			continue
		}
		if data, err = e.join(value, have); err != nil {
			return nil, err
		}
		have = true
	}
}

// join collects the data lines of one event. Lines must be copied, since
// reading on may move the buffer.
func (e *EventReader) join(value []byte, have bool) ([]byte, error) {
	if have {
		e.multi = append(e.multi, '\n')
	}
	e.multi = append(e.multi, value...)
	if len(e.multi) > MaxEvent {
		return nil, fmt.Errorf("an event of more than %d MiB: %w", MaxEvent>>20, ErrTooLarge)
	}
	return e.multi, nil
}

func (e *EventReader) ended(err error, have bool) error {
	if errors.Is(err, io.EOF) && (have || len(e.buf) > e.at) {
		return io.ErrUnexpectedEOF
	}
	return err
}

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

// line returns the next line without its end: LF, CR LF or CR.
func (e *EventReader) line() ([]byte, error) {
	for {
		if e.afterCR && e.at < len(e.buf) {
			if e.afterCR = false; e.buf[e.at] == '\n' {
				e.at++
			}
		}
		from := max(e.at, e.scanFrom)
		if i := lineEnd(e.buf[from:]); i >= 0 {
			end := from + i
			line := e.buf[e.at:end]
			e.afterCR = e.buf[end] == '\r'
			e.at, e.scanFrom = end+1, end+1
			return e.unmarked(line), nil
		}
		e.scanFrom = len(e.buf)
		if err := e.fill(); err != nil {
			return e.tail(err)
		}
	}
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

// tail is the last line of NDJSON, which needs no line end.
func (e *EventReader) tail(err error) ([]byte, error) {
	if rest := e.buf[e.at:]; e.lines && errors.Is(err, io.EOF) && len(bytes.TrimSpace(rest)) > 0 {
		e.at = len(e.buf)
		return rest, nil
	}
	return nil, err
}

// unmarked removes the byte order mark that may begin a stream.
func (e *EventReader) unmarked(line []byte) []byte {
	if e.started {
		return line
	}
	e.started = true
	return bytes.TrimPrefix(line, []byte("\uFEFF"))
}

// fill reads more into the buffer, moving and growing it as needed.
func (e *EventReader) fill() error {
	if e.eof {
		return io.EOF
	}
	if e.at > 0 {
		n := copy(e.buf, e.buf[e.at:])
		e.buf, e.scanFrom, e.at = e.buf[:n], e.scanFrom-e.at, 0
	}
	if len(e.buf) > MaxEvent {
		return fmt.Errorf("an event of more than %d MiB: %w", MaxEvent>>20, ErrTooLarge)
	}
	if len(e.buf) == cap(e.buf) {
		e.buf = append(make([]byte, 0, 2*cap(e.buf)), e.buf...)
	}
	n, err := e.r.Read(e.buf[len(e.buf):cap(e.buf)])
	e.buf = e.buf[:len(e.buf)+n]
	if e.total += n; e.total > e.limit {
		return fmt.Errorf("an answer of more than %d MiB: %w", e.limit>>20, ErrTooLarge)
	}
	if n > 0 {
		e.eof = errors.Is(err, io.EOF)
		return nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}
