package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var (
	acceptCases  = flag.String("cases", "", "`DIR` with *.jsonl edit cases (default: the project's own)")
	acceptTandem = flag.String("tandem", "", "the `PROGRAM` that answers them (default: this package's code)")
)

// An acceptCase is the expectation of a case; the line itself is the request.
type acceptCase struct {
	ID     string            `json:"id"`
	Format string            `json:"format"`
	Patch  string            `json:"patch"`
	After  map[string]string `json:"after"`
	Edits  json.RawMessage   `json:"edits"`
	Files  []string          `json:"files"`
	Error  bool              `json:"error"`
	Tags   []string          `json:"tags"`
	line   []byte
	before map[string]string // of tandem's own cases
	code   string            // the error code that one of tandem's own cases requires
}

// recuts is how often each answer is cut into random chunks and tested again.
const recuts = 20

// A score counts the outcomes of one suite.
type score struct {
	right, refused, wrong int
	// policy counts what other tools apply and tandem refuses on purpose: a text
	// that occurs more than once, an answer without its end.
	policy int
	// disputed counts the texts that a case does not expect and that git makes of the
	// same diff: the expectation is another tool's habit.
	disputed int
	chunked  int // chunkings whose answer differed
}

// leastRight is the percentage that has to be right where the policy agrees: what
// was reached, so that refusing more is seen as a loss. Our own cases are all right.
const (
	leastRight    = 98.0
	leastRightOwn = 100.0
)

// TestAccept sends every case to `tandem apply --jsonl`, whole and cut into
// chunks, and fails if the resulting text is not the one that the case expects.
func TestAccept(t *testing.T) {
	suites, least := ownSuites(t), leastRightOwn
	if *acceptCases != "" {
		suites, least = suitesIn(t, *acceptCases), leastRight
	}
	var total score
	fmt.Printf("%-28s %6s %6s %8s %8s %8s %6s %8s\n", "suite", "cases", "right", "policy", "disputed", "refused", "wrong", "chunked")
	for _, name := range slices.Sorted(maps.Keys(suites)) {
		s := runSuite(t, suites[name])
		s.print(name)
		total.add(s)
	}
	total.print("all")
	n := total.right + total.refused + total.wrong
	share := 100 * float64(total.right) / float64(max(n, 1))
	fmt.Printf("right where the policy agrees: %.2f %%, at least %.2f %%\n", share, least)
	if share < least {
		t.Errorf("%.2f %% are right, at least %.2f %% have to be", share, least)
	}
}

func (s score) print(name string) {
	all := s.right + s.policy + s.disputed + s.refused + s.wrong
	fmt.Printf("%-28s %6d %6d %8d %8d %8d %6d %8d\n", name, all, s.right, s.policy, s.disputed, s.refused, s.wrong, s.chunked)
}

func (s *score) add(o score) {
	s.right += o.right
	s.refused += o.refused
	s.wrong += o.wrong
	s.policy += o.policy
	s.disputed += o.disputed
	s.chunked += o.chunked
}

func suitesIn(t *testing.T, dir string) map[string][]acceptCase {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.jsonl in %s: %v", dir, err)
	}
	suites := map[string][]acceptCase{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		suites[name] = casesOf(t, data)
	}
	return suites
}

func casesOf(t *testing.T, data []byte) []acceptCase {
	var cases []acceptCase
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		c := acceptCase{line: line}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

func runSuite(t *testing.T, cases []acceptCase) score {
	var in bytes.Buffer
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range cases {
		in.Write(c.line)
		in.WriteByte('\n')
		for range c.cuts() {
			in.Write(c.recut(t, random))
			in.WriteByte('\n')
		}
	}
	answers := bufio.NewReader(bytes.NewReader(answerAll(t, in.Bytes())))
	var s score
	for _, c := range cases {
		whole := nextAnswer(t, answers)
		c.judge(t, whole, &s)
		for range c.cuts() {
			if cut := nextAnswer(t, answers); !bytes.Equal(cut, whole) {
				s.chunked++
				t.Errorf("%s: cut into chunks it gave\n%s\nwhole\n%s", c.ID, cut, whole)
			}
		}
	}
	return s
}

// cuts returns how often the case is cut: a rebase has no answer to cut.
func (c acceptCase) cuts() int {
	if c.Format == "rebase" {
		return 0
	}
	return recuts
}

// recut returns the case with random chunk sizes, some of them tiny.
func (c acceptCase) recut(t *testing.T, random *rand.Rand) []byte {
	var request map[string]any
	if err := json.Unmarshal(c.line, &request); err != nil {
		t.Fatal(err)
	}
	sizes := []int{}
	for left := len(c.Patch); left > 0 && len(sizes) < 4000; {
		n := 1 + random.IntN(1+random.IntN(40))
		sizes = append(sizes, n)
		left -= n
	}
	request["chunks"] = sizes
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// answerAll runs the requests through the built program, or through its code in this process.
func answerAll(t *testing.T, requests []byte) []byte {
	if *acceptTandem == "" {
		var out bytes.Buffer
		if err := serveLines(bytes.NewReader(requests), &out, func(r applyRequest) any { return r.answer() }); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	command := exec.Command(*acceptTandem, "apply", "--jsonl")
	command.Stdin, command.Stderr = bytes.NewReader(requests), os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", *acceptTandem, err)
	}
	return out
}

func nextAnswer(t *testing.T, answers *bufio.Reader) []byte {
	line, err := answers.ReadBytes('\n')
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return bytes.TrimSpace(line)
}

// judge compares an answer with the expected one.
func (c acceptCase) judge(t *testing.T, answer []byte, s *score) {
	var got struct {
		After map[string]string `json:"after"`
		Edits [][3]string       `json:"edits"`
		Error *lineError        `json:"error"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Errorf("%s: %v in %s", c.ID, err, answer)
		return
	}
	ambiguous := slices.Contains(c.Tags, "ambiguous")
	switch {
	case got.Error != nil && c.code != "" && got.Error.Code != c.code:
		s.wrong++
		t.Errorf("%s: refused with %s (%s), want %s", c.ID, got.Error.Code, got.Error.Message, c.code)
	case got.Error != nil && c.Error:
		s.right++
	case got.Error != nil && c.before == nil && (ambiguous && got.Error.Code == "ambiguous" || got.Error.Code == "truncated"):
		s.policy++
		t.Logf("%s: policy: %s: %s", c.ID, got.Error.Code, got.Error.Message)
	case got.Error != nil && c.before != nil:
		s.refused++
		t.Errorf("%s: refused: %s: %s", c.ID, got.Error.Code, got.Error.Message)
	case got.Error != nil:
		s.refused++
		t.Logf("%s: refused: %s: %s", c.ID, got.Error.Code, got.Error.Message)
	case c.Error:
		s.wrong++
		t.Errorf("%s: applied %.2000q, should be refused", c.ID, answer)
	case c.Format == "parse" && c.sameEdits(t, got.Edits), c.Format != "parse" && maps.Equal(got.After, c.After):
		s.right++
	case c.Format == "unified_diff" && c.gitMakes(t, got.After):
		s.disputed++
		t.Logf("%s: git makes the same text of this diff, which the case does not expect", c.ID)
	default:
		s.wrong++
		t.Errorf("%s: wrong: %s", c.ID, c.difference(got.After, got.Edits))
	}
}

// gitMakes reports whether git, where it is installed, applies the diff and makes
// exactly this text of the case's one file.
func (c acceptCase) gitMakes(t *testing.T, after map[string]string) bool {
	var request struct{ Before map[string]string }
	if err := json.Unmarshal(c.line, &request); err != nil || len(request.Before) != 1 || len(after) != 1 {
		return false
	}
	name, found := "", regexp.MustCompile(`(?m)^\+\+\+ b/(.+)$`).FindStringSubmatch(c.Patch)
	for name = range request.Before {
	}
	if found == nil || !filepath.IsLocal(found[1]) {
		return false
	}
	dir := t.TempDir()
	file := filepath.Join(dir, found[1])
	if os.MkdirAll(filepath.Dir(file), 0o700) != nil || os.WriteFile(file, []byte(request.Before[name]), 0o600) != nil {
		return false
	}
	command := exec.Command("git", "apply", "-")
	command.Dir, command.Stdin = dir, strings.NewReader(c.Patch)
	command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if command.Run() != nil {
		return false
	}
	made, err := os.ReadFile(file)
	return err == nil && string(made) == after[name]
}

func (c acceptCase) sameEdits(t *testing.T, got [][3]string) bool {
	if c.Files != nil {
		var files []string
		for _, e := range got {
			if !slices.Contains(files, e[0]) {
				files = append(files, e[0])
			}
		}
		return slices.Equal(files, c.Files)
	}
	var want [][3]string
	if err := json.Unmarshal(c.Edits, &want); err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	return slices.Equal(got, want)
}

func (c acceptCase) difference(after map[string]string, got [][3]string) string {
	if c.Format == "parse" {
		return fmt.Sprintf("got  %.3000q\nwant %.3000s", got, c.Edits)
	}
	var s strings.Builder
	for name := range after {
		if after[name] != c.After[name] {
			fmt.Fprintf(&s, "%s\ngot  %q\nwant %q\n", name, around(after[name], c.After[name]), around(c.After[name], after[name]))
		}
	}
	for name := range c.After {
		if _, ok := after[name]; !ok {
			fmt.Fprintf(&s, "%s is missing\n", name)
		}
	}
	return s.String()
}

// around returns the part of a text where it begins to differ from another.
func around(text, other string) string {
	i := 0
	for i < len(text) && i < len(other) && text[i] == other[i] {
		i++
	}
	return text[max(0, i-60):min(len(text), i+140)]
}

// ownSuites reads the project's own cases: see testdata/edits/search_replace.txtar.
func ownSuites(t *testing.T) map[string][]acceptCase {
	files, err := filepath.Glob("../../testdata/edits/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases of our own: %v", err)
	}
	suites := map[string][]acceptCase{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		suites[name] = archiveCases(t, archive)
	}
	return suites
}

// archiveCases makes one case of all files whose name has the same first part.
func archiveCases(t *testing.T, archive *txtar.Archive) []acceptCase {
	format, _, _ := strings.Cut(strings.TrimPrefix(string(archive.Comment), "format: "), "\n")
	var cases []acceptCase
	for _, f := range archive.Files {
		id, part, _ := strings.Cut(f.Name, "/")
		if len(cases) == 0 || cases[len(cases)-1].ID != id {
			cases = append(cases, acceptCase{ID: id, Format: format, before: map[string]string{}, After: map[string]string{}})
		}
		cases[len(cases)-1].take(t, part, string(f.Data))
	}
	for i := range cases {
		cases[i].encode(t)
	}
	return cases
}

func (c *acceptCase) take(t *testing.T, part, text string) {
	if name, ok := strings.CutSuffix(part, " (bare)"); ok {
		part, text = name, strings.TrimSuffix(text, "\n")
	}
	if name, ok := strings.CutSuffix(part, " (crlf)"); ok {
		part, text = name, strings.ReplaceAll(text, "\n", "\r\n")
	}
	kind, name, _ := strings.Cut(part, "/")
	switch kind {
	case "answer":
		c.Patch = text
	case "before":
		c.before[name] = text
	case "after":
		c.After[name] = text
	case "error":
		c.Error, c.code = true, strings.TrimSpace(text)
	default:
		t.Fatalf("%s: %q is neither answer, before, after nor error", c.ID, part)
	}
}

// encode writes the case as the request it is.
func (c *acceptCase) encode(t *testing.T) {
	line, err := json.Marshal(map[string]any{"id": c.ID, "format": c.Format, "patch": c.Patch, "before": c.before})
	if err != nil {
		t.Fatal(err)
	}
	c.line = line
}
