package edits_test

import (
	"errors"
	"testing"

	"tandem/edits"
)

func TestVerdicts(t *testing.T) {
	t.Parallel()
	texts := []edits.FileChange{{Path: "a.go", After: "a"}, {Path: "b.go", AbsentAfter: true}}
	all := edits.Consent{Force: true, Confirmed: true}
	finding := func(severity string) []edits.Finding { return []edits.Finding{{Severity: severity, Message: "no f."}} }
	for _, c := range []struct {
		name            string
		check           edits.Check
		state           string
		refused, forced edits.Code // by a verdict that is required
	}{
		{"nothing found", edits.Check{Kind: edits.CheckNames}, "passed", "", ""},
		{"an error", edits.Check{Kind: edits.CheckSyntax, Findings: finding("error"), Unknown: []string{"x"}}, "failed", edits.CodeFailed, ""},
		{"a name that nothing has", edits.Check{Kind: edits.CheckNames, Findings: finding("warning")}, "failed", edits.CodeFailed, ""},
		{"a joiner", edits.Check{Kind: edits.CheckSafety, Findings: finding("warning")}, "passed", "", ""},
		{"unsafe", edits.Check{Kind: edits.CheckSafety, Findings: finding("error")}, "failed", edits.CodeUnsafe, edits.CodeUnsafe},
		{"a file to confirm", edits.Check{Kind: edits.CheckSafety, Findings: []edits.Finding{{Severity: "error", Kind: "protected", Message: "no f."}}}, "failed", edits.CodeProtected, edits.CodeProtected},
		{"not known", edits.Check{Kind: edits.CheckNames, Unknown: []string{"names of x"}}, "not_judged", edits.CodeNotJudged, ""},
	} {
		v := edits.Judge(texts, edits.Check{Kind: edits.CheckSafety}, c.check)
		code := func(consent edits.Consent) edits.Code {
			var e *edits.Error
			errors.As(v.Refusal(consent), &e)
			if e == nil {
				return ""
			}
			return e.Code
		}
		if v.State() != c.state || (v.Reason() == "") != v.Passed() || code(edits.Consent{RequireJudged: true}) != c.refused || code(edits.Consent{Force: true, RequireJudged: true}) != c.forced {
			t.Errorf("%s: %s (%s), refused as %q", c.name, v.State(), v.Reason(), code(edits.Consent{RequireJudged: true}))
		}
		if shown := edits.JudgeShown(texts, edits.Check{Kind: edits.CheckSafety}, c.check); shown.State() != v.State() || shown.Reason() != v.Reason() || shown.Of(texts).State() != "not_judged" {
			t.Errorf("%s, only shown: %s (%s), of the texts %s", c.name, shown.State(), shown.Reason(), shown.Of(texts).State())
		}
		kept, err := v.MarshalText()
		var read edits.Verdict
		if err := errors.Join(err, read.UnmarshalText(kept)); err != nil || read.State() != v.State() || read.Reason() != v.Reason() || (read.Unsafe() == nil) != (v.Unsafe() == nil) || (v.Refusal(all) == nil) != (c.forced != edits.CodeUnsafe) || (read.Refusal(all) == nil) != (v.Refusal(all) == nil) {
			t.Errorf("%s was read back as %s (%s), %v", c.name, read.State(), read.Reason(), err)
		}
		for _, v := range []edits.Verdict{v, read} {
			if other := v.Of([]edits.FileChange{texts[1], texts[0]}); other.State() != v.State() {
				t.Errorf("%s: in another order it is %s", c.name, other.State())
			}
			for _, changed := range [][]edits.FileChange{texts[:1], {{Path: "a.go", After: "A"}, texts[1]}, {{Path: "a.go", After: "a"}, {Path: "b.go"}}} {
				if other := v.Of(changed); other.State() != "not_judged" || other.Reason() == "" {
					t.Errorf("%s: of other texts it is %s", c.name, other.State())
				}
			}
		}
	}
	for _, c := range []struct {
		name            string
		doubts          []edits.Doubt
		check           edits.Check
		reason          string
		refused, forced edits.Code
	}{
		{"a part", []edits.Doubt{{Why: "1 block, then it stopped", Kind: edits.Cut}}, edits.Check{}, "the answer was cut: 1 block, then it stopped", edits.CodeTruncated, ""},
		{"a part that fails", []edits.Doubt{{Why: "1 block, then it stopped", Kind: edits.Cut}}, edits.Check{Kind: edits.CheckNames, Findings: finding("error")}, "the answer was cut: 1 block, then it stopped, no f.", edits.CodeTruncated, ""},
		{"a part that takes away", []edits.Doubt{{Why: "1 block", Kind: edits.Cut}, {Why: "f is gone", Kind: edits.Lost}}, edits.Check{}, "the answer was cut: 1 block, f is gone", edits.CodeUnsafe, edits.CodeUnsafe},
		{"a part that the user stopped", []edits.Doubt{{Why: "1 block, then it was stopped by you", Kind: edits.Stopped}}, edits.Check{}, "the answer was cut: 1 block, then it was stopped by you", edits.CodeTruncated, ""},
		{"an unsafe part", []edits.Doubt{{Why: "1 block", Kind: edits.Cut}}, edits.Check{Kind: edits.CheckSafety, Findings: finding("error")}, "no f.", edits.CodeUnsafe, edits.CodeUnsafe},
	} {
		cut := []edits.FileChange{texts[0], {Path: "b.go", After: "b", Doubts: c.doubts}}
		made := edits.Judge(cut, c.check)
		kept, err := made.MarshalText()
		var read edits.Verdict
		if err := errors.Join(err, read.UnmarshalText(kept)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, v := range []edits.Verdict{made, made.Of(cut), read} {
			var refused, forced *edits.Error
			errors.As(v.Refusal(edits.Consent{}), &refused)
			if errors.As(v.Refusal(edits.Consent{Force: true}), &forced) != (c.forced != "") || refused == nil || refused.Code != c.refused || forced != nil && forced.Code != c.forced || v.Passed() || v.Reason() != c.reason || !v.Cut() && c.forced == "" {
				t.Errorf("%s: %s (%s), refused with %v, by force with %v", c.name, v.State(), v.Reason(), refused, forced)
			}
		}
		free := c.doubts[0].Kind == edits.Stopped
		if one := made.Of(cut[:1]); one.Refusal(edits.Consent{}) == nil || (one.Refusal(edits.Consent{Each: true}) == nil) != free || one.Passed() {
			t.Errorf("%s: a part of it is refused with %v", c.name, one.Refusal(edits.Consent{}))
		}
	}
	var none edits.Verdict
	if none.State() != "not_judged" || none.Refusal(edits.Consent{}) != nil || none.Refusal(edits.Consent{RequireJudged: true}) == nil {
		t.Error("the zero value is judged")
	}
	if kept, err := none.MarshalText(); err != nil || len(kept) > 0 || none.UnmarshalText(nil) != nil {
		t.Errorf("kept as %q, %v", kept, err)
	}
	for _, text := range []string{"passed", "passed 00 x", "good " + string(make([]byte, 64)), "passed zz"} {
		if none.UnmarshalText([]byte(text)) == nil || none.Passed() {
			t.Errorf("%q is read as a verdict", text)
		}
	}
}
