package language

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestScan scans each testdata/LANGUAGE.txt and compares what is found with
// LANGUAGE.golden, one definition a line:
// doc-start-signature-end kind container.name(parameters){least,most} type, and
// + for exported, ~ for local.
func TestScan(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, source := range sources {
		lang := strings.TrimSuffix(filepath.Base(source), ".txt")
		t.Run(lang, func(t *testing.T) {
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			checkScan(t, lang, string(text))
			got, golden := listing2(Scan(lang, lang, string(text))), strings.TrimSuffix(source, ".txt")+".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func listing2(f *FileScan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %q\n", f.Package)
	for _, im := range f.Imports {
		fmt.Fprintf(&b, "%d import %q %q as %q\n", im.Line, im.Path, im.Name, im.Alias)
	}
	for _, d := range f.Defs {
		marks := " "
		if d.Exported {
			marks = "+"
		}
		if d.Local {
			marks += "~"
		}
		fmt.Fprintf(&b, "%d-%d-%d-%d %s %s %s", d.DocLine, d.StartLine, d.SigEndLine, d.EndLine, marks, d.Kind, within(d.Container, d.Name))
		if d.MinParams != Unknown {
			fmt.Fprintf(&b, "(%s){%d,%d}", strings.Join(d.Params, ", "), d.MinParams, d.MaxParams)
		}
		fmt.Fprintf(&b, " %s\n", strings.Join(strings.Fields(d.Type), " "))
	}
	return b.String()
}
