package config

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"tandem/model"
)

// A Value is one effective setting for display, with secrets redacted.
type Value struct {
	Name   string `json:"name"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}

// Values lists every effective value and its origin, by name. A setting of
// named tables is listed once for each existing name.
func (c *Config) Values() []Value {
	found := map[string]Value{}
	add := func(path []string, s *Setting, v any, o Origin) {
		found[dotted(path)] = Value{dotted(path), shown(s, path, v), o.String()}
	}
	for _, it := range c.effective.layer {
		if it.setting != nil {
			add(it.path, it.setting, it.value, it.origin)
		}
	}
	for i := range Settings {
		s := &Settings[i]
		if s.Place == inEditor || s.Default == nil {
			continue
		}
		for _, path := range c.pathsOf(s) {
			if _, ok := found[dotted(path)]; !ok {
				add(path, s, s.Default, Origin{})
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Value) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
}

var secretName = regexp.MustCompile(`(?i)key|token|secret|sig|code|password|auth`)

// shown returns a value in the form that may be printed.
func shown(s *Setting, path []string, v any) any {
	text, ok := v.(string)
	if !ok || text == "" {
		return v
	}
	last := path[len(path)-1]
	if s.Secret || strings.HasPrefix(s.Name, "providers.*.query_params") && secretName.MatchString(last) {
		return model.NewSecret(text).String()
	}
	if u, err := url.Parse(text); last == "proxy" && err == nil && u.User != nil {
		u.User = url.User("redacted")
		return u.String()
	}
	return v
}

// pathsOf returns a setting's path for every name that its * may stand for.
func (c *Config) pathsOf(s *Setting) [][]string {
	parts := s.segments()
	at := slices.Index(parts, "*")
	if at < 0 {
		return [][]string{parts}
	}
	var out [][]string
	for _, name := range c.effective.names(parts[0]) {
		path := slices.Clone(parts)
		path[at] = name
		out = append(out, path)
	}
	return out
}
