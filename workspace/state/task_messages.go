package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"

	"tandem/workspace/redact"
)

// A TaskMessage is a message from another process to a running task.
type TaskMessage struct {
	Action string `json:"action"` // cancel, steer, resume, plan
	Text   string `json:"text,omitempty"`

	SendSecrets bool `json:"send_secrets,omitempty"` // as in a Message
}

// Send stores a message for the process that runs the task: without secrets, unless the user
// wants them to be sent.
func (t *Tasks) Send(id string, message TaskMessage) error {
	if !message.SendSecrets {
		message.Text = redact.Kept(message.Text)
	}
	return t.locked(id, ".words", func(f *os.File) error {
		line, err := json.Marshal(message)
		if err != nil {
			return err
		}
		_, err = f.Seek(0, io.SeekEnd)
		if err == nil {
			_, err = f.Write(append(line, '\n'))
		}
		return err
	})
}

// Receive returns and removes the messages that were stored for a task.
func (t *Tasks) Receive(id string) ([]TaskMessage, error) {
	path, err := t.path(id, ".words")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []TaskMessage
	err = t.locked(id, ".words", func(f *os.File) error {
		data, err := io.ReadAll(io.LimitReader(f, maxRecord))
		if err != nil {
			return err
		}
		for line := range bytes.Lines(data) {
			var message TaskMessage
			if json.Unmarshal(line, &message) == nil {
				out = append(out, message)
			}
		}
		return f.Truncate(0)
	})
	return out, err
}

// removeCancels forgets the cancellations that came too late for the run before; what the
// user wrote stays for the next.
func (t *Tasks) removeCancels(id string) error {
	messages, err := t.Receive(id)
	for _, m := range messages {
		if m.Action != "cancel" {
			err = errors.Join(err, t.Send(id, m))
		}
	}
	return err
}
