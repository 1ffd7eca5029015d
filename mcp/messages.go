package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage is how many bytes a message of a client has at most.
const maxMessage = 16 << 20

// messages passes on what a client sends, a message a line. What is no message is answered
// here: the SDK ends the whole connection at it.
type messages struct {
	in          io.Closer // the client's stream
	ended       func()    // is called at its end
	from        *bufio.Reader
	answers     *answerWriter
	pending     []byte // of a message that is read in pieces
	initialized bool   // the client has said which version it speaks
	batches     bool   // that has arrays of messages
}

func newMessages(in io.ReadCloser, answers *answerWriter, ended func()) *messages {
	return &messages{in: in, ended: ended, from: bufio.NewReaderSize(in, 64<<10), answers: answers}
}

// Close ends reading, and waiting for answers.
func (m *messages) Close() error {
	m.answers.way.close()
	return m.in.Close()
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.pending) == 0 {
		line, long, err := m.line()
		switch {
		case err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)):
			m.ended()
			if errors.Is(err, io.EOF) {
				m.answers.way.wait()
			}
			return 0, err
		case len(bytes.TrimSpace(line)) == 0 && !long:
			continue
		}
		code, wrong := jsonrpc.CodeInvalidRequest, fmt.Errorf("a message has at most %d MB", maxMessage>>20)
		if !long {
			code, wrong = m.wrong(line)
		}
		if wrong == nil {
			m.answers.way.came(line)
			m.pending = append(bytes.TrimSpace(line), '\n')
			break
		}
		if err := m.refuse(line, code, wrong); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.pending)
	m.pending = m.pending[n:]
	return n, nil
}

// line reads a line; of one that is too long it returns nothing.
func (m *messages) line() (line []byte, long bool, err error) {
	for {
		piece, err := m.from.ReadSlice('\n')
		if long = long || len(line)+len(piece) > maxMessage; long {
			line = nil
		} else {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// wrong is why a line is no message, and the code that says so.
func (m *messages) wrong(line []byte) (code int, err error) {
	var list []json.RawMessage
	switch {
	case !json.Valid(line):
		return jsonrpc.CodeParseError, errors.New("the line is no JSON")
	case json.Unmarshal(line, &list) != nil:
		return jsonrpc.CodeInvalidRequest, m.wrongOne(line)
	case !m.batches:
		return jsonrpc.CodeInvalidRequest, errors.New("this version of the protocol has no arrays of messages: send each in a line of its own")
	case len(list) == 0:
		return jsonrpc.CodeInvalidRequest, errors.New("the array of messages is empty")
	}
	seen := map[jsonrpc.ID]bool{}
	for _, one := range list {
		message, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			return jsonrpc.CodeInvalidRequest, err
		}
		if r, ok := message.(*jsonrpc.Request); ok && r.ID.IsValid() {
			if seen[r.ID] {
				return jsonrpc.CodeInvalidRequest, errors.New("two messages of the array have the same id")
			}
			seen[r.ID] = true
		}
	}
	return 0, nil
}

func (m *messages) wrongOne(line []byte) error {
	message, err := jsonrpc.DecodeMessage(line)
	if r, ok := message.(*jsonrpc.Request); ok && err == nil && r.Method == "initialize" && !m.initialized {
		m.initialized = true
		var asked struct {
			ProtocolVersion string `json:"protocolVersion"`
		}
		_ = json.Unmarshal(r.Params, &asked) // the SDK says what is wrong
		m.batches = asked.ProtocolVersion == "2024-11-05" || asked.ProtocolVersion == "2025-03-26"
	}
	return err
}

// refuse answers what is no message, with its id where it has one.
func (m *messages) refuse(line []byte, code int, wrong error) error {
	var sent struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(line, &sent) // what is no object has no id
	if len(sent.ID) == 0 || !strings.ContainsRune(`"-0123456789`, rune(sent.ID[0])) {
		sent.ID = json.RawMessage("null")
	}
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": sent.ID, "error": map[string]any{"code": code, "message": wrong.Error()}})
	if err != nil {
		return err
	}
	_, err = m.answers.Write(append(answer, '\n'))
	return err
}
