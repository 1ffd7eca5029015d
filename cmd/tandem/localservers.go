package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/model/format"
	"tandem/model/provider"
)

// localServers looks for model servers on this machine and collects the
// configuration lines that select them.
func (d *doctor) localServers(ctx context.Context) {
	for _, s := range provider.FindLocal(ctx, allowHost(d.config)) {
		found := localServer{Name: s.Kind, URL: s.Provider.BaseURLs[0], Models: s.Models}
		if len(s.Models) == 0 {
			d.warn("local models", fmt.Sprintf("%s runs at %s and has no model.", s.Kind, found.URL), "load one into it and run tandem doctor again")
			continue
		}
		if found.Lines = linesFor(s); found.Lines == "" {
			d.warn("local models", fmt.Sprintf("%s runs at %s and has no model that tandem can ask.", s.Kind, found.URL), format.Unsupported(s.Models[0]))
			continue
		}
		d.Local = append(d.Local, found)
	}
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// linesFor returns the lines at the top of a configuration that select a server's first
// coding model, its first model for next edits, and one that follows instructions for edits
// and questions, which is the same one where it does.
func linesFor(s provider.LocalServer) string {
	var fast, next, deep string
	wire := config.PresetWire(s.Provider.Name)
	for _, id := range s.Models {
		switch {
		case format.Unsupported(id) != "":
		case format.NextEdits(format.Infer(id)):
			next = cmp.Or(next, id)
		case fast == "", coding(id) && !coding(fast):
			fast = id
		}
	}
	for _, id := range append([]string{fast}, s.Models...) {
		if id != "" && deep == "" && format.Unsupported(id) == "" && format.Chats(format.Infer(id)) && !model.FillsOnly(model.ModelConfig{Model: id}, wire) {
			deep = id
		}
	}
	var lanes, tables []string
	for _, use := range []struct{ lane, id string }{{"fast", fast}, {"deep", deep}, {"next_edit", next}} {
		if use.id == "" {
			continue
		}
		name := tableName(use.id)
		lanes = append(lanes, fmt.Sprintf("%s = %q", use.lane, name))
		table := fmt.Sprintf("models.%s.provider = %q\nmodels.%s.model = %q", name, s.Provider.Name, name, use.id)
		if family := model.FIMOf(model.ModelConfig{Model: use.id}); use.lane == "fast" && wire == "chat" && family != nil {
			table += fmt.Sprintf("\nmodels.%s.fim = %q", name, family.Name)
		}
		if use.lane != "deep" || use.id != fast {
			tables = append(tables, table)
		}
	}
	if len(lanes) == 0 {
		return ""
	}
	if url := s.Provider.BaseURLs[0]; config.PresetAddress(s.Provider.Name) != url {
		tables = append(tables, fmt.Sprintf("providers.%s.base_url = %q", s.Provider.Name, url))
	}
	return strings.Join(append(lanes, tables...), "\n")
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
