package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tandem/model/local/source"
	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
)

// keysAnHour is typing at 40 words a minute.
const keysAnHour = 40 * 5 * 60

// A ghostTally counts ghost text while commits are typed key by key.
type ghostTally struct {
	keys        int // pressed: what is typed, and one for each suggestion that is accepted
	typed       int // characters of what is written
	lines, with int // lines, and those at which something is shown
	shown       int
	right       int // accepted when shown
	saved       int // characters that need no key
}

func (t *ghostTally) add(o ghostTally) {
	t.keys, t.typed, t.lines, t.with = t.keys+o.keys, t.typed+o.typed, t.lines+o.lines, t.with+o.with
	t.shown, t.right, t.saved = t.shown+o.shown, t.right+o.right, t.saved+o.saved
}

func (t *ghostTally) wrongAnHour() float64 {
	return float64(t.shown-t.right) * keysAnHour / float64(max(t.keys, 1))
}

// replayGhosts types commits of repositories key by key into a running tandem without a
// model, and judges by the commit what it shows after each key. What is right is accepted.
func replayGhosts(list []*clones.Clone, bin string, commits int, verbose bool) ([]figures.Row, error) {
	var all ghostTally
	for _, c := range list {
		var t ghostTally
		err := eachTyped(c, commits, func(commit string, steps []step, before, after map[string]string) error {
			e, end, err := editorAt(c, bin, commit+"^")
			if err != nil {
				return err
			}
			defer end()
			for _, s := range steps {
				if err := e.Open(s.Path, before[s.Path]); err != nil {
					return err
				}
				k := &keyboard{ghostTally: &t, change: func(text string) error { return e.Change(s.Path, text) },
					ask: func(at int) (*client.Suggestion, error) { return e.ghost(s.Path, at) }, accepted: e.accepted}
				if verbose {
					k.report = func(verdict, line, shown string) {
						fmt.Printf("  %-5s %s %s %q + %q\n", verdict, commit[:9], s.Path, line, shown)
					}
				}
				if err := k.hunk(s, e.Text(s.Path)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		fmt.Printf("%-12s %6d keys, shown at %d of %d lines: right %d of %d, %.1f wrong an hour, %.1f %% saved\n", c.Name, t.keys, t.with, t.lines, t.right, t.shown, t.wrongAnHour(), figures.Percent(t.saved, t.typed))
		all.add(t)
	}
	note := fmt.Sprintf("%d of %d, at %d of %d lines, %d keys", all.right, all.shown, all.with, all.lines, all.keys)
	return []figures.Row{
		{What: "typed commits: ghost text right", Value: figures.Percent(all.right, all.shown), Bar: 70, Note: note},
		{What: "typed commits: wrong an hour at 40 words a minute", Value: all.wrongAnHour(), Bar: 23, Most: true, Unit: "/h"},
		{What: "typed commits: characters saved", Value: figures.Percent(all.saved, all.typed), Bar: 10},
	}, nil
}

// ghost is what an editor shows at the cursor without being asked; nil for nothing.
func (e *editor) ghost(path string, at int) (*client.Suggestion, error) {
	_, back, err := e.AskInline(path, at, client.Automatic)
	if err != nil {
		return nil, err
	}
	reply, ok := <-back
	if !ok {
		return nil, client.ErrEnded
	}
	if reply.Err != nil {
		return nil, reply.Err
	}
	return e.Suggested(path, reply.Result)
}

// accepted reports a suggestion that is in the text now.
func (e *editor) accepted(s *client.Suggestion) error {
	_, err := e.Call("workspace/executeCommand", client.Object{"command": "github.copilot.didAcceptCompletionItem", "arguments": s.Arguments})
	return err
}

// A keyboard types hunks key by key, in an editor that closes brackets and quotes as they are typed and
// indents after Enter.
type keyboard struct {
	*ghostTally
	change   func(text string) error
	ask      func(at int) (*client.Suggestion, error)
	accepted func(*client.Suggestion) error
	report   func(verdict, line, shown string) // nil: nothing is printed

	closers string // behind the cursor, by the editor
}

// press types up to the next key's end in a final text, and returns where that is.
func (k *keyboard) press(final string, at, end int, tail string) int {
	if n := 1 + strings.IndexFunc(k.closers, func(c rune) bool { return c > ' ' }); n > 1 && n <= end-at && strings.HasPrefix(final[at:], k.closers[:n]) {
		k.keys, k.typed, k.closers = k.keys+1, k.typed+2, k.closers[n:] // to the bracket that Enter has moved to a line of its own
		return at + n
	}
	_, size := utf8.DecodeRuneInString(final[at:])
	next, c := at+size, final[at]
	opener := strings.IndexByte("([{\"'`", c)
	switch {
	case c == '\n':
		k.lines++
		if indent := next + indentation(final[next:end]); indent < end && final[indent] != '\n' {
			next = indent
		}
		if at > 0 && k.closers != "" && strings.IndexByte("([{", final[at-1]) >= 0 {
			line := lineAt(final, at)
			k.closers = "\n" + line[:indentation(line)] + k.closers
		}
		k.closers = strings.Trim(k.closers, "\"'`") // of quotes that were none
	case k.closers != "" && k.closers[0] == c:
		k.closers = k.closers[1:]
	case opener < 0 || strings.IndexByte(" \t\r\n)]},;:", (k.closers + tail + "\n")[0]) < 0: // before what is there, nothing is closed
	case opener < 3 || at == 0 || !source.IsWordByte(final[at-1]) && final[at-1] != c:
		k.closers = ")]}\"'`"[opener:opener+1] + k.closers
	}
	k.keys, k.typed = k.keys+1, k.typed+next-at
	return next
}

// hunk removes what a hunk removes and types what it adds.
func (k *keyboard) hunk(s step, text string) error {
	if !s.Edit.Valid(len(text)) {
		return nil
	}
	head, added, tail, removes := s.typed(text)
	if removes {
		if err := k.change(head + tail); err != nil {
			return err
		}
	}
	final := head + added + tail
	end := len(head) + len(added)
	if added != "" && added[0] != '\n' {
		k.lines++
	}
	on, line := "", -1 // what the line on screen would be, and the last line that something was shown at
	for at := len(head); at < end; {
		at = k.press(final, at, end, tail)
		behind := k.closers + tail
		if err := k.change(final[:at] + behind); err != nil {
			return err
		}
		shown, err := k.ask(at)
		if err != nil {
			return err
		}
		if shown == nil {
			on = ""
			continue
		}
		made := final[:shown.Start] + shown.Text
		same := made == on
		if on = made; same {
			continue
		}
		k.shown++
		if from := strings.LastIndexByte(final[:at], '\n'); from != line {
			line, k.with = from, k.with+1
		}
		verdict := "wrong"
		taken := min(max(shown.End-at, 0), len(behind))
		if left := k.closers[min(taken, len(k.closers)):]; writes(made, left, behind[taken:], final) {
			verdict, k.closers = "right", left
			to := min(len(made), end)
			k.right, k.keys, k.typed, k.saved = k.right+1, k.keys+1, k.typed+to-at, k.saved+to-at-1
			k.lines += strings.Count(final[at:to], "\n")
			if err := k.change(final[:to] + k.closers + tail); err != nil {
				return err
			}
			if err := k.accepted(shown); err != nil {
				return err
			}
			on, at = "", to
		}
		if k.report != nil {
			k.report(verdict, strings.TrimSpace(lineAt(final, shown.Start)), shown.Text)
		}
	}
	if k.closers == "" {
		return nil
	}
	k.closers = ""
	return k.change(final[:end] + tail)
}

// writes reports whether a text up to the end of a suggestion is what is being written: to the end of the
// line, with what is behind it, or up to what closes the innermost bracket or string, which is there.
func writes(made, closers, behind, final string) bool {
	rest, ok := strings.CutPrefix(final, made)
	line := func(s string) string {
		s, _, _ = strings.Cut(s, "\n")
		return strings.TrimRight(s, "\r")
	}
	return ok && (line(rest) == line(behind) || closers != "" && strings.HasPrefix(rest, closers[:1]))
}

func indentation(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
