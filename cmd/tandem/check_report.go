package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/ignore"
	"tandem/workspace/judge"
	"tandem/workspace/names"
	"tandem/workspace/terms"
)

// A checkReport is what `tandem check` found and what it could not do.
type checkReport struct {
	texts     map[string]edits.Text // of the files checked, by path
	found     []edits.Finding
	unknown   []string // names left unjudged, as sentences
	notes     []string // what else is worth knowing where nothing is found
	unchecked []uncheckedFile
	unread    []string              // which users of what a change withdraws were not read
	names     int                   // how many names were looked at
	doubts    map[string]int        // how many of them nobody can judge here, by the reason
	seen      map[string]names.Seen // where those are that a sentence of unknown is about
	exclude   ignore.Globs
	sarif     int            // see maxSARIF
	leftOut   map[string]int // files that are not checked, by the reason
}

// An uncheckedFile is a file that was asked for and could not be checked.
type uncheckedFile struct {
	path string
	err  error
}

func newCheckReport() *checkReport {
	return &checkReport{sarif: maxSARIF, texts: map[string]edits.Text{}, leftOut: map[string]int{}, doubts: map[string]int{}, seen: map[string]names.Seen{}}
}

// take adds a judgement of changes. What is found in a file that they leave as it is, and that
// is left out, does not count.
func (r *checkReport) take(snap *workspace.Snapshot, changes []edits.FileChange, found *judge.Report) {
	for _, f := range changes {
		r.texts[f.Path] = edits.NewText(f.After)
	}
	for _, f := range found.Found() {
		if _, ok := r.texts[f.Path]; !ok {
			abs, _ := workspace.PathOf(snap.Resolve(f.Path))
			text, err := readForCheck(snap, abs)
			if err != nil || r.leavesOut(f.Path, text) {
				continue
			}
			r.texts[f.Path] = edits.NewText(text)
		}
		r.found = append(r.found, f)
	}
	r.unknown = slices.Concat(r.unknown, found.Unparsed, found.Silenced, found.Unknown, found.Unjudged)
	if n := len(found.Silenced); n > 0 {
		r.leftOut["silenced by their authors"] += n
	}
	r.notes, r.unread = append(r.notes, found.Notes...), append(r.unread, found.Unread...)
	r.names += found.Names
	for reason, n := range found.Doubts {
		r.doubts[reason] += n
	}
	maps.Copy(r.seen, found.Seen)
	for _, f := range found.Failed {
		r.fail(f.Path, f.Err)
	}
	for _, path := range found.Late {
		r.fail(path, errLate)
	}
}

// forModels leaves of the findings what models may be shown.
func (r *checkReport) forModels(snap *workspace.Snapshot) {
	var shown []edits.Finding
	hidden := 0
	for _, f := range r.found {
		switch ok, _ := snap.Allowed(f.Path); {
		case !ok:
			hidden++
		case f.Public != nil:
			shown = append(shown, *f.Public)
		default:
			shown = append(shown, f)
		}
	}
	if r.found = shown; hidden > 0 {
		r.unread = append(r.unread, terms.Counted(hidden, "finding")+" in files that no model may see")
	}
}

// nothing reports whether there was nothing that could not be checked, or was left out.
func (r *checkReport) nothing() bool { return len(r.unchecked)+len(r.leftOut) == 0 }

// fail records that a file could not be checked, once a file.
func (r *checkReport) fail(path string, err error) {
	if !slices.ContainsFunc(r.unchecked, func(f uncheckedFile) bool { return f.path == path }) {
		r.unchecked = append(r.unchecked, uncheckedFile{path, err})
	}
}

// Why a file that can be read is not checked.
var (
	errTooLarge = errors.New("it is larger than 5 MB")
	errNoText   = errors.New("it is in no known encoding; save it as UTF-8")
	errLate     = errors.New("what it uses is still being read; check fewer files at a time")
)

// readForCheck returns the text of a file. No text of it leaves the machine, so
// a file that is kept from models is checked like any other.
func readForCheck(snap *workspace.Snapshot, path string) (string, error) {
	f, err := snap.Unfiltered(path)
	if err != nil {
		return "", cmp.Or(errors.Unwrap(err), err) // the reason alone: the report names the file
	}
	if f.Large() {
		return "", errTooLarge
	}
	text := f.Content()
	if f.Binary() || !utf8.ValidString(text) {
		return "", errNoText
	}
	return text, nil
}

// readable returns the changes whose text can be checked and records the others.
func (r *checkReport) readable(changes []edits.FileChange) []edits.FileChange {
	return slices.DeleteFunc(changes, func(f edits.FileChange) bool {
		wrong := !f.AbsentAfter && !utf8.ValidString(f.After)
		if wrong {
			r.fail(f.Path, errNoText)
		}
		return wrong
	})
}

// Which files are left out where they are not named: code that is meant to be wrong, and code
// that nobody here wrote.
var (
	testData   = regexp.MustCompile(`(?i)(^|/)(test[-_]?data|testcases|__?fixtures__?|fixtures?|__snapshots__|snapshots|cassettes|golden|tests?/(data|assets|cases|samples|mypy|input|output))(/|$)`)
	vendored   = regexp.MustCompile(`(^|/)(vendor|vendored|_vendor|third[-_]?party|node_modules|site-packages|bower_components|\.yarn)/|\.min\.(js|css)$`)
	generated  = regexp.MustCompile(`_pb2(_grpc)?\.pyi?$|\.pb(\.\w+)?\.go$|[._-](generated|gen)\.\w+$|(^|/)zz_generated|/generated/|(^|/)(package-lock|composer\.lock)`)
	madeHeader = regexp.MustCompile(`(?i)code generated .*do not edit|@generated|auto-?generated (by|file|code|from)|this file (is|was) (auto(matically)?[- ])?generated`)
)

// leavesOut reports, and counts, whether a file is left out.
func (r *checkReport) leavesOut(file, text string) bool {
	head := text[:min(len(text), 1000)]
	reason := ""
	switch {
	case r.exclude.Match(file) != "":
		reason = "excluded"
	case testData.MatchString(path.Dir(file)):
		reason = "test data"
	case vendored.MatchString(file):
		reason = "vendored"
	case generated.MatchString(file), madeHeader.MatchString(head):
		reason = "generated"
	default:
		return false
	}
	r.leftOut[reason]++
	return true
}

// unjudged says in sentences what was not checked or judged.
func (r *checkReport) unjudged() (out []string) {
	for _, f := range r.unchecked {
		out = append(out, f.path+" was not checked: "+f.err.Error())
	}
	return slices.Concat(out, r.unread, r.unknown)
}

// exit returns the error with the exit code of what was found: a finding goes
// before a file that could not be checked.
func (r *checkReport) exit(o checkOptions) error {
	counts := func(f edits.Finding) bool { return f.Severity == severityError || o.failOn == severityWarning }
	switch {
	case slices.ContainsFunc(r.found, counts):
		return exit(exitFailed, errors.New(""))
	case len(r.unchecked)+len(r.unread) > 0, o.strict && len(r.unknown) > 0:
		return exit(exitUnchecked, errors.New(""))
	}
	return nil
}

// print writes the findings to out, and to problems what could not be checked
// or judged.
func (r *checkReport) print(out, problems io.Writer, o checkOptions) error {
	if o.format == formatSARIF {
		if err := r.printSARIF(out); err != nil {
			return err
		}
	}
	for _, f := range r.found {
		if err := r.printFinding(out, f, o.format); err != nil {
			return err
		}
	}
	for _, f := range r.unchecked {
		tell(problems, fmt.Sprintf("%s was not checked: %v", f.path, f.err))
		if o.format == formatJSON {
			if err := json.NewEncoder(out).Encode(findingJSON{Path: f.path, Line: 1, Column: 1, Severity: severityError, Kind: kindUnchecked, Message: f.err.Error()}); err != nil {
				return err
			}
		}
	}
	for _, u := range r.unread {
		tell(problems, "not judged: "+u)
	}
	for _, u := range slices.Concat(r.unknown, r.notes) {
		if o.verbose {
			fmt.Fprintln(problems, "unknown: "+edits.OneLine(r.placed(u)))
		}
	}
	for _, u := range r.unknown {
		if o.strict && o.format == formatJSON {
			if err := json.NewEncoder(out).Encode(findingJSON{Severity: "information", Kind: kindUnjudged, Message: u}); err != nil {
				return err
			}
		}
	}
	return nil
}

// placed is a sentence of what is not judged behind the first place that it is about.
func (r *checkReport) placed(what string) string {
	at, ok := r.seen[what]
	if !ok {
		return what
	}
	text := r.texts[at.Path]
	more := ""
	if at.Times > 1 {
		more = fmt.Sprintf(" (%d places)", at.Times)
	}
	return fmt.Sprintf("%s:%d:%d: %s%s", at.Path, text.LineOf(at.Offset)+1, text.UTF8Column(at.Offset)+1, what, more)
}

// summary is one sentence about what was done and what was not.
func (r *checkReport) summary(o checkOptions) string {
	unjudged := 0
	for _, n := range r.doubts {
		unjudged += n
	}
	s := fmt.Sprintf("%s, %s judged", terms.Counted(len(r.found), "finding"), terms.Counted(r.names-unjudged, "name"))
	if unjudged > 0 {
		s += fmt.Sprintf(", %d not%s", unjudged, reasons(r.doubts))
	}
	if len(r.unchecked) > 0 {
		s += ", " + terms.Counted(len(r.unchecked), "file") + " not checked"
	}
	if len(r.leftOut) > 0 {
		total := 0
		for _, n := range r.leftOut {
			total += n
		}
		s += ", " + terms.Counted(total, "file") + " left out" + reasons(r.leftOut)
	}
	if len(r.unknown) > 0 && !o.verbose {
		s += " (-v lists what is not judged)"
	}
	return s
}

// reasons are those of some counts, the most frequent first.
func reasons(counts map[string]int) string {
	list := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, "; ")
}

// The kinds of line in `tandem check --json` that are not findings.
const (
	kindUnchecked = "unchecked" // a file was not checked
	kindUnjudged  = "unjudged"  // with --strict: names were left unjudged
)

// A findingJSON is a line of `tandem check --json`.
type findingJSON struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Message  string `json:"message"`
	Nearest  string `json:"nearest"`
	Where    string `json:"where"`
}

func (r *checkReport) printFinding(w io.Writer, f edits.Finding, format string) error {
	at := r.located(f)
	switch format {
	case formatJSON:
		return json.NewEncoder(w).Encode(at)
	case formatGitHub:
		return r.printGitHub(w, f)
	case formatSARIF:
		return nil // one log has all of them
	}
	_, err := fmt.Fprintln(w, edits.OneLine(fmt.Sprintf("%s:%d:%d: %s: %s", at.Path, at.Line, at.Column, at.Severity, withNearest(f))))
	return err
}
