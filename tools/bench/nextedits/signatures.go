package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model/local"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// The kinds of signature change that are made.
var kinds = []string{"rename", "remove", "reorder", "add", "change a type"}

// maxImporters is how many folders may import the one of a changed function: all of them
// are judged three times.
const maxImporters = 60

// slow is what an offer takes that is printed for itself.
const slow = 300 * time.Millisecond

// A signatureTally counts the changes of one kind.
type signatureTally struct {
	made, compiles, counted int
	took, busy              time.Duration // of one change: until the offer, and its processor time
}

// signatureChanges changes the signatures of sampled functions of a Go module, checked out
// or downloaded, applies all remaining places at once, and lets Go's type checker judge.
func signatureChanges(root string, n int, seed int64, verbose bool) ([]row, error) {
	judge, err := newTypeJudge(root)
	if err != nil {
		return nil, err
	}
	whole, err := goTree(root)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewSource(seed))
	functions := sample(whole.ix, rng)
	byKind := map[string]*signatureTally{}
	for _, k := range kinds {
		byKind[k] = &signatureTally{}
	}
	var all signatureTally
	var times, busy []time.Duration
	for _, d := range functions {
		kind := kinds[all.made%len(kinds)]
		if all.made == n {
			break
		}
		file := whole.ix.Path(d.File)
		if built, err := judge.context.MatchFile(filepath.Join(root, path.Dir(file)), path.Base(file)); err != nil || !built || len(judge.importers[path.Dir(file)]) > maxImporters {
			continue
		}
		t, err := changeSignature(judge, whole, d, kind, verbose)
		if err != nil {
			return nil, err
		}
		all.made, all.compiles, all.counted = all.made+t.made, all.compiles+t.compiles, all.counted+t.counted
		k := byKind[kind]
		k.made, k.compiles, k.counted = k.made+t.made, k.compiles+t.compiles, k.counted+t.counted
		if t.made > 0 {
			times, busy = append(times, t.took), append(busy, t.busy)
		}
	}
	for _, k := range kinds {
		fmt.Printf("%-14s %3d changes: everything compiles after one accept at %d, the number left is right at %d of the others\n", k, byKind[k].made, byKind[k].compiles, byKind[k].counted)
	}
	if len(times) == 0 {
		return nil, fmt.Errorf("no function of %s could be changed", root)
	}
	slices.Sort(times)
	slices.Sort(busy)
	name := filepath.Base(root)
	return []row{
		{what: "signature changes in " + name + ": compiles after one accept", value: percent(all.compiles, all.made), bar: 90, note: fmt.Sprintf("%d of %d, seed %d", all.compiles, all.made, seed)},
		{what: "the same: of the rest, the number left is right", value: percent(all.counted, all.made-all.compiles), bar: 100, none: all.made == all.compiles, note: fmt.Sprintf("%d of %d", all.counted, all.made-all.compiles)},
		{what: "the same: the slowest offer", value: float64(times[len(times)-1].Milliseconds()), bar: 1000, most: true, unit: "ms", note: fmt.Sprintf("median %d ms; the built-in engine alone, no request", times[len(times)/2].Milliseconds())},
		{what: "the same: the most processor time of an offer", value: float64(busy[len(busy)-1].Milliseconds()), none: true, unit: "ms", note: fmt.Sprintf("median %d ms", busy[len(busy)/2].Milliseconds())},
	}, nil
}

// changeSignature makes one change; made is 0 where it breaks nothing, or the function
// itself.
func changeSignature(judge *typeJudge, whole *memory, d index.Def, kind string, verbose bool) (t signatureTally, err error) {
	m := &memory{root: whole.root, ix: whole.ix, texts: maps.Clone(whole.texts)}
	changed, ok := makeChange(m, d, kind)
	if !ok {
		return t, nil
	}
	before := judge.broken(different(whole.texts, m.texts))
	if slices.ContainsFunc(before, func(e compileError) bool { return e.path == changed && e.line >= d.StartLine && e.line <= d.EndLine }) {
		return t, nil // the user is not done with the function itself
	}
	runtime.GC() // the judge's garbage is none of the offer's
	start, used := time.Now(), processorTime("self")
	all, found := local.New(nil).AllNextEdits(context.Background(), m, m.recent, changed, 0)
	t.took, t.busy = time.Since(start), processorTime("self")-used
	if len(before) == 0 && (!found || kind != "reorder") {
		return t, nil // nobody has to follow
	}
	t.made = 1
	for _, e := range slices.Backward(sorted(all.Edits)) {
		m.texts[e.Path] = m.texts[e.Path][:e.Edit.Start] + e.Edit.New + m.texts[e.Path][e.Edit.End:]
	}
	after := judge.broken(different(whole.texts, m.texts))
	lines := map[string]bool{}
	for _, e := range after {
		lines[fmt.Sprintf("%s:%d", e.path, e.line)] = true
	}
	switch {
	case len(after) == 0:
		t.compiles = 1
	case len(lines) == all.Left:
		t.counted = 1
	}
	if verbose && t.took > slow {
		fmt.Printf("  %s %s in %s: %d edits took %d ms, %d ms of processor time\n", kind, d.Name, changed, len(all.Edits), t.took.Milliseconds(), t.busy.Milliseconds())
	}
	if verbose && len(after) > 0 {
		fmt.Printf("  %s %s in %s: %d edits, %d left, %s; %d errors on %d lines\n", kind, d.Name, changed, len(all.Edits), all.Left, all.Proof, len(after), len(lines))
		for _, e := range after[:min(len(after), 3)] {
			fmt.Printf("    %s:%d: %s\n", e.path, e.line, e.message)
		}
	}
	return t, nil
}

// maxIndexed is the size above which the program indexes no file.
const maxIndexed = 5 << 20

// goTree reads the Go files below a folder.
func goTree(root string) (*memory, error) {
	m := &memory{root: root, texts: map[string]string{}}
	var list []index.Change
	err := filepath.WalkDir(root, func(at string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == ".git" || e.Name() == "vendor" || e.Name() == "third_party" || e.Name() == "testdata") {
			return filepath.SkipDir
		}
		if e.IsDir() || filepath.Ext(at) != ".go" && e.Name() != "go.mod" {
			return nil
		}
		text, err := os.ReadFile(at)
		if err != nil || len(text) > maxIndexed {
			return err
		}
		rel, err := filepath.Rel(root, at)
		m.texts[rel] = string(text)
		list = append(list, index.Change{Path: rel, Text: string(text), ModTime: time.Unix(1, 0)})
		return err
	})
	m.ix = index.New().With(list...)
	return m, err
}

// different are the texts that differ from others.
func different(before, after map[string]string) map[string]string {
	out := map[string]string{}
	for p, t := range after {
		if before[p] != t {
			out[p] = t
		}
	}
	return out
}

func sorted(list []local.NextEdit) []local.NextEdit {
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b local.NextEdit) int { return a.Edit.Start - b.Edit.Start })
	return out
}

func sample(ix *index.Index, rng *rand.Rand) (out []index.Def) {
	for _, id := range ix.Files() {
		if ix.Language(id) != "go" || strings.HasSuffix(ix.Path(id), "_test.go") {
			continue
		}
		for _, d := range ix.Defs(id) {
			if d.Kind == language.KindFunc && !d.Local && d.Name != "main" && d.Name != "init" && len(ix.Users(d.Name)) > 1 {
				out = append(out, d)
			}
		}
	}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

var parameterList = regexp.MustCompile(`^func (\w+)\(([^()]*)\)`)

// makeChange edits the signature of a function on one line, as a user does.
func makeChange(m *memory, d index.Def, kind string) (file string, ok bool) {
	path := m.ix.Path(d.File)
	text := m.texts[path]
	lines := strings.SplitAfter(text, "\n")
	if d.StartLine > len(lines) {
		return "", false
	}
	at := len(strings.Join(lines[:d.StartLine-1], ""))
	line := lines[d.StartLine-1]
	found := parameterList.FindStringSubmatchIndex(line)
	if found == nil {
		return "", false
	}
	params := strings.Split(line[found[4]:found[5]], ", ")
	list := line[found[4]:found[5]]
	body := strings.Join(lines[d.StartLine:min(d.EndLine, len(lines))], "")
	span := edits.Span{Start: at + found[4], End: at + found[5]}
	switch kind {
	case "rename":
		m.edit(path, edits.Edit{Span: edits.Span{Start: at + found[2], End: at + found[3]}, New: d.Name + "Anew"})
		return path, true
	case "remove":
		for i, p := range params {
			name, typed, _ := strings.Cut(p, " ")
			if typed != "" && !strings.HasPrefix(typed, "...") && (i == 0 || strings.Contains(params[i-1], " ")) && !regexp.MustCompile(`\b`+name+`\b`).MatchString(body) {
				m.edit(path, edits.Edit{Span: span, New: strings.Join(slices.Delete(slices.Clone(params), i, i+1), ", ")})
				return path, true
			}
		}
		return "", false
	case "reorder":
		if len(params) < 2 || !strings.Contains(params[0], " ") || !strings.Contains(params[1], " ") || strings.Contains(list, "...") {
			return "", false
		}
		params[0], params[1] = params[1], params[0]
		m.edit(path, edits.Edit{Span: span, New: strings.Join(params, ", ")})
		return path, true
	}
	if kind == "change a type" {
		for i, p := range params {
			name, typed, _ := strings.Cut(p, " ")
			if other := otherTypes[typed]; other != "" && (i == 0 || strings.Contains(params[i-1], " ")) {
				now := slices.Clone(params)
				now[i] = name + " " + other
				m.edit(path, edits.Edit{Span: span, New: strings.Join(now, ", ")})
				return path, true
			}
		}
		return "", false
	}
	if strings.Contains(list, "...") || list != "" && !strings.Contains(params[len(params)-1], " ") {
		return "", false
	}
	added := "extra bool"
	if list != "" {
		added = list + ", " + added
	}
	m.edit(path, edits.Edit{Span: span, New: added})
	return path, stateValue(m, d)
}

// otherTypes are what a parameter's type is changed to.
var otherTypes = map[string]string{"int": "int64", "int32": "int64", "int64": "int", "uint32": "uint64", "string": "[]byte", "[]byte": "string"}

// stateValue corrects the first call of a function that gained a parameter, as a user does
// who has one value for all of them in mind. It is false where no call is found.
func stateValue(m *memory, d index.Def) bool {
	own := path.Dir(m.ix.Path(d.File))
	for _, id := range m.ix.Users(d.Name) {
		at := m.ix.Path(id)
		call := regexp.MustCompile(`\b` + path.Base(own) + `\.` + d.Name + `\(`)
		if path.Dir(at) == own {
			call = regexp.MustCompile(`(^|[^.\w])` + d.Name + `\(`)
		}
		text := m.texts[at]
		for _, found := range call.FindAllStringIndex(text, -1) {
			line := text[strings.LastIndexByte(text[:found[0]+1], '\n')+1 : found[0]+1]
			args, end, ok := listAt(text, found[1]-1)
			if !ok || strings.HasPrefix(strings.TrimSpace(line), "func") || strings.Contains(line, "//") {
				continue
			}
			value := "true"
			if len(args) > 0 {
				value = ", true"
			}
			m.edit(at, edits.Edit{Span: edits.Span{Start: end - 1, End: end - 1}, New: value})
			return true
		}
	}
	return false
}
