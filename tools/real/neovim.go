package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

//go:embed neovim.lua
var neovimConfig []byte

// neovims are the clients of a llama.cpp server that are compared in Neovim, and the folders of
// plugins that each needs.
var neovims = map[string][]string{"tandem": nil, "llama.vim": {"llama.vim"}, "minuet-ai.nvim": {"minuet-ai.nvim", "plenary.nvim"}}

// A neovim types in a real Neovim.
type neovim struct {
	command *exec.Cmd
	home    string
	keys    *json.Encoder

	mu     sync.Mutex // guards all below
	before string     // of the line
	texts  []shownText
}

// inNeovim types at the places of typing in Neovim, with each client at the same server.
func (r *rig) inNeovim(ctx context.Context) error {
	if _, err := exec.LookPath(r.nvim); err != nil {
		return fmt.Errorf("%w: there is no %s (make e2e-install)", errMissing, r.nvim)
	}
	return r.typeEach(ctx, r.neovimLog(), []string{"tandem", "llama.vim", "minuet-ai.nvim"}, r.typeInNeovim)
}

// typeInNeovim types at one place. Requests are not counted: the clients' own addresses are used.
func (r *rig) typeInNeovim(ctx context.Context, s *server, p *drawn, name string) (typedPlace, error) {
	out := typedPlace{Client: name, Model: s.model, Slots: s.slots, Place: p.id(), Language: p.place.Family()}
	dir, err := p.checkOut(ctx, r)
	if err != nil {
		return out, err
	}
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil { // by which clients know a project
		return out, err
	}
	before, after := p.around()
	a, err := r.startNeovim(name, s.address, filepath.Join(dir, filepath.FromSlash(p.place.Path)), before, after)
	if err != nil {
		return out, err
	}
	defer a.close()
	err = out.typeRun(a, p, before, func(string) bool { return true })
	return out, err
}

func (r *rig) neovimLog() string { return filepath.Join(r.state, "neovim.jsonl") }

// startNeovim opens a file in Neovim with one client, by the lines of the client's own page.
func (r *rig) startNeovim(name, address, file, before, after string) (*neovim, error) {
	paths := []string{filepath.Join(r.project, "editors", "neovim")}
	for i, plugin := range neovims[name] {
		dir := filepath.Join(r.plugins, plugin)
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("%w: no folder %s (PLUGINS=DIR)", errMissing, dir)
		}
		if paths = append(paths, dir); i == 0 {
			paths = paths[1:]
		}
	}
	home, env, err := userHome(address)
	if err != nil {
		return nil, err
	}
	config := filepath.Join(home, "init.lua")
	if err := os.WriteFile(config, neovimConfig, 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, []byte(before+after), 0o644); err != nil {
		return nil, err
	}
	n := &neovim{home: home, command: exec.Command(r.nvim, "--clean", "--headless", "-u", config, file)}
	n.command.Dir = filepath.Dir(file)
	n.command.Env = append(env, "REAL_CLIENT="+name, "REAL_SERVER="+address, "REAL_PLUGINS="+strings.Join(paths, ","), "PATH="+filepath.Dir(r.tandem)+":"+os.Getenv("PATH"))
	in, err := n.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := n.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	n.command.Stderr = os.Stderr
	if err := n.command.Start(); err != nil {
		return nil, err
	}
	go n.read(bufio.NewScanner(out))
	n.keys = json.NewEncoder(in)
	n.before = before[strings.LastIndexByte(before, '\n')+1:]
	return n, n.keys.Encode(object{"cursor": []int{strings.Count(before, "\n") + 1, len(n.before)}})
}

// read takes what is on the screen while it belongs to the newest key.
func (n *neovim) read(lines *bufio.Scanner) {
	for lines.Scan() {
		var now struct{ Before, Text string }
		if json.Unmarshal(lines.Bytes(), &now) != nil {
			continue
		}
		n.mu.Lock()
		if now.Before == n.before && now.Text != "" {
			n.texts = append(n.texts, shownText{now.Text, time.Now()})
		}
		n.mu.Unlock()
	}
}

func (n *neovim) key(before, typed string) error {
	n.mu.Lock()
	n.before, n.texts = before[strings.LastIndexByte(before, '\n')+1:], nil
	n.mu.Unlock()
	return n.keys.Encode(object{"keys": typed})
}

func (n *neovim) shown() []shownText {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.texts
}

// reason is not known: no client draws it.
func (n *neovim) reason() string { return "" }

func (n *neovim) close() {
	_ = n.command.Process.Kill() // what it was measured for is over
	_ = n.command.Wait()
	_ = os.RemoveAll(n.home)
}
