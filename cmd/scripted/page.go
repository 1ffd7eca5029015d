package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A page is what a conversation shows and requests, split into parts.
type page struct {
	system  string // text of the system or developer messages
	context string // everything shown except the file
	path    string // of the file
	before  string // the file before the cursor or the selection
	region  string // what is selected; the whole file if nothing is
	after   string
	cursor  bool // a cursor is marked
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

// afterTag holds what follows the cursor, where it stands before the file.
var afterTag = regexp.MustCompile(`(?s)^<after>\n(.*?)\n</after>\n<file `)

var fileTag = regexp.MustCompile(`(?s)<file path="([^"]*)"[^>]*>\n(.*)\n</file>`)

// readPage finds the file, the marked place and the request in the messages.
func readPage(req *request) *page {
	p := &page{}
	for _, m := range req.Messages {
		switch {
		case m.Role == "system" || m.Role == "developer":
			p.system += m.Text + "\n"
		case m.Role == "user" || m.Role == "tool":
			p.context += m.Text + "\n"
		}
	}
	last := req.last()
	p.context = strings.TrimSuffix(p.context, last+"\n")
	p.readRequest(last)
	if at := fileTag.FindStringSubmatchIndex(last); at != nil {
		p.path = last[at[2]:at[3]]
		p.place(last[at[4]:at[5]])
	} else if strings.Contains(last, cursorMark) {
		p.place(last)
	}
	if at := afterTag.FindStringSubmatch(last); at != nil && p.cursor && p.after == "" {
		p.after = at[1]
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

var stepPattern = regexp.MustCompile(`(?s)Do step \d+ now and nothing else: (.*)$`)

// readRequest reads the user's request and the diagnostics.
func (p *page) readRequest(last string) {
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
	if m := stepPattern.FindStringSubmatch(p.request); m != nil {
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

// name is the place as compilers print it.
func (p place) name() string { return fmt.Sprintf("%s:%d", p.path, p.line) }

// headings are the lines that name the source of the fragment below them:
// "# a/b.go", "# a/b.go:10", "a/b.go:10-20", <file path="a/b.go" start="10">.
var headings = []*regexp.Regexp{
	regexp.MustCompile(`^# ([^\s:()]*[./][^\s:()]*)(?::(\d+)(?:-\d+)?)?(?: \((?:lines? )?(\d*).*\))?$`),
	regexp.MustCompile(`^([\w@.+-]+(?:/[\w@.+-]+)*\.\w+):(\d+)(?:-\d+)?:?$`),
	regexp.MustCompile(`^<\w+ [^>]*path="([^"]+)"(?:[^>]*(?:lines?|start)="?(\d+))?[^>]*>$`),
}

// heading is the path and the first line that a heading names; line is 0 if it
// names none.
func heading(text string) (path string, line int, ok bool) {
	if len(text) > 200 {
		return "", 0, false
	}
	for _, h := range headings {
		m := h.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for _, n := range m[2:] {
			if n != "" {
				line, _ = strconv.Atoi(n)
			}
		}
		return m[1], line, true
	}
	return "", 0, false
}

// places are the lines shown, with their paths and line numbers. If a heading
// names no line, the place is the first line of the file.
func (p *page) places() []place {
	var out []place
	path, line, counted := "", 0, false
	for _, text := range strings.Split(p.context, "\n") {
		if name, first, ok := heading(text); ok {
			path, line, counted = name, max(first, 1), first > 0
			continue
		}
		if path == "" || strings.HasPrefix(text, "</") {
			continue
		}
		out = append(out, place{path, line, text})
		if counted {
			line++
		}
	}
	if p.path != "" {
		for i, text := range strings.Split(p.file(), "\n") {
			out = append(out, place{p.path, i + 1, text})
		}
	}
	return out
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// declares finds the name that a line declares, in most languages.
var declares = regexp.MustCompile(`^\s*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|pub\s+|default\s+)*(?:func(?:\s*\([^)]*\))?|function|def|class|type|struct|interface|enum|trait|fn|impl|const|var|let|local function)\s+(\w+)`)

// commentMark is the mark that begins a comment, by the file's extension.
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
