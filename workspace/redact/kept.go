package redact

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
)

// A Reference is a place of a file that holds a secret: what is stored in place of its text.
type Reference struct {
	Path  string `json:"path"`
	Hash  string `json:"hash"` // of the whole file
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// maxReferences bounds the places that are stored of one secret.
const maxReferences = 8

// A secret is what a placeholder stands for.
type secret struct {
	text string
	lost bool // none of its places has it any more: its placeholder stays in what is restored
	at   []Reference
}

// found adds a place to those of a secret.
func (s *secret) found(r Reference) {
	if len(s.at) < maxReferences && !slices.Contains(s.at, r) {
		s.at = append(s.at, r)
	}
}

// References returns the places of each secret that has a placeholder, in the order of their
// numbers. A secret that is in no file, such as one in the user's words, has none.
func (r *Redactor) References() [][]Reference {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([][]Reference, len(r.secrets))
	for i, s := range r.secrets {
		out[i] = slices.Clone(s.at)
	}
	return out
}

// Resumed returns the redactor of a stored conversation, with what References returned. read
// returns a file as it is now. The placeholder of a secret whose files have all changed stays a
// placeholder.
func Resumed(stored [][]Reference, read func(path string) (text string, ok bool)) *Redactor {
	r := &Redactor{numbers: map[string]int{}}
	texts := map[Reference]string{} // by path and hash; "" if the file is another one now
	for n, places := range stored {
		one := &secret{lost: true, at: places}
		for _, at := range places {
			file := Reference{Path: at.Path, Hash: at.Hash}
			text, seen := texts[file]
			if !seen {
				if now, ok := read(at.Path); ok && hashOf(now) == at.Hash {
					text = now
				}
				texts[file] = text
			}
			if one.lost && 0 <= at.Start && at.Start < at.End && at.End <= len(text) {
				one.text, one.lost = strings.Clone(text[at.Start:at.End]), false
				r.numbers[one.text] = n + 1
			}
		}
		r.secrets = append(r.secrets, one)
	}
	return r
}

func hashOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// Seal returns a whole file as it may be stored: without its secrets and those that the
// conversation has hidden before. Restore undoes it while a file holds them.
func (r *Redactor) Seal(path, text string) string {
	return r.hide(FileSource(path, text), edits.Span{End: len(text)}, joined(append(Find(text), r.known(text)...))).text
}

// gone is in the place of a secret that is not stored at all. No redactor gives its number.
const gone = opening + "0" + closing

// Kept returns a text as it may be stored: a mark is in the place of each secret.
func Kept(text string) string {
	found := Find(text)
	if len(found) == 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for _, sp := range found {
		if marks := Placeholders(text[sp.Start:sp.End]); len(marks) == 1 && marks[0].Len() == sp.Len() {
			continue
		}
		out.WriteString(text[at:sp.Start])
		out.WriteString(strings.Join(slices.Repeat([]string{gone}, 1+strings.Count(text[sp.Start:sp.End], "\n")), "\n"))
		at = sp.End
	}
	out.WriteString(text[at:])
	return out.String()
}

// Masked returns a text of the same length with an x in place of each letter and digit of a
// secret, so that its lines, words and offsets stay.
func Masked(text string) string {
	found := Find(text)
	if len(found) == 0 {
		return text
	}
	out := []byte(text)
	for _, sp := range found {
		for i := sp.Start; i < sp.End; i++ {
			if alnum[out[i]] {
				out[i] = 'x'
			}
		}
	}
	return string(out)
}

// Completed returns a text that Kept made, with the secrets that the file has now in the lines
// that are otherwise equal. A line that differs keeps its mark.
func Completed(kept, now string) string {
	if !strings.Contains(kept, gone) {
		return kept
	}
	was, raw, is := slices.Collect(strings.Lines(kept)), slices.Collect(strings.Lines(now)), slices.Collect(strings.Lines(Kept(now)))
	if len(raw) != len(is) {
		return kept
	}
	var out strings.Builder
	at, from := 0, 0
	equal := func(to int) {
		for ; from < to; from, at = from+1, at+1 {
			out.WriteString(raw[at])
		}
	}
	for _, d := range edits.DiffLines(was, is) {
		equal(d.Start)
		for _, line := range was[d.Start:d.End] {
			out.WriteString(line)
		}
		from, at = d.End, d.NewEnd
	}
	equal(len(was))
	return out.String()
}

// Marks returns how many marks of Kept a text has: with more than before, it must not be
// written to a file.
func Marks(text string) int { return strings.Count(text, gone) }

// Lost returns how many marks of Kept, and placeholders whose secret is lost, a text has.
func (r *Redactor) Lost(text string) int {
	lost := Marks(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, sp := range Placeholders(text) {
		if n := r.number(text[sp.Start:sp.End]); n > 0 && r.secrets[n-1].lost {
			lost++
		}
	}
	return lost
}
