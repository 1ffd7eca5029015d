package next

import (
	"strings"

	"tandem/edits"
	"tandem/workspace"
)

// The reasons why a prediction is not shown though nothing is wrong with it, as
// tandem doctor counts them.
const (
	NoiseUndo       = "undoes your last edit"
	NoiseBlank      = "changes blank lines only"
	NoiseRepeat     = "repeats what stands below"
	NoiseFormatting = "changes formatting only"
	NoiseDeletes    = "takes away or repeats more than your change explains"
)

// noise returns why an edit of a document's text is no help, "" if it may be one.
func noise(text string, e edits.Edit, recent []workspace.RecentEdit, uri string) string {
	old := text[e.Start:e.End]
	switch {
	case strings.TrimSpace(old) == "" && strings.TrimSpace(e.New) == "":
		return NoiseBlank
	case withoutSpace(old) == withoutSpace(e.New):
		return NoiseFormatting
	case undoesLast(text, e, recent, uri):
		return NoiseUndo
	case repeatsNext(text, e, old):
		return NoiseRepeat
	case takes(text, e, recent):
		return NoiseDeletes
	}
	return ""
}

// undoesLast reports whether an edit brings back what the user's last edit of the
// document replaced.
func undoesLast(text string, e edits.Edit, recent []workspace.RecentEdit, uri string) bool {
	for i := len(recent) - 1; i >= 0; i-- {
		r := recent[i]
		if r.URI != uri || !r.Placed {
			continue
		}
		if e.Start < r.Place.Start || e.End > r.Place.End || !r.Place.Valid(len(text)) {
			return false
		}
		after := text[r.Place.Start:e.Start] + e.New + text[e.End:r.Place.End]
		return strings.TrimSpace(after) == strings.TrimSpace(r.Old)
	}
	return false
}

// repeatsNext reports whether an insertion is what stands beside it already.
func repeatsNext(text string, e edits.Edit, old string) bool {
	if strings.TrimSpace(old) != "" {
		return false
	}
	added := strings.TrimSpace(e.New)
	if len(added) <= minRepeat {
		return false
	}
	if strings.HasPrefix(strings.TrimLeft(text[e.End:], " \t\r\n"), added) {
		return true
	}
	// A diff may show a repeated block as what was added after it, or as its end and the
	// beginning of the next one.
	if strings.Contains(added, "\n") && strings.HasSuffix(strings.TrimRight(text[:e.Start], " \t\r\n"), added) {
		return true
	}
	for k := len(e.New) - 1; k > minRepeat; k-- {
		if strings.HasPrefix(text[e.End:], e.New[:k]) {
			return strings.HasSuffix(text[:e.Start], e.New[k:]) && strings.Contains(e.New, "\n")
		}
	}
	return false
}

// minRepeat is how many bytes may be the same as what follows without being a
// repetition.
const minRepeat = 3

func withoutSpace(s string) string { return strings.Join(strings.Fields(s), "") }
