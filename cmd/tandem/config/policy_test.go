package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace/disk"
)

func policyOf(t *testing.T, text string, change ...func(*Options)) Policy {
	t.Helper()
	return must(t)(load(t, "", append([]func(*Options){managed(t, "[policy]\n"+text+"\n")}, change...)...)).Policy
}

func TestPolicyHosts(t *testing.T) {
	p := policyOf(t, `allow_hosts = ["gateway.example.com", "*.models.example.com", "local.test:8080", "[::1]:9", "bücher.example"]`)
	for address, allowed := range map[string]bool{
		"gateway.example.com:443": true, "GATEWAY.example.com.:443": true, "gateway.example.com": true,
		"gateway.example.com.evil.test:443": false, "evil-gateway.example.com:443": false, "sub.gateway.example.com:443": false,
		"a.models.example.com:443": true, "a.b.models.example.com:80": true, "models.example.com:443": false, "evilmodels.example.com:443": false,
		"local.test:8080": true, "local.test:8081": false, "[::1]:9": true, "[::1]:10": false, "127.0.0.1:80": false, "localhost:80": false,
		"xn--bcher-kva.example:443": true, "": false, ":443": false,
	} {
		if err := p.Host(address); (err == nil) != allowed {
			t.Errorf("%q: %v, want allowed %v", address, err, allowed)
		}
	}
	for text, allowed := range map[string]bool{"": true, "allow_hosts = []": false} {
		p := policyOf(t, text)
		if err := p.Host("a.test:443"); (err == nil) != allowed {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestPolicyModels(t *testing.T) {
	p := policyOf(t, `allow_models = ["gpt-5*", "openai/*-120b"]`)
	for id, allowed := range map[string]bool{"gpt-5.3-codex": true, "GPT-5": true, "my-gpt-5": false, "openai/gpt-oss-120b": true, "openai/gpt-oss-20b": false, "": false} {
		if err := p.Model(id); (err == nil) != allowed {
			t.Errorf("%q: %v, want allowed %v", id, err, allowed)
		}
	}
}

func TestPolicyVersion(t *testing.T) {
	for version, fault := range map[string]bool{"1.4.0": false, "v1.4": false, "1.10.0": false, "2.0.0-rc1": false, "1.3.9": true, "0.9.0": true, "dev": true, "": true} {
		p := policyOf(t, `min_version = "1.4.0"`, func(o *Options) { o.Version = version })
		if (p.Fault != "") != fault || (p.Model("m") != nil) != fault || (p.Host("h:1") != nil) != fault {
			t.Errorf("%q: %q", version, p.Fault)
		}
	}
}

// TestPolicyIsReadStrictly holds that what is wrong in the administrator's
// file, anywhere in it, refuses every model. What another version may know is in
// TestVersionsMeet.
func TestPolicyIsReadStrictly(t *testing.T) {
	for _, text := range []string{
		"[policy]\nallow_hosts = \"a.test\"\n", "[policy]\nallow_hosts = [1]\n", "[policy]\nallow_hosts = [\"https://a.test/\"]\n",
		"[policy]\nallow_hosts = [\"\"]\n", "[policy]\nallow_hosts = [\"a.*.test\"]\n", "[policy]\ndeny_globs = [\"[\"]\n",
		"[policy]\nmin_version = \"new\"\n", "[policy\n", "policy = 3\n", "[polcy]\n", "[locked.policy]\nallow_hosts = []\n", "[locked]\npolicy.allow_hosts = []\n",
		"[policy]\n[policy]\n", "fast = 3\n", "\x00",
	} {
		_, err := load(t, "fast = \"local\"\n", managed(t, text))
		mistakes, ok := err.(*Error)
		if !ok || !mistakes.Managed {
			t.Errorf("%q gives %v", text, err)
		}
	}
	for name, spoil := range map[string]func(path string) error{
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"too large": func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("# long\n", disk.MaxSettings/7+1)), 0o600)
		},
		"no file below a file": func(path string) error {
			return os.WriteFile(filepath.Dir(path)+"/managed.toml", []byte("fast = \n"), 0o600)
		},
	} {
		var o Options
		_, err := load(t, "", func(l *Options) {
			if err := spoil(l.Managed); err != nil {
				t.Fatal(err)
			}
			o = *l
		})
		mistakes, ok := err.(*Error)
		if p := ReadPolicy(o); !ok || !mistakes.Managed || p.Model("m") == nil || p.Host("h:1") == nil {
			t.Errorf("%s: %v, %+v", name, err, p)
		}
	}
}

// TestPolicyIsTheAdministratorsAlone holds that no place of the user sets it.
func TestPolicyIsTheAdministratorsAlone(t *testing.T) {
	for _, text := range []string{"[policy]\nallow_hosts = [\"evil.test\"]\n", "policy.allow_hosts = []\n", "[profiles.p.policy]\nallow_hosts = [\"evil.test\"]\n"} {
		_, err := load(t, text, managed(t, "[policy]\nallow_hosts = [\"a.test\"]\n"))
		if err == nil || !strings.Contains(err.Error(), "administrator") {
			t.Errorf("%q: %v", text, err)
		}
		if mistakes, ok := err.(*Error); !ok || mistakes.Managed {
			t.Errorf("%q is no mistake of the administrator: %v", text, err)
		}
	}
	_, err := load(t, "", func(o *Options) { o.Editor = map[string]any{"policy.allow_hosts": []any{"evil.test"}} })
	if err == nil {
		t.Error("an editor sets the policy")
	}
}

// TestLivePolicy holds that a stricter policy counts at once, also while the
// user's file has a mistake, and that a broken one leaves no model.
func TestLivePolicy(t *testing.T) {
	dir := t.TempDir()
	o := Options{File: filepath.Join(dir, "config.toml"), Managed: filepath.Join(dir, "managed.toml"), Getenv: func(string) string { return "" }}
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const user = "fast = \"m\"\nmodels.m.provider = \"openai\"\n"
	write(o.File, user)
	failed := 0
	l := NewLive(o, Watch{Changed: func(*Config) {}, Failed: func(error) { failed++ }})
	if p := l.Config().Policy; p.Host("a.test:443") != nil || l.Config().Fast != "m" {
		t.Fatalf("%+v", l.Config())
	}
	write(o.Managed, "[policy]\nallow_hosts = []\n")
	write(o.File, "fast = 3\n")
	l.Check()
	if p := l.Config().Policy; p.Host("a.test:443") == nil || failed != 1 {
		t.Errorf("a new policy does not count beside a mistake of the user: %+v, %d", p, failed)
	}
	write(o.File, user)
	write(o.Managed, "[policy]\nallow_hosts = 3\n")
	if err := l.Select(""); err == nil {
		t.Error("a broken policy is accepted")
	}
	if c := l.Config(); c.Fast != Local || len(c.Models) != 0 || c.Policy.Model("m") == nil {
		t.Errorf("models are left: %+v", c)
	}
	write(o.Managed, "")
	l.Check()
	if c := l.Config(); c.Fast != "m" || c.Policy.Model("m") != nil {
		t.Errorf("the models do not come back: %+v", c)
	}
}

func TestRefusalHasTheAdministratorsWords(t *testing.T) {
	p := policyOf(t, "allow_hosts = []\nallow_models = []\ndisable = [\"search\"]\nmessage = \"Ask platform@example.com.\"")
	for _, err := range []error{p.Host("a.test:1"), p.Model("m"), p.Feature(CodeSearch)} {
		if err == nil || !strings.HasSuffix(err.Error(), "It says: Ask platform@example.com.") {
			t.Errorf("%v", err)
		}
	}
	if err := p.Feature(MCP); err != nil {
		t.Error(err)
	}
}
