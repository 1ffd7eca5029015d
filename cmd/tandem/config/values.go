package config

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
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

// Plain lists the values that were set, without any text of the user's: names of their tables
// are numbers, and a value is a number, a truth, a word that the setting itself lists, or how
// much of it there is.
func (c *Config) Plain() []Value {
	numbers := map[string]int{}
	var out []Value
	for _, key := range slices.Sorted(maps.Keys(c.effective.layer)) {
		it := c.effective.layer[key]
		if it.setting == nil || it.origin.Source == FromPreset || it.origin.Source == FromDefault {
			continue
		}
		out = append(out, Value{plainName(it, numbers), plain(it.setting, it.value), it.origin.Source.String()})
	}
	return out
}

// plainName is a setting's name with a number for each name that the user chose.
func plainName(it item, numbers map[string]int) string {
	parts := it.setting.segments()
	for i, part := range parts {
		if part != "*" {
			continue
		}
		chosen := strings.Join(it.path[:min(i+1, len(it.path))], "\x00")
		if numbers[chosen] == 0 {
			numbers[chosen] = len(numbers) + 1
		}
		parts[i] = strconv.Itoa(numbers[chosen])
	}
	return strings.Join(parts, ".")
}

func plain(s *Setting, v any) any {
	switch v := v.(type) {
	case bool, int64, float64:
		return v
	case string:
		if s.tellsNothing(v) {
			return v
		}
		return "set"
	case []string:
		return fmt.Sprintf("%d", len(v))
	}
	return "set"
}

// tellsNothing reports whether a text is one that tandem itself names, or a number.
func (s *Setting) tellsNothing(v string) bool {
	if s.Name == "policy.min_version" {
		return numbersOnly(v)
	}
	return len(s.Values) > 0 && s.takes(v)
}

// numbersOnly reports whether a version is digits and points alone.
func numbersOnly(v string) bool { return strings.Trim(v, "0123456789.") == "" }
