package prompt

import (
	"testing"

	"tandem/workspace/redact"
)

func TestNumbered(t *testing.T) {
	before, selected, after := numbered(7, redact.Said("a\nb "), redact.Said("c\nd"), redact.Said("\ne\n"))
	if before.String() != "7\ta\n8\tb " || selected.String() != "c\n9\td" || after.String() != "\n10\te\n" {
		t.Errorf("%q %q %q", before, selected, after)
	}
}
