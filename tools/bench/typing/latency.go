package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tandem/tools/bench/figures"
	"tandem/tools/client"
)

// The rows: how fast keys come, and how late the model's first token.
var (
	keyGaps     = []time.Duration{60 * time.Millisecond, 125 * time.Millisecond, 200 * time.Millisecond}
	firstTokens = []time.Duration{0, 100 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond}
	barsP50     = map[time.Duration]time.Duration{60 * time.Millisecond: 100 * time.Millisecond, 125 * time.Millisecond: 130 * time.Millisecond, 200 * time.Millisecond: 160 * time.Millisecond}
)

const (
	burstSilence = 3 * time.Second // text that is not there by then does not come
	pauseBetween = 300 * time.Millisecond

	aboveLine = "package main\n\nfunc compute(alpha, beta int) int { return alpha + beta }\n\nfunc main() {\n\talpha, beta := 1, 2\n"
	belowLine = "\n\tprintln(alpha, beta)\n}\n"
	// What the model answers: a whole first line, and further ones.
	modelAnswer = "e(alpha, beta)\\n\\tprintln(compute(beta, alpha))\\n"
)

// A row is the result of one way of typing.
type row struct {
	gap, first time.Duration
	knows      bool
	took       []time.Duration // beyond the model's first token; of the bursts that got text
	bursts     int
	replaced   int // texts on screen that were replaced by other text
	shown      int
}

// latency measures the time from the last key to text, beyond the model.
func (b *bench) latency() (bool, error) {
	var rows []*row
	for _, knows := range []bool{false, true} {
		for _, gap := range keyGaps {
			for _, first := range firstTokens {
				rows = append(rows, &row{gap: gap, first: first, knows: knows})
			}
		}
	}
	var work sync.WaitGroup
	errs := make(chan error, len(rows)*b.parallel)
	var mu sync.Mutex // guards the rows' figures
	for _, r := range rows {
		for part := range b.parallel {
			n := b.bursts / b.parallel
			if part == 0 {
				n += b.bursts % b.parallel
			}
			work.Go(func() {
				if err := b.burstsOf(r, n, &mu); err != nil {
					errs <- err
				}
			})
			time.Sleep(50 * time.Millisecond) // so that starts and keys of the rows do not fall together
		}
	}
	work.Wait()
	select {
	case err := <-errs:
		return false, err
	default:
	}
	return printRows(rows), nil
}

func printRows(rows []*row) bool {
	held := true
	shown, replaced := 0, 0
	fmt.Printf("%d keys at a steady gap, then silence; ms from the last key to text, less the model's time to its first token\n\n", len(typedBurst(0)))
	fmt.Printf("%-22s %5s %6s %6s %6s %7s %6s\n", "client", "keys", "model", "p50", "p95", "text", "")
	for _, r := range rows {
		name, p50, p95 := "plain LSP 3.18", time.Hour, time.Hour
		if r.knows {
			name = "with inlineReady"
		}
		if len(r.took) > 0 {
			p50, p95 = figures.Percentile(r.took, 50), figures.Percentile(r.took, 95)
		}
		bar := barsP50[r.gap]
		ok := p50 <= bar && p95 <= bar*3/2 && len(r.took) == r.bursts
		held = held && ok
		shown, replaced = shown+r.shown, replaced+r.replaced
		fmt.Printf("%-22s %5d %6d %6.0f %6.0f %6.1f%% %6s   (bar %d, %d, 100%%)\n", name, r.gap.Milliseconds(), r.first.Milliseconds(),
			milliseconds(p50), milliseconds(p95), 100*float64(len(r.took))/float64(r.bursts), figures.Verdict(ok), bar.Milliseconds(), (bar * 3 / 2).Milliseconds())
	}
	share := 100 * float64(replaced) / float64(max(shown, 1))
	ok := share <= 3
	fmt.Printf("\nvisible text replaced by other text: %d of %d, %.1f %% (bar 3 %%) %s\n", replaced, shown, share, figures.Verdict(ok))
	return held && ok
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// typedBurst is what is typed in a burst: fifteen characters.
func typedBurst(n int) string { return fmt.Sprintf("\tx%03d := comput", n%1000) }

// burstsOf types the bursts of a row on a server of its own.
func (b *bench) burstsOf(r *row, bursts int, mu *sync.Mutex) error {
	folder, err := os.MkdirTemp("", "tandem-workspace")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "main.go")
	if err := os.WriteFile(path, []byte(aboveLine+belowLine), 0o600); err != nil {
		return err
	}
	script := filepath.Join(folder, "script.toml")
	rules := fmt.Sprintf("[[rule]]\nanswer = \"%s\"\ndelay_ms = %d\n", modelAnswer, r.first.Milliseconds())
	if err := os.WriteFile(script, []byte(rules), 0o600); err != nil {
		return err
	}
	address, stop, err := client.StartScripted(b.scripted, "--script", script)
	if err != nil {
		return err
	}
	defer stop()
	t := &typist{uri: client.URI(path), text: aboveLine, below: belowLine, ready: make(chan struct{}, 64)}
	if t.editor, err = startEditor(b.tandem, configure(address, prices["groq"]), folder, r.knows, t.notified); err != nil {
		return err
	}
	defer t.editor.close()
	if err := t.open(); err != nil {
		return err
	}
	time.Sleep(2 * time.Second) // the index and the connection
	for n := range bursts {
		took, text, err := t.burst(typedBurst(n), r.gap)
		if err != nil {
			return err
		}
		mu.Lock()
		r.bursts++
		if text {
			r.took = append(r.took, took-r.first)
		}
		mu.Unlock()
		if err := t.clear(); err != nil {
			return err
		}
		time.Sleep(pauseBetween)
	}
	mu.Lock()
	r.shown, r.replaced = r.shown+t.shown, r.replaced+t.replaced
	mu.Unlock()
	return nil
}

// A typist types into one document, as a client that asks after each key.
type typist struct {
	*editor
	uri         string
	text, below string // before and after the cursor
	version     int
	ready       chan struct{}
	screen      string // the text that is shown at the cursor
	shown       int
	replaced    int
	pending     int64 // number of the request that is not answered, 0 for none
}

func (t *typist) notified(method string, _ json.RawMessage) any {
	if method == "tandem/inlineReady" {
		select {
		case t.ready <- struct{}{}:
		default:
		}
	}
	return nil
}

func (t *typist) open() error {
	t.version = 1
	return t.Open(t.uri, "go", 1, t.text+t.below)
}

// press types a text and asks for what follows, as editors do; the request before is
// cancelled.
func (t *typist) press(text string) (<-chan client.Reply, error) {
	at := client.End(t.text)
	t.text += text
	t.version++
	rest, ok := strings.CutPrefix(t.screen, text)
	if t.screen = rest; !ok {
		t.screen = ""
	}
	if t.pending != 0 {
		if err := t.Notify("$/cancelRequest", client.Object{"id": t.pending}); err != nil {
			return nil, err
		}
	}
	if err := t.Replace(t.uri, t.version, client.Range{Start: at, End: at}, text); err != nil {
		return nil, err
	}
	return t.ask()
}

func (t *typist) ask() (back <-chan client.Reply, err error) {
	t.pending, back, err = t.Request(client.AskInline(t.uri, client.End(t.text), client.Automatic))
	return back, err
}

// show puts an answer on the screen and reports whether there is text.
func (t *typist) show(result json.RawMessage) bool {
	list, err := client.Suggestions(result)
	if err != nil || len(list) == 0 {
		return false
	}
	text := list[0].InsertText
	if text != "" && text != t.screen {
		t.shown++
		if t.screen != "" && !strings.HasPrefix(text, t.screen) {
			t.replaced++
		}
	}
	if text != "" {
		t.screen = text
	}
	return text != ""
}

// wait reads answers until the time is over, or there is text and only text is awaited.
func (t *typist) wait(back <-chan client.Reply, until time.Time, onlyText bool) (at time.Time, text bool, err error) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return at, text, nil
		case m := <-back:
			if t.pending = 0; t.show(m.Result) {
				if at, text = m.At, true; onlyText {
					return at, true, nil
				}
			}
			back = nil
		case <-t.ready:
			if back == nil {
				if back, err = t.ask(); err != nil {
					return at, text, err
				}
			}
		}
	}
}

// burst types a text at a steady gap and returns how long after its last key there was
// text.
func (t *typist) burst(text string, gap time.Duration) (time.Duration, bool, error) {
	for len(t.ready) > 0 {
		<-t.ready
	}
	next := time.Now()
	var back <-chan client.Reply
	var err error
	for i := range len(text) {
		if back, err = t.press(text[i : i+1]); err != nil {
			return 0, false, err
		}
		if i == len(text)-1 {
			break
		}
		next = next.Add(gap)
		if _, _, err := t.wait(back, next, false); err != nil {
			return 0, false, err
		}
	}
	key := time.Now()
	at, shown, err := t.wait(back, key.Add(burstSilence), true)
	return at.Sub(key), shown, err
}

// clear removes the typed line.
func (t *typist) clear() error {
	end := client.End(t.text)
	t.text, t.screen = aboveLine, ""
	t.version++
	return t.Replace(t.uri, t.version, client.Range{Start: client.End(t.text), End: end}, "")
}
