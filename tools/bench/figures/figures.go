// Package figures is what the tools that measure have in common when they count: shares,
// percentiles, rows with a bar, and logs of what was measured.
//
// **Invariant**: a figure is printed as it is, beside its bar; nothing is rounded before it
// is compared.
package figures

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Percent is a share of a number of trials, 0 of none.
func Percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// One counts what is so.
func One(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Percentile is the value that so many percent of all values are below, zero of none.
func Percentile[T cmp.Ordered](values []T, percent int) T {
	if len(values) == 0 {
		var none T
		return none
	}
	return slices.Sorted(slices.Values(values))[min(len(values)*percent/100, len(values)-1)]
}

// A Row is one figure with its bar.
type Row struct {
	What  string
	Value float64
	Unit  string // "" is percent
	Bar   float64
	Most  bool // the bar is an upper one
	None  bool // published without a bar
	Note  string
}

// Holds reports whether the figure is within its bar.
func (r Row) Holds() bool { return r.None || r.Most && r.Value <= r.Bar || !r.Most && r.Value >= r.Bar }

// Print prints rows and reports whether all figures are within their bars.
func Print(out io.Writer, rows ...Row) (held bool) {
	held = true
	for _, r := range rows {
		unit := cmp.Or(r.Unit, "%")
		bar := ""
		switch {
		case r.None:
		case r.Most:
			bar = fmt.Sprintf("<= %g %s", r.Bar, unit)
		default:
			bar = fmt.Sprintf(">= %g %s", r.Bar, unit)
		}
		verdict := Verdict(r.Holds())
		if r.None {
			verdict = ""
		}
		fmt.Fprintf(out, "%-74s %9.2f %-6s %-14s %-4s %s\n", r.What, r.Value, unit, bar, verdict, r.Note)
		held = held && r.Holds()
	}
	return held
}

// Verdict is how a figure compares with its bar.
func Verdict(held bool) string {
	if held {
		return "pass"
	}
	return "MISS"
}

// Insert puts figures between two lines of a page.
func Insert(page, begin, end, text string) error {
	all, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(all), begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		return fmt.Errorf("%s has no place for figures: it needs the lines %q and %q", page, begin, end)
	}
	return os.WriteFile(page, []byte(before+begin+text+end+after), 0o644)
}

var processorName = regexp.MustCompile(`model name\s*: (.*)`)

// Processor is the name of this machine's processor, where Linux tells it.
func Processor() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	if m := processorName.FindSubmatch(data); m != nil {
		return string(m[1])
	}
	return runtime.GOARCH
}
