package inline

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/edits"
)

var update = flag.Bool("update", false, "write again what of a real model's answers is shown")

const (
	realAnswers = "../../../testdata/answers/completions.jsonl"
	shownOfThem = "testdata/answers.golden"
	fewLines    = 10 // of a model that writes 40 tokens a second
)

// TestAnswersOfARealModel: what is shown of answers that a real model wrote without a stop is
// what was read and agreed to, and it is decided while they stream as it is at their end.
func TestAnswersOfARealModel(t *testing.T) {
	data, err := os.ReadFile(realAnswers)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range bytes.Lines(data) {
		var a struct {
			Model, Path, Kind, Before, After, Text string
			Line, Column                           int
		}
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		before := a.Before[strings.LastIndexByte(a.Before, '\n')+1:]
		text := edits.NewText(a.Before + a.After)
		style := edits.Style{Unit: edits.IndentUnit(text.String())}
		shaped := func(answer string) string {
			e, err := shape(text, len(a.Before), answer, fewLines, style, nil)
			if err != nil {
				return ""
			}
			return e.New
		}
		above, below := around(text, len(a.Before))
		shown, needed := shaped(a.Text), len(a.Text)
		for n := 1; n < len(a.Text); n++ {
			if _, done := ended(above, below, a.Text[:n], fewLines); done {
				if early := shaped(a.Text[:n]); early != shown {
					t.Errorf("%s:%d:%d: ended after %q, which shows %q, and the whole answer shows %q", a.Path, a.Line, a.Column, a.Text[:n], early, shown)
				}
				needed = n
				break
			}
		}
		if n := len(strings.FieldsFunc(before+shown, func(r rune) bool { return r == '\n' })); n > fewLines {
			t.Errorf("%s:%d:%d: %d lines", a.Path, a.Line, a.Column, n)
		}
		fmt.Fprintf(&got, "%s:%d:%d, %s, %s: %d of %d bytes were needed\n%s\n", a.Path, a.Line, a.Column, a.Kind, a.Model, needed, len(a.Text), indented("  | ", before+"▸"+shown))
	}
	if *update {
		if err := os.WriteFile(shownOfThem, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(shownOfThem)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("what is shown has changed; read it, then write it with -update: %s", diff)
	}
}

func indented(by, text string) string {
	return by + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+by)
}
