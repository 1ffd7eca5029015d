package task

import (
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace/redact"
)

// TestReviewDiffIsBounded: a reviewer is shown the changes that fit, each whole, and of the
// others that they are there.
func TestReviewDiffIsBounded(t *testing.T) {
	large := strings.Repeat("a line of a large file\n", maxReviewDiff/20)
	got := diffOf(&redact.Redactor{}, []edits.FileChange{
		{Path: "a.go", Before: "package a\n", After: "package b\n"},
		{Path: "large.txt", After: large, AbsentBefore: true},
		{Path: "c.go", Before: "package c\n", After: "package d\n"},
	})
	for _, want := range []string{"-package a\n+package b\n", "(the change of large.txt is too long to show)\n", "-package c\n+package d\n"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("the diff lacks %q", want)
		}
	}
	if len(got.String()) > maxReviewDiff || strings.Contains(got.String(), "a line of a large file") {
		t.Errorf("the diff has %d bytes", len(got.String()))
	}
}

// TestUnattendedTaskWithoutALimit: where the settings name no price to agree to, a task of
// any price runs.
func TestUnattendedTaskWithoutALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, turn{"", planAlpha})
		deep.Price = 1e6
		settings := quiet()
		settings.Unattended = true
		b := newTaskBench(t, lanes{model.Deep: deep}, settings)
		b.escalate(Request{})
		b.expect(Done, "")
	})
}
