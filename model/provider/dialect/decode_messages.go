package dialect

import (
	"bytes"
	"encoding/json"
	"slices"

	"tandem/model"
)

// A messagesDecoder reads the events of Anthropic's messages, and a message that was not
// streamed.
type messagesDecoder struct {
	final   model.Final
	ended   bool   // the reason of the end has come
	begun   []byte // what the first event holds of the message
	text    []byte // of the answer, so far
	opening []byte // of the current block, of which it is not known whether the first piece has it too
	filled  bool   // the current block has text
}

func (d *messagesDecoder) Event(data []byte, b *Batch) (bool, error) {
	if string(data) == "[DONE]" {
		return true, d.Ended(b)
	}
	s := scanObject(data)
	var kind, delta, message, block, content, reason, usage []byte
	failed := false
	for s.next() {
		switch string(s.key) {
		case "type":
			kind = Unquoted(s.val)
		case "delta":
			delta = s.val
		case "message":
			message = s.val
		case "content_block":
			block = s.val
		case "content":
			content = s.val
		case "stop_reason":
			reason = s.val
		case "usage":
			usage = s.val
		case "error", "detail":
			failed = filled(s.val)
		}
	}
	if !s.whole() {
		return false, errBadEvent
	}
	if failed || string(kind) == "error" {
		return true, readAPIError(0, data)
	}
	b.Events++
	from := len(b.Text)
	defer func() { d.text = append(d.text, b.Text[from:]...) }()
	switch string(kind) {
	case "ping":
		return false, nil
	case "content_block_delta", "":
		d.piece(delta, b)
		d.open(b, from)
		d.end(Member(delta, "stop_reason"))
		return false, nil
	}
	b.Active = true
	switch string(kind) {
	case "message_start":
		b.Served = text(Member(message, "model"))
		d.usage(Member(message, "usage"))
		d.begun = bytes.Clone(Member(message, "content"))
	case "content_block_start":
		d.filled = false
		d.piece(block, b)
		d.opening = bytes.Clone(b.Text[from:])
		b.Text = b.Text[:from]
	case "content_block_stop":
		d.open(b, from)
		if !d.filled {
			d.piece(block, b)
		}
	case "message_delta":
		d.end(Member(delta, "stop_reason"))
		d.usage(usage)
	case "message": // not streamed, or said again behind what was
		b.Served = text(Member(data, "model"))
		d.piece(content, b)
		if rest, ok := bytes.CutPrefix(b.Text[from:], d.text); ok {
			b.Text = append(b.Text[:from], rest...)
		} else {
			b.Text = b.Text[:from]
		}
		d.usage(usage)
		d.end(reason)
		return true, d.whole(b)
	case "message_stop":
		return true, d.whole(b)
	}
	return false, nil
}

// open writes the opening of the current block before what has come behind it from an offset on,
// unless that begins with the opening itself.
func (d *messagesDecoder) open(b *Batch, from int) {
	if len(d.opening) > 0 && (len(bytes.TrimSpace(d.opening)) == 0 || !bytes.HasPrefix(b.Text[from:], d.opening)) {
		b.Text = slices.Insert(b.Text, from, d.opening...)
	}
	d.opening = nil
}

// piece reads a block, a delta of one or the blocks of a message.
func (d *messagesDecoder) piece(val []byte, b *Batch) {
	from, thoughts := len(b.Text), len(b.Reasoning)
	b.shaped(val, false)
	d.filled = d.filled || len(b.Text) > from
	b.Active = b.Active || len(b.Text) > from || len(b.Reasoning) > thoughts
}

func (d *messagesDecoder) end(reason []byte) {
	if word := text(reason); word != "" {
		d.ended, d.final.End = true, messageWords.end(word)
	}
}

// whole is the end of a message that its server has ended.
func (d *messagesDecoder) whole(b *Batch) error {
	if !d.ended {
		d.final.End = messageWords.end("")
	}
	d.open(b, len(b.Text))
	if len(d.text) == 0 && len(b.Text) == 0 {
		d.piece(d.begun, b)
	}
	b.Final = &d.final
	return nil
}

// usage records the figures of an event; later events repeat and correct earlier
// ones.
func (d *messagesDecoder) usage(raw []byte) {
	var u struct {
		Input  tokenCount `json:"input_tokens"`
		Write  tokenCount `json:"cache_creation_input_tokens"`
		Read   tokenCount `json:"cache_read_input_tokens"`
		Output tokenCount `json:"output_tokens"`
	}
	if raw == nil || json.Unmarshal(raw, &u) != nil {
		return
	}
	total := &d.final.Usage
	total.Known = true
	if all := u.Input + u.Write + u.Read; all > 0 {
		total.Input, total.Cached, total.CacheWrite = int(all), int(u.Read), int(u.Write)
	}
	total.Output = max(total.Output, int(u.Output))
}

// Ended implements Decoder: a message is whole when the reason of its end has come.
func (d *messagesDecoder) Ended(b *Batch) error {
	if !d.ended {
		d.open(b, len(b.Text))
		return errNoReason
	}
	return d.whole(b)
}
