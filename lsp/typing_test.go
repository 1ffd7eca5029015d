package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
)

const (
	traceLines  = 50   // typed, of 40 keys each
	fileLines   = 5000 // around them
	typingPause = 600 * time.Millisecond
)

// A scripted model knows what the user is about to type and returns it on every
// second line; on the others it returns something else.
type scripted struct {
	cassette
	asked atomic.Int64
}

func traceLine(n int) string {
	return fmt.Sprintf("\tresult%02d := compute(alpha%02d, beta%02d) + 1", n, n, n)
}

func (s *scripted) Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		s.asked.Add(1)
		select {
		case <-time.After(60 * time.Millisecond):
		case <-ctx.Done():
			yield(model.Delta{}, &model.Error{Code: model.CodeCancelled, Message: "Cancelled."})
			return
		}
		typed := req.Fill.Prefix.String()[strings.LastIndexByte(req.Fill.Prefix.String(), '\n')+1:]
		line := strings.Count(req.Fill.Prefix.String()[strings.Index(req.Fill.Prefix.String(), "// trace\n")+9:], "\n")
		rest, ok := strings.CutPrefix(traceLine(line), typed)
		if !ok || line%2 == 1 {
			rest = "return nil"
		}
		_ = yield(model.Delta{Text: rest + "\n"}, nil) && yield(model.Delta{Final: &model.Final{End: model.Ended(model.WhyWhole, "stop")}}, nil)
	}
}

// TestTypingTrace types 2,000 keys at three speeds into a long file, asking for
// a suggestion after each, in virtual time.
func TestTypingTrace(t *testing.T) {
	for _, gap := range []time.Duration{10 * time.Millisecond, 50 * time.Millisecond, 80 * time.Millisecond} {
		t.Run(gap.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { trace(t, gap) })
		})
	}
}

// A screen is what the user sees: the rest of a suggestion at the cursor.
type screen struct {
	*editor
	t            *testing.T
	shown        string
	right        bool // what is shown is what will be typed
	due, cached  int  // keys after a right suggestion, and those that had it at once
	jumps        int  // times that what was shown was replaced by something else
	line, column uint32
}

func trace(t *testing.T, gap time.Duration) {
	m := &scripted{}
	e := start(t, deps(t, m))
	defer func() { e.out.Close(); <-e.ended }()
	e.initialize(object{})
	above, below := strings.Repeat("// text\n", fileLines/2), strings.Repeat("// more text\n", fileLines/2)
	e.open("untitled:trace.txt", "plaintext", above+"// trace\n\n"+below)
	s := &screen{editor: e, t: t, line: fileLines/2 + 1}
	for n := range traceLines {
		time.Sleep(typingPause)
		s.ask(n, false)
		time.Sleep(typingPause) // the suggestion has come; the user reads it
		s.ask(n, false)
		for _, key := range traceLine(n) {
			s.press(string(key))
			s.ask(n, true)
			time.Sleep(gap)
		}
		s.press("\n")
	}
	t.Logf("%d requests of the model for %d pauses; %d of %d keys after a right suggestion had it at once", m.asked.Load(), 2*traceLines, s.cached, s.due)
	if got := m.asked.Load(); got > 2*traceLines {
		t.Errorf("the model was asked %d times in %d pauses", got, 2*traceLines)
	}
	if s.due == 0 || s.cached*100 < s.due*95 {
		t.Errorf("%d of %d keys after a right suggestion had it at once, want 95 %%", s.cached, s.due)
	}
	if s.jumps > 0 {
		t.Errorf("what was on screen was replaced by something else %d times", s.jumps)
	}
}

// press types a key and updates what is on screen; the server must not delay
// the next message.
func (s *screen) press(key string) {
	at := position{s.line, s.column}
	s.change("untitled:trace.txt", wireRange{at, at}, key)
	if key == "\n" {
		s.line, s.column = s.line+1, 0
	} else {
		s.column++
	}
	rest, follows := strings.CutPrefix(s.shown, key)
	s.shown = ""
	if follows {
		s.shown = rest
	}
	begin := time.Now()
	if _, err := s.call("test/sync", nil); err != nil || time.Since(begin) > time.Millisecond {
		s.t.Fatalf("a key waited %v for the server (%v)", time.Since(begin), err)
	}
}

// ask requests a suggestion and puts the answer on the screen.
func (s *screen) ask(n int, typing bool) {
	id, back := s.request("textDocument/inlineCompletion", object{
		"textDocument": object{"uri": "untitled:trace.txt"}, "position": position{s.line, s.column}, "context": object{"triggerKind": 2},
	})
	synctest.Wait()
	expected := typing && s.right && s.shown != ""
	if expected {
		s.due++
	}
	var a response
	select {
	case a = <-back:
	default:
		if typing { // the next key comes first
			s.notify("$/cancelRequest", object{"id": id})
			<-back
			return
		}
		a = <-back
	}
	var list inlineList
	if a.err != nil || json.Unmarshal(a.result, &list) != nil {
		s.t.Fatalf("%s %v", a.result, a.err)
	}
	now := ""
	if len(list.Items) > 0 {
		now = list.Items[0].InsertText
	}
	if expected && now == s.shown {
		s.cached++
	}
	if s.shown != "" && now != "" && !strings.HasPrefix(now, s.shown) {
		s.jumps++
	}
	s.shown = now
	s.right = now != "" && strings.HasSuffix(traceLine(n), now)
}
