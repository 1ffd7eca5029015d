// Command demo shows tandem's main job on the repository it is run in: first
// with the built-in engine, then with the scripted models, which are configured
// like any provider. It needs no key and no network.
//
// Invariant: it works on a scratch copy and drives the built programs as a
// person and an editor do; nothing here uses tandem's packages.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"tandem/tools/client"
	"time"
)

// The places of this repository that the demo works on, found by their text so
// that they stay right when the files change.
const (
	completeFile = "workspace/git/git.go"
	completeLine = "\t\treturn nil, fmt.Errorf(\"open the git repository around %s: %w\", dir, err)\n"
	completeFrom = "\t\treturn "
	editFile     = "edits/edit.go"
	editFunc     = "func cuttable"
	question     = "Where is Snapshot defined?"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	d, err := prepare()
	if err != nil {
		return err
	}
	defer os.RemoveAll(d.dir)
	title("1. The built-in engine: no model, no key, no network")
	if err := d.builtIn(ctx); err != nil {
		return err
	}
	title("2. Two models behind one configuration: scripted-fast and scripted-deep")
	stop, err := d.models()
	if err != nil {
		return err
	}
	defer stop()
	if err := d.commands(ctx); err != nil {
		return err
	}
	title("3. In an editor: ghost text, and an escalation in the background")
	return d.editor(ctx)
}

// A demo is a scratch copy of the repository and the programs that work on it.
type demo struct {
	dir, tree        string // the scratch folder and the copy in it
	tandem, scripted string
	config           string
}

func prepare() (*demo, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tandem-demo-")
	if err != nil {
		return nil, err
	}
	d := &demo{dir: dir, tree: filepath.Join(dir, "repository"), tandem: filepath.Join(here, "bin", "tandem"),
		scripted: filepath.Join(here, "bin", "scripted"), config: filepath.Join(dir, "config.toml")}
	return d, d.copyTree(here)
}

// copyTree copies the repository's own files.
func (d *demo) copyTree(from string) error {
	return filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); rel != "." && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "bin" || name == "dist") {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(d.tree, rel), 0o755)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(d.tree, rel), content, 0o644)
	})
}

func (d *demo) builtIn(ctx context.Context) error {
	line, err := d.truncate(completeFile, completeLine, completeFrom)
	if err != nil {
		return err
	}
	if err := d.show(ctx, "complete", fmt.Sprintf("%s:%d:%d", completeFile, line, len(completeFrom)+1)); err != nil {
		return err
	}
	return d.show(ctx, "ask", question)
}

// models starts the scripted server and configures it as a provider.
func (d *demo) models() (stop func(), err error) {
	script := filepath.Join(d.dir, "models.toml")
	if err := os.WriteFile(script, []byte(answers), 0o600); err != nil {
		return nil, err
	}
	address, stop, err := client.StartScripted(d.scripted, "--script", script)
	if err != nil {
		return nil, err
	}
	config := fmt.Sprintf(configuration, address)
	fmt.Printf("\n%s\n%s", filepath.Base(d.config), indent(config))
	return stop, os.WriteFile(d.config, []byte(config), 0o600)
}

// answers is what the scripted models would write, if they are shown what it needs.
//
//go:embed models.toml
var answers string

const configuration = `fast = "quick"
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
supports_websockets = true
`

func (d *demo) commands(ctx context.Context) error {
	line, err := d.lineOf(editFile, editFunc)
	if err != nil {
		return err
	}
	place := fmt.Sprintf("%s:%d-%d", editFile, line-1, line)
	if err := d.show(ctx, "edit", place, "Rename cuttable to "+renamed, "--write"); err != nil {
		return err
	}
	return d.show(ctx, "ask", "What is "+asked+" for?", editFile+":1:1")
}

// What the demo renames to and asks about. A window may show this file: what the scripted
// models know a request by stands whole in no line of it.
const (
	renamed = "divisible"
	asked   = "FromUTF16Edits"
)

// show runs a command as a person would and prints it with its output.
func (d *demo) show(ctx context.Context, args ...string) error {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = a
		if strings.ContainsAny(a, " ?") {
			quoted[i] = `"` + a + `"`
		}
	}
	fmt.Printf("\n$ tandem %s\n", strings.Join(quoted, " "))
	command := exec.CommandContext(ctx, d.tandem, append(args, "--config", d.config)...)
	command.Dir = d.tree
	command.Env = d.env()
	start := time.Now()
	out, err := command.CombinedOutput()
	fmt.Print(indent(string(out)))
	fmt.Printf("    (%.2f s)\n", time.Since(start).Seconds())
	if err != nil && command.ProcessState.ExitCode() != quiet {
		return fmt.Errorf("tandem %s: %w", args[0], err)
	}
	return nil
}

// quiet is the exit code for "no suggestion".
const quiet = 4

// env keeps the demo away from the user's own configuration and state.
func (d *demo) env() []string {
	if _, err := os.Stat(d.config); err != nil {
		_ = os.WriteFile(d.config, nil, 0o600) // the built-in engine needs no setting
	}
	return append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(d.dir, "state"), "XDG_CONFIG_HOME="+filepath.Join(d.dir, "xdg"), "NO_COLOR=1")
}

// truncate replaces the first such line of a file by its typed part and returns
// its number.
func (d *demo) truncate(file, line, typed string) (int, error) {
	path := filepath.Join(d.tree, file)
	content, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	before, after, ok := strings.Cut(string(content), line)
	if !ok {
		return 0, fmt.Errorf("%s has no line %q any more; choose another for the demo", file, line)
	}
	return strings.Count(before, "\n") + 1, os.WriteFile(path, []byte(before+typed+"\n"+after), 0o644)
}

func (d *demo) lineOf(file, text string) (int, error) {
	content, err := os.ReadFile(filepath.Join(d.tree, file))
	if err != nil {
		return 0, err
	}
	before, _, ok := strings.Cut(string(content), text)
	if !ok {
		return 0, fmt.Errorf("%s does not hold %q any more; choose another for the demo", file, text)
	}
	return strings.Count(before, "\n") + 1, nil
}

func title(s string) { fmt.Printf("\n%s\n%s\n", s, strings.Repeat("-", len(s))) }

func indent(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString("    " + line)
	}
	if s != "" && !strings.HasSuffix(s, "\n") {
		b.WriteByte('\n')
	}
	return b.String()
}
