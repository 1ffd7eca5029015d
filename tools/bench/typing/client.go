package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tandem/tools/client"
)

type object = map[string]any

// An editor drives one `tandem serve` as an editor does.
type editor struct {
	*client.Server
	cmd *exec.Cmd
	dir string // the user's home, removed at the end
}

// A model is the scripted server.
type scriptedServer struct {
	cmd     *exec.Cmd
	address string
}

func startModel(program string, args ...string) (*scriptedServer, error) {
	s := &scriptedServer{cmd: exec.Command(program, args...)}
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s has not started: %w", program, err)
	}
	s.address = strings.TrimSpace(strings.TrimPrefix(line, "listening "))
	return s, nil
}

func (s *scriptedServer) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// home makes a user's home with a configuration, and returns the environment in which a
// command runs as that user.
func home(config string) (dir string, env []string, err error) {
	if dir, err = os.MkdirTemp("", "tandem-typing"); err != nil {
		return "", nil, err
	}
	if err = os.MkdirAll(filepath.Join(dir, "config", "tandem"), 0o700); err == nil {
		err = os.WriteFile(filepath.Join(dir, "config", "tandem", "config.toml"), []byte(config), 0o600)
	}
	return dir, append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir+"/config", "XDG_STATE_HOME="+dir+"/state", "XDG_CACHE_HOME="+dir+"/cache"), err
}

// configure is a configuration whose fast model is the scripted one, at these prices.
func configure(address string, p priceList) string {
	return fmt.Sprintf("fast = \"m\"\n"+p.settings+"\n[models.m]\nprovider = \"p\"\nmodel = \"scripted-fast\"\ntokenizer = \"o200k_base\"\ncontext_window = 128000\nmax_output_tokens = 256\ninput_price = %v\ncached_price = %v\noutput_price = %v\n"+
		"[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\n", p.in, p.cached, p.out, address)
}

// startEditor starts a server for a folder. knows says whether the client announces the
// notifications of tandem.
func startEditor(program, config, folder string, knows bool, handle client.Handler) (*editor, error) {
	dir, env, err := home(config)
	if err != nil {
		return nil, err
	}
	e := &editor{cmd: exec.Command(program, "serve", "--stdio"), dir: dir}
	e.cmd.Env = env
	if e.Server, err = client.Start(e.cmd, handle); err != nil {
		return nil, err
	}
	capabilities := object{"general": object{"positionEncodings": []string{"utf-8"}}}
	if knows {
		capabilities["experimental"] = object{"tandem": object{"inline": true, "status": true, "proposals": true}}
	}
	if _, err := e.Call("initialize", object{"processId": os.Getpid(), "rootUri": uriOf(folder), "capabilities": capabilities}); err != nil {
		return nil, err
	}
	return e, e.Notify("initialized", object{})
}

func uriOf(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

func (e *editor) close() {
	_ = e.Quit() // what it was measured for is over
	_ = os.RemoveAll(e.dir)
}

// first is the text of the first item of an inline completion, "" for none.
func first(result json.RawMessage) string {
	var list struct {
		Items []struct {
			InsertText string `json:"insertText"`
		} `json:"items"`
	}
	if json.Unmarshal(result, &list) != nil || len(list.Items) == 0 {
		return ""
	}
	return list.Items[0].InsertText
}
