package main

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"regexp"
	"strings"

	"tandem/model"
	"tandem/model/local/complete"
	"tandem/workspace/language"
)

// The bars of what the language makes obvious, in per cent.
const (
	obviousShown = 80
	obviousRight = 75
)

// A heldLine is where a line that the language makes obvious was removed.
type heldLine struct {
	path  string
	lines []string
	at    int
	size  int // lines that were removed with it, itself included
}

var (
	errorCheck = regexp.MustCompile(`(?:^|[\s(;])(?:\w*[eE]rr(?:or)?|e) != nil(?: [&|].*)? \{$`)
	caseLine   = regexp.MustCompile(`^case (?:[\w.]+|'[^']*'|"[^"]*"):`)
	fieldLine  = regexp.MustCompile(`^[A-Za-z_]\w*:\s+\S.*,$`)
	methodLine = regexp.MustCompile(`^func \(\w+ \*?(\w+)\) \w+\(.*\{$`)
)

// A form is what is requested of a language other than Go, by its lines: statements after a
// check for nothing, the last fields or keyword arguments where their type is declared, and
// the heads of methods of a class that is declared to be something.
type form struct {
	check, end, field, opener, class, method *regexp.Regexp
}

var forms = map[string]form{
	"python": {
		check:  regexp.MustCompile(`^(?:el)?if (?:not \S+|\S+ is None):$`),
		end:    regexp.MustCompile(`^(?:return|raise|continue)\b`),
		field:  regexp.MustCompile(`^\w+=.*,$`),
		opener: regexp.MustCompile(`[A-Z]\w*\($`),
		class:  regexp.MustCompile(`^class \w+\(.*\):$`),
		method: regexp.MustCompile(`^(?:async )?def \w+\(.*\).*:$`),
	},
	"typescript": {
		check:  regexp.MustCompile(`^if \((?:!\S+|\S+ ={2,3} (?:null|undefined))\) \{$`),
		end:    regexp.MustCompile(`^(?:return|throw|continue)\b`),
		field:  regexp.MustCompile(`^\w+(?:: .*)?,$`),
		opener: regexp.MustCompile(`(?:\w: \w+ = |return )\{$`),
		class:  regexp.MustCompile(`\bclass .*\bimplements\b.*\{$`),
		method: regexp.MustCompile(`^(?:async )?\w+\(.*\).*\{$`),
	},
}

// obviousKinds are what is requested. Those from data on are for comparison and have no bar.
var obviousKinds = [5]string{"returns after an error check", "last fields and cases", "the same in tests, where values are data", "methods of what a type is declared to be", "returns with messages of their own"}

// The places of obviousKinds.
const (
	kindCheck = iota
	kindLast
	kindData
	kindMethod
	kindWorded
)

// An outcome counts requested lines.
type outcome struct{ asked, shown, right int }

func (o *outcome) add(p outcome) {
	o.asked, o.shown, o.right = o.asked+p.asked, o.shown+p.shown, o.right+p.right
}

// rates are the shares of lines that were shown, and of these that were right, in per cent.
func (o outcome) rates() (shown, right float64) {
	return 100 * float64(o.shown) / float64(max(o.asked, 1)), 100 * float64(o.right) / float64(max(o.shown, 1))
}

func (o outcome) print(out io.Writer, name, kind string) {
	shown, right := o.rates()
	fmt.Fprintf(out, "%-12s %-40s %5d lines: shown %5.1f %%, first line right %5.1f %%\n", name, kind, o.asked, shown, right)
}

// obviousTotal prints the outcomes of all trees, with bars those of Go have.
func obviousTotal(out io.Writer, total [len(obviousKinds)]outcome, bars bool) bool {
	passed := true
	for i, o := range total {
		if o.asked == 0 {
			continue
		}
		if i > kindLast || !bars {
			o.print(out, "all", obviousKinds[i])
			continue
		}
		shown, right := o.rates()
		verdict := "pass"
		if shown < obviousShown || right < obviousRight {
			verdict, passed = "MISS", false
		}
		fmt.Fprintf(out, "%-12s %-40s %5d lines: shown %5.1f %% (bar %d), first line right %5.1f %% (bar %d)  %s\n", "all", obviousKinds[i], o.asked, shown, obviousShown, right, obviousRight, verdict)
	}
	return passed
}

// obvious requests what the language makes plain, prints how many lines were shown and right,
// and adds them to the total.
func (t *tree) obvious(out io.Writer, seed int64, returns, rest int, total *[len(obviousKinds)]outcome, dump io.Writer) {
	var held [len(obviousKinds)][]heldLine
	for _, path := range t.files() {
		if strings.Contains(path, "testdata/") || strings.Contains(path, "zz_generated") || strings.Contains(path, ".pb.") || strings.HasSuffix(path, ".d.ts") {
			continue
		}
		text, _ := t.Text(path)
		lines := strings.Split(text, "\n")
		for i := 1; i+1 < len(lines); i++ {
			kind, size := -1, 1
			if t.lang == "go" {
				kind, size = goKind(path, lines, i)
			} else {
				kind, size = forms[t.lang].kind(path, lines, i)
			}
			if kind >= 0 {
				held[kind] = append(held[kind], heldLine{path, lines, i, size})
			}
		}
	}
	engine := complete.New(nil)
	rng := rand.New(rand.NewSource(seed))
	for kind, list := range held {
		n := rest
		if kind == kindCheck {
			n = returns
		}
		list = pick(rng, list, n)
		if kind == kindCheck && dump == nil {
			for _, h := range list {
				if body := strings.TrimSpace(h.lines[h.at]); strings.ContainsAny(body, "\"'`") {
					held[kindWorded] = append(held[kindWorded], h)
				}
			}
		}
		if kind == kindWorded {
			list = held[kindWorded]
		}
		if len(list) == 0 {
			continue
		}
		o := t.ask(out, engine, list, dump)
		o.print(out, t.name, obviousKinds[kind])
		total[kind].add(o)
	}
}

// goKind is what a line of Go is requested as, -1 for nothing, and how many lines it takes.
func goKind(path string, lines []string, i int) (kind, size int) {
	body, above, below := strings.TrimSpace(lines[i]), strings.TrimSpace(lines[i-1]), strings.TrimSpace(lines[i+1])
	switch {
	case (body == "return" || strings.HasPrefix(body, "return ")) && errorCheck.MatchString(above) && below == "}":
		return kindCheck, 1
	case caseLine.MatchString(body) && strings.HasSuffix(body, ":") && lastCase(lines, i), fieldLine.MatchString(body) && (below == "}" || strings.HasPrefix(below, "},") || below == "})") && fieldLine.MatchString(above):
		if strings.HasSuffix(path, "_test.go") {
			return kindData, 1
		}
		return kindLast, 1
	}
	if m := methodLine.FindStringSubmatch(lines[i]); m != nil && lines[i-1] == "" {
		for _, line := range lines {
			if line = strings.TrimSpace(line); (strings.HasPrefix(line, "var _ ") || strings.HasPrefix(line, "_ ")) && (strings.Contains(line, "(*"+m[1]+")(nil)") || strings.HasSuffix(line, m[1]+"{}")) {
				for end := i; end < len(lines); end++ {
					if lines[end] == "}" {
						return kindMethod, end - i + 1
					}
				}
			}
		}
	}
	return -1, 0
}

// kind is goKind for another language.
func (f form) kind(path string, lines []string, i int) (kind, size int) {
	line := lines[i]
	body, above, below := strings.TrimSpace(line), strings.TrimSpace(lines[i-1]), strings.TrimSpace(lines[i+1])
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	opener := func() string {
		for j := i - 1; j >= 0; j-- {
			if rest := strings.TrimLeft(lines[j], " \t"); rest != "" && len(lines[j])-len(rest) < indent {
				return rest
			}
		}
		return ""
	}
	switch {
	case f.end.MatchString(body) && f.check.MatchString(above) && indent > 0 && indentOf(lines[i+1]) < indent:
		return kindCheck, 1
	case caseLine.MatchString(body) && lastCase(lines, i), f.field.MatchString(body) && below != "" && strings.ContainsAny(below[:1], ")}") && f.field.MatchString(above) && f.opener.MatchString(opener()):
		if language.IsTest(path) {
			return kindData, 1
		}
		return kindLast, 1
	case f.method.MatchString(body) && indent > 0 && above == "" && f.class.MatchString(opener()):
		end := i + 1
		for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indentOf(lines[end]) > indent || lines[end] == line[:indent]+"}") {
			end++
		}
		return kindMethod, end - i
	}
	return -1, 0
}

func indentOf(line string) int {
	if strings.TrimSpace(line) == "" {
		return 0
	}
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// lastCase reports whether no other case follows in a switch, by indentation.
func lastCase(lines []string, at int) bool {
	indent := lines[at][:strings.Index(lines[at], "case")]
	for _, line := range lines[at+1:] {
		if strings.TrimSpace(line) != "" && indentOf(line) < len(indent) {
			return true
		}
		if rest, ok := strings.CutPrefix(line, indent); ok && rest != "" && rest[0] != '\t' && rest[0] != ' ' {
			return rest[0] == '}' || strings.HasPrefix(rest, "default:")
		}
	}
	return false
}

func pick(rng *rand.Rand, from []heldLine, n int) []heldLine {
	rng.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	return from[:min(n, len(from))]
}

// same reports whether two lines are equal but for white space.
func same(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

// ask requests lines and counts what is suggested. With dump it writes the features of all
// candidates there instead.
func (t *tree) ask(out io.Writer, engine *complete.Engine, held []heldLine, dump io.Writer) outcome {
	o := outcome{asked: len(held)}
	for _, h := range held {
		line := h.lines[h.at]
		want := strings.TrimSpace(line)
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		prefix := strings.Join(h.lines[:h.at], "\n") + "\n" + indent
		suffix := "\n" + strings.Join(h.lines[h.at+h.size:], "\n")
		f := &model.Fill{Path: h.path, Prefix: prefix[max(len(prefix)-maxPrefix, 0):], Suffix: suffix[:min(len(suffix), maxSuffix)]}
		if dump != nil {
			plain, _ := engine.Plain(t, f)
			o.shown += min(len(plain), 1)
			fmt.Fprintln(dump) // a blank line begins a place
			for _, c := range plain {
				if c.Features == nil { // it is not scored by the forest
					continue
				}
				if dumpFeatures(dump, c.Features, same(c.Text, want)); same(c.Text, want) {
					o.right++
				}
			}
			continue
		}
		got := engine.Suggest(context.Background(), t, f, 1, complete.Likely)
		if len(got) == 0 {
			t.explain(out, engine, f, want, "none")
			continue
		}
		o.shown++
		first, _, _ := strings.Cut(got[0], "\n")
		if same(first, want) {
			o.right++
		} else {
			t.explain(out, engine, f, want, "wrong")
		}
	}
	return o
}

// explain prints what was considered for a line, if SHOW is set.
func (t *tree) explain(out io.Writer, engine *complete.Engine, f *model.Fill, want, verdict string) {
	if os.Getenv("SHOW") == "" {
		return
	}
	fmt.Fprintf(out, "%-5s %s\n", verdict, want)
	plain, _ := engine.Plain(t, f)
	for i, c := range plain {
		if i < 3 || same(c.Text, want) {
			fmt.Fprintf(out, "      %3d %.2f %s\n", i+1, c.Confidence, strings.TrimSpace(c.Text))
		}
	}
}
