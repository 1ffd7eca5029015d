package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

const (
	flowGap  = 300 * time.Millisecond // 40 words a minute
	flowKeys = 240                    // of a place's run, at most
)

// A flowed place is what was shown while a run was typed without a rest.
type flowed struct {
	Client string        `json:"client"`
	Model  string        `json:"model"`
	Place  string        `json:"place"`
	Keys   int           `json:"keys"` // pressed: what was typed, and one for each suggestion that was accepted
	Typed  int           `json:"typed"`
	Lines  int           `json:"lines"`
	Saved  int           `json:"saved"` // characters that needed no key
	Shown  []flowedGhost `json:"shown"`
}

// A flowedGhost is a suggestion that a person could have read before the next key.
type flowedGhost struct {
	Text  string `json:"text"`
	Model bool   `json:"model"` // it is the model's
	Right bool   `json:"right"` // the commit goes on so, to the end of a line
}

func (r *rig) flowLog() string { return filepath.Join(r.state, "flow.jsonl") }

// flow types runs of real commits at 40 words a minute without a rest, with the model and
// without, and judges what is shown by the commit. What is right is accepted.
func (r *rig) flow(ctx context.Context) error {
	same := func(f flowed, s *server, p *drawn, name string) bool {
		return f.Client == name && f.Model == s.model && f.Place == p.id()
	}
	return atEach(ctx, r, r.flowLog(), []string{"with the model", "without"}, same, r.flowAt)
}

func (f flowed) String() string {
	return fmt.Sprintf("%d keys, %d shown, %.0f %% saved", f.Keys, len(f.Shown), 100*float64(f.Saved)/float64(max(f.Typed, 1)))
}

// flowAt types at one place.
func (r *rig) flowAt(ctx context.Context, s *server, p *drawn, name string) (flowed, error) {
	out := flowed{Client: name, Model: s.model, Place: p.id()}
	dir, err := p.checkOut(ctx, r)
	if err != nil {
		return out, err
	}
	between, err := startProxy(s.address)
	if err != nil {
		return out, err
	}
	defer between.close()
	address := between.listener.URL
	if name == "without" {
		address = ""
	}
	before, after := p.around()
	e, err := startEditor(r.tandem, address, dir, p.place.Path, before, after)
	if err != nil {
		return out, err
	}
	defer e.close()
	time.Sleep(openTime)
	run := strings.TrimLeft(p.place.Run, " \t")
	on := "" // what the text would be with the suggestion on the screen
	for at := 0; at < len(run) && out.Keys < flowKeys; {
		k := keyAt(run, at)
		at += len(k)
		out.Keys, out.Typed = out.Keys+1, out.Typed+len(k)
		if strings.Contains(k, "\n") {
			out.Lines++
		}
		if err := e.key(before+run[:at], k); err != nil {
			return out, err
		}
		time.Sleep(flowGap)
		list := e.shown()
		if len(list) == 0 {
			on = ""
			continue
		}
		text := list[len(list)-1].text // an earlier one was not there when the next key was pressed
		made := run[:at] + text
		if made == on {
			continue
		}
		on = made
		rest, right := strings.CutPrefix(run[at:]+"\n", text)
		right = right && strings.HasPrefix(rest, "\n")
		out.Shown = append(out.Shown, flowedGhost{Text: text, Model: between.wrote(strings.TrimSpace(firstLine(text))), Right: right})
		if right {
			out.Keys, out.Typed, out.Saved = out.Keys+1, out.Typed+len(text), out.Saved+len(text)-1
			out.Lines += strings.Count(text, "\n")
			at += len(text)
			if err := e.key(before+run[:at], text); err != nil {
				return out, err
			}
			time.Sleep(flowGap)
			on = ""
		}
	}
	return out, nil
}

func (r *rig) flowTable(b *strings.Builder) error {
	heading := "\n### Typing without a rest\n\nA key every 300 ms (40 words a minute), no rest; what a person could read before the next key. Right: the commit goes on so, to the end of a line; it is accepted then.\n\n" +
		"| client | model | places | lines | keys | shown | right | wrong an hour | the model's | of them right | characters saved |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
	name := func(f flowed) string { return f.Client + " | " + f.Model }
	return table(b, r.flowLog(), heading, name, func(places []flowed) string {
		var sum flowed
		var right, models []float64
		for _, f := range places {
			sum.Keys, sum.Typed, sum.Lines, sum.Saved = sum.Keys+f.Keys, sum.Typed+f.Typed, sum.Lines+f.Lines, sum.Saved+f.Saved
			for _, g := range f.Shown {
				right = append(right, one(g.Right))
				if g.Model {
					models = append(models, one(g.Right))
				}
			}
		}
		wrong := float64(len(right)) * (1 - mean(right))
		anHour := wrong / (float64(sum.Keys) * flowGap.Hours())
		return fmt.Sprintf("%d | %d | %d | %d | %s | %.0f | %d | %s | %.1f %%", len(places), sum.Lines, sum.Keys, len(right), of(right), anHour, len(models), of(models), 100*float64(sum.Saved)/float64(max(sum.Typed, 1)))
	})
}
