package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/tools/bench/clones"
)

const (
	keyGap      = 200 * time.Millisecond
	restTime    = 6 * time.Second
	openTime    = 6 * time.Second // a file is read before it is changed
	typedKeys   = 48
	keysBetween = 16 // rests
	fewestLeft  = 4  // characters of a line at which it is worth to rest
)

// typingLanguages are those that places are typed in.
var typingLanguages = []string{"go", "python", "script"}

// A typed place is what one client got at one place.
type typedPlace struct {
	Client   string `json:"client"`
	Model    string `json:"model"`
	Slots    int    `json:"slots"`
	Place    string `json:"place"`
	Language string `json:"language"`
	Keys     int    `json:"keys"`
	Rests    []rest `json:"rests"`
	Requests int    `json:"requests"`
	Finished int    `json:"finished"`
	Prompt   int    `json:"prompt_tokens"`
	Largest  int    `json:"largest"` // prompt, with what the server had of it
	Tokens   int    `json:"tokens"`  // written by the model
	Shown    int    `json:"shown"`   // of them on the screen
}

// A rest is what came while nothing was typed. Times are milliseconds after the key, -1 for
// what never came.
type rest struct {
	Any   int    `json:"any_ms"`
	Model int    `json:"model_ms"`
	Right int    `json:"right_ms"` // until the rest of the line was on the screen as the commit has it
	Text  string `json:"text"`     // of the model, the last one shown
	Want  string `json:"want"`     // what the commit has in the rest of the line
	Why   string `json:"why"`      // nothing of the model came, as the client says
}

// An assistant is what types along: it is told each key, and shows text.
type assistant interface {
	// key is called after a key: the text before the cursor, and what was typed at its end.
	key(before, typed string) error
	// shown are the texts on the screen since the last key, in order.
	shown() []shownText
	// reason is what the client says of its last suggestion.
	reason() string
	close()
}

type shownText struct {
	text string
	at   time.Time
}

// typing types lines of real commits' code with rests, beside tandem and beside a plain
// client of the same server, and keeps what each got.
func (r *rig) typing(ctx context.Context) error {
	places, err := r.draw(ctx, typingLanguages, r.places)
	if err != nil {
		return err
	}
	s, log, end, err := startLogged[typedPlace](ctx, r, r.typingLog())
	if err != nil {
		return err
	}
	defer end()
	for i, p := range places {
		for _, name := range []string{"tandem", "plain"} {
			if r.over() {
				return nil
			}
			if !r.asks(name) || slices.ContainsFunc(log.All, func(t typedPlace) bool {
				return t.Client == name && t.Model == s.model && t.Slots == s.slots && t.Place == p.id()
			}) {
				continue
			}
			got, err := r.typeAt(ctx, s, p, name)
			if err != nil {
				return fmt.Errorf("%s at %s: %w", name, p.id(), err)
			}
			fmt.Printf("%d of %d, %s: %d requests, %d finished, %v, %s\n", i+1, len(places), name, got.Requests, got.Finished, got.Rests, p.id())
			if err := log.Add(got); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *rig) typingLog() string { return filepath.Join(r.state, "typing.jsonl") }

// typeAt types at one place.
func (r *rig) typeAt(ctx context.Context, s *server, p *drawn, name string) (typedPlace, error) {
	out := typedPlace{Client: name, Model: s.model, Slots: s.slots, Place: p.id(), Language: p.place.Family()}
	dir, err := p.checkOut(ctx, r)
	if err != nil {
		return out, err
	}
	between, err := startProxy(s.address)
	if err != nil {
		return out, err
	}
	defer between.close()
	before, after := p.around()
	var a assistant
	if name == "tandem" {
		a, err = startEditor(r.tandem, between.listener.URL, dir, p.place.Path, before, after)
	} else {
		a, err = startPlain(ctx, &server{address: between.listener.URL}, before, after)
	}
	if err != nil {
		return out, err
	}
	defer a.close()
	if err := out.typeRun(a, p, before, between.wrote); err != nil {
		return out, err
	}
	a.close()
	for _, one := range between.take() {
		out.Requests++
		out.Prompt, out.Tokens, out.Largest = out.Prompt+one.Prompt, out.Tokens+one.Tokens, max(out.Largest, one.Whole)
		if one.Finished {
			out.Finished++
		}
	}
	for _, one := range out.Rests {
		out.Shown += clones.Count(one.Text)
	}
	return out, nil
}

// typeRun types the run of a place, key by key, and notes what is shown in the rests.
func (t *typedPlace) typeRun(a assistant, p *drawn, before string, wrote func(string) bool) error {
	time.Sleep(openTime)
	next := time.Now()
	for _, k := range keysOf(strings.TrimLeft(p.place.Run, " \t")) {
		time.Sleep(time.Until(next))
		if err := a.key(before+k.typed, k.key); err != nil {
			return err
		}
		next = time.Now().Add(keyGap)
		if t.Keys++; !k.rest {
			continue
		}
		pressed := time.Now()
		time.Sleep(restTime)
		next = time.Now()
		got := restOf(a.shown(), pressed, k.left, wrote)
		if got.Model < 0 {
			got.Why = a.reason()
		}
		t.Rests = append(t.Rests, got)
	}
	return nil
}

// restOf judges what was shown in a rest.
func restOf(shown []shownText, pressed time.Time, left string, wrote func(string) bool) rest {
	out := rest{Any: -1, Model: -1, Right: -1, Want: left}
	for _, one := range shown {
		text := strings.TrimSpace(firstLine(strings.TrimLeft(one.text, " \t\n")))
		if text == "" {
			continue
		}
		after := int(one.at.Sub(pressed).Milliseconds())
		if out.Any < 0 {
			out.Any = after
		}
		if out.Right < 0 && text == strings.TrimSpace(left) {
			out.Right = after
		}
		if wrote(text) {
			if out.Text = one.text; out.Model < 0 {
				out.Model = after
			}
		}
	}
	return out
}

// A keyed is a key, what has been typed with it, and what is left of the line then.
type keyed struct {
	key, typed, left string
	rest             bool
}

// keysOf are the keys by which a text is typed, with rests in between where something is
// left of the line. An editor indents by itself, so that a new line is one key.
func keysOf(text string) []keyed {
	var out []keyed
	rested := 0
	for at := 0; at < len(text) && len(out) < typedKeys; {
		end := at + len(keyAt(text, at))
		k := keyed{key: text[at:end], typed: text[:end], left: firstLine(text[end:])}
		if len(out)+1-rested >= keysBetween && len(strings.TrimSpace(k.left)) >= fewestLeft {
			k.rest, rested = true, len(out)+1
		}
		out = append(out, k)
		at = end
	}
	return out
}

// keyAt is what one key types: a character, or a new line with its indentation.
func keyAt(text string, at int) string {
	end := at + 1
	if text[at] == '\n' {
		for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
			end++
		}
	} else {
		for end < len(text) && text[end]&0xC0 == 0x80 { // the rest of a character
			end++
		}
	}
	return text[at:end]
}
