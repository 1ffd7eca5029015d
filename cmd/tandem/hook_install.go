package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"tandem/workspace/disk"
)

// A hookFile is where an agent reads hooks, and in what form.
type hookFile struct {
	project, user string // user below the home folder
	table         string // a TOML file beside it that the agent reads too
	version       bool   // the file begins with "version": 1
	events        []hookEntry
}

// A hookEntry is one hook: COMMAND stands for the command line.
type hookEntry struct{ event, entry string }

var hookFiles = map[string]hookFile{
	"claude": {".claude/settings.json", ".claude/settings.json", "", false, []hookEntry{
		{"PostToolUse", `{"matcher":"Edit|Write|NotebookEdit","hooks":[{"type":"command","command":COMMAND,"timeout":30}]}`},
		{"Stop", `{"hooks":[{"type":"command","command":COMMAND,"timeout":60}]}`}}},
	"codex": {".codex/hooks.json", ".codex/hooks.json", "config.toml", false, []hookEntry{
		{"PostToolUse", `{"matcher":"^apply_patch$","hooks":[{"type":"command","command":COMMAND,"timeout":30}]}`},
		{"Stop", `{"hooks":[{"type":"command","command":COMMAND,"timeout":60}]}`}}},
	"cursor": {".cursor/hooks.json", ".cursor/hooks.json", "", true, []hookEntry{
		{"afterFileEdit", `{"command":COMMAND}`}, {"postToolUse", `{"command":COMMAND,"matcher":"Write"}`}, {"stop", `{"command":COMMAND,"loop_limit":3}`}}},
	"copilot": {".github/hooks/tandem.json", ".copilot/hooks/tandem.json", "", true, []hookEntry{
		{"PostToolUse", `{"type":"command","command":COMMAND,"timeout":30}`}, {"Stop", `{"type":"command","command":COMMAND,"timeout":60}`}}},
}

// codexTables are Codex's entries in TOML, the only agent that takes them so.
const codexTables = `[[hooks.PostToolUse]]
matcher = "^apply_patch$"
[[hooks.PostToolUse.hooks]]
type = "command"
command = COMMAND
timeout = 30
[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = COMMAND
timeout = 60
`

// hookCommand writes the hooks of agents.
func hookCommand(g *globals) *cobra.Command {
	c := parent(&cobra.Command{Use: "hook", Short: "Have a coding agent's edits checked: by its hooks"})
	for _, one := range []struct {
		name, short string
		install     bool
	}{{"install", "Show an agent's hooks and write them", true}, {"remove", "Remove an agent's hooks", false}} {
		change := hookChange{install: one.install}
		sub := &cobra.Command{Use: one.name + " " + strings.Join(agents, "|"), Short: one.short, Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error { return change.run(c, g, args[0]) }}
		sub.Flags().BoolVar(&change.user, "user", false, "for all of the user's projects, and not for this one")
		sub.Flags().BoolVar(&change.dryRun, "dry-run", false, "show the change as a diff and write nothing")
		c.AddCommand(sub)
	}
	return c
}

// A hookChange is what the user asks of an agent's configuration.
type hookChange struct{ install, user, dryRun bool }

func (h hookChange) run(c *cobra.Command, g *globals, agent string) error {
	kind, ok := hookFiles[agent]
	if !ok {
		return exit(exitUsage, fmt.Errorf("the agent is one of %s, not %q", strings.Join(agents, ", "), agent))
	}
	base, err := g.root()
	name, program := kind.project, "tandem"
	if h.user {
		name = kind.user
		base, err = os.UserHomeDir()
		if err == nil {
			program, err = os.Executable()
		}
	}
	if err != nil {
		return failed(err)
	}
	if strings.ContainsAny(program, " \t") {
		program = `"` + program + `"`
	}
	shown := filepath.Join(base, filepath.FromSlash(name))
	if other := filepath.Join(filepath.Dir(shown), kind.table); kind.table != "" && holdsHooks(other) {
		shown = other
	}
	file, err := h.target(base, shown)
	if err != nil {
		return exit(exitRefused, err)
	}
	old, err := disk.ReadFile(file, disk.MaxSettings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unreadable(shown, err)
	}
	change := withHooks
	if filepath.Ext(file) == ".toml" {
		change = withHookTables
	}
	next, err := change(old, kind, program+" check --hook "+agent, h.install)
	if err != nil {
		return exit(exitRefused, fmt.Errorf("%s is left as it is: %w", shown, err))
	}
	out := c.OutOrStdout()
	if bytes.Equal(next, old) {
		fmt.Fprintf(out, "%s: nothing to do\n", shown)
		return nil
	}
	fmt.Fprint(out, udiff.Unified(shown, shown, string(old), string(next)))
	if h.dryRun {
		return nil
	}
	if err := h.write(file, next, len(old) > 0); err != nil {
		return failed(fmt.Errorf("%s is left as it is: %w", shown, err))
	}
	if h.install && !h.user {
		fmt.Fprintln(out, "tandem must be on the PATH of everybody who works in this project.")
	}
	if h.install && agent == "codex" {
		fmt.Fprintln(out, "Codex runs a hook only after you approved it in /hooks.")
	}
	return nil
}

// write replaces the configuration whole, with the permissions that it had. A file that held
// nothing but tandem's hooks is removed with them.
func (h hookChange) write(file string, next []byte, existed bool) error {
	if len(next) == 0 && existed {
		return os.Remove(file)
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	return replaceFile(file, next, mode)
}

// target returns the file that a link leads to. A project's configuration must lie in the
// project, or a repository could have another file written.
func (h hookChange) target(base, shown string) (string, error) {
	real, err := filepath.EvalSymlinks(shown)
	for missing := ""; errors.Is(err, fs.ErrNotExist); {
		// The nearest folder that exists decides; a link to nothing is refused below.
		if _, linked := os.Lstat(shown); linked == nil {
			return "", fmt.Errorf("%s is a link to a file that does not exist; remove the link first", shown)
		}
		missing = filepath.Join(filepath.Base(shown), missing)
		shown = filepath.Dir(shown)
		if real, err = filepath.EvalSymlinks(shown); err == nil {
			real = filepath.Join(real, missing)
		}
	}
	if err != nil || h.user {
		return real, err
	}
	root, err := filepath.EvalSymlinks(base)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s leads out of the project, to %s; add the hook there by hand or with --user", shown, real)
	}
	return real, nil
}

// tableOfHooks matches the header of a table of hooks, and inlineHooks hooks that are the value
// of a key, beside which a table would be a mistake.
var (
	tableOfHooks = regexp.MustCompile(`(?m)^[ \t]*\[+[ \t]*"?hooks"?[ \t]*[\].]`)
	inlineHooks  = regexp.MustCompile(`(?m)^[ \t]*"?hooks"?[ \t]*[.=]`)
)

// holdsHooks reports whether a TOML configuration has hooks, so that tandem's belong there.
func holdsHooks(file string) bool {
	text, err := disk.ReadFile(file, disk.MaxSettings)
	return err == nil && (tableOfHooks.Match(text) || inlineHooks.Match(text))
}

// hookTables matches the block that tandem writes into a TOML configuration.
var hookTables = regexp.MustCompile(`(?m)(\r?\n)?^# tandem hook: begin\b[^\n]*\n(?s:.*?)^# tandem hook: end[^\n]*\n?`)

// withHookTables appends a marked block of tables, or removes it.
func withHookTables(old []byte, _ hookFile, command string, install bool) ([]byte, error) {
	next := hookTables.ReplaceAll(old, nil)
	if !install {
		return next, nil
	}
	if inlineHooks.Match(old) {
		return nil, errors.New("its hooks are the value of a key; write them as tables, [[hooks.EVENT]], so that another can stand beside them")
	}
	line := "\n"
	if bytes.Contains(old, []byte("\r\n")) {
		line = "\r\n"
	}
	block := strings.ReplaceAll(codexTables, "COMMAND", fmt.Sprintf("%q", command))
	// One line end before it: it ends a last line that has none, else it is a blank line.
	lead := "\n"
	if len(next) == 0 {
		lead = ""
	}
	next = append(bytes.Clone(next), strings.ReplaceAll(lead+"# tandem hook: begin\n"+block+"# tandem hook: end\n", "\n", line)...)
	return next, nil
}
