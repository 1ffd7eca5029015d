package model

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestHiddenCharactersAreNeverSent: whatever part of a request holds them, the client
// gets none of them, and the caller's request does not change.
func TestHiddenCharactersAreNeverSent(t *testing.T) {
	const hidden = "a\u202eb\u200bc\U000E0041"
	req := &Request{ID: "1", Purpose: Complete, Input: []Message{{Role: "user", Text: hidden}, {Role: "assistant", Text: hidden}}, Prediction: hidden,
		Fill: &Fill{Path: hidden, Repository: hidden, Prefix: hidden, Suffix: hidden, Extra: []ExtraFile{{hidden, hidden}}}}
	before, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(testSetup())
	b.fast.answers = []func(*Request, func(Delta, error) bool){replies("ok", "", Usage{})}
	for _, err := range b.Stream(t.Context(), Fast, req) {
		if err != nil {
			t.Fatal(err)
		}
	}
	sent, err := json.Marshal(b.fast.asked[0])
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(sent), "\u202e\u200b\U000E0041") || strings.Count(string(sent), "abc") != 9 {
		t.Errorf("sent %s", sent)
	}
	if after, _ := json.Marshal(req); string(after) != string(before) {
		t.Errorf("the caller's request became %s", after)
	}
}
