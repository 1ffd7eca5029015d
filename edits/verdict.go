package edits

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Verdict is what the checks say of exactly the texts that they saw: passed, failed with
// a sentence, or not judged with a reason. The zero value is "not judged". Only Judge makes
// another one; the text of one is kept with a task's result and read back.
type Verdict struct {
	outcome outcome
	reason  string
	unsafe  bool                         // what failed is the check of safety
	confirm bool                         // a file may be written only if the user confirms it
	doubt   DoubtKind                    // the greatest
	texts   [sha256.Size]byte            // of the texts judged
	reads   map[string][sha256.Size]byte // of the other texts that were read for it, by their names
	moved   bool                         // one of these is another one now
	checks  []Check
}

type outcome string

const (
	notJudged outcome = ""
	passed    outcome = "passed"
	failed    outcome = "failed"
)

// maxReasons bounds how many findings a sentence lists.
const maxReasons = 6

// Judge is the verdict of checks on the texts that changes make: failed if one failed, not
// judged if one could not finish or could not know. For a language that has no check there
// is nothing that could fail.
func Judge(changes []FileChange, checks ...Check) Verdict {
	v := JudgeShown(changes, checks...)
	v.texts = textsOf(changes)
	return v
}

// JudgeShown is Judge for texts that are shown and not written. It does not identify them,
// which reads them whole, so Of says "not judged" of any texts.
func JudgeShown(changes []FileChange, checks ...Check) Verdict {
	v := Verdict{outcome: passed, checks: checks}
	var wrong, doubts, said []string
	add := func(list *[]string, s string) {
		if len(*list) < maxReasons && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, c := range changes {
		for _, d := range c.Doubts {
			why := d.Why
			if d.Kind == Stopped || d.Kind == Cut {
				why = "the answer was cut: " + why
			}
			add(&doubts, why)
			v.doubt = max(v.doubt, d.Kind)
		}
	}
	for _, c := range checks {
		for _, f := range c.Findings {
			if c.fails(f) {
				add(&wrong, f.Told())
				ask := f.Kind == string(CodeProtected)
				v.unsafe = v.unsafe || c.Kind == CheckSafety && !ask
				v.confirm = v.confirm || c.Kind == CheckSafety && ask
			} else if f.Kind == KindMixedScript {
				add(&said, f.Told())
			}
		}
		for _, why := range c.Unknown {
			add(&doubts, why)
		}
	}
	switch {
	case v.Cut() && !v.unsafe: // whatever else is found, the rest of the answer is missing
		v.outcome, v.reason = notJudged, strings.Join(append(doubts, wrong...), ", ")
	case len(wrong) > 0:
		v.outcome, v.reason = failed, strings.Join(wrong, " ")
	case len(doubts) > 0:
		v.outcome, v.reason = notJudged, strings.Join(doubts, ", ")
	default:
		v.reason = strings.Join(said, " ")
	}
	return v
}

// textsOf identifies the texts that changes make, in whatever order they are listed.
func textsOf(changes []FileChange) [sha256.Size]byte {
	var list []string
	for _, c := range changes {
		list = append(list, fmt.Sprintf("%q %t %d %x", c.Path, c.AbsentAfter, c.Form.Mode, sha256.Sum256([]byte(c.After))))
	}
	slices.Sort(list)
	return sha256.Sum256([]byte(strings.Join(list, "\n")))
}

// Of is the verdict if the changes make the very texts that were judged, else "not judged". A
// part of what was cut is cut.
func (v Verdict) Of(changes []FileChange) Verdict {
	if v.Cut() || v.texts == textsOf(changes) {
		return v
	}
	return Verdict{}
}

// Reading is the verdict with the hashes of the other texts that were read for it.
func (v Verdict) Reading(texts map[string][sha256.Size]byte) Verdict {
	v.reads = texts
	return v
}

// Reads are the hashes of the other texts that were read for the verdict, by their names.
func (v Verdict) Reads() map[string][sha256.Size]byte { return v.reads }

// Moved is the verdict once one of these texts has changed: "not judged", until somebody judges
// again.
func (v Verdict) Moved() Verdict {
	if v.Cut() {
		return v
	}
	return Verdict{texts: v.texts, reads: v.reads, moved: true, reason: "you typed since"}
}

// Outdated reports whether the texts, or those that were read for the verdict, have changed since.
func (v Verdict) Outdated() bool { return v.moved || v.texts == ([sha256.Size]byte{}) }

// Breaks are what the change breaks in files that it leaves as they are.
func (v Verdict) Breaks() (out []Finding) {
	for _, c := range v.checks {
		for _, f := range c.Findings {
			if f.Line > 0 {
				out = append(out, f)
			}
		}
	}
	return out
}

// Public is the verdict as a model may read it.
func (v Verdict) Public() Verdict {
	v.checks = slices.Clone(v.checks)
	for i, c := range v.checks {
		v.checks[i].Findings = slices.Clone(c.Findings)
		for k, f := range c.Findings {
			if f.Public != nil {
				v.checks[i].Findings[k] = *f.Public
				v.reason = strings.ReplaceAll(v.reason, f.Told(), f.Public.Told())
			}
		}
	}
	return v
}

// Passed reports whether every check that exists for these texts passed.
func (v Verdict) Passed() bool { return v.outcome == passed }

// Failed reports whether a check found an error.
func (v Verdict) Failed() bool { return v.outcome == failed }

// State is the verdict in one word: passed, failed or not_judged.
func (v Verdict) State() string {
	if v.outcome == notJudged {
		return "not_judged"
	}
	return string(v.outcome)
}

// Reason is why the texts failed or are not judged. If they passed it is "", or names the words of
// two scripts.
func (v Verdict) Reason() string {
	if v.outcome == notJudged && v.reason == "" {
		return "the texts are not those that were checked"
	}
	return v.reason
}

// Checks are what the verdict was made from; none where it was read back.
func (v Verdict) Checks() []Check { return v.checks }

// Cut reports whether the texts come from an answer that was cut.
func (v Verdict) Cut() bool { return v.doubt >= Stopped }

// Unsafe is the refusal of texts that failed the check of safety, which nobody can
// overrule, or nil.
func (v Verdict) Unsafe() error {
	if !v.unsafe {
		return nil
	}
	return refuse(CodeUnsafe, "%s", v.reason)
}

// Consent is what the user agrees to have written.
type Consent struct {
	Force         bool // also what failed, or comes from an answer that was cut
	Confirmed     bool // also files that make programs run or decide what models see: the user has read their names
	RequireJudged bool // not what is not judged
	Each          bool // one change at a time: also of an answer that the user stopped
}

// Refusal is why the texts may not be written, or nil.
func (v Verdict) Refusal(c Consent) error {
	switch {
	case v.unsafe:
		return v.Unsafe()
	case v.doubt == Lost:
		return refuse(CodeUnsafe, "nothing was written: %s", v.reason)
	case v.confirm && !c.Confirmed:
		return refuse(CodeProtected, "nothing was written: %s", v.reason)
	case c.Force, v.doubt == Stopped && c.Each:
		return nil
	case v.Cut():
		return refuse(CodeTruncated, "nothing was written: %s", v.reason)
	case v.Failed():
		return refuse(CodeFailed, "nothing was written, because a check failed: %s", v.reason)
	case !v.Passed() && c.RequireJudged:
		return refuse(CodeNotJudged, "nothing was written, because it is not judged: %s", v.Reason())
	}
	return nil
}

// MarshalText writes the verdict to be kept with what it is about, without its checks.
func (v Verdict) MarshalText() ([]byte, error) {
	if v.texts == ([sha256.Size]byte{}) {
		return nil, nil
	}
	kind := v.State()
	switch {
	case v.unsafe:
		kind = "unsafe"
	case v.Cut():
		kind = kept[v.doubt]
	case v.confirm:
		kind = "protected"
	}
	return fmt.Appendf(nil, "%s %x %s", kind, v.texts, v.reason), nil
}

// kept are the words for doubts that verdicts are kept with.
var kept = [...]string{Stopped: "stopped", Cut: "cut", Lost: "lost"}

var errNoVerdict = errors.New("this is not the text of a verdict")

// UnmarshalText reads what MarshalText wrote.
func (v *Verdict) UnmarshalText(text []byte) error {
	*v = Verdict{}
	if len(text) == 0 {
		return nil
	}
	kind, rest, _ := strings.Cut(string(text), " ")
	sum, reason, _ := strings.Cut(rest, " ")
	read := Verdict{reason: reason}
	if n, err := hex.Decode(read.texts[:], []byte(sum[:min(len(sum), 2*sha256.Size)])); err != nil || n != sha256.Size {
		return errNoVerdict
	}
	switch kind {
	case "passed":
		read.outcome = passed
	case "failed", "unsafe", "protected":
		read.outcome, read.unsafe, read.confirm = failed, kind == "unsafe", kind == "protected"
	case "not_judged":
	case "stopped", "cut", "lost":
		read.doubt = Stopped + DoubtKind(slices.Index(kept[Stopped:], kind))
	default:
		return errNoVerdict
	}
	*v = read
	return nil
}
