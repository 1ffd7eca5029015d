package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/disk"
)

// A place is FILE, FILE:LINE, FILE:LINE:COL or FILE:LINE-LINE as a person
// types it: 1-based, columns in UTF-8 bytes.
type place struct {
	file         string
	line, column int // 0 where not given
	lastLine     int // 0 unless a range of lines was given
}

// parsePlace reads a place. A colon that no number follows belongs to the name.
func parsePlace(arg string) (place, error) {
	p := place{file: arg}
	name, last, ok := cutNumber(arg)
	if !ok {
		return p, nil
	}
	if from, to, ranged := strings.Cut(last, "-"); ranged {
		p.file = name
		return p, errors.Join(p.set(&p.line, from, arg), p.set(&p.lastLine, to, arg))
	}
	if before, line, two := cutNumber(name); two {
		p.file = before
		return p, errors.Join(p.set(&p.line, line, arg), p.set(&p.column, last, arg))
	}
	p.file = name
	return p, p.set(&p.line, last, arg)
}

// cutNumber splits off the last colon if a number or a range follows it.
func cutNumber(s string) (before, number string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || i+1 == len(s) || strings.Trim(s[i+1:], "0123456789-") != "" || s[i+1] == '-' {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

func (p *place) set(field *int, number, arg string) error {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return exit(exitUsage, fmt.Errorf("%q is no place; write FILE:LINE:COLUMN, counted from 1", arg))
	}
	*field = n
	return nil
}

// span returns the place's byte range in a text: the named lines, or an empty
// range at the cursor or at the start of the file.
func (p place) span(text edits.Text) (edits.Span, error) {
	last := max(p.lastLine, p.line)
	if last > text.LineCount() {
		return edits.Span{}, exit(exitUsage, fmt.Errorf("%s has %d lines, so there is no line %d", p.file, text.LineCount(), last))
	}
	if p.lastLine > 0 {
		if p.lastLine < p.line {
			return edits.Span{}, exit(exitUsage, fmt.Errorf("the range %d-%d ends before it starts", p.line, p.lastLine))
		}
		return edits.Span{Start: text.LineStart(p.line - 1), End: text.LineStart(p.lastLine)}, nil
	}
	start := text.LineStart(max(p.line-1, 0))
	if p.column > 0 {
		end := text.LineEnd(p.line - 1)
		if start+p.column-1 > end {
			return edits.Span{}, exit(exitUsage, fmt.Errorf("line %d of %s has %d columns, so there is no column %d", p.line, p.file, end-start+1, p.column))
		}
		start = text.RuneStart(start + p.column - 1)
	}
	return edits.Span{Start: start, End: start}, nil
}

// openFile opens a file of the command line as an editor's open document, so
// that the use cases handle one kind of document.
func (a *app) openFile(file string) (*workspace.Snapshot, *workspace.Overlay, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, nil, fmt.Errorf("find %s: %w", file, err)
	}
	content, err := disk.ReadFile(abs, disk.MaxNamed)
	if err != nil {
		return nil, nil, unreadable(file, err)
	}
	uri := workspace.URIOf(abs)
	snap := a.session.Update(workspace.Opened{URI: uri, Version: 1, Language: languageOf(abs), Text: edits.NewText(string(content))})
	o, ok := snap.Overlay(uri)
	if !ok {
		return nil, nil, fmt.Errorf("%s cannot be opened", file)
	}
	a.engine.Opened(snap, uri)
	return snap, o, nil
}
