package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A lineError is the error of one request of a --jsonl command.
type lineError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// A failedLine answers a line that could not be served.
type failedLine struct {
	ID    json.RawMessage `json:"id,omitempty"`
	Error lineError       `json:"error"`
}

// serveLines answers each JSON line of in with one JSON line on out, in order,
// and flushes before it waits for the next. A line that is not JSON of
// Request's shape is answered with the error code "parse"; empty lines are
// skipped. It ends at the end of in, or with the first error of reading or
// writing.
func serveLines[Request any](in io.Reader, out io.Writer, answer func(Request) any) error {
	reader, writer := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	for {
		line, readErr := reader.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := encoder.Encode(answerLine(line, answer)); err != nil {
				return fmt.Errorf("write an answer: %w", err)
			}
		}
		if readErr != nil || reader.Buffered() == 0 {
			if err := writer.Flush(); err != nil {
				return fmt.Errorf("write an answer: %w", err)
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("read a request: %w", readErr)
		}
	}
}

func answerLine[Request any](line []byte, answer func(Request) any) any {
	var request Request
	if err := json.Unmarshal(line, &request); err != nil {
		var bare struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(line, &bare) // the id, if the bad line has one
		return failedLine{bare.ID, lineError{"parse", "not a request: " + whyNoRequest(err)}}
	}
	return answer(request)
}

// whyNoRequest explains what is wrong with a line, in JSON terms.
func whyNoRequest(err error) string {
	var shape *json.UnmarshalTypeError
	var text *json.SyntaxError
	switch {
	case errors.As(err, &shape) && shape.Field != "":
		return fmt.Sprintf("%q cannot be a %s", shape.Field, shape.Value)
	case errors.As(err, &shape):
		return "the line is no JSON object"
	case errors.As(err, &text):
		return fmt.Sprintf("the line is no JSON, see its byte %d", text.Offset)
	}
	return err.Error()
}
