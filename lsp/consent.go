package lsp

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"tandem/workspace/redact"
)

// consents remember whether the secrets that the user wrote are sent.
type consents struct {
	mu       sync.Mutex // guards bySecret
	bySecret map[string]bool
}

// consentTimeout is how long the user may take to say whether secrets are sent, which without
// an answer are not.
const consentTimeout = time.Minute

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
	p.consents.mu.Lock()
	defer p.consents.mu.Unlock()
	if slices.ContainsFunc(found, func(secret string) bool { _, hasAnswer := p.consents.bySecret[secret]; return !hasAnswer }) {
		const without, with = "Send without it", "Send it"
		var answer *protocol.MessageActionItem
		params := map[string]any{"type": protocol.MessageTypeWarning, "message": "tandem: your words hold a secret. Without it, the model gets a placeholder in its place.",
			"actions": []map[string]string{{"title": without}, {"title": with}}}
		ctx, stop := context.WithTimeout(ctx, consentTimeout)
		defer stop()
		if err := p.call(ctx, protocol.MethodWindowShowMessageRequest, params, &answer); err != nil {
			return false
		}
		if p.consents.bySecret == nil {
			p.consents.bySecret = map[string]bool{}
		}
		for _, secret := range found {
			p.consents.bySecret[secret] = answer != nil && answer.Title == with
		}
	}
	return !slices.ContainsFunc(found, func(secret string) bool { return !p.consents.bySecret[secret] })
}
