package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/cmd/tandem/config"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	for _, o := range outputs {
		before, after, err := o.current(filepath.Join("../..", o.path))
		if err != nil {
			t.Errorf("%s: %v", o.path, err)
		}
		if !bytes.Equal(before, after) {
			t.Errorf("%s does not match the table of settings; run make docs", o.path)
		}
	}
}

func TestExamplesAreRight(t *testing.T) {
	for _, e := range txtar.Parse(examples).Files {
		dir := t.TempDir()
		o := config.Options{File: filepath.Join(dir, "config.toml"), Managed: filepath.Join(dir, "managed.toml")}
		text, target := e.Data, o.File
		if strings.Contains(e.Name, "managed.toml") {
			target = o.Managed
			if err := os.WriteFile(o.File, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(target, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(o); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

func TestManifestKeepsTheRest(t *testing.T) {
	before := "{\n\t\"name\": \"x\",\n\t\"contributes\": {\n\t\t\"commands\": [{\"a\": 1}],\n\t\t\"configuration\": {},\n\t\t\"last\": 1\n\t}\n}\n"
	after, err := manifest([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(after) || !bytes.HasPrefix(after, []byte(before[:strings.Index(before, "{},")])) || !bytes.HasSuffix(after, []byte(",\n\t\t\"last\": 1\n\t}\n}\n")) {
		t.Errorf("%s", after)
	}
	again, err := manifest(after)
	if err != nil || !bytes.Equal(again, after) {
		t.Errorf("written twice: %v\n%s", err, again)
	}
	var read struct {
		Contributes struct {
			Configuration struct{ Properties map[string]property }
		}
	}
	if err := json.Unmarshal(after, &read); err != nil {
		t.Fatal(err)
	}
	for name, p := range read.Contributes.Configuration.Properties {
		if p.Scope != "application" {
			t.Errorf("a workspace could set %s", name)
		}
		if strings.Contains(name, "provider") || strings.Contains(name, "model.") || strings.Contains(name, "*") {
			t.Errorf("%s has no place in an editor", name)
		}
	}
	for _, broken := range []string{"", "[]", "{}", `{"contributes": {}}`, `{"contributes": [`} {
		if _, err := manifest([]byte(broken)); err == nil {
			t.Errorf("%q was written to", broken)
		}
	}
}

func TestHelpFitsItsWidth(t *testing.T) {
	for line := range strings.SplitSeq(string(vimHelp()), "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// VS Code's settings page says of an empty number, without being asked, that it must be one.
func TestNumbersOfTheManifestHaveDefaults(t *testing.T) {
	for name, p := range properties()["properties"].(map[string]property) {
		if (p.Type == "integer" || p.Type == "number") && p.Default == nil {
			t.Errorf("%s has no default", name)
		}
	}
}
