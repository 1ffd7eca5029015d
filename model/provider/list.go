package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// An Offered is a model that a server lists. Zero and negative fields were not said.
type Offered struct {
	ID            string
	ContextWindow int
	InputPrice    float64 // USD per million tokens; below 0 is not known
	OutputPrice   float64
}

// listWithin bounds how long a server may take to list its models.
const listWithin = 15 * time.Second

// Models asks a server which models it offers, at an address of the list. The error is a
// *model.Error that says what is wrong.
func Models(ctx context.Context, p model.ProviderConfig, at string, o Options) ([]Offered, error) {
	made, err := New(p, model.ModelConfig{Name: p.Name}, o)
	if err != nil {
		return nil, err
	}
	c := made.(*client)
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(ctx, listWithin)
	defer cancel()
	key, f := c.key(ctx, c.bases[0])
	if f != nil {
		return nil, f.Error
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, c.errorContext(c.bases[0], key).Fail(model.CodeNotConfigured, dialect.KindOther, err, "%s is not an address such as https://host/v1.", at).Error
	}
	dialect.SetHeaders(req.Header, &c.provider, c.bases[0].Hostname(), key, c.headers, c.options.UserAgent)
	models, err := fetchModels(c.http, req)
	if err == nil {
		return models, nil
	}
	ec := c.errorContext(c.bases[0], key)
	var answered *dialect.APIError
	var network *url.Error
	switch {
	case errors.As(err, &answered):
		return nil, ec.Answered(answered, time.Now()).Error
	case errors.Is(err, context.DeadlineExceeded):
		return nil, ec.TimedOut("first", listWithin).Error
	case errors.As(err, &network):
		return nil, dialed(ec, network.Err).Error
	}
	return nil, ec.Fail(model.CodeProtocol, dialect.KindOther, err, "%s answers, but not with a list of models; check base_url of [providers.%s].", ec.At(), p.Name).Error
}

// fetchModels sends a request for a list of models and reads the answer.
func fetchModels(web *http.Client, req *http.Request) ([]Offered, error) {
	resp, err := web.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, dialect.ReadError(resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<20))
	if err != nil {
		return nil, err
	}
	return readOffered(body)
}

var errNoList = errors.New("it is no list of models")

// readOffered reads the lists of Ollama and of OpenAI-compatible servers, and llama.cpp's
// properties.
func readOffered(body []byte) ([]Offered, error) {
	var list struct {
		Models []struct{ Name string }
		Data   []struct {
			ID      string
			Most    int `json:"max_model_len"`
			Context int `json:"context_length"`
			Meta    struct {
				Context int `json:"n_ctx"`
			}
			Pricing any
		}
		Settings *struct{} `json:"default_generation_settings"`
	}
	if json.Unmarshal(body, &list) != nil || list.Models == nil && list.Data == nil && list.Settings == nil {
		return nil, errNoList
	}
	out := []Offered{}
	for _, m := range list.Data {
		out = append(out, Offered{m.ID, bounded(max(m.Most, m.Context, m.Meta.Context)), price(m.Pricing, "prompt"), price(m.Pricing, "completion")})
	}
	for _, m := range list.Models {
		out = append(out, Offered{m.Name, 0, -1, -1}) // llama.cpp lists its models twice
	}
	out = slices.DeleteFunc(out, func(m Offered) bool { return m.ID == "" })
	slices.SortStableFunc(out, func(a, b Offered) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(out, func(a, b Offered) bool { return a.ID == b.ID }), nil
}

// price is USD per million tokens, of a list's prices per token.
func price(prices any, of string) float64 {
	table, _ := prices.(map[string]any)
	usd, err := strconv.ParseFloat(fmt.Sprint(table[of]), 64)
	if err != nil || usd < 0 || usd > 1 {
		return -1
	}
	return usd * 1e6
}
