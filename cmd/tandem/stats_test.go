package main

import (
	"encoding/json"
	"testing"

	"tandem/workspace/state"
)

// TestStats: outcomes are counted by model, language and kind, and what is left of
// accepted texts is joined to them.
func TestStats(t *testing.T) {
	list := []state.Outcome{
		{ID: "a", Model: "m", Language: "go", Kind: "line", End: "accepted"},
		{ID: "b", Model: "m", Language: "go", Kind: "line", End: "against"},
		{ID: "c", Model: "m", Language: "go", Kind: "line", End: "unseen"},
		{ID: "d", Model: "m", Language: "go", Kind: "block", End: "accepted"},
		{ID: "e", Model: "m", Language: "go", End: "nothing"},
		{ID: "a", Since: "30s", Left: 1}, {ID: "a", Since: "5m", Left: 0.5}, {ID: "gone", Since: "5m", Left: 0},
	}
	raw, err := json.Marshal(statsOf(list))
	if err != nil {
		t.Fatal(err)
	}
	const none = `"partly_accepted":0,"typed_as_suggested":0,"dismissed":0,`
	want := `{"version":1,"rows":[` +
		`{"model":"m","language":"go","kind":"","shown":0,"accepted":0,` + none + `"typed_against":0,"left":0,"unseen":0,"requests_without_a_suggestion":1},` +
		`{"model":"m","language":"go","kind":"block","shown":1,"accepted":1,` + none + `"typed_against":0,"left":0,"unseen":0,"requests_without_a_suggestion":0},` +
		`{"model":"m","language":"go","kind":"line","shown":2,"accepted":1,` + none + `"typed_against":1,"left":0,"unseen":1,"requests_without_a_suggestion":0,"left_after_30s":1,"left_after_5m":0.5}]}`
	if string(raw) != want {
		t.Errorf("%s\nwant %s", raw, want)
	}
}
