package figures

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPercentile(t *testing.T) {
	values := []int{50, 10, 40, 20, 30}
	for percent, want := range map[int]int{0: 10, 50: 30, 95: 50, 100: 50} {
		if got := Percentile(values, percent); got != want {
			t.Errorf("%d percent: %d, want %d", percent, got, want)
		}
	}
	if values[0] != 50 || Percentile([]int{}, 50) != 0 {
		t.Error("the values are sorted in place, or none have a percentile")
	}
}

func TestRowsAreComparedWithTheirBars(t *testing.T) {
	var out strings.Builder
	for _, c := range []struct {
		row  Row
		held bool
		said string
	}{
		{Row{What: "right", Value: 85, Bar: 85}, true, ">= 85 %        pass"},
		{Row{What: "right", Value: 84.999, Bar: 85}, false, ">= 85 %        MISS"},
		{Row{What: "late", Value: 5.01, Bar: 5, Most: true, Unit: "ms"}, false, "<= 5 ms        MISS"},
		{Row{What: "size", Value: 7, None: true, Unit: "MB"}, true, "7.00 MB"},
	} {
		out.Reset()
		if held := Print(&out, c.row); held != c.held || !strings.Contains(out.String(), c.said) {
			t.Errorf("%v, %q", held, out.String())
		}
	}
}

func TestFiguresStandBetweenTheirLines(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("before\n<b>\nold\n<e>\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Insert(page, "<b>\n", "<e>\n", "new\n"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(page); string(got) != "before\n<b>\nnew\n<e>\nafter\n" {
		t.Errorf("%q", got)
	}
	if Insert(page, "<none>\n", "<e>\n", "") == nil {
		t.Error("a page without the lines is written")
	}
}

func TestLogGoesOnWhereItWas(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "log.jsonl")
	for run := range 2 {
		log, err := OpenLog[int](file)
		if err != nil || len(log.All) != run {
			t.Fatalf("%v in run %d, %v", log, run, err)
		}
		if err := log.Add(run); err != nil {
			t.Fatal(err)
		}
		log.Close()
	}
}
