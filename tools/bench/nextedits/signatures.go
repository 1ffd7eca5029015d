package main

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model/local"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// The kinds of signature change that are made.
var kinds = []string{"rename", "remove", "reorder", "add"}

// signatureChanges changes the signatures of sampled Go functions of a repository, applies
// all remaining places at once, and lets the compiler judge.
func signatureChanges(root string, n int, seed int64, verbose bool) ([]row, error) {
	whole, err := treeAt(root, "HEAD")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "signatures")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := checkOut(root, dir); err != nil {
		return nil, err
	}
	if out, ok := compiles(dir); !ok {
		return nil, fmt.Errorf("the repository does not compile as it is: %s", out)
	}
	rng := rand.New(rand.NewSource(seed))
	functions := sample(whole.ix, rng)
	made, good, counted := 0, 0, 0
	var slowest time.Duration
	for i, d := range functions {
		if made == n {
			break
		}
		kind := kinds[i%len(kinds)]
		m := &memory{root: root, ix: whole.ix, texts: map[string]string{}}
		for p, t := range whole.texts {
			m.texts[p] = t
		}
		changed, ok := makeChange(m, d, kind)
		if !ok {
			continue
		}
		start := time.Now()
		all, found := local.New(nil).AllNextEdits(context.Background(), m, m.recent, changed, 0)
		slowest = max(slowest, time.Since(start))
		if !found && kind == "rename" {
			continue // nobody uses it
		}
		if !found {
			continue
		}
		made++
		after := m.texts
		for _, e := range slices.Backward(sorted(all.Edits)) {
			after[e.Path] = after[e.Path][:e.Edit.Start] + e.Edit.New + after[e.Path][e.Edit.End:]
		}
		touched := write(dir, whole.texts, after)
		out, ok := compiles(dir)
		if ok {
			good++
		} else if left := strings.Count(out, "\n"); all.Left > 0 && left <= 2*all.Left+2 {
			counted++
		}
		if verbose && !ok {
			fmt.Printf("  %s %s in %s: %d edits, %d left, %s\n%s\n", kind, d.Name, changed, len(all.Edits), all.Left, all.Proof, out)
		}
		for _, p := range touched {
			if err := os.WriteFile(filepath.Join(dir, p), []byte(whole.texts[p]), 0o600); err != nil {
				return nil, err
			}
		}
	}
	return []row{{what: "signature changes in " + filepath.Base(root) + ": compiles after one accept", value: percent(good, made), bar: 90,
		note: fmt.Sprintf("%d of %d, %d more with the rest counted; slowest offer %d ms", good, made, counted, slowest.Milliseconds())}}, nil
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
func makeChange(m *memory, d index.Def, kind string) (path string, ok bool) {
	path = m.ix.Path(d.File)
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
		m.edit(path, edits.Edit{Span: edits.Span{Start: at + found[2], End: at + found[3]}, New: d.Name + "Anew"}, 0)
		return path, true
	case "remove":
		for i, p := range params {
			name, typed, _ := strings.Cut(p, " ")
			if typed != "" && !strings.HasPrefix(typed, "...") && (i == 0 || strings.Contains(params[i-1], " ")) && !regexp.MustCompile(`\b`+name+`\b`).MatchString(body) {
				m.edit(path, edits.Edit{Span: span, New: strings.Join(slices.Delete(slices.Clone(params), i, i+1), ", ")}, 0)
				return path, true
			}
		}
		return "", false
	case "reorder":
		if len(params) < 2 || !strings.Contains(params[0], " ") || !strings.Contains(params[1], " ") || strings.Contains(list, "...") {
			return "", false
		}
		params[0], params[1] = params[1], params[0]
		m.edit(path, edits.Edit{Span: span, New: strings.Join(params, ", ")}, 0)
		return path, true
	}
	if strings.Contains(list, "...") || list != "" && !strings.Contains(params[len(params)-1], " ") {
		return "", false
	}
	added := "extra bool"
	if list != "" {
		added = list + ", " + added
	}
	m.edit(path, edits.Edit{Span: span, New: added}, 0)
	return path, true
}

// write writes the files that differ and returns them.
func write(dir string, before, after map[string]string) (out []string) {
	for p, t := range after {
		if before[p] != t && os.WriteFile(filepath.Join(dir, p), []byte(t), 0o600) == nil {
			out = append(out, p)
		}
	}
	return out
}

// compiles type-checks every package with its tests.
func compiles(dir string) (string, bool) {
	c := exec.Command("go", "vet", "-unusedresult", "./...") // the cheapest analysis that type-checks tests too
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := c.CombinedOutput()
	return string(out), err == nil
}
