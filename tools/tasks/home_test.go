// Package tasks is a user of the built programs with a workspace, an editor, and models that
// know only what they are shown: scenarios of deep tasks.
//
// **Invariant**: what a scenario leads to is read from outside: from messages, files and what
// the commands print.
package tasks

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tandem/tools/client"
)

// programs are the built programs.
type programs struct{ tandem, scripted string }

// A home is a user of his own: a configuration, a state folder, a workspace and a model
// server.
type home struct {
	programs
	dir, workspace, address string
	close                   func() // ends the model server
}

// build builds both programs into a folder.
func build(dir string) (programs, error) {
	p := programs{filepath.Join(dir, "tandem"), filepath.Join(dir, "scripted")}
	c := exec.Command("go", "build", "-C", "../..", "-ldflags=-w", "-o", dir+string(filepath.Separator), "tandem/cmd/tandem", "tandem/cmd/scripted")
	if out, err := c.CombinedOutput(); err != nil {
		return p, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return p, nil
}

// A setup is what a user has.
type setup struct {
	files  map[string]string // of the workspace
	script string            // of the models
	tables string            // of the configuration, besides models and providers
	deep   string            // settings of the deep model; "" is a usual one
	wire   string            // settings of its provider; "" is Responses over HTTP
}

// newHome makes a user with a workspace, and starts the models that a script describes.
func newHome(p programs, dir string, s setup) (*home, error) {
	h := &home{programs: p, dir: dir, workspace: filepath.Join(dir, "w")}
	for name, text := range s.files {
		if err := h.write(name, text); err != nil {
			return nil, err
		}
	}
	file := filepath.Join(dir, "script.toml")
	if err := os.WriteFile(file, []byte(s.script), 0o600); err != nil {
		return nil, err
	}
	var err error
	if h.address, h.close, err = startScripted(p.scripted, "--script", file, "--record", filepath.Join(dir, "record.jsonl")); err != nil {
		return nil, err
	}
	config := fmt.Sprintf(`fast = "quick"
deep = "thorough"
[models.quick]
provider = "demo"
model = "scripted-fast"
context_window = 128000
max_output_tokens = 4096
input_price = 1.75
output_price = 14.0
[models.thorough]
provider = "demo"
model = "scripted-deep"
max_output_tokens = 8192
input_price = 1.75
output_price = 14.0
%s
[providers.demo]
base_url = "%s/v1"
%s
%s
`, cmp.Or(s.deep, "context_window = 400000"), h.address, cmp.Or(s.wire, `wire_api = "responses"`), s.tables)
	return h, client.Configure(dir, config)
}

func (h *home) write(name, text string) error {
	path := filepath.Join(h.workspace, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

func (h *home) read(name string) string {
	text, err := os.ReadFile(filepath.Join(h.workspace, name))
	if err != nil {
		return "(no file)\n"
	}
	return string(text)
}

// command is the program as this user runs it in the workspace.
func (h *home) command(args ...string) *exec.Cmd {
	c := exec.Command(h.tandem, args...)
	c.Dir = h.workspace
	c.Env = client.Home(h.dir)
	return c
}

// run runs a command to its end.
func (h *home) run(args ...string) (code int, stdout, stderr string, err error) {
	stdout, stderr, code, err = client.Run(h.command(args...))
	return code, stdout, stderr, err
}

// sent is every request that the models got.
func (h *home) sent() string {
	text, _ := os.ReadFile(filepath.Join(h.dir, "record.jsonl"))
	return string(text)
}

// requests counts the requests whose text holds a mark.
func (h *home) requests(mark string) int {
	n := 0
	for line := range strings.Lines(h.sent()) {
		if strings.Contains(line, mark) {
			n++
		}
	}
	return n
}

// startScripted starts the scripted model server and returns its address. The caller calls
// stop.
func startScripted(program string, args ...string) (address string, stop func(), err error) {
	command := exec.Command(program, args...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := command.Start(); err != nil {
		return "", nil, fmt.Errorf("%s does not start, run make build: %w", program, err)
	}
	stop = func() {
		_ = command.Process.Kill() // it keeps nothing
		_ = command.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("%s does not say where it listens: %w", program, err)
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "listening ")), stop, nil
}
