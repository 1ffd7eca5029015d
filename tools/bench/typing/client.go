package main

import (
	"fmt"
	"os"
	"os/exec"

	"tandem/tools/client"
)

// An editor drives one `tandem serve` as an editor does.
type editor struct {
	*client.Server
	cmd *exec.Cmd
	dir string // the user's home, removed at the end
}

// configure is a configuration whose fast model is the scripted one, at these prices.
func configure(address string, p priceList) string {
	return fmt.Sprintf("fast = \"m\"\n"+p.settings+"\n[models.m]\nprovider = \"p\"\nmodel = \"scripted-fast\"\ntokenizer = \"o200k_base\"\ncontext_window = 128000\nmax_output_tokens = 256\ninput_price = %v\ncached_price = %v\noutput_price = %v\n"+
		"[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\n", p.in, p.cached, p.out, address)
}

// startEditor starts a server for a folder.
func startEditor(program, config, folder string) (*editor, error) {
	dir, err := os.MkdirTemp("", "tandem-typing")
	if err != nil {
		return nil, err
	}
	if err := client.Configure(dir, config); err != nil {
		return nil, err
	}
	e := &editor{cmd: exec.Command(program, "serve", "--stdio"), dir: dir}
	e.cmd.Env = client.Home(dir)
	if e.Server, err = client.Start(e.cmd, nil); err != nil {
		return nil, err
	}
	return e, e.Initialize(folder, false, client.Object{"general": client.UTF8, "experimental": client.Knows("inline", "status", "proposals")})
}

func (e *editor) close() {
	_ = e.Quit() // what it was measured for is over
	_ = os.RemoveAll(e.dir)
}

// A typist types into one document, as a client that asks after each key.
type typist struct {
	*editor
	uri         string
	text, below string // before and after the cursor
	version     int
	pending     int64 // number of the request that is not answered, 0 for none
}

func (t *typist) open() error {
	t.version = 1
	return t.Open(t.uri, "go", 1, t.text+t.below)
}

// press types a text and asks for what follows, as editors do; the request before is
// cancelled.
func (t *typist) press(text string) (<-chan client.Reply, error) {
	at := client.End(t.text)
	t.text += text
	t.version++
	if t.pending != 0 {
		if err := t.Notify("$/cancelRequest", client.Object{"id": t.pending}); err != nil {
			return nil, err
		}
	}
	if err := t.Replace(t.uri, t.version, client.Range{Start: at, End: at}, text); err != nil {
		return nil, err
	}
	var back <-chan client.Reply
	var err error
	t.pending, back, err = t.Request(client.AskInline(t.uri, client.End(t.text), client.Automatic))
	return back, err
}
