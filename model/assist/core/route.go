package core

import "tandem/model"

// bytesPerToken is a low estimate for code, good enough for routing.
const bytesPerToken = 3

// Route chooses the lane for a request and returns it with the reason.
func (c *Core) Route(purpose model.Purpose, wanted model.Lane, instruction, path string, bytes int) model.Decision {
	fast, hasFast := c.Models.Config(model.Fast)
	_, hasDeep := c.Models.Config(model.Deep)
	signals := model.Signals{
		Purpose: purpose, Instruction: instruction, Override: wanted,
		WindowTokens: bytes / bytesPerToken, FastWindow: fast.ContextWindow, NoFast: !hasFast, FillOnly: fast.FillOnly, NoDeep: !hasDeep,
	}
	if path != "" {
		signals.Paths = []string{path}
	}
	return model.Choose(signals)
}
