package config

import (
	"fmt"
	"slices"
	"strings"

	"tandem/workspace/terms"
)

// segments splits a setting's name at its dots.
func (s *Setting) segments() []string { return strings.Split(s.Name, ".") }

// match reports whether path names the setting, or (prefix) a table that contains it.
func (s *Setting) match(path []string) (exact, prefix bool) {
	want := s.segments()
	if len(path) > len(want) {
		return false, false
	}
	for i, part := range path {
		if want[i] != "*" && want[i] != part || part == "" {
			return false, false
		}
	}
	return len(path) == len(want), len(path) < len(want)
}

// lookup finds the setting that path names; table reports that it names a table.
func lookup(path []string) (setting *Setting, table bool) {
	for i := range Settings {
		s := &Settings[i]
		if s.Place == inEditor {
			continue
		}
		exact, prefix := s.match(path)
		if exact {
			return s, false
		}
		table = table || prefix
	}
	return nil, table
}

// keysUnder lists the keys that may follow a known path.
func keysUnder(path []string) []string {
	var out []string
	for i := range Settings {
		s := &Settings[i]
		if _, prefix := s.match(path); s.Place != inEditor && (prefix || len(path) == 0) {
			if next := s.segments()[len(path)]; next != "*" && !slices.Contains(out, next) {
				out = append(out, next)
			}
		}
	}
	return out
}

// dotted formats a path as in a file, with quotes where TOML needs them.
func dotted(path []string) string {
	out := make([]string, len(path))
	for i, part := range path {
		out[i] = part
		if part == "" || strings.Trim(part, terms.ASCII+"-_") != "" {
			out[i] = fmt.Sprintf("%q", part)
		}
	}
	return strings.Join(out, ".")
}

// unknownKey returns the message for a path that no setting has, and the length of
// its prefix that ends with the unknown key.
func unknownKey(path []string, allowProfiles bool, here string) (message string, length int) {
	known := 0
	for known < len(path)-1 {
		if _, table := lookup(path[:known+1]); !table {
			break
		}
		known++
	}
	key := path[known]
	candidates := keysUnder(path[:known])
	if known == 0 && allowProfiles {
		candidates = append(candidates, "profiles")
	}
	message = fmt.Sprintf("unknown key %q", key)
	if known > 0 {
		message += fmt.Sprintf(" in [%s]", dotted(path[:known]))
	}
	message += here
	if hint := keyHints[key]; hint != "" {
		return message + "; " + hint, known + 1
	}
	return message + didYouMean("known key", key, candidates), known + 1
}

const keysNotInFile = "keys are not kept in this file: put it away with `tandem key set NAME` and write keyring = \"NAME\", or name its environment variable with env_key"

// keyHints are messages for keys that other tools use.
var keyHints = map[string]string{
	"api_key":                   keysNotInFile,
	"apikey":                    keysNotInFile,
	"key":                       keysNotInFile,
	"token":                     keysNotInFile,
	"experimental_bearer_token": keysNotInFile,
	"model_provider":            "a model names its provider itself: [models.NAME] provider = \"…\"",
	"model_providers":           "it is called providers here",
	"model_context_window":      "it is called context_window here, in [models.NAME]",
	"requires_openai_auth":      "name the source of the key with env_key, keyring or auth.command",
	"locked":                    "[locked] belongs to the administrator's managed.toml",
}

// convert checks a value against its setting and returns it in the setting's
// own type: string, int64, float64, bool or []string.
func (s *Setting) convert(value any) (any, error) {
	var out any
	switch s.Kind {
	case String:
		out = asType[string](value)
	case Boolean:
		out = asType[bool](value)
	case Integer:
		out = asType[int64](value)
	case Number:
		out = asNumber(value)
	case List:
		out = asStrings(value)
	case StringOrList:
		if out = asStrings(value); out == nil {
			if text, ok := value.(string); ok {
				out = []string{text}
			}
		}
	}
	if out == nil {
		return nil, fmt.Errorf("must be %s, not %s", article(string(s.Kind)), describe(value))
	}
	return out, s.inRange(out)
}

func asType[T any](value any) any {
	if v, ok := value.(T); ok {
		return v
	}
	return nil
}

func asNumber(value any) any {
	switch v := value.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return nil
}

func asStrings(value any) any {
	list, ok := value.([]any)
	if !ok {
		return nil
	}
	out := make([]string, len(list))
	for i, v := range list {
		if out[i], ok = v.(string); !ok {
			return nil
		}
	}
	return out
}

// takes reports whether a word is one of those that the setting may hold.
func (s *Setting) takes(word string) bool {
	return len(s.Values) == 0 || slices.Contains(s.Values, word)
}

func (s *Setting) inRange(value any) error {
	var number float64
	switch v := value.(type) {
	case int64:
		number = float64(v)
	case float64:
		number = v
	default:
		return nil
	}
	if number < s.Min {
		return fmt.Errorf("must be at least %v, not %v", s.Min, value)
	}
	if s.Max > 0 && number > s.Max {
		return fmt.Errorf("must be at most %v, not %v", s.Max, value)
	}
	return nil
}

func article(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

func describe(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case int64, float64:
		return fmt.Sprintf("the number %v", v)
	case bool:
		return fmt.Sprintf("%v", v)
	case []any:
		return "a list"
	case other:
		return v.kind
	}
	return fmt.Sprintf("%v", value)
}
