package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/format"
	"tandem/model/provider/dialect"
	"tandem/workspace/platformtest"
)

// settable is a value for a setting that is not its default, in TOML.
func settable(s *Setting) string {
	switch {
	case strings.HasSuffix(s.Name, "base_url"):
		return `"https://other.example.com"`
	case strings.HasSuffix(s.Name, "auth.command"):
		return fmt.Sprintf("[%q]", platformtest.Abs("/bin/token"))
	case strings.HasSuffix(s.Name, "search.url"), strings.HasSuffix(s.Name, "proxy"):
		return `"http://127.0.0.1:7"`
	case strings.HasSuffix(s.Name, "ca_file"):
		return fmt.Sprintf("%q", platformtest.Abs("/etc/ca.pem"))
	case strings.HasSuffix(s.Name, ".provider"):
		return `"p"`
	case strings.HasSuffix(s.Name, "wire_api"):
		return `"messages"`
	case s.Name == "policy.disable":
		return `["search"]`
	case s.Name == "policy.ledger_file":
		return `"~/tandem.jsonl"`
	case s.Name == "policy.min_version":
		return `"0.0.1"`
	case s.Name == "fast", s.Name == "deep", s.Name == "next_edit", s.Name == "complete":
		return `"m"`
	case s.Name == "models.*.format":
		return `"mercury"`
	case strings.HasSuffix(s.Name, "context_window"):
		return "50000"
	case strings.HasPrefix(s.Name, "editor.language.*."):
		base, _ := lookup(strings.Split(strings.Replace(s.Name, ".language.*", "", 1), "."))
		return settable(base)
	}
	switch s.Kind {
	case Boolean:
		return fmt.Sprint(s.Default != true)
	case Integer:
		if s.Max > 0 {
			return fmt.Sprint(min(int(s.Min)+1100, int(s.Max)))
		}
		return fmt.Sprint(int(s.Min) + 1100)
	case Number:
		return fmt.Sprint(s.Min + 0.5)
	case List:
		return `["x"]`
	}
	for _, v := range s.Values {
		if v != s.Default {
			return fmt.Sprintf("%q", v)
		}
	}
	return `"x"`
}

// frame is a configuration in which a setting can be tested: a model m of the
// provider p, which has the protocol that the setting needs.
func frame(name, value string) string {
	wire := "chat"
	for w, keys := range map[string]string{"responses": "reasoning_summary supports_websockets stream_ids", "completions": "fim"} {
		if strings.Contains(keys, name[strings.LastIndexByte(name, '.')+1:]) {
			wire = w
		}
	}
	lines := map[string]string{
		"models.m.provider": `"p"`, "models.m.context_window": "90000",
		"providers.p.base_url": `"https://x.example.com"`, "providers.p.wire_api": fmt.Sprintf("%q", wire),
	}
	if name == "providers.p.auth.refresh_interval_ms" {
		lines["providers.p.auth.command"] = fmt.Sprintf("[%q]", platformtest.Abs("/bin/token"))
	}
	if strings.HasPrefix(name, "agents.") {
		lines["agents.K.model"] = `"m"`
	}
	if name == "agents.K.model" {
		lines["models.o.provider"], lines["models.o.context_window"], value = `"p"`, "90000", map[bool]string{true: `"o"`}[value != ""]
	}
	if value != "" {
		lines[name] = value
	} else if name == "models.m.provider" {
		lines[name] = `"openai"`
	}
	text := ""
	for k, v := range lines {
		text += k + " = " + v + "\n"
	}
	return text
}

// A setting without any effect would be a false promise.
func TestEverySettingChangesTheConfiguration(t *testing.T) {
	for i := range Settings {
		s := &Settings[i]
		if !s.InFile() {
			continue
		}
		name := strings.NewReplacer("models.*", "models.m", "providers.*", "providers.p", "editor.language.*", "editor.language.go", ".*", ".K").Replace(s.Name)
		text, administrator := frame(name, settable(s)), ""
		if s.Place == inManaged {
			text, administrator = frame(name, ""), name+" = "+settable(s)+"\n"
		}
		with := must(t)(load(t, text, managed(t, administrator)))
		without := must(t)(load(t, frame(name, "")))
		if originOf(with, name) == originOf(without, name) {
			t.Errorf("%s: its origin is %q either way", name, originOf(with, name))
		}
		a, b := visible(with), visible(without)
		if reflect.DeepEqual(a, b) {
			t.Errorf("%s = %s changes nothing", name, settable(s))
		}
	}
}

// visible is the configuration that the rest of the program gets.
func visible(c *Config) any {
	own := *c
	own.effective, own.File, own.Managed, own.Policy.File = nil, "", "", ""
	return []any{own, c.Editor("go"), c.Editor("rust")}
}

func TestTableAgreesWithTheProviders(t *testing.T) {
	for name, want := range map[string][]string{"models.*.fim": model.FIMNames(), "providers.*.wire_api": dialect.WireAPIs(), "models.*.format": format.Names()} {
		for i := range Settings {
			if s := &Settings[i]; s.Name == name && !sameSet(s.Values, want) {
				t.Errorf("%s takes %q, the providers know %q", name, s.Values, want)
			}
		}
	}
}

func sameSet(a, b []string) bool {
	set := map[string]bool{}
	for _, v := range a {
		set[v] = true
	}
	for _, v := range b {
		if !set[v] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestTableIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Settings {
		if seen[s.Name] {
			t.Errorf("%s stands twice", s.Name)
		}
		seen[s.Name] = true
		if s.Doc == "" || !strings.HasSuffix(s.Doc, ".") {
			t.Errorf("%s: its documentation is no sentence: %q", s.Name, s.Doc)
		}
		if s.Default == nil {
			continue
		}
		if _, err := s.convert(s.Default); err != nil && s.Kind != List {
			t.Errorf("%s: its default %v: %v", s.Name, s.Default, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(example)
	f.Add("fast = qwen\ndeep = \"codex\n[editor\ntrigger = 1\n[[a]]\nx = {a = [1, {b = 2}]}\n")
	f.Add("[profiles]\nx = 1\n[profiles.a]\nprofiles.b = 1\n[models.\"\"]\n\"a.b\".c = 1979-05-27\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		o := Options{File: filepath.Join(dir, "config.toml"), Managed: filepath.Join(dir, "managed.toml")}
		for _, path := range []string{o.File, o.Managed} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Load(o)
		if err == nil {
			c.Values()
			return
		}
		mistakes, ok := err.(*Error)
		if !ok {
			t.Fatalf("not a list of mistakes: %v", err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, p := range mistakes.Problems {
			if p.Line < 0 || p.Line > lines || p.Message == "" {
				t.Errorf("%+v in %d lines", p, lines)
			}
		}
	})
}
