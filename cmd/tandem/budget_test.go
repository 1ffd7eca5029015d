package main

import (
	"testing"

	"tandem/cmd/tandem/config"
	"tandem/model"
)

// TestCompletionsArePaidFor: where a day of completions would cost more than the user lets it,
// each is shown less, and no more of them are asked for; other windows stay.
func TestCompletionsArePaidFor(t *testing.T) {
	h := newHome(t)
	for _, c := range []struct {
		day, price             string
		context, tokens, edits int
	}{{"", "0.35", 3000, 270, 8000}, {"completions_day_usd = 0.8\n", "0", 3000, 270, 8000}, {"completions_day_usd = 0.8\n", "0.35", 502, 45, 8000}} {
		h.write(h.config, c.day+"fast = \"m\"\n[models.m]\nprovider = \"openai\"\nmodel = \"m\"\ncontext_window = 64000\ninput_price = "+c.price+"\noutput_price = 0.75\n")
		settings, err := (&globals{}).settings()
		if err != nil {
			t.Fatal(err)
		}
		a := &app{config: func() *config.Config { return settings }}
		if n, k, e := a.budget(string(model.Complete)), a.preferences("go").TokensPerKey, a.budget("edit"); n != c.context || k != c.tokens || e != c.edits {
			t.Errorf("%sat %s: %d tokens of context, %d for a key, %d for an edit; want %d, %d, %d", c.day, c.price, n, k, e, c.context, c.tokens, c.edits)
		}
	}
}
