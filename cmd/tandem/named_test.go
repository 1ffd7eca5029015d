//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestNamedFileProcess is the program itself, for TestNamedFiles.
func TestNamedFileProcess(*testing.T) {
	args := os.Getenv("TANDEM_TEST_ARGS")
	if args == "" {
		return
	}
	code := execute(strings.Split(args, "\n"))
	status, _ := os.ReadFile("/proc/self/status") // other systems have none
	if _, peak, ok := strings.Cut(string(status), "VmHWM:"); ok {
		_ = os.WriteFile(os.Getenv("TANDEM_TEST_PEAK"), []byte(strings.Fields(peak)[0]), 0o600) // else it is 0
	}
	os.Exit(code)
}

// A namedRun is what a process of the program made of a file that cannot be read.
type namedRun struct {
	code   int
	hung   bool
	stderr string
	memory int // in MB, where the system says it
}

// runNamed runs the program in a folder, with an environment of its own.
func runNamed(t *testing.T, dir, stdin string, env []string, args ...string) namedRun {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestNamedFileProcess$")
	c.Dir, c.Stdin = dir, strings.NewReader(stdin)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	peak := filepath.Join(t.TempDir(), "peak")
	c.Env = append(append(os.Environ(), env...), "TANDEM_TEST_ARGS="+strings.Join(args, "\n"), "TANDEM_TEST_PEAK="+peak)
	err := c.Run()
	out := namedRun{code: c.ProcessState.ExitCode(), hung: ctx.Err() != nil, stderr: stderr.String()}
	if err != nil && out.code < 0 && !out.hung {
		t.Fatal(err)
	}
	kb, _ := os.ReadFile(peak)
	out.memory, _ = strconv.Atoi(string(kb))
	out.memory >>= 10
	return out
}

// unreadables makes, in a folder, one file of each kind that is not read whole, and returns their names.
func unreadables(t *testing.T, dir string) []string {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(syscall.Mkfifo(at("fifo.go"), 0o600))
	must(os.Symlink("/dev/zero", at("device.go")))
	must(os.Symlink("endless.go", at("endless.go")))
	must(os.Mkdir(at("folder.go"), 0o700))
	must(os.WriteFile(at("sparse.go"), nil, 0o600))
	must(os.Truncate(at("sparse.go"), 200<<20))
	return []string{"fifo.go", "device.go", "endless.go", "folder.go", "sparse.go"}
}

// mostMemory is more than a refusal takes and less than a file of 200 MB does.
const mostMemory = 180

// filled are the arguments that stand for those of a command's usage line, with name as its file.
func filled(t *testing.T, c *cobra.Command, name string) (args []string, namesFile bool) {
	t.Helper()
	_, rest, _ := strings.Cut(c.Use, " ")
	for _, word := range strings.Fields(rest) {
		switch {
		case strings.Contains(word, "FILE:LINE:COL"):
			args, namesFile = append(args, name+":1:1"), true
		case strings.Contains(word, "FILE"):
			args, namesFile = append(args, name), true
		case word == "<" || word == "ANSWER":
		case strings.HasPrefix(word, "["): // may be left out
		default:
			args = append(args, strings.ToLower(strings.Trim(strings.Split(word, "|")[0], `"`)))
		}
	}
	return args, namesFile
}

// TestNamedFiles: whatever command or flag names a file, what is no regular file of a sensible size is
// refused in one sentence, without waiting and without reading it. The commands are those that the
// program has.
func TestNamedFiles(t *testing.T) {
	h := newHome(t)
	h.write(filepath.Join(h.workspace, "go.mod"), "module w\n\ngo 1.26\n")
	h.write(filepath.Join(h.workspace, "a.go"), "package w\n")
	kinds := unreadables(t, h.workspace)
	tried := 0
	try := func(refuses bool, name string, args ...string) {
		tried++
		got := runNamed(t, h.workspace, "", nil, args...)
		switch {
		case got.hung:
			t.Errorf("%v waits", args)
		case got.memory > mostMemory:
			t.Errorf("%v takes %d MB", args, got.memory)
		case refuses && (got.code == 0 || !strings.Contains(got.stderr, strings.TrimSuffix(name, ".go"))):
			t.Errorf("%v: exit code %d, %s", args, got.code, got.stderr)
		}
	}
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		for _, sub := range c.Commands() {
			if !sub.Hidden && sub.Name() != "help" && sub.Name() != "completion" {
				walk(sub, append(slices.Clone(path), sub.Name()))
			}
		}
		if len(path) == 0 || c.HasSubCommands() {
			return
		}
		for _, kind := range kinds {
			args, named := filled(t, c, kind)
			if named && (kind != "folder.go" || c.Name() != "check") { // it checks folders
				try(true, kind, slices.Concat(path, args, []string{"--offline"})...)
			}
		}
		usual, _ := filled(t, c, "a.go")
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if value, _ := pflag.UnquoteUsage(f); value != "FILE" {
				return
			}
			for _, kind := range kinds {
				if kind == "sparse.go" && (f.Name == "write-baseline" || f.Name == "bundle" || f.Name == "log") { // it is written
					continue
				}
				try(true, kind, slices.Concat(path, usual, []string{"--offline", "--" + f.Name, kind})...)
			}
		})
		for _, kind := range []string{"fifo.go", "sparse.go"} { // not every command reads the configuration
			try(false, kind, slices.Concat(path, usual, []string{"--offline", "--config", kind})...)
		}
	}
	walk(newRoot(), nil)
	if tried < 80 {
		t.Errorf("only %d ways to name a file were found", tried)
	}
}

// TestFilesNamedElsewhere: a file that settings, an environment, another program's folder or a request
// names is read by the same rule.
func TestFilesNamedElsewhere(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"%s","arguments":%s}}` + "\n"
	config := func(provider string) string {
		return "fast = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = \"x\"\ncontext_window = 9000\n[providers.p]\nbase_url = \"https://127.0.0.1:1/v1\"\nwire_api = \"chat\"\n" + provider + "\n"
	}
	for _, kind := range []string{"fifo.go", "device.go", "endless.go", "folder.go", "sparse.go"} {
		for name, c := range map[string]struct {
			place   string // where a link to the file is put, below the home
			config  string
			stdin   string
			refuses bool
			args    []string
		}{
			"settings of an agent":  {"workspace/.claude/settings.json", "", "", true, []string{"hook", "install", "claude"}},
			"tables of an agent":    {"workspace/.codex/config.toml", "", "", false, []string{"hook", "install", "codex"}},
			"the configuration":     {"config/tandem/config.toml", "", "", true, []string{"config"}},
			"a key":                 {"config/tandem/keys/k", config(`keyring = "k"`), "", true, []string{"ask", "what is it?"}},
			"certificates":          {"ca.pem", config(`ca_file = "../ca.pem"` + "\nenv_key = \"HOME\""), "", true, []string{"ask", "what is it?"}},
			"ignore rules":          {"workspace/.gitignore", "", "", false, []string{"check", "a.go"}},
			"a request":             {"workspace/r.go", "", `{"file":"r.go","line":1,"column":1}` + "\n", false, []string{"window", "--jsonl", "--offline"}},
			"an agent's file":       {"workspace/r.go", "", fmt.Sprintf(call, "check", `{"files":["r.go"]}`), false, []string{"mcp", "--offline"}},
			"an agent's place":      {"workspace/r.go", "", fmt.Sprintf(call, "context", `{"file":"r.go","line":1,"column":1}`), false, []string{"mcp", "--offline"}},
			"an agent's edit":       {"workspace/r.go", "", fmt.Sprintf(call, "edit", `{"files":["r.go"],"instruction":"x","write":true}`), false, []string{"mcp", "--offline"}},
			"a file of an answer":   {"workspace/r.go", "", "r.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", true, []string{"apply", "--write"}},
			"a file that is made":   {"workspace/r.go", "", "*** Begin Patch\n*** Add File: r.go\n+a\n*** End Patch\n", true, []string{"apply", "--write"}},
			"a file of a patch":     {"workspace/r.go", "", "--- a/r.go\n+++ b/r.go\n@@ -1 +1 @@\n-a\n+b\n", false, []string{"check"}},
			"a file of an agent":    {"workspace/r.go", "", `{"session_id":"s","cwd":"%w","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"%w/r.go","content":"a"}}`, false, []string{"check", "--hook", "claude"}},
			"what a module is":      {"workspace/go.mod", "", "", false, []string{"check", "a.go"}},
			"the repository's head": {"workspace/.git/HEAD", "", "", false, []string{"check", "--diff", "HEAD"}},
		} {
			t.Run(name+" is "+strings.TrimSuffix(kind, ".go"), func(t *testing.T) {
				h := newHome(t)
				home := filepath.Dir(h.workspace)
				h.write(filepath.Join(h.workspace, "a.go"), "package w\n")
				if c.config != "" {
					h.write(h.config, c.config)
				}
				unreadables(t, home)
				place := filepath.Join(home, filepath.FromSlash(c.place))
				if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
					t.Fatal(err)
				}
				err := os.Rename(filepath.Join(home, kind), place)
				if kind == "endless.go" { // it leads to its name, where it lies
					err = errors.Join(os.Remove(place), os.Symlink(filepath.Base(place), place))
				}
				if err != nil {
					t.Fatal(err)
				}
				got := runNamed(t, h.workspace, strings.ReplaceAll(c.stdin, "%w", h.workspace), []string{"SSL_CERT_FILE="}, c.args...)
				switch {
				case got.hung:
					t.Error("it waits")
				case got.memory > mostMemory:
					t.Errorf("it takes %d MB", got.memory)
				case c.refuses && got.code == 0:
					t.Errorf("exit code %d, %s", got.code, got.stderr)
				}
			})
		}
	}
}
