package redact

import (
	"strings"

	"tandem/edits"
)

// blocks are the triggers of private keys in armour. Each line's secret has a
// placeholder of its own, so that line numbers do not change.
func blocks() []trigger {
	return []trigger{
		{literal: "-----BEGIN ", spans: armourBelow},
		{literal: "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY", spans: armourBelow},
		{literal: "-----END ", spans: armourAbove},
		{literal: "PuTTY-User-Key-File-", spans: armourBelow},
	}
}

const (
	armourMax  = 32 << 10 // bytes of a key in armour
	armourLine = 16       // characters of a line that is secret
	armourTail = 4        // characters of the last line
)

// armourBelow redacts what follows the head of a private key, up to its foot
// or as far as it looks like one.
func armourBelow(text string, at int) []edits.Span {
	head := text[at:min(at+80, len(text))]
	if line := strings.IndexByte(head, '\n'); line >= 0 {
		head = head[:line]
	}
	private := strings.Index(head, "PRIVATE KEY")
	if private < 0 {
		if private = strings.Index(head, "PuTTY"); private < 0 {
			return nil
		}
	}
	from := at + private + len("PRIVATE KEY")
	body := text[from:min(from+armourMax, len(text))]
	closed := strings.Index(body, "-----END")
	if closed >= 0 {
		return runs(text, from, from+closed, armourTail)
	}
	return runs(text, from, from+armoured(body), armourLine)
}

// armourAbove redacts what precedes the foot of a private key whose head is
// not in the text.
func armourAbove(text string, at int) []edits.Span {
	if !strings.Contains(text[at:min(at+60, len(text))], "PRIVATE KEY") {
		return nil
	}
	start := at
	for start > 0 && at-start < armourMax {
		line := strings.LastIndexByte(text[:start-1], '\n') + 1
		if longestRun(text[line:start]) < armourTail || strings.Contains(text[line:start], "-----BEGIN") {
			break
		}
		start = line
	}
	return runs(text, start, at, armourTail)
}

// armoured is how much of body, from its start, consists of lines of a key.
func armoured(body string) int {
	at, first := 0, true
	for line := range strings.Lines(body) {
		if !first && strings.TrimSpace(line) != "" && longestRun(line) < armourLine && !strings.Contains(line, ": ") {
			break
		}
		first = false
		at += len(line)
	}
	return at
}

// runs returns the runs of at least least base64 characters between two places.
func runs(text string, from, to, least int) []edits.Span {
	var out []edits.Span
	for at := from; at < to; {
		n := min(base64s.run(text, at), to-at)
		if escape := at > 0 && text[at-1] == '\\' && n > 0 && strings.IndexByte("nrt", text[at]) >= 0; escape {
			at, n = at+1, n-1 // the letter of an escape, not of the key
		}
		if n >= least {
			out = append(out, edits.Span{Start: at, End: at + n})
		}
		at += max(n, 1)
	}
	return out
}

func longestRun(line string) int {
	longest := 0
	for at := 0; at < len(line); {
		n := base64s.run(line, at)
		longest = max(longest, n)
		at += max(n, 1)
	}
	return longest
}
