package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIncludes: a configuration that includes itself many times is read as
// often as the bounds allow, and its values are known.
func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	git := filepath.Join(dir, ".git")
	files := map[string]string{"HEAD": "ref: refs/heads/main\n",
		"config": "[core]\n\tignorecase = true\n[include]\n" + strings.Repeat("\tpath = config\n", 6),
		"many":   ""}
	for i := range 500 {
		files["many"] += fmt.Sprintf("[include]\n\tpath = part%d\n", i)
		files[fmt.Sprintf("part%d", i)] = fmt.Sprintf("[part]\n\tn%d = x\n", i)
	}
	if err := os.Mkdir(git, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(git, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, ok := At(dir)
	if !ok {
		t.Fatal("the repository was not found")
	}
	config := r.Config()
	if config.Value("core", "ignorecase") != "true" {
		t.Error("a value is not known")
	}
	if n := len(config); n > 8*maxConfigs {
		t.Errorf("%d settings were read", n)
	}
	if n := len(UserConfig(filepath.Join(git, "many"))); n > 500+maxConfigs {
		t.Errorf("%d settings were read from 500 files", n)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("[core]\n\texcludesfile = canary\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(git, "config"), []byte("[include]\n\tpath = "+outside+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r.Config().Value("core", "excludesfile") != "" {
		t.Error("a file outside the repository was included")
	}
}
