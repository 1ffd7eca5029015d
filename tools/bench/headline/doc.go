package main

import (
	"fmt"
	"strings"
)

// The figures of a document are between these lines.
const (
	figuresBegin = "<!-- figures: written by make bench-doc -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

// markdown returns one table per group, with the command that measures each
// figure.
func markdown(outputs map[string]string) string {
	var b strings.Builder
	group := ""
	for _, r := range table {
		text, ran := outputs[r.job]
		if !ran {
			continue
		}
		if r.group != group {
			group = r.group
			fmt.Fprintf(&b, "\n### %s\n\n| what | bar | measured | best known of others | `make bench BENCH=` |\n|---|---|---|---|---|\n", group)
		}
		measured := "not measured"
		if v, ok := r.value(text); ok {
			measured = strings.TrimSpace(figure(v) + " " + r.unit)
			if !r.holds(v) {
				measured = "**" + measured + " (missed)**"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.what, strings.TrimSpace(r.bar()+" "+r.unit), measured, r.best, r.job)
	}
	b.WriteString("\n")
	return b.String()
}
