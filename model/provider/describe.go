package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// describeWithin bounds how long a server may take to say what it is. Ollama loads the
// model first, from a disk that may be slow.
const describeWithin = 2 * time.Minute

// A question is one of a server's addresses that tell what it has loaded.
type question struct {
	path string
	root bool // the path is under the server's root, not under the base URL
	read func(body []byte, m *model.ModelConfig) model.Server
}

// questions are asked in their order until one is answered.
func (c *client) questions() []question {
	models := question{"/models", false, readModels}
	props := question{"/props", true, readProps}
	studio := question{"/api/v0/models", true, readStudio}
	switch wire := c.provider.WireAPI; {
	case wire == "infill":
		return []question{props}
	case wire == "ollama":
		return []question{{"/api/ps", false, readPs}}
	case (wire == "chat" || wire == "completions") && c.provider.Plain():
		return []question{models, studio, props}
	}
	return nil
}

// describe asks a server that the user runs what it has loaded, and how much fits. It
// reports whether there is such a server; a failure to connect is the error.
func (c *client) describe(ctx context.Context, base *url.URL, key model.Secret) (bool, *dialect.Failure) {
	list := c.questions()
	if list == nil {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, describeWithin)
	defer cancel()
	if c.provider.WireAPI == "ollama" {
		if _, f := c.query(ctx, http.MethodPost, dialect.Address(base, "/api/generate", c.provider.QueryParams), base, key, dialect.Load(&c.model)); f != nil {
			return true, f
		}
	}
	for _, q := range list {
		at := *base
		if q.root {
			at.Path = ""
		}
		body, f := c.query(ctx, http.MethodGet, dialect.Address(&at, q.path, c.provider.QueryParams), base, key, nil)
		if f != nil {
			return true, f
		}
		if s := q.read(body, &c.model); s.ContextWindow > 0 {
			c.learn(s)
			break
		}
	}
	return true, nil
}

// query sends a small request; an answer other than 200 has no body.
func (c *client) query(ctx context.Context, method string, at, base *url.URL, key model.Secret, body []byte) ([]byte, *dialect.Failure) {
	resp, f := c.send(ctx, method, at, base, key, body)
	if f != nil {
		return nil, f
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 4<<20))
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, nil
	}
	return answer, nil
}

// send sends a request that is none to the model.
func (c *client) send(ctx context.Context, method string, at, base *url.URL, key model.Secret, body []byte) (*http.Response, *dialect.Failure) {
	req, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, c.errorContext(base, key).Fail(model.CodeInternal, dialect.KindOther, err, "the request to %s cannot be written: %v", c.provider.Name, err)
	}
	dialect.SetHeaders(req.Header, &c.provider, base.Hostname(), key, c.headers, c.options.UserAgent)
	resp, err := c.http.Do(req)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	if err != nil {
		return nil, dialed(c.errorContext(base, key), err)
	}
	return resp, nil
}

// leastHalved is the smallest request, in tokens, of which half is still a request.
const leastHalved = 2048

// learnContext stores how many tokens fit, as a refusal says. One that says no number teaches
// once that half of what was sent may fit.
func (c *client) learnContext(most, bodyBytes int) {
	if most == 0 {
		sent := bodyBytes / bytesPerToken
		c.mu.Lock()
		again := c.halved || sent < leastHalved
		c.halved = true
		c.mu.Unlock()
		if again {
			return
		}
		most = sent / 2
	}
	c.learn(model.Server{ContextWindow: most})
}

// learn stores what the server has said and reports it.
func (c *client) learn(s model.Server) {
	c.mu.Lock()
	s.Loaded = cmp.Or(nameOf(s.Loaded), c.server.Loaded)
	s.ContextWindow, s.Slots = cmp.Or(s.ContextWindow, c.server.ContextWindow), cmp.Or(s.Slots, c.server.Slots)
	changed := s != c.server
	c.server = s
	c.mu.Unlock()
	if changed {
		c.options.Observe.Server(c.model.Name, s)
	}
}

// most bounds what a server may say that it holds.
const most = 1 << 27

func bounded(n int) int {
	if n < 0 || n > most {
		return 0
	}
	return n
}

// readProps reads llama.cpp's /props. Its n_ctx is that of one slot.
func readProps(body []byte, _ *model.ModelConfig) model.Server {
	var p struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Slots int    `json:"total_slots"`
		Path  string `json:"model_path"`
		Alias string `json:"model_alias"`
	}
	if json.Unmarshal(body, &p) != nil {
		return model.Server{}
	}
	return model.Server{Loaded: cmp.Or(p.Path, p.Alias), ContextWindow: bounded(p.Settings.Context), Slots: bounded(p.Slots)}
}

// readModels reads a list of models as vLLM and llama.cpp's server write it.
func readModels(body []byte, m *model.ModelConfig) model.Server {
	var list struct {
		Data []struct {
			ID   string
			Most int `json:"max_model_len"`
			Meta struct {
				Context int `json:"n_ctx"` // of one slot
			}
		}
	}
	if json.Unmarshal(body, &list) != nil {
		return model.Server{}
	}
	if len(list.Data) == 1 {
		m = &model.ModelConfig{Model: list.Data[0].ID}
	}
	one, ok := named(list.Data, m, func(i int) string { return list.Data[i].ID })
	if !ok {
		return model.Server{}
	}
	return model.Server{Loaded: one.ID, ContextWindow: bounded(cmp.Or(one.Most, one.Meta.Context))}
}

// named is the element of a list that has the model's name, else the only one whose name is
// known to be of the same model.
func named[T any](list []T, m *model.ModelConfig, name func(int) string) (one T, ok bool) {
	found := 0
	for i := range list {
		switch {
		case strings.EqualFold(name(i), m.Model):
			return list[i], true
		case model.SameModel(m.Model, name(i)):
			one = list[i]
			found++
		}
	}
	if found != 1 {
		return *new(T), false
	}
	return one, true
}

// readStudio reads LM Studio's own list of models.
func readStudio(body []byte, m *model.ModelConfig) model.Server {
	var list struct {
		Data []struct {
			ID     string
			Loaded int `json:"loaded_context_length"`
		}
	}
	if json.Unmarshal(body, &list) != nil {
		return model.Server{}
	}
	one, ok := named(list.Data, m, func(i int) string { return list.Data[i].ID })
	if !ok {
		return model.Server{}
	}
	return model.Server{Loaded: one.ID, ContextWindow: bounded(one.Loaded)}
}

// readPs reads what Ollama has in memory.
func readPs(body []byte, m *model.ModelConfig) model.Server {
	var list struct {
		Models []struct {
			Name, Model string
			Context     int `json:"context_length"`
		}
	}
	if json.Unmarshal(body, &list) != nil {
		return model.Server{}
	}
	for _, one := range list.Models {
		if slices.ContainsFunc([]string{one.Name, one.Model}, func(name string) bool { // an address may be in any case
			return strings.EqualFold(name, m.Model) || strings.EqualFold(name, m.Model+":latest")
		}) {
			return model.Server{ContextWindow: bounded(one.Context)}
		}
	}
	return model.Server{}
}
