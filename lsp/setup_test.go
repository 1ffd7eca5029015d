package lsp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
)

func TestSettingsOfTheEditorReachTheSetup(t *testing.T) {
	var p initializeParams
	raw := `{"capabilities":{},"initializationOptions":{"trusted":false,"profile":"quiet",
		"settings":{"editor.enabled":false,"editor.debounce_ms":80,"editor.disabled_globs":["**/x"]}}}`
	if err := protocol.Unmarshal([]byte(raw), &p); err != nil {
		t.Fatal(err)
	}
	got := (&lifecycle{scope: &scope{peer: &peer{}}}).setup(&p)
	want := map[string]any{"editor.enabled": false, "editor.debounce_ms": 80.0, "editor.disabled_globs": []any{"**/x"}}
	if got.Trusted || got.Profile != "quiet" || !cmp.Equal(got.Settings, want) {
		t.Errorf("trusted %v, profile %q, %s", got.Trusted, got.Profile, cmp.Diff(want, got.Settings))
	}
}
