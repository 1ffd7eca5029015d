package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"time"

	"tandem/tools/bench/clones"
	"tandem/tools/client"
)

// An editor is the least of an LSP client: it types and asks for completions.
type editor struct {
	*client.Server
	root string
}

func startEditor(ctx context.Context, program, root, config, dir string, settle time.Duration) (*editor, error) {
	command := exec.CommandContext(ctx, program, "serve", "--stdio", "--config", config)
	command.Dir = root
	command.Env = clones.Home(dir)
	server, err := client.Start(command, nil)
	if err != nil {
		return nil, err
	}
	e := &editor{server, root}
	err = e.Initialize(root, false, client.Object{"general": client.UTF8, "experimental": client.Knows("status")})
	select { // the tree is indexed and read meanwhile
	case <-time.After(settle):
	case <-ctx.Done():
		err = ctx.Err()
	}
	return e, err
}

// typeAt opens the file of a place without its run and types the run again, word by
// word, with a completion asked for after each.
func (e *editor) typeAt(ctx context.Context, p *place, steps int) error {
	uri := client.URI(filepath.Join(e.root, filepath.FromSlash(p.path)))
	text := p.before
	err := e.Open(uri, p.language, 1, p.before+p.after)
	for i, piece := range pieces(p.run) {
		if i == steps || err != nil || ctx.Err() != nil {
			break
		}
		at := client.End(text)
		text += piece
		if err = e.Replace(uri, i+2, client.Range{Start: at, End: at}, piece); err == nil {
			_, err = e.Call(client.AskInline(uri, client.End(text), client.Automatic))
		}
	}
	if err != nil {
		return err
	}
	return e.Closed(uri)
}

// pieces cuts a text after each word.
func pieces(run string) []string {
	var out []string
	from := 0
	for i := 1; i <= len(run); i++ {
		if i == len(run) || clones.WordByte(run[i-1]) && !clones.WordByte(run[i]) {
			out = append(out, run[from:i])
			from = i
		}
	}
	return out
}
