package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// An Offer is a model that a provider lists for a key. What it does not say is 0, prices -1.
type Offer struct {
	ID            string  `json:"id"`
	Name          string  `json:"name,omitempty"`
	ContextWindow int     `json:"context_window,omitempty"`
	InputPrice    float64 `json:"input_price"` // USD per million tokens
	OutputPrice   float64 `json:"output_price"`
	CachedPrice   float64 `json:"cached_price"`
}

// Offers asks a provider which models it offers to the key.
func Offers(ctx context.Context, p model.ProviderConfig, o Options) ([]Offer, error) {
	path := map[string]string{"ollama": "/api/tags", "infill": "/v1/models"}[p.WireAPI] // llama.cpp's own paths have no version
	body, err := get(ctx, p, cmp.Or(path, "/models"), o)
	if err != nil {
		return nil, err
	}
	if list, ok := readOffers(body); ok {
		return list, nil
	}
	return nil, &model.Error{Code: model.CodeProtocol, Provider: p.Name, Message: fmt.Sprintf("%s at %s answered with no list of models; name the model as its documentation does", p.Name, p.BaseURLs[0])}
}

// get is what a provider's server has at a path below its address.
func get(ctx context.Context, p model.ProviderConfig, path string, o Options) ([]byte, error) {
	created, err := New(p, model.ModelConfig{Name: "models"}, o)
	if err != nil {
		return nil, err
	}
	defer created.Close()
	c := created.(*client)
	base := c.bases[0]
	key, f := c.key(ctx, base)
	if f != nil {
		return nil, f.Error
	}
	resp, f := c.send(ctx, http.MethodGet, dialect.Address(base, path, c.provider.QueryParams), base, key, nil)
	if f != nil {
		return nil, f.Error
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, c.errorContext(base, key).Answered(dialect.ReadError(resp), c.options.Clock()).Error
	}
	return io.ReadAll(io.LimitReader(resp.Body, 16<<20))
}

// readOffers reads the lists of OpenAI-compatible servers, with what some of them add, of
// Anthropic and of Ollama.
func readOffers(body []byte) ([]Offer, bool) {
	type row struct {
		ID      string
		Name    string
		Display string `json:"display_name"`
		Length  int    `json:"context_length"` // OpenRouter
		Most    int    `json:"max_model_len"`  // vLLM
		Window  int    `json:"context_window"` // Groq
		Max     int    `json:"max_context_length"`
		Meta    struct {
			Context int `json:"n_ctx"`
		}
		Pricing struct { // OpenRouter: USD a token, as text
			Prompt, Completion any
			Cached             any `json:"input_cache_read"`
		}
	}
	var list struct{ Data, Models []row }
	if json.Unmarshal(body, &list) != nil || list.Data == nil && list.Models == nil {
		return nil, false
	}
	rows := list.Data
	if rows == nil {
		rows = list.Models
	}
	out := []Offer{}
	for _, r := range rows {
		o := Offer{ID: cmp.Or(r.ID, r.Name), ContextWindow: bounded(cmp.Or(r.Length, r.Most, r.Window, r.Max, r.Meta.Context)), InputPrice: perMillion(r.Pricing.Prompt), OutputPrice: perMillion(r.Pricing.Completion), CachedPrice: perMillion(r.Pricing.Cached)}
		if o.Name = cmp.Or(r.Display, r.Name); o.Name == o.ID {
			o.Name = ""
		}
		if o.ID != "" {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b Offer) int { return cmp.Compare(a.ID, b.ID) })
	return out, true
}

// perMillion is a price a token as a price a million tokens, -1 for none.
func perMillion(price any) float64 {
	usd, err := strconv.ParseFloat(fmt.Sprint(price), 64)
	if price == nil || err != nil || usd < 0 {
		return -1
	}
	return math.Round(usd*1e12) / 1e6
}
