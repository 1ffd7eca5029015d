package edit

import (
	"errors"
	"strings"
	"testing"
)

// TestWhyNotAcceptable: each state in which a proposal cannot be accepted has its sentence.
func TestWhyNotAcceptable(t *testing.T) {
	broke := errors.New("it broke")
	for state, want := range map[State]string{
		Streaming: "The suggestion is still being written; accept it when it is ready.",
		Checking:  "The suggestion is still being written; accept it when it is ready.",
		Stale:     "The text has changed where the suggestion would go, so it was dropped; ask for it again.",
		Failed:    "it broke",
		Accepted:  "The suggestion was already accepted.",
		Rejected:  "The suggestion was already rejected.",
	} {
		if err := (&Proposal{State: state, Err: broke}).acceptable(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", state, err, want)
		}
	}
	if err := (&Proposal{State: Ready}).acceptable(); err != nil {
		t.Errorf("ready: %v", err)
	}
}
