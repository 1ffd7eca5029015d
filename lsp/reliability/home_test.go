//go:build reliability && linux

package reliability

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A home is a separate user: a configuration, a state folder, and a workspace
// as the current directory.
type home struct {
	t         testing.TB
	dir       string
	workspace string
	env       []string // in addition to what every program gets
}

func newHome(t testing.TB) *home {
	t.Helper()
	h := &home{t: t, dir: t.TempDir()}
	h.workspace = filepath.Join(h.dir, "workspace")
	if err := os.Mkdir(h.workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	return h
}

// command is the program as this user runs it in the workspace.
func (h *home) command(args ...string) *exec.Cmd {
	c := exec.Command(binary, args...)
	c.Dir = h.workspace
	c.Env = append(os.Environ(), "HOME="+h.dir, "XDG_CONFIG_HOME="+h.dir+"/config", "XDG_STATE_HOME="+h.dir+"/state",
		"XDG_CACHE_HOME="+h.dir+"/cache", "XDG_DATA_HOME="+h.dir+"/data", "DBUS_SESSION_BUS_ADDRESS=", "GOTRACEBACK=all")
	c.Env = append(c.Env, h.env...)
	return c
}

// run runs a command to its end and returns its exit code and all its output.
func (h *home) run(stdin string, args ...string) (code int, output string) {
	h.t.Helper()
	c := h.command(args...)
	c.Stdin = strings.NewReader(stdin)
	out, err := c.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		h.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

// write makes a file of the workspace, or one at an absolute path.
func (h *home) write(name, text string) string {
	h.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(h.workspace, name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return name
}

func (h *home) configFile() string { return filepath.Join(h.dir, "config", "tandem", "config.toml") }

func (h *home) uri(name string) string { return "file://" + filepath.Join(h.workspace, name) }

// twoModels configures a fast and a deep model on one server; more is added to
// the provider's table.
func (h *home) twoModels(address, more string) {
	h.t.Helper()
	h.write(h.configFile(), fmt.Sprintf(`fast = "quick"
deep = "thorough"
[models.quick]
provider = "demo"
model = "scripted-fast"
context_window = 128000
max_output_tokens = 4096
[models.thorough]
provider = "demo"
model = "scripted-deep"
context_window = 400000
max_output_tokens = 8192
[providers.demo]
base_url = "%s/v1"
wire_api = "responses"
%s
`, address, more))
}

// A modelServer is bin/scripted with its record of every request.
type modelServer struct {
	t       testing.TB
	address string
	record  string
}

// serveModels starts the scripted server; script may be "".
func serveModels(t testing.TB, script string) *modelServer {
	t.Helper()
	dir := t.TempDir()
	m := &modelServer{t: t, record: filepath.Join(dir, "record.jsonl")}
	file := filepath.Join(dir, "script.toml")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(scripted, "--script", file, "--record", m.record)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var problems bytes.Buffer
	c.Stderr = &problems
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	if _, err := fmt.Fscanf(out, "listening %s\n", &m.address); err != nil {
		t.Fatalf("the scripted server does not listen: %v %s", err, problems.String())
	}
	return m
}

// sent is every request that arrived, as recorded.
func (m *modelServer) sent() string {
	m.t.Helper()
	text, err := os.ReadFile(m.record)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.t.Fatal(err)
	}
	return string(text)
}

// openText opens a document in the editor.
func (s *server) openText(uri, text string) {
	s.send(notification("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "go", "version": 1, "text": text}}))
}

// completion asks for ghost text as an explicit request of the user.
func completion(id any, uri string, line, character int) string {
	return triggered(1, id, uri, line, character)
}

// triggered asks for ghost text: kind 1 is an explicit request of the user, kind
// 2 an automatic one while the user types.
func triggered(kind int, id any, uri string, line, character int) string {
	return request(id, "textDocument/inlineCompletion", object{"textDocument": object{"uri": uri}, "position": object{"line": line, "character": character}, "context": object{"triggerKind": kind}})
}
