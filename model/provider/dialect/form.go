package dialect

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A Form is how the body of an answer is written. Its header says it, and what it begins with
// knows better.
type Form int

// The forms of bodies.
const (
	FormEvents Form = iota // server-sent events
	FormLines              // lines of JSON
	FormWhole              // one JSON value: an answer that is not streamed, or an error
	FormPage               // a web page
)

// errPacked is a body that is compressed in a way that this program does not read.
var errPacked = errors.New("the answer is compressed")

// FormOf returns the body, unpacked where it is compressed, and how it is written. It waits for
// the first bytes.
func FormOf(body io.Reader, h http.Header) (io.Reader, Form, error) {
	r, err := unpacked(bufio.NewReaderSize(body, headSize), h.Get("Content-Encoding"))
	if err != nil {
		return nil, 0, err
	}
	kind := strings.ToLower(h.Get("Content-Type"))
	head := begins(r)
	switch {
	case strings.HasPrefix(kind, "text/html"), isHTML(head):
		return r, FormPage, nil
	case len(head) == 0:
	case head[0] == '{' && strings.HasPrefix(kind, "application/json") && !strings.Contains(kind, "stream"), head[0] == '[' && !bytes.HasPrefix(head, []byte("[DONE]")):
		return r, FormWhole, nil
	case head[0] == '{':
		return r, FormLines, nil
	}
	return r, FormEvents, nil
}

// headSize is how much of a body is looked at. Larger reads go past its buffer.
const headSize = 512

// begins returns what a body begins with, as far as it is there at once. Space before it keeps
// connections alive, and is left out.
func begins(r *bufio.Reader) []byte {
	for {
		b, err := r.Peek(1)
		if err != nil {
			return nil
		}
		if !isSpace(b[0]) {
			break
		}
		_, _ = r.Discard(1)
	}
	head, _ := r.Peek(r.Buffered())
	return bytes.TrimPrefix(head, []byte("\uFEFF"))
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// unpacked is a body without its compression. Nobody asks for a compressed one, and some
// servers and proxies send it, some without saying so.
func unpacked(r *bufio.Reader, encoding string) (*bufio.Reader, error) {
	magic, _ := r.Peek(2)
	packed, err := io.Reader(r), error(nil)
	switch encoding = strings.ToLower(strings.TrimSpace(encoding)); {
	case bytes.Equal(magic, []byte{0x1f, 0x8b}):
		packed, err = gzip.NewReader(r)
	case encoding == "deflate" && len(magic) == 2 && magic[0]&0x0f == 8:
		packed, err = zlib.NewReader(r)
	case encoding == "deflate":
		packed = flate.NewReader(r)
	case encoding == "br", encoding == "zstd":
		err = fmt.Errorf("%w by %s", errPacked, encoding)
	default:
		return r, nil
	}
	return bufio.NewReaderSize(packed, headSize), err
}

// Values are the JSON values of a whole body: most have one, some write several or a list of
// them. A body that is no JSON is one value.
func Values(body []byte) [][]byte {
	var list [][]byte
	dec := json.NewDecoder(bytes.NewReader(body))
	for {
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			break
		}
		if v[0] != '[' {
			list = append(list, v)
			continue
		}
		for one := range elements(v) {
			list = append(list, one)
		}
	}
	if len(list) == 0 {
		return [][]byte{body}
	}
	return list
}
