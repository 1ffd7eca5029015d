package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tandem/workspace/disk"
)

// A hookFile is where an agent reads hooks, and in what form.
type hookFile struct {
	project, user string // user below the home folder
	version       bool   // the file begins with "version": 1
	events        []hookEntry
}

// A hookEntry is one hook: COMMAND stands for the command line.
type hookEntry struct{ event, entry string }

var hookFiles = map[string]hookFile{
	"claude": {".claude/settings.json", ".claude/settings.json", false, []hookEntry{
		{"PostToolUse", `{"matcher":"Edit|Write|NotebookEdit","hooks":[{"type":"command","command":COMMAND,"timeout":30}]}`},
		{"Stop", `{"hooks":[{"type":"command","command":COMMAND,"timeout":60}]}`}}},
	"codex": {".codex/hooks.json", ".codex/hooks.json", false, []hookEntry{
		{"PostToolUse", `{"matcher":"^apply_patch$","hooks":[{"type":"command","command":COMMAND,"timeout":30}]}`},
		{"Stop", `{"hooks":[{"type":"command","command":COMMAND,"timeout":60}]}`}}},
	"cursor": {".cursor/hooks.json", ".cursor/hooks.json", true, []hookEntry{
		{"afterFileEdit", `{"command":COMMAND}`}, {"postToolUse", `{"command":COMMAND,"matcher":"Write"}`}, {"stop", `{"command":COMMAND,"loop_limit":3}`}}},
	"copilot": {".github/hooks/tandem.json", ".copilot/hooks/tandem.json", true, []hookEntry{
		{"PostToolUse", `{"type":"command","command":COMMAND,"timeout":30}`}, {"Stop", `{"type":"command","command":COMMAND,"timeout":60}`}}},
}

// hookCommand writes the hooks of agents.
func hookCommand(g *globals) *cobra.Command {
	c := parent(&cobra.Command{Use: "hook", Short: "Have a coding agent's edits checked: by its hooks"})
	for _, one := range []struct {
		name, short string
		install     bool
	}{{"install", "Show an agent's hooks and write them", true}, {"remove", "Remove an agent's hooks", false}} {
		var user bool
		sub := &cobra.Command{Use: one.name + " " + strings.Join(agents, "|"), Short: one.short, Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error { return changeHooks(c, g, args[0], user, one.install) }}
		sub.Flags().BoolVar(&user, "user", false, "for all of the user's projects, and not for this one")
		c.AddCommand(sub)
	}
	return c
}

func changeHooks(c *cobra.Command, g *globals, agent string, user, install bool) error {
	kind, ok := hookFiles[agent]
	if !ok {
		return exit(exitUsage, fmt.Errorf("the agent is one of %s, not %q", strings.Join(agents, ", "), agent))
	}
	base, err := g.root()
	file, program := kind.project, "tandem"
	if user {
		file = kind.user
		base, err = os.UserHomeDir()
		if err == nil {
			program, err = os.Executable()
		}
	}
	if err != nil {
		return failed(err)
	}
	file = filepath.Join(base, filepath.FromSlash(file))
	old, err := disk.Named(file, disk.MaxNamed)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unreadable(file, err)
	}
	if strings.ContainsAny(program, " \t") {
		program = `"` + program + `"`
	}
	next, shown, err := withHooks(old, kind, program+" check --hook "+agent, install)
	if err != nil {
		return failed(fmt.Errorf("%s is left as it is: %w", file, err))
	}
	out := c.OutOrStdout()
	if bytes.Equal(next, old) || !install && len(old) == 0 {
		fmt.Fprintf(out, "%s: nothing to do\n", file)
		return nil
	}
	if install {
		fmt.Fprintf(out, "%s:\n%s\n", file, shown)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return failed(err)
	}
	if err := os.WriteFile(file, next, 0o644); err != nil {
		return failed(err)
	}
	if install && !user {
		fmt.Fprintln(out, "tandem must be on the PATH of everybody who works in this project.")
	}
	if install && agent == "codex" {
		fmt.Fprintln(out, "Codex runs a hook only after you approved it in /hooks.")
	}
	return nil
}

// A member is a key of a JSON object with its value.
type member struct {
	key   string
	value json.RawMessage
}

// members are those of a JSON object in their order.
func members(data []byte) (out []member, err error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.Join(errors.New("it is no JSON object"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: fmt.Sprint(key)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	_, err = d.Token()
	return out, err
}

func object(list []member) json.RawMessage {
	var out bytes.Buffer
	for i, m := range list {
		out.WriteString([]string{",", "{"}[max(0, 1-i)])
		key, _ := json.Marshal(m.key) // a string can always be marshalled
		out.Write(append(append(key, ':'), m.value...))
	}
	if len(list) == 0 {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return out.Bytes()
}

// set replaces or adds a member; it removes one without a value.
func set(list []member, key string, value json.RawMessage) []member {
	i := slices.IndexFunc(list, func(m member) bool { return m.key == key })
	switch {
	case value == nil && i >= 0:
		return slices.Delete(list, i, i+1)
	case value == nil:
		return list
	case i >= 0:
		list[i].value = value
		return list
	}
	return append(list, member{key, value})
}

func get(list []member, key string) json.RawMessage {
	for _, m := range list {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// withHooks is a configuration with tandem's hooks as its last ones, or without them; all else
// stays as it is. shown is what was added.
func withHooks(old []byte, kind hookFile, command string, install bool) (next []byte, shown string, err error) {
	all, err := members(old)
	if err != nil {
		return nil, "", err
	}
	hooks, err := members(get(all, "hooks"))
	if err != nil {
		return nil, "", err
	}
	quoted, err := json.Marshal(command)
	if err != nil {
		return nil, "", err
	}
	var added []member
	for _, h := range kind.events {
		var list []json.RawMessage
		if value := get(hooks, h.event); value != nil {
			if err := json.Unmarshal(value, &list); err != nil {
				return nil, "", fmt.Errorf("its hooks of %s are no list: %w", h.event, err)
			}
		}
		entry := json.RawMessage(strings.ReplaceAll(h.entry, "COMMAND", string(quoted)))
		_, agent, _ := strings.Cut(command, " check --hook ")
		ours := func(m json.RawMessage) bool { return bytes.Contains(m, []byte(" check --hook "+agent+`"`)) }
		if install && slices.ContainsFunc(list, func(m json.RawMessage) bool { return ours(m) && bytes.Contains(m, quoted) }) {
			continue
		}
		list = slices.DeleteFunc(list, ours)
		if install {
			list = append(list, entry)
			added = append(added, member{h.event, entry})
		}
		var value json.RawMessage
		if len(list) > 0 {
			if value, err = json.Marshal(list); err != nil {
				return nil, "", err
			}
		}
		hooks = set(hooks, h.event, value)
	}
	if install && len(added) == 0 {
		return old, "", nil
	}
	if install && kind.version && get(all, "version") == nil {
		all = append([]member{{"version", json.RawMessage("1")}}, all...)
	}
	value := object(hooks)
	if len(hooks) == 0 {
		value = nil
	}
	var out, lines bytes.Buffer
	if err := errors.Join(json.Indent(&out, object(set(all, "hooks", value)), "", "  "), json.Indent(&lines, object(added), "", "  ")); err != nil {
		return nil, "", err
	}
	out.WriteByte('\n')
	if before := new(bytes.Buffer); !install && json.Compact(before, old) == nil && bytes.Equal(before.Bytes(), object(set(all, "hooks", value))) {
		return old, "", nil
	}
	return out.Bytes(), lines.String(), nil
}
