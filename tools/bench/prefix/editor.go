package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tandem/tools/client"
)

type object = map[string]any

// An editor is the least of an LSP client: it types and asks for completions.
type editor struct {
	*client.Server
	root string
}

func startEditor(ctx context.Context, program, root, config, dir string, settle time.Duration) (*editor, error) {
	command := exec.CommandContext(ctx, program, "serve", "--stdio", "--config", config)
	command.Dir = root
	command.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	server, err := client.Start(command, nil)
	if err != nil {
		return nil, err
	}
	e := &editor{server, root}
	_, err = e.Call("initialize", object{"processId": os.Getpid(), "rootUri": "file://" + root, "capabilities": object{
		"general": object{"positionEncodings": []string{"utf-8"}}, "experimental": object{"tandem": object{"status": true}}}})
	if err == nil {
		err = e.Notify("initialized", object{})
	}
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
	uri := "file://" + filepath.Join(e.root, filepath.FromSlash(p.path))
	err := e.Notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": p.language, "version": 1, "text": p.before + p.after}})
	line, column := strings.Count(p.before, "\n"), len(p.before)-strings.LastIndexByte(p.before, '\n')-1
	for i, piece := range pieces(p.run) {
		if i == steps || err != nil || ctx.Err() != nil {
			break
		}
		at := object{"line": line, "character": column}
		err = e.Notify("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": i + 2},
			"contentChanges": []any{object{"range": object{"start": at, "end": at}, "text": piece}}})
		if n := strings.Count(piece, "\n"); n > 0 {
			line, column = line+n, len(piece)-strings.LastIndexByte(piece, '\n')-1
		} else {
			column += len(piece)
		}
		if err == nil {
			_, err = e.Call("textDocument/inlineCompletion", object{"textDocument": object{"uri": uri},
				"position": object{"line": line, "character": column}, "context": object{"triggerKind": 2}})
		}
	}
	if err != nil {
		return err
	}
	return e.Notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
}

// pieces cuts a text after each word.
func pieces(run string) []string {
	var out []string
	from := 0
	for i := 1; i <= len(run); i++ {
		if i == len(run) || wordByte(run[i-1]) && !wordByte(run[i]) {
			out = append(out, run[from:i])
			from = i
		}
	}
	return out
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
