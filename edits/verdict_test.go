package edits

import (
	"errors"
	"testing"
)

func TestVerdicts(t *testing.T) {
	texts := []FileChange{{Path: "a.go", After: "a"}, {Path: "b.go", AbsentAfter: true}}
	finding := func(severity string) []Finding { return []Finding{{Severity: severity, Message: "no f."}} }
	for _, c := range []struct {
		name            string
		check           Check
		state           string
		refused, forced Code // by a verdict that is required
	}{
		{"nothing found", Check{Kind: CheckNames}, "passed", "", ""},
		{"an error", Check{Kind: CheckSyntax, Findings: finding("error"), Unknown: []string{"x"}}, "failed", CodeFailed, ""},
		{"a name that nothing has", Check{Kind: CheckNames, Findings: finding("warning")}, "failed", CodeFailed, ""},
		{"a joiner", Check{Kind: CheckSafety, Findings: finding("warning")}, "passed", "", ""},
		{"unsafe", Check{Kind: CheckSafety, Findings: finding("error")}, "failed", CodeUnsafe, CodeUnsafe},
		{"not known", Check{Kind: CheckNames, Unknown: []string{"names of x"}}, "not_judged", CodeNotJudged, ""},
	} {
		v := Judge(texts, Check{Kind: CheckSafety}, c.check)
		code := func(consent Consent) Code {
			var e *Error
			errors.As(v.Refusal(consent), &e)
			if e == nil {
				return ""
			}
			return e.Code
		}
		if v.State() != c.state || (v.Reason() == "") != v.Passed() || code(Consent{RequireJudged: true}) != c.refused || code(Consent{Force: true, RequireJudged: true}) != c.forced {
			t.Errorf("%s: %s (%s), refused as %q", c.name, v.State(), v.Reason(), code(Consent{RequireJudged: true}))
		}
		if shown := JudgeShown(texts, Check{Kind: CheckSafety}, c.check); shown.State() != v.State() || shown.Reason() != v.Reason() || shown.Of(texts).State() != "not_judged" {
			t.Errorf("%s, only shown: %s (%s), of the texts %s", c.name, shown.State(), shown.Reason(), shown.Of(texts).State())
		}
		kept, err := v.MarshalText()
		var read Verdict
		if err := errors.Join(err, read.UnmarshalText(kept)); err != nil || read.State() != v.State() || read.Reason() != v.Reason() || (read.Unsafe() == nil) != (v.Unsafe() == nil) {
			t.Errorf("%s was read back as %s (%s), %v", c.name, read.State(), read.Reason(), err)
		}
		for _, v := range []Verdict{v, read} {
			if other := v.Of([]FileChange{texts[1], texts[0]}); other.State() != v.State() {
				t.Errorf("%s: in another order it is %s", c.name, other.State())
			}
			for _, changed := range [][]FileChange{texts[:1], {{Path: "a.go", After: "A"}, texts[1]}, {{Path: "a.go", After: "a"}, {Path: "b.go"}}} {
				if other := v.Of(changed); other.State() != "not_judged" || other.Reason() == "" {
					t.Errorf("%s: of other texts it is %s", c.name, other.State())
				}
			}
		}
	}
	var none Verdict
	if none.State() != "not_judged" || none.Refusal(Consent{}) != nil || none.Refusal(Consent{RequireJudged: true}) == nil {
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
