package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/model/provider"
)

// allowHost asks the administrator's policy as it is at each request.
func allowHost(live func() *config.Config) provider.Allow {
	return func(host string) error {
		policy := live().Policy
		return policy.Host(host)
	}
}

// allowModel is the same for a lane and its model.
func allowModel(live func() *config.Config) func(model.Lane, model.ModelConfig) error {
	return func(lane model.Lane, m model.ModelConfig) error {
		policy := live().Policy
		if lane == model.Deep {
			if err := policy.Feature(config.Escalate); err != nil {
				return err
			}
		}
		if m.Name == "" {
			return nil // the built-in engine
		}
		return policy.Model(m.Model)
	}
}

// allowFeature is the same for a feature.
func allowFeature(live func() *config.Config) func(string) error {
	return func(name string) error {
		policy := live().Policy
		return policy.Feature(name)
	}
}

// config is the configuration, or what remains without it.
func (d *doctor) config() *config.Config {
	if d.settings != nil {
		return d.settings
	}
	return config.Fallback(d.globals.options())
}

// policy reports what the administrator allows.
func (d *doctor) policy(p config.Policy) {
	switch {
	case p.Outdated:
		d.bad("policy", p.Fault, "install a later tandem, or ask the administrator")
		return
	case p.Fault != "":
		d.bad("policy", p.Fault, "ask the administrator to correct "+p.File)
		return
	}
	if p.Empty() {
		if _, err := os.Lstat(p.File); errors.Is(err, fs.ErrNotExist) {
			d.good("policy", "none: there is no %s.", p.File)
		} else {
			d.good("policy", "none: %s restricts nothing.", p.File)
		}
		return
	}
	var parts []string
	for _, list := range []struct {
		key    string
		values []string
	}{{"allow_hosts", p.AllowHosts}, {"allow_models", p.AllowModels}, {"deny_globs", p.DenyGlobs}, {"disable", p.Disable}} {
		if list.values != nil {
			parts = append(parts, fmt.Sprintf("%s = %s", list.key, literal(list.values)))
		}
	}
	if p.MinVersion != "" {
		parts = append(parts, "min_version = "+literal(p.MinVersion))
	}
	if p.CountUse {
		parts = append(parts, "count_use = true")
	}
	if p.LedgerFile != "" {
		parts = append(parts, "ledger_file = "+literal(p.LedgerFile))
	}
	said := ""
	if p.Message != "" {
		said = " It says: " + p.Message
	}
	d.good("policy", "%s: %s.%s", p.File, strings.Join(parts, ", "), said)
}
