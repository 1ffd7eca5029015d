package answer_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/edits"
	"tandem/model/answer"
)

var update = flag.Bool("update", false, "write again what is read of a real model's answers")

const (
	project     = "../.."
	realAnswers = project + "/testdata/answers/edits.jsonl"
	readOfThem  = "testdata/edits.golden"
)

// TestEditsOfARealModel: what is made of answers that a real model wrote to instructions for
// some lines of a file is what was read and agreed to, and no other line changes.
func TestEditsOfARealModel(t *testing.T) {
	data, err := os.ReadFile(realAnswers)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range bytes.Lines(data) {
		var a struct {
			Client, Path, Instruction, Text string
			First, Last                     int
		}
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		was, err := os.ReadFile(filepath.Join(project, a.Path))
		if err != nil {
			t.Fatal(err)
		}
		before, name := string(was), filepath.Base(a.Path)
		lines := edits.NewText(before)
		span := edits.Span{Start: lines.LineStart(a.First - 1), End: lines.LineStart(a.Last)}
		r := answer.Reader{Format: edits.FormatRewrite, Files: map[string]string{name: before}}
		r.Here, r.Marked = name, span
		fmt.Fprintf(&got, "%s:%d-%d, %s: %s\n", name, a.First, a.Last, a.Client, a.Instruction)
		read, err := r.Read(a.Text)
		if err != nil {
			fmt.Fprintf(&got, "refused: %s\n\n", err)
			continue
		}
		after := read.After[name]
		if !strings.HasPrefix(after, before[:span.Start]) || !strings.HasSuffix(after, before[span.End:]) || len(read.After) != 1 {
			t.Errorf("%s, %s: lines beside the marked ones changed: %s", name, a.Instruction, cmp.Diff(before, after))
		}
		fmt.Fprintf(&got, "%s\n", edits.Unified(name, before, after))
	}
	if *update {
		if err := os.WriteFile(readOfThem, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(readOfThem)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("what is read has changed; look at it, then write it with -update: %s", diff)
	}
}
