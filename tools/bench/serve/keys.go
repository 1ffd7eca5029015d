package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
	"time"
)

// keyed is how many keys are typed in each document, and asked how many suggestions are
// asked for.
const (
	keyed = 120
	asked = 60
)

// keyRows are the documents and the bars of what they cost.
var keyRows = []struct {
	size         int
	key, invoked float64 // ms
}{{10 << 10, 4, 2}, {200 << 10, 5, 3}, {1 << 20, 8, 5}}

// A keyLanguage is a language that keys are typed in.
type keyLanguage struct {
	id, file string // the editor's id of the language, the document's name
	head     string // how the document begins
	function string // one function of many; %[1]d is its number
	marker   string // the line after which is typed
	typing   string // what is typed, key by key
	fragment string // what is typed before a suggestion is asked for
}

var keyLanguages = []keyLanguage{
	{"go", "main.go", "package main\n\nfunc weigh(alpha, beta int) int { return alpha * beta }\n",
		"\n// sum%[1]d adds what the others weigh.\nfunc sum%[1]d(list []int, alpha int) (int, error) {\n\ttotal := 0\n\tfor i, beta := range list {\n\t\tif beta > %[1]d {\n\t\t\ttotal += weigh(alpha, beta)\n\t\t\tcontinue\n\t\t}\n\t\ttotal -= i\n\t}\n\tif total < 0 {\n\t\treturn 0, nil\n\t}\n\treturn total, nil\n}\n",
		"total := 0", "\ttotal += weigh(alpha, beta) // and so on, key by key, to the end of the line, and a little further than that\n", "\ttot"},
	{"python", "main.py", "def weigh(alpha, beta):\n    return alpha * beta\n",
		"\n\ndef sum%[1]d(values, alpha):\n    \"\"\"Adds what the others weigh.\"\"\"\n    total = 0\n    for i, beta in enumerate(values):\n        if beta > %[1]d:\n            total += weigh(alpha, beta)\n            continue\n        total -= i\n    if total < 0:\n        return 0\n    return total\n",
		"total = 0", "    total += weigh(alpha, beta) # and so on, key by key, to the end of the line, and a little further than that\n", "    tot"},
	{"typescript", "main.ts", "export function weigh(alpha: number, beta: number): number {\n  return alpha * beta;\n}\n",
		"\n// sum%[1]d adds what the others weigh.\nexport function sum%[1]d(list: number[], alpha: number): number {\n  let total = 0;\n  for (const beta of list) {\n    if (beta > %[1]d) {\n      total += weigh(alpha, beta);\n      continue;\n    }\n    total -= beta;\n  }\n  if (total < 0) {\n    return 0;\n  }\n  return total;\n}\n",
		"let total = 0", "  total += weigh(alpha, beta); // and so on, key by key, to the end of the line, and a little further than that\n", "  tot"},
}

// keys types in documents of three sizes in each language and prints the processor time of
// a key, the time of an invoked suggestion and the memory at the end.
func keys(tandem, home string, model bool) (bool, error) {
	ok := true
	for _, l := range keyLanguages {
		root := filepath.Join(home, "work", l.id)
		if err := os.MkdirAll(root, 0o755); err != nil {
			return false, err
		}
		if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module work\n\ngo 1.24\n"), 0o644); err != nil {
			return false, err
		}
		for _, r := range keyRows {
			passed, err := keysIn(tandem, home, root, l, r.size, r.key, r.invoked, model)
			if err != nil {
				return false, err
			}
			ok = ok && passed
		}
	}
	return ok, nil
}

func keysIn(tandem, home, root string, l keyLanguage, size int, key, invoked float64, model bool) (bool, error) {
	text, line := l.source(size)
	file := filepath.Join(root, l.file)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return false, err
	}
	c, err := start(tandem, home, root)
	if err != nil {
		return false, err
	}
	defer func() { _ = c.Quit() }()
	d := c.open(client.URI(file), l.id, text, line)
	for range 3 { // what a document costs once is not what a key costs
		if _, err := d.suggested(client.Invoked); err != nil {
			return false, err
		}
		c.settle()
	}
	before := c.processor()
	column := 0
	for i := range keyed {
		d.replace(line, column, column, l.typing[i%(len(l.typing)-1):][:1])
		column++
		time.Sleep(60 * time.Millisecond)
	}
	c.settle()
	perKey := (c.processor() - before).Seconds() * 1000 / keyed
	d.replace(line, 0, column, "")
	var took []time.Duration
	before = c.processor()
	for i := range asked {
		typed := len(l.fragment) - 3 + i%4
		d.replace(line, 0, 0, l.fragment[:typed])
		d.line, d.column = line, typed
		from := time.Now()
		if _, err := d.suggested(client.Invoked); err != nil {
			return false, err
		}
		took = append(took, time.Since(from))
		d.replace(line, 0, typed, "")
	}
	name := fmt.Sprintf("%d KB of %s: ", size>>10, l.id)
	ok := row(name+"processor time of a key", "ms", perKey, key)
	if p50 := figures.Percentile(took, 50).Seconds() * 1000; model { // its time is in it
		plain(name+"invoked suggestion with the model's time, p50", "ms", p50)
	} else {
		ok = row(name+"invoked suggestion, p50", "ms", p50, invoked) && ok
	}
	plain("    processor time of an invoked one", "ms", (c.processor()-before).Seconds()*1000/asked)
	if size >= 1<<20 {
		ok = row(name+"RSS", "MB", c.memory("VmRSS"), 80) && ok
	}
	return ok, nil
}

// source is a file of about so many bytes, and an empty line in the middle of it.
func (l keyLanguage) source(size int) (text string, line int) {
	var b strings.Builder
	b.WriteString(l.head)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, l.function, i)
	}
	lines := strings.SplitAfter(b.String(), "\n")
	for line = len(lines) / 2; !strings.Contains(lines[line], l.marker); line++ {
	}
	lines = slices.Insert(lines, line+1, "\n")
	return strings.Join(lines, ""), line + 1
}
