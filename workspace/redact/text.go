package redact

import (
	"embed"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// A Text is text that may leave the machine: a provider sends nothing else. Its field is
// not exported, so that each is made of constants, by a Redactor, or of other Texts.
type Text struct{ text string }

// Wire is the text as it is sent: without the characters that a model reads and a person
// does not see. Only model/provider calls it.
func (t Text) Wire() string {
	clean, _ := Scrub(t.text)
	return clean
}

// String is the text, to be shown, measured or compared.
func (t Text) String() string { return t.text }

// Len is the length in bytes.
func (t Text) Len() int { return len(t.text) }

// A literal is a type that only constants fit.
type literal string

// Const is a constant.
func Const(text literal) Text { return Text{string(text)} }

// Int is a number.
func Int(n int) Text { return Text{strconv.Itoa(n)} }

// Embedded is a file that is part of the program, without white space around it.
func Embedded(files embed.FS, name string) (Text, error) {
	text, err := files.ReadFile(name)
	return Text{strings.TrimSpace(string(text))}, err
}

// Format puts texts into a constant, as fmt.Sprintf does.
func Format(format literal, args ...Text) Text {
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a.text
	}
	return Text{fmt.Sprintf(string(format), list...)}
}

// Join is texts with a separator between them.
func Join(separator literal, parts ...Text) Text {
	list := make([]string, len(parts))
	for i, p := range parts {
		list[i] = p.text
	}
	return Text{strings.Join(list, string(separator))}
}

// Slice is a part of a text.
func (t Text) Slice(start, end int) Text { return Text{t.text[start:end]} }

// Lines are the lines of a text, with their ends.
func (t Text) Lines() iter.Seq[Text] {
	return func(yield func(Text) bool) {
		for line := range strings.Lines(t.text) {
			if !yield(Text{line}) {
				return
			}
		}
	}
}

// Replace is a text with another in place of a constant.
func (t Text) Replace(old literal, with Text) Text {
	return Text{strings.ReplaceAll(t.text, string(old), with.text)}
}

// Trim is a text without these characters at its ends.
func (t Text) Trim(cut literal) Text { return Text{strings.Trim(t.text, string(cut))} }

// TrimRight is a text without these characters at its end.
func (t Text) TrimRight(cut literal) Text { return Text{strings.TrimRight(t.text, string(cut))} }

// OneLine is a text on one line, with single spaces.
func (t Text) OneLine() Text { return Text{strings.Join(strings.Fields(t.text), " ")} }
