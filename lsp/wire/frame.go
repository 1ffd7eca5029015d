package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	// MaxFrame is the largest body accepted, in bytes.
	MaxFrame = 64 << 20
	// maxHeader bounds the header block of one frame, in bytes.
	maxHeader = 4 << 10
	// growStep is how much of a large body must arrive before the rest is allocated.
	growStep = 1 << 20
)

// A HeaderError is a header after which the next frame cannot be found: the
// connection ends with it.
type HeaderError struct{ Reason string }

func (e *HeaderError) Error() string {
	return "the editor sent a message header that cannot be read: " + e.Reason + "; restart the language server, and report the editor plugin if it happens again"
}

// errCharset marks a frame whose body was read but has an encoding that LSP does not allow.
var errCharset = errors.New("Content-Type names a charset other than utf-8")

// A frameReader splits the input into the bodies of Content-Length frames.
type frameReader struct{ in *bufio.Reader }

func newFrameReader(r io.Reader) *frameReader {
	return &frameReader{bufio.NewReaderSize(r, 64<<10)}
}

// next returns the body of the next frame, which the caller owns. The error is
// io.EOF between frames, io.ErrUnexpectedEOF inside one, *HeaderError, or
// errCharset together with the body.
func (r *frameReader) next() ([]byte, error) {
	length, charsetErr, err := r.header()
	if err != nil {
		return nil, err
	}
	body, err := r.body(length)
	if err != nil {
		return nil, err
	}
	return body, charsetErr
}

// ready reports whether a whole frame, or a bad header, has arrived.
func (r *frameReader) ready() bool {
	b, err := r.in.Peek(r.in.Buffered())
	if err != nil {
		return false
	}
	end := bytes.Index(b, []byte("\r\n\r\n"))
	if end < 0 {
		return false
	}
	_, rest, ok := bytes.Cut(b[:end], []byte("Content-Length:"))
	if !ok {
		return true // the header is bad
	}
	value, _, _ := bytes.Cut(rest, []byte("\r\n"))
	n, err := contentLength(value)
	return err != nil || len(b) >= end+4+n
}

// header reads one header block.
func (r *frameReader) header() (length int, charset, err error) {
	length, total := -1, 0
	for {
		line, err := r.line(maxHeader - total)
		if err != nil {
			if err == io.EOF && total > 0 {
				err = io.ErrUnexpectedEOF
			}
			return 0, nil, err
		}
		total += len(line) + 2
		if len(line) == 0 {
			break
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || !isToken(name) {
			return 0, nil, &HeaderError{fmt.Sprintf("the line %q is no header", clip(line))}
		}
		switch strings.ToLower(string(name)) {
		case "content-length":
			if length >= 0 {
				return 0, nil, &HeaderError{"Content-Length is there twice"}
			}
			if length, err = contentLength(value); err != nil {
				return 0, nil, err
			}
		case "content-type":
			charset = contentType(string(value))
		}
	}
	if length < 0 {
		return 0, nil, &HeaderError{"there is no Content-Length"}
	}
	return length, charset, nil
}

// line reads up to the next CR LF and returns the text before it.
func (r *frameReader) line(limit int) ([]byte, error) {
	raw, err := r.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull), err == nil && len(raw) > limit:
		return nil, &HeaderError{fmt.Sprintf("it is longer than %d bytes", maxHeader)}
	case err == io.EOF && len(raw) > 0:
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	case len(raw) < 2 || raw[len(raw)-2] != '\r':
		return nil, &HeaderError{fmt.Sprintf("the line %q does not end in CR LF", clip(raw))}
	}
	return raw[:len(raw)-2], nil
}

// isToken reports whether a header's name is a valid token.
func isToken(name []byte) bool {
	for _, b := range name {
		if b|0x20 < 'a' || b|0x20 > 'z' {
			if b != '-' && (b < '0' || b > '9') {
				return false
			}
		}
	}
	return len(name) > 0
}

func contentLength(value []byte) (int, error) {
	text := strings.Trim(string(value), " \t")
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && n > MaxFrame:
		return 0, &HeaderError{fmt.Sprintf("Content-Length %s is above the limit of %d bytes", clip([]byte(text)), MaxFrame)}
	case err != nil || text[0] == '+':
		return 0, &HeaderError{fmt.Sprintf("Content-Length %q is not a number", clip([]byte(text)))}
	}
	return int(n), nil
}

func contentType(value string) error {
	_, charset, ok := strings.Cut(strings.ToLower(value), "charset=")
	charset, _, _ = strings.Cut(charset, ";")
	if charset = strings.Trim(charset, " \t\""); ok && charset != "utf-8" && charset != "utf8" {
		return errCharset
	}
	return nil
}

// body reads n bytes. The rest of a large body is allocated after its first part has
// arrived, so that a length alone costs no memory: a client that has sent that much will
// send the rest.
func (r *frameReader) body(n int) ([]byte, error) {
	b := make([]byte, min(n, growStep))
	if _, err := io.ReadFull(r.in, b); err != nil {
		return nil, truncated(err)
	}
	if n > growStep {
		b = append(b, make([]byte, n-growStep)...)
		if _, err := io.ReadFull(r.in, b[growStep:]); err != nil {
			return nil, truncated(err)
		}
	}
	return b, nil
}

func truncated(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// clip shortens what is quoted in an error.
func clip(b []byte) []byte { return b[:min(len(b), 40)] }
