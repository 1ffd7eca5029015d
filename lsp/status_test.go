package lsp

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestOtherProvidersAreInTheStatus holds that the status names what else suggests at the
// cursor, as the client says, with what to do, until the client says that there is nothing.
func TestOtherProvidersAreInTheStatus(t *testing.T) {
	e := start(t, deps(t, &cassette{}))
	e.initialize(object{"experimental": object{"tandem": object{"status": true}}}, t.TempDir())
	e.notify("tandem/didChangeOtherInline", object{"providers": []string{"One", "", "Tw\u202eo\nthree", "3", "4", "5"}})
	e.until("tandem/status", func(raw json.RawMessage) bool {
		var status struct{ Others string }
		err := json.Unmarshal(raw, &status)
		return err == nil && strings.HasPrefix(status.Others, "One and Two and 3 may suggest") && strings.Contains(status.Others, "switch off")
	})
	raw, err := e.call("workspace/executeCommand", object{"command": "tandem.status"})
	if err != nil || !strings.Contains(string(raw), "One and Two and 3 may suggest") {
		t.Errorf("tandem.status: %s, %v", raw, err)
	}
	e.notify("tandem/didChangeOtherInline", object{"providers": []string{}})
	named := false // a status received earlier counts too
	e.until("tandem/status", func(raw json.RawMessage) bool {
		if strings.Contains(string(raw), "others") {
			named = true
			return false
		}
		return named
	})
}
