package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A program is what one version knows: its version, settings, features and removed words.
type program struct {
	version  string
	settings []Setting
	features map[string]string
	removals []Removed
}

func thisProgram(version string) program {
	return program{version, slices.Clone(Settings), maps.Clone(features), slices.Clone(Removals)}
}

// as runs do as this program would.
func (p program) as(do func()) {
	settings, known, gone := Settings, features, Removals
	defer func() { Settings, features, Removals = settings, known, gone }()
	Settings, features, Removals = p.settings, p.features, p.removals
	do()
}

// with is the program with other settings.
func (p program) with(change func(*program)) program {
	next := program{p.version, slices.Clone(p.settings), maps.Clone(p.features), slices.Clone(p.removals)}
	change(&next)
	return next
}

// change changes a setting, and what it is for one language.
func (p *program) change(name string, change func(*Setting)) {
	for i := range p.settings {
		if s := &p.settings[i]; s.Name == name || s.Name == strings.Replace(name, "editor.", "editor.language.*.", 1) {
			change(s)
		}
	}
}

func (p *program) remove(name string) {
	p.settings = slices.DeleteFunc(p.settings, func(s Setting) bool {
		return s.Name == name || s.Name == strings.Replace(name, "editor.", "editor.language.*.", 1)
	})
	p.removals = append(p.removals, Removed{RemovedSetting, name, "0.2.0", "leave the line out"})
}

// A difference is what one of two versions knows and the other does not, and lines of each file
// that say it.
type difference struct {
	name  string
	later func(*program) // makes the later version of the earlier
	lines map[string]string
	older bool // the later version has dropped what the lines say
}

// What becomes of a line that a program does not know.
const (
	holds    = "the model answers, and doctor names the line"
	refuses  = "no model answers, and the sentence names the version and the rule"
	mistaken = "a mistake that names the version"
)

// differences are a key, a word and a table more or less, in each place where one can be.
var differences = []difference{
	{"a key more", func(p *program) {
		p.settings = append(p.settings, Setting{Name: "glower.python", Kind: String, Place: inFile}, Setting{Name: "editor.glow", Kind: Boolean, Place: inBoth}, Setting{Name: "models.*.glow", Kind: String}, Setting{Name: "providers.*.glow", Kind: String},
			Setting{Name: "policy.allow_regions", Kind: List, Place: inManaged})
	}, map[string]string{
		"managed": "[glower]\npython = \"off\"\n", "managed model": "[models.m]\nglow = \"x\"\n", "managed editor": "[editor]\nglow = true\n", "locked": "[locked]\neditor.glow = true\n", "locked model": "[locked.models.m]\nglow = \"x\"\n",
		"policy": "[policy]\nallow_regions = [\"eu\"]\n", "user": "editor.glow = true\n", "profile": "[profiles.q.editor]\nglow = true\n", "editor": "editor.glow",
	}, false},
	{"a table more", func(p *program) {
		p.settings = append(p.settings, Setting{Name: "regions.eu", Kind: Boolean}, Setting{Name: "policy.regions.eu", Kind: Boolean, Place: inManaged}, Setting{Name: "tasks.night.limit_usd", Kind: Number})
	}, map[string]string{
		"managed": "[regions]\neu = true\n", "managed tasks": "[tasks.night]\nlimit_usd = 1.0\n", "locked": "[locked.regions]\neu = true\n", "policy": "[policy.regions]\neu = true\n", "profile": "[profiles.q.regions]\neu = true\n",
		"user": "regions.eu = true\n",
	}, false},
	{"a word more", func(p *program) {
		p.features["glower"] = "glowers"
		p.change("editor.trigger", func(s *Setting) { s.Values = append(slices.Clone(s.Values), "sometimes") })
		p.change("models.*.service_tier", func(s *Setting) { s.Values = append(slices.Clone(s.Values), "idle") })
	}, map[string]string{
		"managed": "[editor]\ntrigger = \"sometimes\"\n", "managed model": "[models.m]\nservice_tier = \"idle\"\n", "locked": "[locked]\neditor.trigger = \"sometimes\"\n", "policy": "[policy]\ndisable = [\"glower\"]\n",
		"user": "editor.trigger = \"sometimes\"\n", "profile": "[profiles.q.editor]\ntrigger = \"sometimes\"\n", "editor": "editor.trigger=sometimes",
	}, false},
	{"a key less", func(p *program) {
		p.remove("editor.lines")
		p.remove("models.*.candidates")
		p.remove("policy.ledger_file")
	}, map[string]string{
		"managed": "[editor]\nlines = 3\n", "managed model": "[models.m]\ncandidates = 2\n", "managed language": "[editor.language.go]\nlines = 3\n", "locked": "[locked]\neditor.lines = 3\n", "policy": "[policy]\nledger_file = \"~/x\"\n",
		"user": "editor.lines = 3\n", "profile": "[profiles.q.editor]\nlines = 3\n", "editor": "editor.lines",
	}, true},
	{"a table less", func(p *program) { p.remove("search.url"); p.remove("search") }, map[string]string{
		"managed": "[search]\nurl = \"https://a.test\"\n", "locked": "[locked.search]\nurl = \"https://a.test\"\n", "user": "search.url = \"https://a.test\"\n",
	}, true},
	{"a word less", func(p *program) {
		delete(p.features, "search")
		p.removals = append(p.removals, Removed{RemovedFeature, "search", "0.2.0", "take it out"}, Removed{RemovedValue, "editor.show = subtle", "0.2.0", "leave the line out"})
		p.change("editor.show", func(s *Setting) { s.Values = []string{"eager"} })
	}, map[string]string{
		"managed": "[editor]\nshow = \"subtle\"\n", "locked": "[locked]\neditor.show = \"subtle\"\n", "policy": "[policy]\ndisable = [\"search\"]\n", "user": "editor.show = \"subtle\"\n", "profile": "[profiles.q.editor]\nshow = \"subtle\"\n",
		"managed language": "[editor.language.go]\nshow = \"subtle\"\n", "editor": "editor.show=subtle",
	}, true},
}

// outcome is what becomes of a line in a place for a program that does not know it: what was removed
// is ignored, and what is new is a rule, or a mistake of the user's, or ignored.
func (d *difference) outcome(place string) string {
	area, _, _ := strings.Cut(place, " ")
	switch {
	case d.older, area == "managed", area == "editor":
		return holds
	case area == "locked", area == "policy":
		return refuses
	}
	return mistaken
}

const usable = "fast = \"m\"\n[models.m]\nprovider = \"openai\"\nmodel = \"gpt-x\"\n"

// written are the options of a program whose files have the lines of a place.
func written(t *testing.T, place, lines string) Options {
	t.Helper()
	dir := t.TempDir()
	o := Options{File: filepath.Join(dir, "config.toml"), Managed: filepath.Join(dir, "managed.toml"), Getenv: func(string) string { return "" }}
	user, managed := usable, ""
	switch area, _, _ := strings.Cut(place, " "); area {
	case "managed", "locked", "policy":
		managed = lines
	case "editor":
		name, word, isWord := strings.Cut(lines, "=")
		o.Editor = map[string]any{name: 3.0, "editor.debounce_ms": 30.0}
		if isWord {
			o.Editor[name] = word
		}
	case "profile":
		user += lines
	default:
		user = lines + user
	}
	for file, text := range map[string]string{o.File: user, o.Managed: managed} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// TestVersionsMeet reads the files of the next version with this one, and of this one with the next:
// every model answers, or the sentence names the version; no rule is loosened in silence.
func TestVersionsMeet(t *testing.T) {
	this, pairs, met := thisProgram("0.1.0"), 0, 0
	for _, d := range differences {
		next := this.with(d.later)
		next.version = "0.2.0"
		knows, reads := next, this
		if d.older {
			knows, reads = this, next
		}
		for _, place := range slices.Sorted(maps.Keys(d.lines)) {
			if t.Run(d.name+", "+place, func(t *testing.T) {
				o := written(t, place, d.lines[place])
				pairs++
				knows.as(func() {
					o.Version = knows.version
					if c, err := Load(o); err != nil && place != "editor" || err == nil && (len(c.Notes) > 0 || c.Policy.Fault != "") {
						t.Fatalf("the version that knows it: %v, %+v", err, c)
					}
				})
				reads.as(func() {
					o.Version = reads.version
					if got := becomesOf(t, o, d.lines[place]); got != d.outcome(place) {
						t.Errorf("%s; want: %s", got, d.outcome(place))
					}
				})
			}) {
				met++
			}
		}
	}
	t.Logf("%d of %d pairs of versions meet", met, pairs)
	if pairs < 40 {
		t.Errorf("%d pairs", pairs)
	}
}

// becomesOf says what becomes of a file whose lines the program does not know.
func becomesOf(t *testing.T, o Options, lines string) string {
	t.Helper()
	c, err := Load(o)
	policy := ReadPolicy(o)
	switch {
	case err != nil:
		if mistakes, ok := err.(*Error); !ok || mistakes.Managed || !strings.Contains(err.Error(), "tandem "+o.Version) {
			return fmt.Sprintf("a mistake without the version: %v", err)
		}
		return mistaken
	case c.Policy.Fault != policy.Fault:
		return fmt.Sprintf("the policy alone says %q, and beside the configuration %q", policy.Fault, c.Policy.Fault)
	case c.Policy.Model("gpt-x") != nil:
		for _, says := range []string{o.Version, "too old for", "install a later one"} {
			if !strings.Contains(policy.Fault, says) {
				return fmt.Sprintf("refused without %q: %s", says, policy.Fault)
			}
		}
		return refuses
	case len(c.Notes) != 1 || c.Notes[0].Message == "":
		return fmt.Sprintf("nothing is said of %q, or too much: %+v", lines, c.Notes)
	case c.Fast != "m" || c.Models["m"].Model != "gpt-x" || len(o.Editor) > 0 && c.Editor("go").Debounce == 0:
		return fmt.Sprintf("the rest is lost: %+v", c)
	}
	return holds
}

// TestMinVersionIsReadFirst: a file for a later version says only which one, whatever else this version
// does not understand of it.
func TestMinVersionIsReadFirst(t *testing.T) {
	for _, lines := range []string{"", "allow_regions = []\n", "disable = [\"glower\"]\n", "allow_hosts = 3\n", "deny_globs = [\"[\"]\n", "[glower]\npython = \"off\"\n", "[locked]\nglow = 1\n", "fast = 3\n", "x = = 3\n", "[models.m]\nprovider = \"later\"\n", "[polcy]\nx = 1\n"} {
		o := written(t, "policy", "[policy]\nmin_version = \"0.3.0\"\nmessage = \"Ask us.\"\n"+lines)
		o.Version = "0.2.9"
		c, err := Load(o)
		const says = "asks no model with tandem 0.2.9; install 0.3.0 or a later one. It says: Ask us."
		if err != nil || !strings.HasSuffix(c.Policy.Fault, says) || c.Policy.Fault != ReadPolicy(o).Fault || c.Policy.Model("gpt-x") == nil {
			t.Errorf("%q: %v, %+v", lines, err, c)
		}
		o.Version = "0.3.0"
		if p := ReadPolicy(o); strings.Contains(p.Fault, "install 0.3.0") || strings.Contains(lines, "=") && !strings.Contains(lines, "later") && !strings.Contains(lines, "python") && p.Fault == "" {
			t.Errorf("%q, of the version that it wants: %q", lines, p.Fault)
		}
	}
}

// TestUnknownRulesName what may have been meant.
func TestUnknownRules(t *testing.T) {
	for lines, want := range map[string]string{
		"[policy]\nalow_hosts = []\n":                    "too old for policy.alow_hosts (",
		"[policy]\nalow_models = []\n":                   "or correct the line if allow_models was meant",
		"[policy.regions]\neu = true\n":                  "too old for policy.regions (",
		"[policy]\ndisable = [\"recording\", \"mcp\"]\n": "too old for policy.disable = [\"recording\"] (",
		"[locked.editor]\nglow = 1\nshine = 2\n":         "too old for locked.editor.glow (",
		"[polcy]\nallow_hosts = []\n":                    "write [policy]",
		"[lockd]\nfast = \"m\"\n":                        "write [locked]",
	} {
		o := written(t, "managed", lines)
		if p := ReadPolicy(o); !strings.Contains(p.Fault, want) || p.Model("gpt-x") == nil || p.Host("a.test:1") == nil {
			t.Errorf("%q: %q, want %q", lines, p.Fault, want)
		}
	}
}
