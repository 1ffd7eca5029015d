package core

import (
	"testing"
)

func TestNumbered(t *testing.T) {
	before, selected, after := numbered(7, "a\nb ", "c\nd", "\ne\n")
	if before != "7\ta\n8\tb " || selected != "c\n9\td" || after != "\n10\te\n" {
		t.Errorf("%q %q %q", before, selected, after)
	}
}
