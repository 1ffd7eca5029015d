package lsp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEditorSettingsArrive: settings that change while the server runs reach
// the configuration by their dotted names, and an error in them is shown to the
// user; a client that sends none says that something else changed.
func TestEditorSettingsArrive(t *testing.T) {
	var got []map[string]any
	s := &lifecycle{deps: &Deps{Settings: func(values map[string]any) error { got = append(got, values); return nil }}}
	var p didChangeConfigurationParams
	if err := s.didChangeConfiguration(&p); err != nil || len(got) != 1 || got[0] != nil {
		t.Fatalf("without settings: %v, %v", got, err)
	}
	p.Settings.Tandem = map[string]any{"editor": map[string]any{"trigger": "invoked", "disabled_globs": []any{"**/x"}}, "profile": "quiet"}
	if err := s.didChangeConfiguration(&p); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{nil, {"editor.trigger": "invoked", "editor.disabled_globs": []any{"**/x"}, "profile": "quiet"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	d := deps(t, &cassette{})
	d.Settings = func(map[string]any) error { return errors.New("editor.trigger is automatic or invoked.") }
	e := start(t, d)
	e.initialize(fullClient(), t.TempDir())
	e.notify("workspace/didChangeConfiguration", object{"settings": object{"tandem": object{"editor.trigger": "x"}}})
	e.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "automatic or invoked") })
}
