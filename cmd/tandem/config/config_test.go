package config

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tandem/model"
	"tandem/workspace/platformtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// load reads a configuration written to a temporary file, away from this machine's own.
func load(t *testing.T, text string, change ...func(*Options)) (*Config, error) {
	t.Helper()
	dir := t.TempDir()
	o := Options{File: filepath.Join(dir, "config.toml"), Managed: filepath.Join(dir, "managed.toml"), Getenv: func(string) string { return "" }}
	if err := os.WriteFile(o.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(&o)
	}
	return Load(o)
}

func managed(t *testing.T, text string) func(*Options) {
	return func(o *Options) {
		if err := os.WriteFile(o.Managed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func must(t *testing.T) func(*Config, error) *Config {
	return func(c *Config, err error) *Config {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

const ruler = "----\n"

func TestGoldenErrors(t *testing.T) {
	const path = "testdata/errors.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.Files {
		source, want, _ := strings.Cut(string(f.Data), ruler)
		_, err := load(t, source)
		if err == nil {
			t.Errorf("%s: no mistake found", f.Name)
			continue
		}
		var lines []string
		for line := range strings.SplitSeq(err.Error(), "\n") {
			lines = append(lines, line[strings.LastIndex(line[:strings.Index(line, ": ")], string(filepath.Separator))+1:])
		}
		got := strings.Join(lines, "\n") + "\n"
		archive.Files[i].Data = []byte(source + ruler + got)
		if diff := cmp.Diff(want, got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The example of the documentation, which users will copy.
const example = `
fast = "cerebras-oss"
deep = "codex"
daily_limit_usd = 5.0

[models.cerebras-oss]
provider = "cerebras"
model = "gpt-oss-120b"
context_window = 131000
max_output_tokens = 2048
input_price = 0.35
output_price = 0.75

[models.spark]
provider = "openai"
model = "gpt-5.3-codex-spark"
context_window = 128000
max_output_tokens = 4096
omit = ["reasoning.summary", "temperature"]
input_price = 1.75
output_price = 14.0

[models.codex]
provider = "openai"
model = "gpt-5.3-codex"
context_window = 400000
reasoning_effort = "high"
service_tier = "priority"

[providers.openai]
base_url = "https://api.openai.com/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
supports_websockets = true

[editor]
trigger = "automatic"
disabled_globs = ["**/secrets/**"]

[editor.language.markdown]
trigger = "invoked"

[profiles.quiet.editor]
trigger = "invoked"
`

func TestExample(t *testing.T) {
	c := must(t)(load(t, example))
	want := model.ModelConfig{Name: "codex", Provider: "openai", Model: "gpt-5.3-codex", ContextWindow: 400000, MaxOutputTokens: 2048,
		InputPrice: -1, CachedPrice: -1, CacheWritePrice: -1, OutputPrice: -1, ReasoningEffort: "high", ServiceTier: "priority", Candidates: 1, Tools: true}
	if diff := cmp.Diff(want, c.Models["codex"]); diff != "" {
		t.Errorf("codex (-want +got):\n%s", diff)
	}
	provider := model.ProviderConfig{Name: "openai", BaseURLs: []string{"https://api.openai.com/v1"}, EnvKey: "OPENAI_API_KEY",
		WireAPI: "responses", SupportsWebsockets: true, StreamIDs: true}
	if diff := cmp.Diff(provider, c.Providers["openai"]); diff != "" {
		t.Errorf("openai (-want +got):\n%s", diff)
	}
	if c.Providers["cerebras"].BaseURLs[0] != "https://api.cerebras.ai/v1" {
		t.Errorf("the built-in provider is not there: %+v", c.Providers["cerebras"])
	}
	if c.Fast != "cerebras-oss" || c.Deep != "codex" || *c.DailyLimit != 5 || c.Budgets["ask"] != 16000 || c.Budgets["complete"] != 3000 {
		t.Errorf("top level: %+v", c)
	}
	if !c.Editor("go").Automatic || c.Editor("markdown").Automatic {
		t.Error("markdown is invoked by hand, Go is not")
	}
}

func TestProfileLaysOver(t *testing.T) {
	c := must(t)(load(t, example, func(o *Options) { o.Profile = "quiet" }))
	if c.Editor("go").Automatic {
		t.Error("the quiet profile suggests while typing")
	}
	if got := c.Editor("go").Disabled; len(got) != 1 {
		t.Errorf("the profile lost what it does not set: %q", got)
	}
	_, err := load(t, example, func(o *Options) { o.Profile = "quit" })
	if err == nil || !strings.Contains(err.Error(), `the nearest profile is "quiet"`) {
		t.Errorf("an unknown profile: %v", err)
	}
}

func TestPrecedence(t *testing.T) {
	user := "[editor]\ntrigger = \"automatic\"\ndebounce_ms = 10\n[profiles.p.editor]\ndebounce_ms = 20\n"
	lower := managed(t, "daily_limit_usd = 1.0\n[editor]\ndebounce_ms = 5\nnext_edits = false\n[locked.editor]\ntrigger = \"invoked\"\n")
	inEditor := func(o *Options) { o.Editor = map[string]any{"editor.debounce_ms": float64(30)} }
	profile := func(o *Options) { o.Profile = "p" }
	for _, c := range []struct {
		name    string
		options []func(*Options)
		want    time.Duration
		origin  string
	}{
		{"file over administrator", []func(*Options){lower}, 10, "config.toml:3"},
		{"profile over file", []func(*Options){lower, profile}, 20, "config.toml:5 (profile p)"},
		{"editor over profile", []func(*Options){lower, profile, inEditor}, 30, "editor"},
	} {
		cfg := must(t)(load(t, user, c.options...))
		if got := cfg.Editor("go").Debounce; got != c.want*time.Millisecond {
			t.Errorf("%s: debounce is %v, want %v ms", c.name, got, int(c.want))
		}
		if got := originOf(cfg, "editor.debounce_ms"); !strings.HasSuffix(got, c.origin) {
			t.Errorf("%s: origin is %q, want …%s", c.name, got, c.origin)
		}
		if cfg.Editor("go").Automatic || cfg.Editor("go").NextEdits || *cfg.DailyLimit != 1 {
			t.Errorf("%s: the administrator's values do not hold", c.name)
		}
		if got := originOf(cfg, "editor.trigger"); !strings.HasSuffix(got, "managed.toml:6 (locked)") {
			t.Errorf("%s: the locked value's origin is %q", c.name, got)
		}
	}
}

func originOf(c *Config, name string) string {
	for _, v := range c.Values() {
		if v.Name == name {
			return v.Origin
		}
	}
	return ""
}

func TestOffline(t *testing.T) {
	c := must(t)(load(t, example+"\n[search]\nurl = \"https://zoekt.example.com\"\n", func(o *Options) { o.Offline = true }))
	if c.Fast != Local || c.Deep != Local || c.Search.URL != "" {
		t.Errorf("offline still asks: fast %q deep %q search %q", c.Fast, c.Deep, c.Search.URL)
	}
	if got := originOf(c, "fast"); got != "--offline" {
		t.Errorf("origin %q", got)
	}
}

func TestNoFileMeansBuiltInEngine(t *testing.T) {
	dir := t.TempDir()
	c := must(t)(Load(Options{Managed: filepath.Join(dir, "m"), Getenv: func(k string) string {
		return map[string]string{"XDG_CONFIG_HOME": dir}[k]
	}}))
	if c.Fast != Local || c.Deep != "" || c.DailyLimit != nil || len(c.Models) != 0 {
		t.Errorf("%+v", c)
	}
	if _, err := Load(Options{File: filepath.Join(dir, "gone.toml"), Managed: filepath.Join(dir, "m")}); err == nil || !strings.Contains(err.Error(), "gone.toml: cannot be read: "+platformtest.NotThere) {
		t.Errorf("a file that --config names must exist: %v", err)
	}
}

func TestFewLinesAreEnough(t *testing.T) {
	for name := range presets {
		text := "fast = \"m\"\n[models.m]\nprovider = \"" + name + "\"\n"
		if name == "azure" {
			text += "[providers.azure]\nbase_url = \"https://corp.openai.azure.com/openai/v1\"\n"
		}
		c := must(t)(load(t, text))
		if p := c.Providers[name]; len(p.BaseURLs) == 0 || p.WireAPI == "" || c.Models["m"].Model != "m" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestUserKeySourceReplacesThePresets(t *testing.T) {
	c := must(t)(load(t, "[models.m]\nprovider = \"openai\"\n[providers.openai.auth]\ncommand = [\"az\", \"token\"]\n"))
	p := c.Providers["openai"]
	if p.EnvKey != "" || len(p.AuthCommand) != 2 || p.AuthRefresh != 5*time.Minute {
		t.Errorf("%+v", p)
	}
}

// With a relative XDG_CONFIG_HOME the folder in which an editor was started
// would configure tandem.
func TestRelativePlacesAreNone(t *testing.T) {
	env := func(k string) string {
		return map[string]string{"XDG_CONFIG_HOME": ".tandem", "HOME": "."}[k]
	}
	if got := DefaultFile(env); got != "" {
		t.Errorf("configuration would be read from %q", got)
	}
}

func TestWorkspaceFilesAreNotRead(t *testing.T) {
	workspace := t.TempDir()
	hostile := "[models.evil]\nprovider = \"openai\"\n[providers.openai]\nbase_url = \"https://evil.example.com\"\n"
	for _, name := range []string{"config.toml", ".tandem/config.toml", "tandem/config.toml", ".config/tandem/config.toml", ".codex/config.toml", ".env", "managed.toml"} {
		path := filepath.Join(workspace, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(hostile), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(workspace)
	home := t.TempDir()
	env := func(k string) string { return map[string]string{"HOME": home}[k] }
	c := must(t)(Load(Options{Managed: filepath.Join(home, "m"), Getenv: env}))
	if len(c.Models)+len(c.Providers) != 0 {
		t.Errorf("a workspace configured tandem: %+v", c)
	}
}

func TestValuesRedact(t *testing.T) {
	c := must(t)(load(t, `
[providers.corp]
base_url = "https://x.example.com"
http_headers = { Authorization = "Bearer canary-1" }
query_params = { key = "canary-2", api-version = "2026" }
proxy = "http://user:canary-3@proxy.example.com:3128"
`))
	seen := map[string]any{}
	for _, v := range c.Values() {
		if s, ok := v.Value.(string); ok && strings.Contains(s, "canary") {
			t.Errorf("%s prints %q", v.Name, s)
		}
		seen[v.Name] = v.Value
	}
	if seen["providers.corp.query_params.api-version"] != "2026" || seen["providers.corp.http_headers.Authorization"] != "[redacted]" {
		t.Errorf("%v", seen)
	}
}

func TestEditorCannotSetWhatIsNotItsOwn(t *testing.T) {
	for _, name := range []string{"fast", "providers.openai.base_url", "models.m.provider", "search.url", "daily_limit_usd", "nonsense"} {
		_, err := load(t, "", func(o *Options) { o.Editor = map[string]any{name: "x"} })
		if err == nil || !strings.Contains(err.Error(), name+" cannot be set in an editor") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An editor that tandem has no extension for sends what the settings of the extensions leave out.
func TestEditorWithoutAnExtensionSendsItsTimeout(t *testing.T) {
	cfg := must(t)(load(t, "", func(o *Options) { o.Editor = map[string]any{"editor.inline_timeout_ms": float64(900)} }))
	if got := cfg.Editor("go").InlineTimeout; got != 900*time.Millisecond {
		t.Errorf("the timeout is %v", got)
	}
}
