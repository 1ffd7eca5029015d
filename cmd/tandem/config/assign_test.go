package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAssign holds that what a person wrote stays, and that the result means what was assigned.
func TestAssign(t *testing.T) {
	values := []Assignment{
		{[]string{"fast"}, "new"}, {[]string{"models", "new", "provider"}, "p"}, {[]string{"models", "new", "model"}, "m:7b"},
		{[]string{"models", "new", "context_window"}, 64000}, {[]string{"models", "new", "input_price"}, 0.5}, {[]string{"providers", "p", "base_url"}, "https://x.example.com/v1"},
	}
	table := "models.new.provider = \"p\"\nmodels.new.model = \"m:7b\"\nmodels.new.context_window = 64000\nmodels.new.input_price = 0.5\nproviders.p.base_url = \"https://x.example.com/v1\"\n"
	for _, c := range []struct{ name, before, want string }{
		{"nothing", "", "fast = \"new\"\n" + table},
		{"other lanes and tables", "# mine\nfast = \"old\" # was good\ndeep = \"old\"\n\n[models.old]\nprovider = \"openai\"",
			table + "\n# mine\nfast = \"new\"\ndeep = \"old\"\n\n[models.old]\nprovider = \"openai\""},
		{"its own tables", "[models.new] # tried\nprovider = \"q\"\n\n[providers.p]\nwire_api = \"chat\"\n[editor]\ntrigger = \"invoked\"\n",
			"fast = \"new\"\n\n[models.new] # tried\ninput_price = 0.5\ncontext_window = 64000\nmodel = \"m:7b\"\nprovider = \"p\"\n\n[providers.p]\nbase_url = \"https://x.example.com/v1\"\nwire_api = \"chat\"\n[editor]\ntrigger = \"invoked\"\n"},
		{"a table above its own", "[models]\nold.provider = \"openai\"\n",
			"fast = \"new\"\nproviders.p.base_url = \"https://x.example.com/v1\"\n\n[models]\nnew.input_price = 0.5\nnew.context_window = 64000\nnew.model = \"m:7b\"\nnew.provider = \"p\"\nold.provider = \"openai\"\n"},
	} {
		got := Assign([]byte(c.before), values)
		if string(got) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		file := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(Options{File: file, Managed: filepath.Join(t.TempDir(), "none"), Getenv: os.Getenv})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if m := loaded.Models[loaded.Fast]; m.Model != "m:7b" || m.ContextWindow != 64000 || m.InputPrice != 0.5 || loaded.Providers["p"].BaseURLs[0] != "https://x.example.com/v1" {
			t.Errorf("%s means %+v", c.name, m)
		}
		if again := Assign(got, values); string(again) != string(got) {
			t.Errorf("%s: a second time it becomes\n%s", c.name, again)
		}
	}
}
