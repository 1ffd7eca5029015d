package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/model/format"
	"tandem/model/provider"
)

// localServers looks for model servers on this machine.
func (d *doctor) localServers(ctx context.Context) {
	for _, s := range provider.FindLocal(ctx, allowHost(d.config)) {
		at := s.Kind + " runs at " + s.Provider.BaseURLs[0]
		switch {
		case len(s.Models) == 0:
			d.warn("local models", at+" and has no model.", "load one into it and run tandem doctor again")
		case selection(s, "", d.config()) == nil:
			d.warn("local models", at+" and has no model that tandem can ask.", format.Unsupported(s.Models[0].ID))
		default:
			d.good("local models", "%s with %s; tandem setup uses it.", at, strings.Join(modelIDs(s), ", "))
		}
	}
}

func modelIDs(s provider.Server) []string {
	var out []string
	for _, m := range s.Models {
		out = append(out, m.ID)
	}
	return out
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// plansTasks reports whether a model follows instructions, which the deep lane gives it.
func plansTasks(id, wire string) bool {
	if id == "" || format.Unsupported(id) != "" || !format.Chats(format.Infer(id)) {
		return false
	}
	return !model.FillsOnly(model.ModelConfig{Model: id}, wire)
}

// selection returns the values that make a server's models answer: the chosen one, or if
// that is "" the first for code, its first model for next edits, and for edits and questions
// one that follows instructions, which is the chosen one where it does. What the
// configuration in use says of the deep lane stays, unless the fast one had the same model.
func selection(s provider.Server, chosen string, used *config.Config) []config.Assignment {
	var fast, next, deep string
	wire := s.Provider.WireAPI
	ids := modelIDs(s)
	if chosen != "" {
		ids = append([]string{chosen}, ids...)
	}
	for _, id := range ids {
		switch {
		case format.Unsupported(id) != "":
		case format.NextEdits(format.Infer(id)):
			next = cmp.Or(next, id)
		case fast == "", chosen == "" && coding(id) && !coding(fast):
			fast = id
		}
	}
	if chosen != "" && next == chosen {
		fast = ""
	}
	for _, id := range append([]string{fast}, ids...) {
		if deep == "" && plansTasks(id, wire) {
			deep = id
		}
	}
	if used.Deep != "" && used.Deep != used.Fast {
		deep = ""
	}
	p := providerName(s.Provider, used)
	var lanes, tables []config.Assignment
	for _, use := range []struct{ lane, id string }{{"fast", fast}, {"deep", deep}, {"next_edit", next}} {
		if use.id == "" {
			continue
		}
		name := unusedName(tableName(use.id), used.Models, func(m model.ModelConfig) bool { return m.Provider == p && m.Model == use.id })
		lanes = append(lanes, config.Assignment{Path: []string{use.lane}, Value: name})
		if use.lane != "deep" || use.id != fast {
			tables = append(tables, modelTable(s, p, name, use.id, use.lane == "fast")...)
		}
	}
	if len(lanes) == 0 {
		return nil
	}
	return slices.Concat(lanes, tables, providerTable(s.Provider, p))
}

// modelTable is the table of one of a server's models.
func modelTable(s provider.Server, p, name, id string, fast bool) []config.Assignment {
	at := func(key string) []string { return []string{"models", name, key} }
	out := []config.Assignment{{Path: at("provider"), Value: p}, {Path: at("model"), Value: id}}
	if family := model.FIMOf(model.ModelConfig{Model: id}); fast && s.Provider.WireAPI == "chat" && s.Provider.Plain() && family != nil {
		out = append(out, config.Assignment{Path: at("fim"), Value: family.Name})
	}
	for _, m := range s.Models {
		if m.ID != id {
			continue
		}
		if m.ContextWindow >= leastListed {
			out = append(out, config.Assignment{Path: at("context_window"), Value: m.ContextWindow})
		}
		if m.InputPrice >= 0 && m.OutputPrice >= 0 {
			out = append(out, config.Assignment{Path: at("input_price"), Value: m.InputPrice}, config.Assignment{Path: at("output_price"), Value: m.OutputPrice})
			if m.CachedPrice >= 0 {
				out = append(out, config.Assignment{Path: at("cached_price"), Value: m.CachedPrice})
			}
		}
	}
	return out
}

// leastListed is the smallest context window that is written down as a server lists it.
const leastListed = 4096

// providerTable is what a provider's own table has to say: nothing of what is built in.
func providerTable(p model.ProviderConfig, name string) []config.Assignment {
	at := func(key string) []string { return []string{"providers", name, key} }
	var out []config.Assignment
	if url := p.BaseURLs[0]; config.PresetAddress(name) != url {
		out = append(out, config.Assignment{Path: at("base_url"), Value: url})
	}
	if config.PresetWire(name) != p.WireAPI {
		out = append(out, config.Assignment{Path: at("wire_api"), Value: p.WireAPI})
	}
	switch {
	case p.Keyring != "":
		out = append(out, config.Assignment{Path: at("keyring"), Value: p.Keyring})
	case p.EnvKey != "" && config.PresetAddress(name) == "":
		out = append(out, config.Assignment{Path: at("env_key"), Value: p.EnvKey})
	}
	return out
}

// providerName is the provider's name, or another one if the configuration in use has a
// different provider of that name.
func providerName(p model.ProviderConfig, used *config.Config) string {
	return unusedName(p.Name, used.Providers, func(q model.ProviderConfig) bool {
		return q.WireAPI == p.WireAPI && slices.Equal(q.BaseURLs, p.BaseURLs)
	})
}

// unusedName is a name that no table has, or one whose table is the same.
func unusedName[V any](name string, used map[string]V, same func(V) bool) string {
	out := name
	for n := 2; ; n++ {
		if v, taken := used[out]; !taken || same(v) {
			return out
		}
		out = fmt.Sprintf("%s-%d", name, n)
	}
}

// coding reports whether a model's name says that it is for code.
func coding(id string) bool {
	return strings.Contains(strings.ToLower(id), "code") || model.FIMOf(model.ModelConfig{Model: id}) != nil
}

// tableName is the name of the table for a model's id.
func tableName(id string) string {
	name := strings.Trim(notInName.ReplaceAllString(id[strings.LastIndexByte(id, '/')+1:], "-"), "-")
	if name == "" || name == config.Local {
		return "mine"
	}
	return name
}
