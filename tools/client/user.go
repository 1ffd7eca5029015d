package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Home is the environment of a user whose home is a folder: neither settings nor records nor
// keys of whoever measures take part.
func Home(dir string) []string {
	return append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir+"/config", "XDG_STATE_HOME="+dir+"/state",
		"XDG_CACHE_HOME="+dir+"/cache", "XDG_DATA_HOME="+dir+"/data", "DBUS_SESSION_BUS_ADDRESS=")
}

// Configure writes tandem's configuration of that user.
func Configure(dir, config string) error {
	file := filepath.Join(dir, "config", "tandem", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(config), 0o600)
}

// StartUser starts the program as the user with a home serves a folder that they trust, and waits
// until it has read it.
func StartUser(program, home, root string, args ...string) (*Editor, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	c := exec.Command(program, append([]string{"serve", "--stdio"}, args...)...)
	c.Dir, c.Env = root, Home(home)
	e, err := StartEditor(c, root, true, nil, "jumps")
	if err != nil {
		return nil, err
	}
	return e, e.AwaitIndex()
}

// Run runs a command to its end, and returns what it printed. Any exit code is an answer and
// no error.
func Run(command *exec.Cmd) (out, said string, code int, err error) {
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code, err = exit.ExitCode(), nil
	}
	return stdout.String(), stderr.String(), code, err
}

// ProcessorTime is how long the threads of a process have run so far, as Linux counts it;
// other work of the machine does not count. It is 0 elsewhere.
func ProcessorTime(pid int) (sum time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) // the pattern is right
	for _, name := range threads {
		var ran time.Duration
		if data, err := os.ReadFile(name); err == nil { // else it has ended
			_, _ = fmt.Sscan(string(data), &ran)
		}
		sum += ran
	}
	return sum
}

// Chat answers a request to chat as a model that writes a text.
func Chat(w http.ResponseWriter, r *http.Request, text string) {
	if r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	content, _ := json.Marshal(text) // a text has one
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n", content)
	_, _ = io.WriteString(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// Chatting is the configuration of a user whose models chat at an address; more are settings of the
// model.
func Chatting(address, more string) string {
	return fmt.Sprintf("fast = \"m\"\ndeep = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = \"m\"\ncontext_window = 64000\nmax_output_tokens = 16000\n%s\n[providers.p]\nbase_url = %q\nwire_api = \"chat\"\n", more, address+"/v1")
}
