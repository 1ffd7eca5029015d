package main

import (
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"tandem/tools/client"
	"time"
)

// mostStart is the most seconds of processor time until the first suggestion of a second start.
const mostStart = 0.5

// An hour of editing: so many documents are visited one after another, with so many
// pauses of a typist in each, and some keys before each pause.
const (
	visits = 60
	pauses = 12
)

// memory edits a folder for what would be an hour and prints what the server costs.
func memory(tandem, home, root string, most float64) (bool, error) {
	files, err := goFiles(root)
	if err != nil {
		return false, err
	}
	e, err := start(tandem, home, root)
	if err != nil {
		return false, err
	}
	spent, err := e.firstSuggestion(files, true)
	if err != nil {
		return false, err
	}
	fmt.Printf("first start: %.2f s of processor time until a suggestion, RssAnon %.0f MB, RSS %.0f MB\n", spent.Seconds(), e.memory("RssAnon"), e.memory("VmRSS"))
	shown, keys, err := e.hour(files)
	if err != nil {
		return false, err
	}
	e.settle()
	time.Sleep(15 * time.Second) // the pause after work, in which memory goes back
	fmt.Printf("an hour of editing: %d documents, %d keys, suggestions at %d pauses of %d\n", visits, keys, shown, visits*pauses)
	ok := row("anonymous memory after an hour of editing (RssAnon)", "MB", e.memory("RssAnon"), most)
	plain("with what is mapped from files (RSS)", "MB", e.memory("VmRSS"))
	_ = e.Quit()
	started, err := secondStart(tandem, home, root, files)
	return ok && started, err
}

// secondStart starts a server on a folder that one has read and learned before.
func secondStart(tandem, home, root string, files []string) (bool, error) {
	again, err := start(tandem, home, root)
	if err != nil {
		return false, err
	}
	defer func() { _ = again.Quit() }()
	spent, err := again.firstSuggestion(files, false)
	if err != nil {
		return false, err
	}
	again.settle()
	plain("all that a second start does", "s", again.processor().Seconds())
	return row("processor time of the second start until a suggestion", "s", spent.Seconds(), mostStart), nil
}

func goFiles(root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && strings.HasSuffix(path, ".go") && info.Size() > 4<<10 && info.Size() < 60<<10 {
			out = append(out, path)
		}
		return nil
	})
	if err == nil && len(out) < visits {
		err = fmt.Errorf("%s has %d Go files of ordinary size, at least %d are needed", root, len(out), visits)
	}
	return out, err
}

// firstSuggestion lets the server read and learn, if it is to be settled, writes lines of a document again until
// something is suggested, and returns the processor time that all that has taken.
func (e *editor) firstSuggestion(files []string, settled bool) (time.Duration, error) {
	d, lines, err := e.visit(files[len(files)/2])
	if err != nil {
		return 0, err
	}
	defer d.close()
	if settled {
		e.settle()                                             // the folder is read
		if _, err := d.suggested(client.Invoked); err != nil { // the language is in use from now on
			return 0, err
		}
		e.settle() // and learned
	}
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		for at := d.line; at < len(lines)-1 && at < d.line+100; at++ {
			if code(lines[at]) < 12 {
				continue
			}
			n, err := d.rewrite(at, lines[at], 6, client.Invoked)
			if spent := e.processor(); err != nil || n > 0 {
				return spent, err
			}
			if _, err := e.Call("tandem/ping", nil); err != nil {
				return 0, err
			}
			break
		}
		d.line = len(lines)/3 + (d.line+1)%(len(lines)/2)
	}
	return 0, fmt.Errorf("nothing was suggested within five minutes")
}

// settle waits until the server has done what it does after a start: read the folder and
// learn.
func (e *editor) settle() {
	for was, idle := e.processor(), 0; idle < 4; time.Sleep(500 * time.Millisecond) {
		now := e.processor()
		if idle++; now-was > 5*time.Millisecond {
			idle = 0
		}
		was = now
	}
}

// code is how many bytes of ASCII code a line has, 0 for other lines.
func code(line string) int {
	body := strings.TrimSpace(line)
	if strings.HasPrefix(body, "//") || strings.ContainsFunc(body, func(r rune) bool { return r >= 0x80 }) {
		return 0
	}
	return len(body)
}

// visit opens a file.
func (e *editor) visit(file string) (*document, []string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	lines := strings.Split(string(text), "\n")
	return e.open(client.URI(file), "go", string(text), len(lines)/3), lines, nil
}

// rewrite deletes a line, types its first characters key by key, asks, and restores it.
func (d *document) rewrite(at int, line string, keys, trigger int) (shown int, err error) {
	indent := line[:len(line)-len(strings.TrimLeft(line, "\t "))]
	d.replace(at, 0, len(line), indent)
	for i := range keys {
		d.replace(at, len(indent)+i, len(indent)+i, line[len(indent)+i:len(indent)+i+1])
	}
	d.line, d.column = at, len(indent)+keys
	shown, err = d.suggested(trigger)
	d.replace(at, 0, len(indent)+keys, line)
	return shown, err
}

// hour visits documents, writes lines of theirs again and asks at each pause.
func (e *editor) hour(files []string) (shown, keys int, err error) {
	random := rand.New(rand.NewSource(1))
	for range visits {
		d, lines, err := e.visit(files[random.Intn(len(files))])
		if err != nil {
			return shown, keys, err
		}
		for range pauses {
			at := random.Intn(len(lines))
			typed := min(code(lines[at]), 12)
			if typed == 0 {
				continue
			}
			keys += typed
			n, err := d.rewrite(at, lines[at], typed, client.Automatic)
			if err != nil {
				return shown, keys, err
			}
			if n > 0 {
				shown++
			}
		}
		d.close()
	}
	return shown, keys, nil
}
