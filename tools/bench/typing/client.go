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

// startEditor starts a server for a folder. knows says whether the client announces the
// notifications of tandem.
func startEditor(program, config, folder string, knows bool, handle client.Handler) (*editor, error) {
	dir, err := os.MkdirTemp("", "tandem-typing")
	if err != nil {
		return nil, err
	}
	if err := client.Configure(dir, config); err != nil {
		return nil, err
	}
	e := &editor{cmd: exec.Command(program, "serve", "--stdio"), dir: dir}
	e.cmd.Env = client.Home(dir)
	if e.Server, err = client.Start(e.cmd, handle); err != nil {
		return nil, err
	}
	capabilities := client.Object{"general": client.UTF8}
	if knows {
		capabilities["experimental"] = client.Knows("inline", "status", "proposals")
	}
	return e, e.Initialize(folder, false, capabilities)
}

func (e *editor) close() {
	_ = e.Quit() // what it was measured for is over
	_ = os.RemoveAll(e.dir)
}
