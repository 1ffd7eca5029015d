package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"tandem/workspace/redact"
)

// sendSecrets reports whether the secrets in the user's words are sent. The user is asked
// once about each.
func (p *peer) sendSecrets(ctx context.Context, words ...string) bool {
	var found []string
	for _, text := range words {
		for _, secret := range redact.Find(text) {
			found = append(found, text[secret.Start:secret.End])
		}
	}
	if len(found) == 0 {
		return false
	}
	p.consent.Lock()
	defer p.consent.Unlock()
	if slices.ContainsFunc(found, func(secret string) bool { _, asked := p.consents[secret]; return !asked }) {
		const without, with = "Send without it", "Send it"
		var answer *protocol.MessageActionItem
		params := map[string]any{"type": protocol.MessageTypeWarning, "message": "tandem: your words hold a secret. Without it, the model gets a placeholder in its place.",
			"actions": []map[string]string{{"title": without}, {"title": with}}}
		if err := p.call(ctx, protocol.MethodWindowShowMessageRequest, params, &answer); err != nil {
			return false
		}
		for _, secret := range found {
			p.consents[secret] = answer != nil && answer.Title == with
		}
	}
	return !slices.ContainsFunc(found, func(secret string) bool { return !p.consents[secret] })
}
