package main

import (
	pathpkg "path"
	"regexp"
	"strings"
)

// A page is what a conversation shows, split into parts.
type page struct {
	system  string // text of the system or developer messages, and of what the person's messages begin with as the task
	context string // everything shown except the file
	path    string // of the file
	before  string // the file before the cursor or the selection
	region  string // what is selected; the whole file if nothing is
	after   string
	cursor  bool // a cursor is marked
}

const (
	cursorMark = "<|cursor|>"
	openMark   = "<selection>"
	closeMark  = "</selection>"
)

// afterTag holds what follows the cursor, where it stands before the file.
var afterTag = regexp.MustCompile(`(?s)^<after>\n(.*?)\n</after>\n<file `)

var fileTag = regexp.MustCompile(`(?s)<file path="([^"]*)"[^>]*>\n(.*)\n</file>`)

// behindTask is what can follow a task in its message.
var behindTask = regexp.MustCompile(`\n(<file |<diff>|Earlier message: |Diagnostic: |Request: )`)

// readPage finds the file, the marked place and the request in the messages.
func readPage(req *request) *page {
	p := &page{}
	for _, m := range req.Messages {
		switch {
		case m.Role == "system" || m.Role == "developer":
			p.system += m.Text + "\n"
		case m.Role == "user" || m.Role == "tool":
			p.context += m.Text + "\n"
			if strings.HasPrefix(m.Text, "Task: ") {
				task := m.Text
				if end := behindTask.FindStringIndex(task); end != nil {
					task = task[:end[0]]
				}
				p.system += task + "\n"
			}
		}
	}
	last := req.last()
	p.context = strings.TrimSuffix(p.context, last+"\n")
	if at := fileTag.FindStringSubmatchIndex(last); at != nil {
		p.path = last[at[2]:at[3]]
		p.place(last[at[4]:at[5]])
	} else if strings.Contains(last, cursorMark) {
		p.place(last)
	}
	if at := afterTag.FindStringSubmatch(last); at != nil && p.cursor && p.after == "" {
		p.after = at[1]
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
		if region, after, closed := strings.Cut(rest, closeMark); closed {
			p.before, p.region, p.after = before, region, after
			return
		}
	}
	p.region = text
}

// A place is a line of a file that the page shows.
type place struct{ path, text string }

// headings are the lines that name the source of the fragment below them:
// "# a/b.go", "# a/b.go:10", "a/b.go:10-20", <file path="a/b.go" start="10">.
var headings = []*regexp.Regexp{
	regexp.MustCompile(`^# ([^\s:()]*[./][^\s:()]*)(?::(\d+)(?:-\d+)?)?(?: \((?:lines? )?(\d*).*\))?$`),
	regexp.MustCompile(`^([\w@.+-]+(?:/[\w@.+-]+)*\.\w+):(\d+)(?:-\d+)?:?$`),
	regexp.MustCompile(`^<\w+ [^>]*path="([^"]+)"(?:[^>]*(?:lines?|start)="?(\d+))?[^>]*>$`),
}

// heading is the path that a heading names.
func heading(text string) (path string, ok bool) {
	if len(text) > 200 {
		return "", false
	}
	for _, h := range headings {
		if m := h.FindStringSubmatch(text); m != nil {
			return m[1], true
		}
	}
	return "", false
}

// places are the lines shown, with their paths.
func (p *page) places() []place {
	var out []place
	path := ""
	for _, text := range strings.Split(p.context, "\n") {
		if name, ok := heading(text); ok {
			path = p.resolve(name)
			continue
		}
		if path == "" || strings.HasPrefix(text, "</") {
			continue
		}
		out = append(out, place{path, text})
	}
	if p.path != "" {
		for _, text := range strings.Split(p.before+p.region+p.after, "\n") {
			out = append(out, place{p.path, text})
		}
	}
	return out
}

// resolve is a heading's path from the root: one that begins with a dot is relative to the
// folder of the file.
func (p *page) resolve(name string) string {
	if p.path != "" && (strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")) {
		return pathpkg.Join(pathpkg.Dir(p.path), name)
	}
	return name
}

// declares finds the name that a line declares, in most languages.
var declares = regexp.MustCompile(`^\s*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|pub\s+|default\s+)*(?:func(?:\s*\([^)]*\))?|function|def|class|type|struct|interface|enum|trait|fn|impl|const|var|let|local function)\s+(\w+)`)
