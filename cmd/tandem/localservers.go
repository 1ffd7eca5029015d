package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"tandem/cmd/tandem/config"
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
		found.Lines = linesFor(s)
		d.Local = append(d.Local, found)
	}
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// linesFor returns the lines at the top of a configuration that select a
// server's first coding model.
func linesFor(s provider.LocalServer) string {
	id := s.Models[0]
	for _, m := range s.Models {
		if lower := strings.ToLower(m); strings.Contains(lower, "code") || strings.Contains(lower, "coder") {
			id = m
			break
		}
	}
	name := strings.Trim(notInName.ReplaceAllString(id[strings.LastIndexByte(id, '/')+1:], "-"), "-")
	if name == "" || name == config.Local {
		name = "mine"
	}
	lines := fmt.Sprintf("fast = %q\nmodels.%s.provider = %q\nmodels.%s.model = %q", name, name, s.Provider.Name, name, id)
	if url := s.Provider.BaseURLs[0]; config.PresetAddress(s.Provider.Name) != url {
		lines += fmt.Sprintf("\nproviders.%s.base_url = %q", s.Provider.Name, url)
	}
	return lines
}
