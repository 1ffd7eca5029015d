package dialect

import (
	"strings"
	"testing"

	"tandem/model"
	"tandem/workspace/redact"
)

// TestTheLastTurnIsMarkedForTheCache: of a conversation, and not of what is asked while typing.
func TestTheLastTurnIsMarkedForTheCache(t *testing.T) {
	for purpose, want := range map[model.Purpose]string{
		model.Ask:      `"messages":[{"role":"user","content":"one"},{"role":"user","content":[{"type":"text","text":"two","cache_control":{"type":"ephemeral"}}]}]`,
		model.Complete: `"messages":[{"role":"user","content":"one"},{"role":"user","content":"two"}]`,
	} {
		req := &model.Request{Purpose: purpose, Input: []model.Message{{Role: "user", Text: redact.Const("one")}, {Role: "user", Text: redact.Const("two")}}}
		f, failed := encodeMessages(&Encoder{Req: req, Model: &model.ModelConfig{Model: "claude-x", MaxOutputTokens: 9}, Provider: &model.ProviderConfig{}})
		if body := string(f.AppendJSON(nil)); failed != nil || !strings.Contains(body, want) {
			t.Errorf("%s: %s", purpose, body)
		}
	}
}
