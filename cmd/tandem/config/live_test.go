package config

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// watched is a live configuration and the changes and errors it reported.
type watched struct {
	*Live
	path    string
	changed []*Config
	failed  []error
}

func watch(t *testing.T, text string) *watched {
	t.Helper()
	dir := t.TempDir()
	w := &watched{path: filepath.Join(dir, "config.toml")}
	w.write(t, text)
	o := Options{File: w.path, Managed: filepath.Join(dir, "managed.toml")}
	w.Live = NewLive(o, Watch{
		Changed: func(c *Config) { w.changed = append(w.changed, c) },
		Failed:  func(err error) { w.failed = append(w.failed, err) },
	})
	return w
}

func (w *watched) write(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(w.path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const oneModel = "fast = \"m\"\n[models.m]\nprovider = \"ollama\"\n"

func TestReloadKeepsTheOldOneWhenTheNewOneIsWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, oneModel)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go w.Watch(ctx)
		wait := func() { time.Sleep(pollEvery + time.Second); synctest.Wait() }

		wait()
		if len(w.changed)+len(w.failed) != 0 {
			t.Errorf("nothing changed: %v, %v", w.changed, w.failed)
		}
		w.write(t, strings.Replace(oneModel, "ollama", "olama", 1))
		wait()
		wait()
		if len(w.failed) != 1 || !strings.Contains(w.failed[0].Error(), `config.toml:3: there is no provider "olama"`) || w.Config().Fast != "m" || w.Config().Models["m"].Provider != "ollama" {
			t.Errorf("%v; in use: %+v", w.failed, w.Config().Models)
		}
		w.write(t, oneModel+"context_window = 5000\n")
		wait()
		if len(w.changed) != 1 || w.Config().Models["m"].ContextWindow != 5000 {
			t.Errorf("%v; in use: %+v", w.changed, w.Config().Models)
		}
		if err := os.Remove(w.path); err != nil {
			t.Fatal(err)
		}
		wait()
		if len(w.failed) != 2 || w.Config().Fast != "m" {
			t.Errorf("the file that --config names is gone: %v", w.failed)
		}
	})
}

func TestStartWithMistakes(t *testing.T) {
	w := watch(t, "fast = 3\n")
	if len(w.failed) != 1 || w.Config().Fast != Local || !w.Config().Editor("go").Automatic {
		t.Errorf("%v; in use: %+v", w.failed, w.Config())
	}
	w.write(t, oneModel)
	w.Check()
	if len(w.changed) != 1 || w.Config().Fast != "m" {
		t.Errorf("mended: %+v", w.Config())
	}
}

func TestSelectProfile(t *testing.T) {
	w := watch(t, oneModel+"[profiles.quiet.editor]\ntrigger = \"invoked\"\n")
	if err := w.Select("quiet"); err != nil || w.Config().Editor("go").Automatic || w.Config().Profile != "quiet" {
		t.Errorf("%v; %+v", err, w.Config().Editor("go"))
	}
	if err := w.Select("loud"); err == nil || w.Config().Profile != "quiet" || len(w.failed) != 0 {
		t.Errorf("an unknown profile: %v, in use %q", err, w.Config().Profile)
	}
	if err := w.SetEditor(map[string]any{"editor.trigger": "automatic"}); err != nil || !w.Config().Editor("go").Automatic {
		t.Errorf("the editor is over the profile: %v", err)
	}
	if err := w.SetEditor(map[string]any{"editor.trigger": "automatic", "editor.inline_timeout_ms": nil}); err != nil {
		t.Errorf("null is how an editor says that a setting is not set: %v", err)
	}
	if err := w.Select(""); err != nil || w.Config().Profile != "" {
		t.Errorf("no profile: %v", err)
	}
}

func TestMistakeInTheEditorKeepsTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, []byte(oneModel), 0o600); err != nil {
		t.Fatal(err)
	}
	var failed []error
	l := NewLive(Options{File: path, Managed: filepath.Join(dir, "m"), Editor: map[string]any{"editor.debounce_ms": "x", "path": "/bin/tandem"}},
		Watch{Failed: func(err error) { failed = append(failed, err) }})
	if len(failed) != 1 || failed[0].Error() != `editor settings: editor.debounce_ms must be an integer, not the string "x"` || l.Config().Fast != "m" {
		t.Errorf("%v; in use: %+v", failed, l.Config())
	}
}
