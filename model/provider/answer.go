package provider

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// An answer is what of one request's answer has reached the caller, over all attempts.
type answer struct {
	client *client
	req    *model.Request
	yield  func(model.Delta, error) bool
	stops  *stopper
	marks  *dialect.Marks // of thoughts in the text; nil where there are none

	single         bool // a request for several answers was refused: one is asked for
	delivered      bool // text reached the caller
	thought        bool // thoughts reached the caller
	textBytes      int
	refusal        []byte
	served         string  // model named by a header, until the first event
	servedReported bool    // the caller has received the served model's name
	stopped        bool    // the caller has stopped ranging, or a stop string came
	ended          bool    // Final was delivered
	logProb        float64 // of tokens whose text is not delivered yet
	timing         timing
}

// fail ends the stream with an error.
func (a *answer) fail(f *dialect.Failure) {
	if said := a.said(nil, nil, true); !a.stopped {
		text, _ := a.stops.filter(said, true)
		a.emitText(0, text)
	}
	if f.Delivered = a.delivered; !a.delivered {
		f.Word = "" // nothing has ended
	}
	a.yield(model.Delta{}, f.Error)
}

// deliver passes a batch to the caller. done is true when no more is needed.
func (a *answer) deliver(b *dialect.Batch, ec dialect.ErrorContext) (done bool, f *dialect.Failure) {
	defer b.Reset()
	if b.Limits != nil {
		b.Limits.Model = a.client.model.Name
		a.client.options.Observe.Limits(*b.Limits)
	}
	if b.Speed != nil {
		a.timing.reported = *b.Speed
	}
	a.refusal = append(a.refusal, b.Refusal...)
	a.logProb += b.LogProb
	final := b.Final
	if len(b.Text) > 0 && a.timing.first.IsZero() {
		a.timing.text() // it may be held
	}
	text, stopped := a.stops.filter(a.said(b.Text, b, final != nil), final != nil)
	if !a.reportServed(b.Served) || !a.emitReasoning(b.Reasoning) || !a.emitText(0, text) || !a.emitOthers(b.Others) || !a.emitCalls(b.Calls) {
		return true, nil
	}
	if a.textBytes > a.maxText() {
		return true, ec.Fail(model.CodeProtocol, dialect.KindOther, dialect.ErrTooLarge, "choose another model than %s: it does not stop, and was cut off after %d KiB.", a.client.model.Name, a.textBytes>>10)
	}
	if stopped && final == nil {
		final = &model.Final{End: model.Ended(model.WhyWhole, "stop_sequence")}
	}
	if final == nil {
		return false, nil
	}
	return true, a.finish(final, ec)
}

// said returns what of a text is the answer; what of it is a thought becomes reasoning of b.
func (a *answer) said(text []byte, b *dialect.Batch, last bool) []byte {
	if a.marks == nil {
		return text
	}
	if b != nil && len(b.Reasoning) > 0 {
		a.marks.Habit = dialect.HabitPlain // the server knows thoughts by itself
	}
	said, thought := a.marks.Filter(text, last)
	if b != nil {
		b.Reasoning = append(b.Reasoning, thought...)
	}
	return said
}

// reportServed reports once which model serves the request: the one that a
// header names, if it is not the requested model, else the one that the first
// event names.
func (a *answer) reportServed(served string) bool {
	if a.servedReported || served == "" && a.served == "" {
		return true
	}
	if a.served != "" && (served == "" || !model.SameModel(a.client.model.Model, a.served)) {
		served = a.served
	}
	a.servedReported = true
	served = nameOf(served)
	a.client.learn(model.Server{Loaded: served})
	return a.emit(model.Delta{Served: served})
}

// maxName bounds the name of a model, in characters.
const maxName = 128

// nameOf is a server's name of its model as it is shown and written to the ledger:
// visible characters of one line.
func nameOf(served string) string {
	served = strings.ToValidUTF8(served, "")
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n > maxName || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, served)
}

func (a *answer) emitReasoning(reasoning []byte) bool {
	if len(reasoning) == 0 {
		return true
	}
	a.thought = true
	return a.emit(model.Delta{Reasoning: string(reasoning)})
}

// emitOthers passes on the answers besides the first one.
func (a *answer) emitOthers(texts [][]byte) bool {
	for i, text := range texts {
		if !a.emitText(i+1, text) {
			return false
		}
	}
	return true
}

func (a *answer) emitText(choice int, text []byte) bool {
	if len(text) == 0 {
		return true
	}
	a.timing.text()
	a.delivered = true
	a.textBytes += len(text)
	d := model.Delta{Text: string(text), Choice: choice}
	if choice == 0 {
		d.LogProb, a.logProb = a.logProb, 0
	}
	return a.emit(d)
}

func (a *answer) emitCalls(calls []model.ToolCall) bool {
	for _, call := range calls {
		a.delivered = true
		if !a.emit(model.Delta{Call: &call}) {
			return false
		}
	}
	return true
}

func (a *answer) emit(d model.Delta) bool {
	if !a.yield(d, nil) {
		a.stopped = true
	}
	return !a.stopped
}

// maxText is the most text that an answer may have: far more than the bound on
// the output allows.
func (a *answer) maxText() int {
	n := cmp.Or(a.req.MaxOutputTokens, a.client.model.MostOutput())
	if n == 0 {
		return dialect.MaxStream / 2
	}
	return 64<<10 + 32*n*max(a.req.N, 1)
}

// finish ends a stream normally, or returns why an answer without text is a
// failure.
func (a *answer) finish(final *model.Final, ec dialect.ErrorContext) *dialect.Failure {
	if a.delivered || a.req.Ahead {
		a.ended = true
		if len(a.refusal) > 0 && final.End.Whole() { // it declined in the middle
			final.End = model.Ended(model.WhyRefused, "")
		}
		if a.single && a.client.options.Shared.refuse(a.client.served(), "n") {
			a.client.options.Observe.ParameterRefused(a.client.model.Name, "n")
		}
		a.client.learnHabit(a.marks, final.End)
		a.timing.usage = final.Usage
		final.Speed = a.timing.speed(a.textBytes)
		a.emit(model.Delta{Final: final})
		return nil
	}
	switch {
	case len(a.refusal) > 0:
		return ec.Fail(model.CodeRefused, dialect.KindOther, nil, "ask for it in other words: %s declined (“%s”).", a.client.model.Name, dialect.Printable(string(a.refusal), 200))
	case final.End.Why == model.WhyFilter:
		return ec.Fail(model.CodeRefused, dialect.KindOther, nil, "ask for it in other words: a content filter of %s withheld the answer.", a.client.provider.Name)
	case final.End.Why == model.WhyRefused:
		return ec.Fail(model.CodeRefused, dialect.KindOther, nil, "ask for it in other words: %s declined to answer.", a.client.model.Name)
	case final.End.Why == model.WhyServer:
		return ec.Fail(model.CodeServer, dialect.KindOther, nil, "try again, or choose another model: %s ended its answer with “%s” before it began.", a.client.provider.Name, final.End.Word())
	case final.End.Why == model.WhyContext:
		return ec.Fail(model.CodeContextLength, dialect.KindOther, nil, "ask for less, or choose a model with a larger context_window than %s: its context was full.", a.client.model.Name)
	case final.End.Why == model.WhyLength:
		return ec.Fail(model.CodeEmpty, dialect.KindOther, nil, "choose a model that does not reason, or lower reasoning_effort or raise max_output_tokens in [models.%s]: it spent all its tokens on thinking and did not answer.", a.client.model.Name)
	}
	if a.thought {
		return ec.Fail(model.CodeEmpty, dialect.KindOther, nil, "turn off thinking for %s, or what its server does with thoughts (a reasoning parser): all that came was marked as thoughts, and no answer.", a.client.model.Name)
	}
	return ec.Fail(model.CodeEmpty, dialect.KindOther, nil, "ask again, or in other words: %s answered with nothing.", a.client.model.Name)
}

// A stopper ends an answer at a stop string if the API cannot.
type stopper struct {
	begun opening
	stops [][]byte
	held  []byte // may be the beginning of a stop
}

func newStopper(d *dialect.Dialect, stops []string) *stopper {
	s := &stopper{}
	if d.Stops {
		stops = stops[min(len(stops), dialect.MaxStops):]
	}
	for _, stop := range stops {
		if stop != "" {
			s.stops = append(s.stops, []byte(stop))
		}
	}
	return s
}

// An opening is what an answer repeats of the text before the cursor before it goes on.
type opening struct {
	text string
	read []byte // as far as it may be the text
}

// filter returns what of the next piece of an answer comes after the opening. An answer that does
// not begin with it continues at the cursor, as from a server that was not told to repeat it.
func (o *opening) filter(piece []byte) []byte {
	if o.text == "" {
		return piece
	}
	o.read = append(o.read, piece...)
	rest, found := bytes.CutPrefix(o.read, []byte(o.text))
	if !found && strings.HasPrefix(o.text, string(o.read)) {
		return nil
	}
	o.text, o.read = "", nil
	return rest
}

// filter returns the part of text that may be delivered, and whether a stop
// string was found. It holds back a possible beginning of one, unless last is
// true.
func (s *stopper) filter(text []byte, last bool) ([]byte, bool) {
	text = s.begun.filter(text)
	if len(s.stops) == 0 {
		return text, false
	}
	all := append(s.held, text...)
	cut := -1
	for _, stop := range s.stops {
		if i := bytes.Index(all, stop); i >= 0 && (cut < 0 || i < cut) {
			cut = i
		}
	}
	if cut >= 0 {
		return all[:cut], true
	}
	held := 0
	for _, stop := range s.stops {
		for n := min(len(stop)-1, len(all)); n > held && !last; n-- {
			if bytes.HasSuffix(all, stop[:n]) {
				held = n
			}
		}
	}
	ready := all[:len(all)-held]
	s.held = bytes.Clone(all[len(all)-held:])
	return ready, false
}
