package lsp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"

	"tandem/model"
	"tandem/workspace/judge"
)

func settingsOf(t *testing.T, data string, tape *cassette) (capabilities object, trusted bool) {
	capabilities, trusted = fullClient(), true
	for line := range strings.Lines(data) {
		switch line = strings.TrimSpace(line); line {
		case "client full", "":
		case "client plain":
			capabilities = object{"workspace": object{"applyEdit": true}}
		case "client mute":
			capabilities = object{}
		case "client tandem":
			capabilities["experimental"] = object{"tandem": object{"proposals": true, "status": true, "tasks": true, "inline": true, "jumps": true}}
		case "encoding utf-8":
			capabilities["general"] = object{"positionEncodings": []string{"utf-8"}}
		case "untrusted":
			trusted = false
		case "no-model":
			tape.none = true
		case "built-in":
			tape.none, tape.builtIn = true, true
		case "hover-model":
			tape.describe = true
		case "judged":
			tape.judge = judge.New(nil, nil)
		case "review-on-save":
			tape.review = true
		default:
			t.Fatalf("unknown setting %q", line)
		}
	}
	return capabilities, trusted
}

func replyOf(data string) reply {
	var when string
	if rest, ok := strings.CutPrefix(data, "when "); ok {
		when, data, _ = strings.Cut(rest, "\n")
	}
	if rest, ok := strings.CutPrefix(data, "error "); ok {
		code, sentence, _ := strings.Cut(strings.TrimSpace(rest), " ")
		return reply{when: when, err: &model.Error{Code: model.Code(code), Message: sentence}}
	}
	return reply{when: when, text: data}
}

// unmark removes the marks from a text and remembers their places.
func (m *marker) unmark(file, data string) string {
	var out strings.Builder
	for {
		loc := markPattern.FindStringSubmatchIndex(data)
		if loc == nil {
			out.WriteString(data)
			return out.String()
		}
		out.WriteString(data[:loc[0]])
		from := endOf(out.String())
		if loc[4] >= 0 {
			out.WriteString(data[loc[4]:loc[5]])
		}
		name := data[loc[2]:loc[3]]
		m.places[name] = place{file, wireRange{from, endOf(out.String())}}
		data = data[loc[1]:]
	}
}

// endOf is the UTF-16 position of the end of a text.
func endOf(text string) position {
	line := strings.Count(text, "\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return position{uint32(line), uint32(len(utf16.Encode([]rune(last))))}
}

func languageOf(name string) string {
	return map[string]string{".go": "go", ".py": "python", ".ts": "typescript", ".md": "markdown"}[filepath.Ext(name)]
}

// fields splits a step at spaces, keeping quoted strings whole.
func fields(line string) []string {
	var out []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' || line[0] == '`' {
			quoted, err := strconv.QuotedPrefix(line)
			if err == nil {
				word, _ := strconv.Unquote(quoted)
				out, line = append(out, word), line[len(quoted):]
				continue
			}
		}
		word, rest, _ := strings.Cut(line, " ")
		out, line = append(out, word), rest
	}
	return out
}

func arg(args []string, n int) string {
	if n < len(args) {
		return args[n]
	}
	return ""
}

// expand puts URIs and marks into JSON: $uri(file), $range(mark), $at(mark), $proposal.
func (m *marker) expand(s string) string {
	return regexp.MustCompile(`\$(uri|range|at)\(([^)]*)\)|\$proposal`).ReplaceAllStringFunc(s, func(word string) string {
		name, inner, _ := strings.Cut(strings.TrimSuffix(word, ")"), "(")
		var v any
		switch name {
		case "$uri":
			v = m.uris[inner]
		case "$range":
			v = m.places[inner].at
		case "$at":
			v = m.places[inner].at.Start
		default:
			v = m.proposal
		}
		raw, _ := json.Marshal(v)
		return string(raw)
	})
}

// arguments are a command's: the rest of the line is one JSON value.
func (m *marker) arguments(rest string) []any {
	if rest == "" {
		return nil
	}
	var v any
	m.unmarshal([]byte(m.expand(rest)), &v)
	return []any{v}
}

// save writes the transcript into the archive.
func save(t *testing.T, file string, archive *txtar.Archive, transcript string) {
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "transcript" })
	archive.Files = append(archive.Files, txtar.File{Name: "transcript", Data: []byte(transcript)})
	if data := txtar.Format(archive); !bytes.Equal(data, nil) {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
