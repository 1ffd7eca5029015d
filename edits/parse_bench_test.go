package edits

import (
	"fmt"
	"strings"
	"testing"
)

// longAnswers are answers of about a megabyte in each streaming format.
func longAnswers() map[Format]string {
	var search, patch, diff, tags, rewrite strings.Builder
	patch.WriteString("*** Begin Patch\n*** Update File: a.go\n")
	diff.WriteString("--- a/a.go\n+++ b/a.go\n")
	rewrite.WriteString("```go\n")
	for i := range 1500 {
		search.WriteString("a.go\n```go\n<<<<<<< SEARCH\n")
		patch.WriteString("@@\n")
		fmt.Fprintf(&diff, "@@ -%d,10 +%d,10 @@\n", i*20+1, i*20+1)
		tags.WriteString("<old_text>\n")
		for j := range 10 {
			line := fmt.Sprintf("\tresult[%d] = compute(%d, context, options) // line %d\n", j, i, j)
			search.WriteString(line)
			patch.WriteString("-" + line)
			diff.WriteString("-" + line)
			tags.WriteString(line)
			rewrite.WriteString(line)
		}
		search.WriteString("=======\n")
		tags.WriteString("</old_text>\n<new_text>\n")
		for j := range 10 {
			line := fmt.Sprintf("\tresult[%d] = compute(context, %d, options) // line %d\n", j, i, j)
			search.WriteString(line)
			patch.WriteString("+" + line)
			diff.WriteString("+" + line)
			tags.WriteString(line)
		}
		search.WriteString(">>>>>>> REPLACE\n```\n")
		tags.WriteString("</new_text>\n")
	}
	patch.WriteString("*** End Patch\n")
	rewrite.WriteString("```\n")
	return map[Format]string{
		FormatSearchReplace: search.String(), FormatApplyPatch: patch.String(), FormatUnifiedDiff: diff.String(),
		FormatStrReplace: tags.String(), FormatRewrite: rewrite.String(),
	}
}

// BenchmarkParse streams answers in pieces of a few tokens. It reports
// allocations per line and the throughput.
func BenchmarkParse(b *testing.B) {
	for format, answer := range longAnswers() {
		lines := float64(strings.Count(answer, "\n"))
		var chunks []string
		for rest := answer; rest != ""; {
			n := min(len(rest), 24)
			chunks = append(chunks, rest[:n])
			rest = rest[n:]
		}
		b.Run(string(format), func(b *testing.B) {
			b.SetBytes(int64(len(answer)))
			b.ReportAllocs()
			allocs := testing.AllocsPerRun(1, func() { stream(b, format, chunks) })
			b.ResetTimer()
			for b.Loop() {
				stream(b, format, chunks)
			}
			b.ReportMetric(allocs/lines, "allocs/line")
		})
	}
}

func stream(b *testing.B, format Format, chunks []string) {
	p := NewParser(format)
	for _, chunk := range chunks {
		p.Write(chunk)
	}
	if _, err := p.Close(); err != nil {
		b.Fatal(err)
	}
}

// bigFile is a Go file of n lines, no two functions alike.
func bigFile(n int) string {
	var s strings.Builder
	s.WriteString("package big\n\n")
	for i := 0; i < n; i += 10 {
		fmt.Fprintf(&s, "// compute%d adds up.\nfunc compute%d(values []int) int {\n\ttotal := %d\n\tfor _, value := range values {\n\t\tif value > %d {\n\t\t\ttotal += value\n\t\t}\n\t}\n\treturn total\n}\n", i, i, i, i*3)
	}
	return s.String()
}

// BenchmarkApply parses, locates and diffs an edit of 200 lines in a file of
// 5,000, found exactly and by looser tiers.
func BenchmarkApply(b *testing.B) {
	file := bigFile(5000)
	lines := strings.Split(file, "\n")
	region := strings.Join(lines[3002:3202], "\n")
	rewritten := strings.ReplaceAll(region, "total", "sum")
	answers := map[string]string{
		"exact":  region,
		"indent": "  " + strings.ReplaceAll(region, "\n", "\n  "),
		"fuzzy":  strings.Replace(region, "range values", "range vals", 5),
	}
	for tier, old := range answers {
		answer := "a.go\n<<<<<<< SEARCH\n" + old + "\n=======\n" + strings.ReplaceAll(old, "total", "sum") + "\n>>>>>>> REPLACE\n"
		before := map[string]string{"a.go": file}
		b.Run(tier, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				after, tiers, err := applyAnswer(FormatSearchReplace, before, answer, Options{})
				if err != nil || tiers[0] != tier {
					b.Fatal(tiers, err)
				}
				if len(Diff(file, after["a.go"])) == 0 || tier == "exact" && !strings.Contains(after["a.go"], rewritten) {
					b.Fatal("nothing changed")
				}
			}
		})
	}
}

// BenchmarkRefuse is the most expensive refusal: long lines that are all alike, and
// an old text that is nearly all of them.
func BenchmarkRefuse(b *testing.B) {
	line := strings.Repeat("abcdefghij ", 50)
	var file, old strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&file, "%s %c%c\n", line, 'a'+i%26, 'a'+i/26%26)
	}
	for i := range 200 {
		fmt.Fprintf(&old, "%c%c %s\n", 'a'+i%26, 'a'+i/26%26, line)
	}
	answer := "a.go\n<<<<<<< SEARCH\n" + old.String() + "=======\nx\n>>>>>>> REPLACE\n"
	before := map[string]string{"a.go": file.String()}
	for b.Loop() {
		if _, _, err := applyAnswer(FormatSearchReplace, before, answer, Options{}); err == nil {
			b.Fatal("applied")
		}
	}
}
