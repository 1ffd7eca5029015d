package main

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/edits"
	"tandem/model/answer"
)

// sample reads the changes in testdata.
func sample(t *testing.T) []change {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/changes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var out []change
	for i := 0; i+1 < len(archive.Files); i += 2 {
		path := strings.TrimSuffix(archive.Files[i].Name, "/before")
		hunks, err := readHunks(string(archive.Files[i+1].Data))
		if err != nil {
			t.Fatal(err)
		}
		c, err := newChange("sample", path, string(archive.Files[i].Data), hunks)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// TestSample writes a few changes in every format with every kind of error, and
// applies them: no text may come out that the change did not make.
func TestSample(t *testing.T) {
	changes := sample(t)
	var all score
	kinds := map[string]bool{}
	seeds, least := uint64(3), 2000
	if testing.Short() {
		seeds, least = 1, 600
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		for _, c := range casesOf(changes, seed) {
			all.n[c.judge(applied(t, c))]++
			kinds[c.kind] = true
			if c.outcome == wrong {
				t.Errorf("seed %d: %s\n%s\n--- answer\n%s", seed, c.ID, c.difference(), c.Patch)
			}
		}
	}
	if all.n[right] < least || len(kinds) < 35 || all.share() < 85 {
		t.Errorf("%d right (%.1f %%) of %d kinds are no sample", all.n[right], all.share(), len(kinds))
	}
}

// applied applies a case's answer without the program.
func applied(t *testing.T, c testCase) (after map[string]string, refusal string) {
	t.Helper()
	read, err := answer.Reader{Format: edits.Format(c.Format), Files: c.Before, Options: edits.Options{AnyName: true}}.Read(c.Patch)
	var coded *edits.Error
	switch {
	case err == nil:
		return read.After, ""
	case errors.As(err, &coded):
		return nil, err.Error()
	}
	t.Fatalf("%s: %v is no refusal", c.ID, err)
	return nil, ""
}

// TestJudgeSeesWrongTexts plants what the sample looks for.
func TestJudgeSeesWrongTexts(t *testing.T) {
	c := testCase{After: map[string]string{"f": "a\n"}}
	guess := testCase{}
	for _, planted := range []struct {
		in      *testCase
		after   map[string]string
		refusal string
		want    outcome
	}{
		{&c, map[string]string{"f": "a\n"}, "", right},
		{&c, map[string]string{"f": "b\n"}, "", wrong},
		{&c, map[string]string{"f": "a\n", "g": ""}, "", wrong},
		{&c, nil, "ambiguous", refused},
		{&guess, map[string]string{"f": "a\n"}, "", wrong},
		{&guess, nil, "ambiguous", right},
	} {
		if got := planted.in.judge(planted.after, planted.refusal); got != planted.want {
			t.Errorf("%v, %q: %d, want %d", planted.after, planted.refusal, got, planted.want)
		}
	}
}
