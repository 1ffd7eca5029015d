package main

import (
	"regexp"
	"strconv"
	"strings"
)

// A page is what a conversation shows and wants, taken apart.
type page struct {
	system  string // words of the system or developer
	context string // everything shown besides the file
	path    string // of the file
	before  string // the file up to the cursor or the selection
	region  string // what is selected; all of the file where nothing is
	after   string
	cursor  bool // a place to continue is marked
	chosen  bool // a selection is marked
	request string
	notes   []string // diagnostics
	diff    string
}

const (
	cursorMark = "<|cursor|>"
	openMark   = "<selection>"
	closeMark  = "</selection>"
)

var fileTag = regexp.MustCompile(`(?s)<file path="([^"]*)"[^>]*>\n(.*)\n</file>`)

// readPage finds the file, the marked place and the wish in the messages.
func readPage(req *request) *page {
	p := &page{}
	for _, m := range req.Messages {
		switch {
		case m.Role == "system" || m.Role == "developer":
			p.system += m.Text + "\n"
		case m.Role == "user":
			p.context += m.Text + "\n"
		}
	}
	last := req.last()
	p.context = strings.TrimSuffix(p.context, last+"\n")
	p.wish(last)
	if at := fileTag.FindStringSubmatchIndex(last); at != nil {
		p.path = last[at[2]:at[3]]
		p.place(last[at[4]:at[5]])
	} else if strings.Contains(last, cursorMark) {
		p.place(last)
	}
	if _, rest, ok := strings.Cut(last, "<diff>\n"); ok {
		p.diff, _, _ = strings.Cut(rest, "\n</diff>")
	}
	return p
}

// place splits a file at its marks.
func (p *page) place(text string) {
	if before, after, ok := strings.Cut(text, cursorMark); ok {
		p.before, p.after, p.cursor = before, after, true
		return
	}
	before, rest, ok := strings.Cut(text, openMark)
	if ok {
		if p.region, p.after, p.chosen = strings.Cut(rest, closeMark); p.chosen {
			p.before = before
			return
		}
	}
	p.region = text
}

var stepWish = regexp.MustCompile(`(?s)Do step \d+ now and nothing else: (.*)$`)

// wish is what the user wants, in the user's words.
func (p *page) wish(last string) {
	for _, line := range strings.Split(last, "\n") {
		if note, ok := strings.CutPrefix(line, "Diagnostic: "); ok {
			p.notes = append(p.notes, note)
		}
	}
	if i := strings.LastIndex(last, "\nRequest: "); i >= 0 {
		p.request = last[i+len("\nRequest: "):]
	} else if rest, ok := strings.CutPrefix(last, "Request: "); ok {
		p.request = rest
	} else if !fileTag.MatchString(last) {
		p.request = last
	}
	if m := stepWish.FindStringSubmatch(p.request); m != nil {
		p.request = m[1]
	}
}

// file is the whole file without marks.
func (p *page) file() string { return p.before + p.region + p.after }

// A place is a line of a file that the page shows.
type place struct {
	path string
	line int
	text string
}

// header finds the path and the first line in what stands before a fragment:
// "a/b.go:10-20", "a/b.go (lines 10-20)", <fragment path="a/b.go" lines="10-20">.
var header = regexp.MustCompile(`(?:^|[\s"'=#(])([\w@.+-]+(?:/[\w@.+-]+)*\.\w+)["']?(?::| \(?lines?[ =:"]*| lines="?| start="?)(\d+)`)

// places are the lines shown, with where they come from.
func (p *page) places() []place {
	var out []place
	path, line := "", 0
	for _, text := range strings.Split(p.context, "\n") {
		if m := header.FindStringSubmatch(text); m != nil && len(text) < 200 {
			path = m[1]
			line, _ = strconv.Atoi(m[2])
			continue
		}
		if path != "" {
			out = append(out, place{path, line, text})
			line++
		}
	}
	if p.path != "" && len(out) == 0 {
		for i, text := range strings.Split(p.file(), "\n") {
			out = append(out, place{p.path, i + 1, text})
		}
	}
	return out
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// declares finds the name that a line declares, in most languages.
var declares = regexp.MustCompile(`^\s*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|pub\s+|default\s+)*(?:func(?:\s*\([^)]*\))?|function|def|class|type|struct|interface|enum|trait|fn|impl|const|var|let|local function)\s+(\w+)`)

// comments are the marks that begin a comment, by the file's ending.
func commentMark(path string) string {
	ending := path[strings.LastIndexByte(path, '.')+1:]
	switch ending {
	case "py", "rb", "sh", "bash", "yaml", "yml", "toml", "pl", "r", "mk", "ex", "exs":
		return "#"
	case "lua", "sql", "hs", "elm":
		return "--"
	case "lisp", "el", "clj", "scm":
		return ";"
	}
	if strings.HasSuffix(path, "Makefile") || strings.HasSuffix(path, "Dockerfile") {
		return "#"
	}
	return "//"
}
