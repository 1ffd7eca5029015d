package style_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/style"
)

// A sample is one real file.
type sample struct{ file, lang, text string }

// bounds of the files that insertions are cut out of
const (
	leastSample = 300
	mostSample  = 60 << 10
	perLanguage = 40
)

// samplesIn are some files of each language below folders, chosen by a seed.
func samplesIn(t testing.TB, random *rand.Rand, roots ...string) []sample {
	t.Helper()
	paths := map[string][]string{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == ".git" || d.Name() == "golden") {
				return filepath.SkipDir
			}
			if info, err := d.Info(); err == nil && d.Type().IsRegular() && info.Size() >= leastSample && info.Size() <= mostSample {
				lang := language.OfFile(path)
				paths[lang] = append(paths[lang], path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	delete(paths, "plaintext")
	var out []sample
	for _, lang := range slices.Sorted(maps.Keys(paths)) {
		list := paths[lang]
		slices.Sort(list)
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, path := range list[:min(len(list), perLanguage)] {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			if utf8.ValidString(text) && !strings.ContainsAny(text, "\x00\r") && strings.HasSuffix(text, "\n") {
				out = append(out, sample{filepath.ToSlash(path), lang, text})
			}
		}
	}
	return out
}

// ownSamples are small files of many languages.
func ownSamples(t testing.TB) []sample {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/samples.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var out []sample
	for _, f := range archive.Files {
		out = append(out, sample{f.Name, language.OfFile(f.Name), string(f.Data)})
	}
	return out
}

// wordsOf are the names of the samples of a language: what an index would know.
type wordsOf map[string]int

func (w wordsOf) Known(word string) bool { return w[word] > 1 }

var wordPattern = regexp.MustCompile(`[\pL\pN_$]+`)

func wordsIn(samples []sample) map[string]wordsOf {
	out := map[string]wordsOf{}
	for _, s := range samples {
		if out[s.lang] == nil {
			out[s.lang] = wordsOf{}
		}
		seen := map[string]bool{}
		for _, word := range wordPattern.FindAllString(s.text, -1) {
			if !seen[word] {
				seen[word] = true
				out[s.lang][word]++
			}
		}
	}
	return out
}

// An insertion is a part that was cut out of a file, and how a model writes it.
type insertion struct {
	sample
	doc            string // the file without it
	at             int
	right, written string
	damage         string // "" is none
}

// cut takes a part out of a file: lines, the rest of a line with lines behind it, or a part of
// a line.
func (s sample) cut(random *rand.Rand) (insertion, bool) {
	lines := strings.SplitAfter(s.text, "\n")
	i := random.IntN(len(lines))
	at := 0
	for _, line := range lines[:i] {
		at += len(line)
	}
	line := strings.TrimSuffix(lines[i], "\n")
	if strings.TrimSpace(line) == "" || len(line) > 300 {
		return insertion{}, false
	}
	code := strings.TrimLeft(line, " \t")
	start := len(line) - len(code)
	end := at + len(line)
	switch random.IntN(4) {
	case 0: // whole lines
	case 1: // behind a line, which begins a block perhaps
		start = len(line)
	default: // somewhere in the line
		start += random.IntN(len(code) + 1)
		for start < len(line) && line[start]&0xC0 == 0x80 {
			start++
		}
		if random.IntN(2) == 0 && start < len(line) {
			end = at + start + 1 + random.IntN(len(line)-start)
			for end < len(s.text) && (s.text[end]&0xC0 == 0x80 || isWord(rune(s.text[end])) && isWord(rune(s.text[end-1]))) {
				end++ // nobody completes into a word
			}
		}
	}
	if end == at+len(line) {
		for n := random.IntN(4); n > 0 && i+1 < len(lines); n-- {
			i++
			end += len(lines[i])
		}
	}
	end = min(end, len(s.text)-1)
	at += start
	if at >= end || end-at > 2000 || strings.TrimSpace(s.text[at:end]) == "" {
		return insertion{}, false
	}
	right := strings.TrimRight(s.text[at:end], " \t\n")
	if strings.TrimSpace(right) == "" {
		return insertion{}, false
	}
	return insertion{sample: s, doc: s.text[:at] + s.text[at+len(right):], at: at, right: right, written: right}, true
}

// damages are what models do to what they insert; each reports whether the insertion has a
// place for it.
var damages = []struct {
	name string
	do   func(*insertion, *rand.Rand) bool
}{
	{"one or two letters", func(in *insertion, random *rand.Rand) bool {
		word := in.wordBefore()
		k := 1 + random.IntN(2)
		return len(word) == k && in.echo(word)
	}},
	{"a part of a word", func(in *insertion, _ *rand.Rand) bool {
		word := in.wordBefore()
		return len(word) > 2 && len(in.right) > 0 && isWord(rune(in.right[0])) && in.echo(word)
	}},
	{"the last word", func(in *insertion, _ *rand.Rand) bool {
		word := in.wordBefore()
		return len(word) > 2 && !isWord(rune(in.right[0])) && in.echo(word)
	}},
	{"the line", func(in *insertion, _ *rand.Rand) bool {
		line := in.lineBefore()
		return len(strings.TrimSpace(line)) > 2 && in.echo(strings.TrimLeft(line, " \t"))
	}},
	{"the line before too", func(in *insertion, _ *rand.Rand) bool { return in.echoLines(1) }},
	{"two lines before too", func(in *insertion, _ *rand.Rand) bool { return in.echoLines(2) }},
	{"the rest of the line", func(in *insertion, _ *rand.Rand) bool {
		rest, _, _ := strings.Cut(in.doc[in.at:], "\n")
		in.written += rest
		return strings.TrimSpace(rest) != ""
	}},
	{"the line below", func(in *insertion, _ *rand.Rand) bool {
		rest, below, _ := strings.Cut(in.doc[in.at:], "\n")
		next, _, _ := strings.Cut(below, "\n")
		in.written += "\n" + next
		return rest == "" && strings.TrimSpace(next) != ""
	}},
	{"tabs for spaces, or spaces for tabs", func(in *insertion, random *rand.Rand) bool {
		if edits.IndentUnit(in.doc) != "\t" {
			return in.indented("\t")
		}
		return in.indented([]string{"  ", "    "}[random.IntN(2)])
	}},
	{"spaces of another width", func(in *insertion, random *rand.Rand) bool {
		return edits.IndentUnit(in.doc) != "\t" && in.indented([]string{"  ", "    "}[random.IntN(2)])
	}},
	{"the other line end", func(in *insertion, _ *rand.Rand) bool {
		if !strings.Contains(in.written, "\n") {
			return false
		}
		if strings.Contains(in.doc, "\r\n") {
			in.written = strings.ReplaceAll(in.written, "\r\n", "\n")
		} else {
			in.written = strings.ReplaceAll(in.written, "\n", "\r\n")
		}
		return true
	}},
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func (in *insertion) lineBefore() string {
	return in.doc[strings.LastIndexByte(in.doc[:in.at], '\n')+1 : in.at]
}

func (in *insertion) wordBefore() string {
	line := in.lineBefore()
	return line[len(strings.TrimRightFunc(line, isWord)):]
}

func (in *insertion) echo(what string) bool {
	in.written = what + in.written
	return true
}

func (in *insertion) echoLines(n int) bool {
	line := in.lineBefore()
	above := strings.Split(in.doc[:in.at-len(line)], "\n")
	above = above[:len(above)-1]
	if len(above) < n || slices.ContainsFunc(above[len(above)-n:], func(l string) bool { return strings.TrimSpace(l) == "" }) {
		return false
	}
	return in.echo(strings.Join(above[len(above)-n:], "\n") + "\n" + line)
}

// indented writes the indentation of the lines behind the first in another unit.
func (in *insertion) indented(other string) bool {
	unit := edits.IndentUnit(in.doc)
	if unit == "" || unit == other || !strings.Contains(in.right, "\n") {
		return false
	}
	lines := strings.Split(in.written, "\n")
	changed := false
	for i, line := range lines[1:] {
		code := strings.TrimLeft(line, " \t")
		indent := line[:len(line)-len(code)]
		if code == "" {
			continue
		}
		if strings.ReplaceAll(indent, unit, "") != "" {
			return false
		}
		lines[i+1] = strings.ReplaceAll(indent, unit, other) + code
		changed = changed || indent != ""
	}
	in.written = strings.Join(lines, "\n")
	return changed
}

// damaged is the insertion as a model writes it that errs; false if it has no place for an error.
func (in insertion) damaged(random *rand.Rand) (insertion, bool) {
	for range 20 {
		out := in
		if d := damages[random.IntN(len(damages))]; d.do(&out, random) && out.written != in.right {
			if out.damage = d.name; random.IntN(4) == 0 && !strings.Contains(out.written, "\r") {
				out.written = strings.ReplaceAll(out.written, "\n", "\r\n")
			}
			return out, true
		}
	}
	return in, false
}

// inCRLF is the insertion in a file with the other line ends.
func (in insertion) inCRLF() insertion {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	in.at = len(crlf(in.doc[:in.at]))
	in.text, in.doc, in.right, in.written = crlf(in.text), crlf(in.doc), crlf(in.right), crlf(in.written)
	return in
}

// A tally counts outcomes.
type tally struct{ right, nothing, wrong int }

// A run is many insertions that are generated from one seed.
type run struct {
	samples map[string][]sample // by language
	words   map[string]wordsOf
	tallies map[string]*tally
}

func newRun(samples []sample) *run {
	r := &run{samples: map[string][]sample{}, words: wordsIn(samples), tallies: map[string]*tally{}}
	for _, s := range samples {
		r.samples[s.lang] = append(r.samples[s.lang], s)
	}
	return r
}

// insert fits n insertions, half of them as models write them that err: the text becomes the
// file again, or nothing is inserted.
func (r *run) insert(t testing.TB, random *rand.Rand, n int) {
	names := slices.Sorted(maps.Keys(r.samples))
	for done := 0; done < n; {
		list := r.samples[names[random.IntN(len(names))]]
		in, ok := list[random.IntN(len(list))].cut(random)
		if ok && done%2 == 1 {
			in, ok = in.damaged(random)
		}
		if !ok {
			continue
		}
		done++
		if !strings.Contains(in.written, "\r") && random.IntN(8) == 0 {
			in = in.inCRLF()
		}
		r.judge(t, in)
	}
}

func (r *run) judge(t testing.TB, in insertion) {
	doc, known := edits.NewText(in.doc), r.words[in.lang]
	s := style.Of(in.file, in.doc, nil)
	e, err := edits.Fit(doc, edits.Edit{Span: edits.Span{Start: in.at, End: in.at}, New: in.written}, s, known)
	got := ""
	if err == nil {
		got = in.doc[:e.Start] + e.New + in.doc[e.End:]
		if again, err := edits.Fit(doc, e, s, known); err != nil || again != e {
			t.Errorf("%s at %d: fitted again, %v becomes %v (%v)", in.file, in.at, e, again, err)
		}
	}
	for _, key := range []string{"all", "damage: " + in.damage, "language: " + in.lang} {
		if r.tallies[key] == nil {
			r.tallies[key] = &tally{}
		}
		switch c := r.tallies[key]; {
		case err != nil:
			c.nothing++
		case got == in.text:
			c.right++
		default:
			c.wrong++
		}
	}
	show, wanted := os.LookupEnv("FIT_SHOW") // the damage of which what is refused is shown, too
	if got != in.text && (err == nil || wanted && show == in.damage) {
		t.Logf("%s at %d (%s): written %q, fitted %v (%v), right %q; before it %q, behind it %q", in.file, in.at, in.damage, in.written, e, err, in.right,
			in.doc[max(0, in.at-80):in.at], in.doc[in.at:min(len(in.doc), in.at+60)])
	}
}

// anyWidth is the damage that a text may hide: a level of four spaces looks like two of two.
const anyWidth = "damage: spaces of another width"

// mostHidden is of how many insertions one such may be wrong.
const mostHidden = 3000

// wrongNowhere fails where a wrong text was inserted, or more than may be hidden.
func (r *run) wrongNowhere(t testing.TB) {
	for key, c := range r.tallies {
		all := r.tallies["all"]
		if strings.HasPrefix(key, "damage: ") && c.wrong > 0 && (key != anyWidth || c.wrong > 1+(all.right+all.nothing)/mostHidden) {
			t.Errorf("%s: %d texts are wrong", key, c.wrong)
		}
	}
}

func (r *run) print(t testing.TB) {
	for _, key := range slices.Sorted(maps.Keys(r.tallies)) {
		c := r.tallies[key]
		all := c.right + c.nothing + c.wrong
		t.Logf("%-32s %6d: %6.2f %% right, %5d nothing, %4d wrong", key, all, 100*float64(c.right)/float64(all), c.nothing, c.wrong)
	}
}

// TestGeneratedInsertions cuts parts out of files and inserts them again. FIT_CORPUS names
// folders of other files, separated by colons; then the seed is drawn.
func TestGeneratedInsertions(t *testing.T) {
	seed, n, least, whole := uint64(1), 6000, 965, 990 // small files show little of how they are written
	var samples []sample
	if corpus := os.Getenv("FIT_CORPUS"); corpus != "" {
		seed, n, least, whole = rand.Uint64(), 20000, 975, 993
		fmt.Sscan(os.Getenv("FIT_SEED"), &seed)
		fmt.Sscan(os.Getenv("FIT_N"), &n)
		t.Logf("FIT_SEED=%d", seed)
		samples = samplesIn(t, rand.New(rand.NewPCG(seed, 1)), strings.Split(corpus, ":")...)
	} else {
		samples = ownSamples(t)
	}
	r := newRun(samples)
	r.insert(t, rand.New(rand.NewPCG(seed, 0)), n)
	r.print(t)
	if all, none := r.tallies["all"], r.tallies["damage: "]; all.right*1000 < least*n || none.right*1000 < whole*(none.right+none.nothing+none.wrong) {
		t.Error("too few are right")
	}
	r.wrongNowhere(t)
	if len(r.samples) < 30 {
		t.Errorf("%d languages are few", len(r.samples))
	}
}

// FuzzInsertions draws other insertions.
func FuzzInsertions(f *testing.F) {
	samples := ownSamples(f)
	f.Add(uint64(2))
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := newRun(samples)
		r.insert(t, rand.New(rand.NewPCG(seed, 0)), 200)
		r.wrongNowhere(t)
	})
}
