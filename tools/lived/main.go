// Command lived takes a server through the days of a working tree and compares it after each day
// with one that has just begun: both have to answer the same.
//
// **Invariant:** the answers are about documents that were just opened and never edited, in a tree
// that rests; a difference is a fault of the server that lived. What happens follows from the
// seed alone. Nothing is written but below a folder of its own.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/tools/bench/clones"
	"tandem/tools/client"
	"tandem/workspace/language"
)

type options struct {
	tandem, trees string
	seed          uint64
	days, files   int
	places        int
	branch        int
	whole         bool
	settle        time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.tandem, "tandem", "bin/tandem", "the `PROGRAM`")
	flag.StringVar(&o.trees, "trees", ".", "`FOLDERS` that trees are copied from, with commas between")
	flag.Uint64Var(&o.seed, "seed", 1, "what the days hold")
	flag.IntVar(&o.days, "days", 20, "days of each tree")
	flag.IntVar(&o.files, "files", 600, "files of code of a tree at most")
	flag.IntVar(&o.places, "places", 4, "places asked about after a day")
	flag.BoolVar(&o.whole, "whole", false, "the trees are repositories, and all of their files are copied")
	flag.IntVar(&o.branch, "branch", 120, "files that a branch changes")
	flag.DurationVar(&o.settle, "settle", 5*time.Second, "how long after the last event the server is asked")
	flag.Parse()
	differ, asked := 0, 0
	for _, tree := range strings.Split(o.trees, ",") {
		n, of, err := o.live(tree)
		if err != nil {
			fmt.Fprintf(os.Stderr, "lived: %s: %v\n", tree, err)
			os.Exit(1)
		}
		differ, asked = differ+n, asked+of
	}
	fmt.Printf("%d of %d answers of servers that lived differ from those of servers that had just begun\n", differ, asked)
	if differ > 0 || asked == 0 {
		os.Exit(1)
	}
}

// A world is a tree, and the server that lives in it.
type world struct {
	options
	*rand.Rand
	scratch, root string
	editor        *client.Editor
	serial        int
}

// live takes a server through the days of a copy of a tree.
func (o options) live(tree string) (differ, asked int, err error) {
	scratch, err := os.MkdirTemp("", "tandem-lived")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(scratch)
	if scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return 0, 0, err
	}
	w := &world{options: o, Rand: rand.New(rand.NewPCG(o.seed, 1)), scratch: scratch, root: filepath.Join(scratch, "tree")}
	if err := w.copy(tree); err != nil {
		return 0, 0, err
	}
	if w.editor, err = w.start("lived"); err != nil {
		return 0, 0, err
	}
	defer func() { w.editor.Kill() }()
	for day := range o.days {
		event := events[(day+int(o.seed))%len(events)]
		if err := event.happen(w); err != nil {
			return differ, asked, fmt.Errorf("day %d, %s: %w", day, event.name, err)
		}
		time.Sleep(o.settle)
		n, of, err := w.compare(fmt.Sprintf("%s, day %d, %s", filepath.Base(tree), day, event.name))
		if err != nil {
			return differ, asked, err
		}
		differ, asked = differ+n, asked+of
	}
	return differ, asked, nil
}

const largestCopied = 200_000 // bytes of a file

// copy copies the code of a tree into a repository of its own.
func (w *world) copy(tree string) error {
	if w.whole {
		if _, err := clones.Git(context.Background(), w.scratch, "clone", "-q", "--shared", tree, w.root); err != nil {
			return err
		}
		return w.git("checkout -q -B main")
	}
	n := 0
	err := client.EachText(tree, largestCopied, isCode, func(path, text string) error {
		if n++; n > w.files {
			return fs.SkipAll
		}
		return w.write(path, text)
	}, "node_modules", "testdata")
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("there is no code in it")
	}
	return w.git("init -q -b main", "add -A", "commit -q -m start")
}

func isCode(path string) bool {
	switch language.OfFile(filepath.Base(path)) {
	case "c", "go", "python", "typescript", "typescriptreact", "javascript", "rust", "java":
		return true
	}
	return false
}

func (w *world) write(rel, text string) error { return client.Write(filepath.Join(w.root, rel), text) }

func (w *world) read(rel string) string {
	text, _ := os.ReadFile(filepath.Join(w.root, rel)) // what has gone has no text
	return string(text)
}

// git runs git commands, each with its arguments between spaces.
func (w *world) git(commands ...string) error {
	for _, words := range commands {
		args := append([]string{"-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "protocol.file.allow=always"}, strings.Fields(words)...)
		if _, err := clones.Git(context.Background(), w.root, args...); err != nil {
			return fmt.Errorf("%s: %w", words, err)
		}
	}
	return nil
}

// notAsked are folders with files that no server shows.
var notAsked = []string{".git", "node_modules", "hidden"}

// code lists the tree's files of code, sorted.
func (w *world) code() (out []string) {
	_ = filepath.WalkDir(w.root, func(path string, e fs.DirEntry, err error) error {
		switch rel, _ := filepath.Rel(w.root, path); {
		case err != nil:
		case e.IsDir() && slices.Contains(notAsked, e.Name()):
			return filepath.SkipDir
		case e.Type().IsRegular() && isCode(path):
			out = append(out, rel)
		}
		return nil
	})
	return out
}

// some are n files of code.
func (w *world) some(n int) []string {
	all := w.code()
	w.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all[:min(n, len(all))]
}

// start starts a server of a user of its own.
func (w *world) start(home string) (*client.Editor, error) {
	return client.StartUser(w.tandem, filepath.Join(w.scratch, home), w.root)
}

// compare asks the server that lived and then a new one the same, and prints what differs.
func (w *world) compare(when string) (differ, asked int, err error) {
	began := time.Now()
	var places []asking
	for _, path := range w.some(w.places) {
		text := w.read(path)
		places = append(places, asking{path, text, w.place(text)})
	}
	lived, err := answers(w.editor, places)
	if err != nil {
		return 0, 0, err
	}
	took := time.Since(began)
	w.serial++
	cold, err := w.start(fmt.Sprint("cold", w.serial))
	if err != nil {
		return 0, 0, err
	}
	defer cold.Kill()
	fresh, err := answers(cold, places)
	if err != nil {
		return 0, 0, err
	}
	for i, one := range fresh {
		asked++
		if was := lived[i]; was != one {
			differ++
			at := edits.CommonPrefix(was.reply, one.reply)
			fmt.Printf("%s: %s at %s:%d differs:\n  lived %s\n  fresh %s\n", when, one.question, one.path, one.at, around(was.reply, at), around(one.reply, at))
		}
	}
	fmt.Printf("%s: %d of %d differ (%.1f s, and %.1f s for a new one)\n", when, differ, asked, took.Seconds(), (time.Since(began) - took).Seconds())
	return differ, asked, nil
}

// place is the start of a word in a text.
func (w *world) place(text string) int {
	if len(text) == 0 {
		return 0
	}
	at := w.IntN(len(text))
	for at > 0 && !letter(text[at]) {
		at--
	}
	for at > 0 && letter(text[at-1]) {
		at--
	}
	return at
}

func letter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// An asking is a place in a document that a server is asked about.
type asking struct {
	path, text string
	at         int
}

// An answer is what a server says of a place.
type answer struct {
	asking
	question, reply string
}

// answers are what a server says of places in documents that were just opened: all windows first,
// since they are what may lag behind.
func answers(e *client.Editor, places []asking) (out []answer, err error) {
	type call struct {
		question, method string
		params           func(p asking) client.Object
	}
	place := func(purpose string) func(p asking) client.Object {
		return func(p asking) client.Object {
			return client.Object{"textDocument": e.Document(p.path), "position": client.PositionAt(p.text, p.at), "purpose": purpose, "text": true}
		}
	}
	for _, calls := range [][]call{
		{{"the window of a completion", "tandem/window", place("complete")}, {"the window of an edit", "tandem/window", place("edit")}},
		{{"the answer to a question", "tandem/ask", func(p asking) client.Object {
			return client.Object{"question": "where is " + p.word() + " used?"}
		}}},
		{{"definitions and uses", "textDocument/hover", place("")}, {"the next edit", "textDocument/copilotInlineEdit", place("")}},
	} {
		for _, p := range places {
			if err := e.Open(p.path, p.text); err != nil {
				return nil, err
			}
			for _, c := range calls {
				out = append(out, answer{p, c.question, ask(e, c.method, c.params(p))})
			}
			if err := e.Close(p.path); err != nil {
				return nil, err
			}
		}
	}
	checks := ask(e, "workspace/executeCommand", client.Object{"command": "tandem.changes", "arguments": []any{client.Object{"base": "HEAD"}}})
	return append(out, answer{question: "the checks of what is not committed", reply: checks}), nil // they have no place
}

// word is what a place is at the start of.
func (p asking) word() string {
	end := p.at
	for end < len(p.text) && letter(p.text[end]) {
		end++
	}
	return p.text[p.at:end]
}

// ask is the reply to a question, which is asked again while it says itself that it is not whole.
func ask(e *client.Editor, method string, params client.Object) string {
	for n := 0; ; n++ {
		reply, err := e.Call(method, params)
		if err != nil {
			return "error: " + err.Error()
		}
		if n == 20 || !strings.Contains(string(reply), "still being read") {
			return said(reply)
		}
	}
}

// said is a reply without the times in it, its keys in order.
func said(reply json.RawMessage) string {
	var value any
	if json.Unmarshal(reply, &value) != nil {
		return string(reply)
	}
	out, _ := json.Marshal(without(value, "ms", "version")) // it was JSON
	return string(out)
}

// without is a JSON value without some members, wherever they are: how long something took, and
// how often a document was opened.
func without(value any, names ...string) any {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			without(one, names...)
		}
	case map[string]any:
		for _, name := range names {
			delete(v, name)
		}
		for _, one := range v {
			without(one, names...)
		}
	}
	return value
}

func around(s string, at int) string {
	return fmt.Sprintf("%q", s[max(0, at-60):min(len(s), at+100)])
}
