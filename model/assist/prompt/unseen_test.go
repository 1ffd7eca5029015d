package prompt

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/conversation"
	"tandem/workspace/redact"
)

func TestEditsTouchOnlyWhatWasShown(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\n"
	record := conversation.Record{}.With(conversation.Item{Kind: conversation.Asked, Shown: []conversation.Piece{
		{Path: "x", First: 2, Last: 4, Text: redact.Said("b\nc\nd\n"), Base: before},
		{Path: "x", First: 5, Last: 9, Text: redact.Said("f\n…\n"), Base: before}, // a part of its range: judged by its lines
	}})
	shown := seenOf(record, func(string) string { return before })
	for _, c := range []struct {
		name, after string
		refused     bool
	}{
		{"replaces a shown line", "a\nb\nC\nd\ne\nf\n", false},
		{"replaces a shown line of a part", "a\nb\nc\nd\ne\nF\n", false},
		{"deletes shown lines", "a\ne\nf\n", false},
		{"adds between shown lines", "a\nb\nnew\nc\nd\ne\nf\n", false},
		{"adds beside lines not shown", "new\na\nb\nc\nd\ne\nnew\nf\n", false},
		{"adds at the end", "a\nb\nc\nd\ne\nf\nnew\n", false},
		{"replaces a line not shown", "A\nb\nc\nd\ne\nf\n", true},
		{"deletes a line not shown", "a\nb\nc\nd\nf\n", true},
		{"changes the end of a line not shown", "a\nb\nc\nd\neee\nf\n", true},
		{"replaces everything", "z\n", true},
		{"empties the file", "", true},
	} {
		ask := &Request{Secrets: &redact.Redactor{}, Seen: shown}
		err := ask.RefuseUnseen([]edits.FileChange{{Path: "x", Before: before, After: c.after}})
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	ask := &Request{Secrets: &redact.Redactor{}, Seen: shown}
	if err := ask.RefuseUnseen([]edits.FileChange{{Path: "y", Before: "k\n", AbsentAfter: true}}); err == nil || !strings.Contains(err.Error(), "y:1") {
		t.Errorf("a file that was not shown is deleted: %v", err)
	}
	if err := ask.RefuseUnseen([]edits.FileChange{{Path: "y", Before: "k\n", AbsentAfter: true}, {Path: "z", After: "k\n", AbsentBefore: true}}); err != nil {
		t.Errorf("a file is moved: %v", err)
	}
	if err := ask.RefuseUnseen([]edits.FileChange{{Path: "n", After: "k\n", AbsentBefore: true}}); err != nil {
		t.Errorf("a file is created: %v", err)
	}
}
