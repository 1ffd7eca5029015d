package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/lsp"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

func replayCommand(*globals) *cobra.Command {
	return &cobra.Command{
		Use:   "replay FILE",
		Short: "Run a recorded session again, without editor or network, and compare every answer",
		Args:  takes(1, 1),
		RunE:  func(c *cobra.Command, args []string) error { return replay(c, args[0]) },
	}
}

// answerWait bounds how long a replayed session may take for an answer that the
// recorded one contains.
const answerWait = 10 * time.Second

func replay(c *cobra.Command, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return unreadable(file, err)
	}
	defer f.Close()
	head, records, err := state.ReadRecording(f)
	if err != nil {
		return exit(exitFailed, fmt.Errorf("%s: %w", file, err))
	}
	p := newPlayer(head, records)
	if err := p.play(c.Context()); err != nil {
		return exit(exitFailed, err)
	}
	return p.report(c)
}

// A player acts as the editor and the models of a recording.
type player struct {
	head     state.Head
	records  []state.Record
	streams  *replayedStreams
	answered *answers
	diffs    []string
	same     int
}

func newPlayer(head state.Head, records []state.Record) *player {
	return &player{head: head, records: records, streams: newReplayedStreams(), answered: newAnswers()}
}

// play runs the server on the recorded input, in the order of the recording: a
// message is sent only after the answers recorded before it have arrived, and a
// model's pieces become available only at their place in the recording.
func (p *player) play(ctx context.Context) error {
	settings, remove, err := p.settings()
	if err != nil {
		return err
	}
	defer remove()
	in, feed := io.Pipe()
	out, answers := io.Pipe()
	s := &server{globals: &globals{config: settings}, log: slog.New(slog.DiscardHandler), wrap: p.streams.wrap, stateless: true, life: p.head.Life}
	group := run.NewGroup(ctx, nil)
	ended := make(chan struct{})
	group.Go("replayed server", func(ctx context.Context) {
		defer close(ended)
		lsp.Run(ctx, lsp.Deps{Version: version(), Log: s.log, Open: s.open}, in, answers)
		s.close()
		_ = answers.Close()
	})
	group.Go("replayed editor", func(context.Context) {
		_, _ = io.Copy(&frames{message: p.answered.add}, out)
	})
	for _, r := range p.records {
		if err := p.step(ctx, r, feed); err != nil {
			break // the server has ended, as it may have in the recording
		}
	}
	_ = feed.Close()
	p.streams.close()
	select {
	case <-ended:
	case <-time.After(answerWait):
	}
	group.Close()
	return nil
}

// step replays one record.
func (p *player) step(ctx context.Context, r state.Record, feed io.Writer) error {
	switch r.Dir {
	case state.FromEditor:
		_, err := fmt.Fprintf(feed, "Content-Length: %d\r\n\r\n%s", len(r.Body), r.Body)
		return err
	case state.FromModel:
		var event piece
		if json.Unmarshal(r.Body, &event) == nil {
			p.streams.add(r.ID, event)
		}
	case state.ToEditor:
		p.compare(ctx, r.Body)
	}
	return nil
}

// compare waits for the answer that a recorded answer corresponds to.
// Notifications of the server depend on the clock and are not compared.
func (p *player) compare(ctx context.Context, recorded []byte) {
	want, ok := parseMessage(recorded)
	if !ok || want.ID == nil {
		return
	}
	got, ok := p.answered.wait(ctx, want.key())
	switch {
	case !ok:
		p.diffs = append(p.diffs, fmt.Sprintf("%s: no answer", want.key()))
	case want.Method != "":
		// A request from the server: the recorded client's response can follow.
	case !p.head.Text && (want.Error == nil) == (got.Error == nil), p.head.Text && want.equal(got):
		p.same++
	default:
		p.diffs = append(p.diffs, fmt.Sprintf("%s: recorded %s, now %s", want.key(), excerpt(want.body()), excerpt(got.body())))
	}
}

func excerpt(body []byte) string {
	const maxExcerpt = 300
	text := string(body)
	if len(text) > maxExcerpt {
		text = text[:maxExcerpt] + "…"
	}
	return strings.ToValidUTF8(text, "")
}

func (p *player) report(c *cobra.Command) error {
	for _, d := range p.diffs {
		fmt.Fprintln(c.OutOrStdout(), clean(d))
	}
	what := "the same"
	if !p.head.Text {
		what = "of the same kind (the recording holds no source text; record with --record-text to compare all of it)"
	}
	fmt.Fprintf(c.ErrOrStderr(), "%d answers are %s, %d differ\n", p.same, what, len(p.diffs))
	if len(p.diffs) > 0 {
		return exit(exitFailed, fmt.Errorf("%d answers differ from the recording", len(p.diffs)))
	}
	return nil
}

// settings writes the recorded configuration to a file for the server to read.
func (p *player) settings() (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "tandem-replay-")
	if err != nil {
		return "", nil, fmt.Errorf("the replay has no place for its settings: %w", err)
	}
	var values []config.Value
	for _, r := range p.records {
		if r.Dir == state.Settings && json.Unmarshal(r.Body, &values) == nil {
			break
		}
	}
	path = filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, config.Rewrite(values), 0o600); err != nil {
		return "", nil, fmt.Errorf("the replay's settings cannot be written: %w", err)
	}
	return path, func() { _ = os.RemoveAll(dir) }, nil
}

// A message holds the fields of a protocol message that the player uses.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func parseMessage(body []byte) (message, bool) {
	var m message
	err := json.Unmarshal(body, &m)
	if bytes.Equal(m.ID, []byte("null")) {
		m.ID = nil
	}
	return m, err == nil
}

// key identifies a response by its request, and a request from the server by its method and id.
func (m message) key() string {
	if m.Method != "" {
		return m.Method + " " + string(m.ID)
	}
	return "answer " + string(m.ID)
}

func (m message) body() []byte {
	if m.Error != nil {
		return m.Error
	}
	return m.Result
}

// equal compares two answers without their measured values.
func (m message) equal(other message) bool {
	return (m.Error == nil) == (other.Error == nil) && reflect.DeepEqual(unmeasured(m.body()), unmeasured(other.body()))
}

// measured are the JSON members that hold times and rates.
var measured = map[string]bool{"firstTokenMs": true, "tokensPerSecond": true, "ms": true, "started": true, "updated": true}

func unmeasured(body []byte) any {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	return dropMeasured(v)
}

func dropMeasured(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			if measured[k] {
				delete(v, k)
				continue
			}
			v[k] = dropMeasured(v[k])
		}
	case []any:
		for i := range v {
			v[i] = dropMeasured(v[i])
		}
	}
	return v
}
