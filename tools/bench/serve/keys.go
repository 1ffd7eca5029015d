package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// keys types in documents of three sizes and prints the processor time of a key, the time
// of an invoked suggestion and the memory at the end.
func keys(tandem, home string) (bool, error) {
	root := filepath.Join(home, "work")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return false, err
	}
	ok := true
	for _, r := range keyRows {
		text, line := source(r.size)
		file := filepath.Join(root, "main.go")
		for name, text := range map[string]string{file: text, filepath.Join(root, "go.mod"): "module work\n\ngo 1.24\n"} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				return false, err
			}
		}
		passed, err := keysIn(tandem, filepath.Join(home, fmt.Sprint(r.size)), root, file, text, line, r.size, r.key, r.invoked)
		if err != nil {
			return false, err
		}
		ok = ok && passed
	}
	return ok, nil
}

func keysIn(tandem, home, root, file, text string, line, size int, key, invoked float64) (bool, error) {
	c, err := start(tandem, home, root)
	if err != nil {
		return false, err
	}
	defer c.stop()
	d := c.open("file://"+file, text, line)
	for range 3 { // what a document costs once is not what a key costs
		if _, err := d.suggested(true); err != nil {
			return false, err
		}
		c.settle()
	}
	const typing = "\ttotal += weigh(alpha, beta) // and so on, key by key, to the end of the line, and a little further than that\n"
	before := c.processor()
	column := 0
	for i := range keyed {
		d.replace(line, column, column, typing[i%(len(typing)-1):][:1])
		column++
		time.Sleep(60 * time.Millisecond)
	}
	c.settle()
	perKey := (c.processor() - before).Seconds() * 1000 / keyed
	d.replace(line, 0, column, "")
	var took []time.Duration
	before = c.processor()
	for i := range asked {
		d.replace(line, 0, 0, "\ttot"[:1+i%4])
		d.line, d.column = line, 1+i%4
		from := time.Now()
		if _, err := d.suggested(true); err != nil {
			return false, err
		}
		took = append(took, time.Since(from))
		d.replace(line, 0, 1+i%4, "")
	}
	slices.Sort(took)
	name := fmt.Sprintf("%d KB document: ", size>>10)
	ok := row(name+"processor time of a key", "ms", perKey, key)
	ok = row(name+"invoked suggestion, p50", "ms", took[len(took)/2].Seconds()*1000, invoked) && ok
	fmt.Printf("%-64s %8.2f ms\n", "    processor time of an invoked one", (c.processor()-before).Seconds()*1000/asked)
	if size >= 1<<20 {
		ok = row(name+"RSS", "MB", c.memory("VmRSS"), 80) && ok
	}
	return ok, nil
}

// source is a Go file of about so many bytes, and an empty line in the middle of it.
func source(size int) (text string, line int) {
	var b strings.Builder
	b.WriteString("package main\n\nfunc weigh(alpha, beta int) int { return alpha * beta }\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "\n// sum%[1]d adds what the others weigh.\nfunc sum%[1]d(list []int, alpha int) (int, error) {\n\ttotal := 0\n\tfor i, beta := range list {\n\t\tif beta > %[1]d {\n\t\t\ttotal += weigh(alpha, beta)\n\t\t\tcontinue\n\t\t}\n\t\ttotal -= i\n\t}\n\tif total < 0 {\n\t\treturn 0, nil\n\t}\n\treturn total, nil\n}\n", i)
	}
	lines := strings.SplitAfter(b.String(), "\n")
	for line = len(lines) / 2; !strings.Contains(lines[line], "total := 0"); line++ {
	}
	lines = slices.Insert(lines, line+1, "\n")
	return strings.Join(lines, ""), line + 1
}
