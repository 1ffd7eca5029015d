// Command changes plays real commits as an agent's edits, hunk after hunk, with a person's
// typing and reviewing between, through the editor's server, and looks for review marks that
// stand on what nobody has reviewed and for text that a revert has taken along:
//
//	changes -bin bin/tandem -repos DIR -commits 30
//
// **Invariant**: what should be marked is tracked here by the positions of edits alone,
// never by what the server says of a hunk.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/edits/hunks"
	"tandem/tools/bench/clones"
	"tandem/tools/client"
)

func main() {
	bin := flag.String("bin", "bin/tandem", "the `PROGRAM`")
	repos := flag.String("repos", "", "`DIR` with git repositories")
	commits := flag.Int("commits", 30, "how many `COMMITS` to play, of all repositories")
	flag.Parse()
	if err := run(*bin, *repos, *commits); err != nil {
		fmt.Fprintln(os.Stderr, "changes:", err)
		os.Exit(1)
	}
}

// figures are what was counted.
type figures struct {
	Commits, Hunks, Typed, Marked, Ended, Reverted, Wrong, Lost, Forgotten int
}

func run(bin, repos string, most int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	ctx := context.Background()
	all, err := clones.OpenAll(ctx, repos, "")
	if err != nil {
		return err
	}
	var f figures
	each := max(1, (most+len(all)-1)/len(all))
	for _, from := range all {
		list, err := picked(ctx, from, min(each, most-f.Commits))
		from.Close()
		if err != nil {
			return err
		}
		for _, c := range list {
			if err := play(ctx, bin, c, &f); err != nil {
				return fmt.Errorf("%s at %.12s: %w", from.Name, c.hash, err)
			}
		}
	}
	out, err := json.Marshal(f)
	if err != nil {
		return err
	}
	fmt.Println(string(out))
	if f.Wrong+f.Lost > 0 || f.Commits < most {
		return fmt.Errorf("%d review marks wrong, %d texts lost, %d commits of %d", f.Wrong, f.Lost, f.Commits, most)
	}
	return nil
}

// A commit is the versions of the files that it changes.
type commit struct {
	hash          string
	before, after map[string]string
}

// picked are the newest commits of a repository that change a few files in several hunks.
func picked(ctx context.Context, from *clones.Clone, most int) ([]commit, error) {
	log, err := from.Git(ctx, "rev-list", "--no-merges", "-n", "400", "HEAD")
	if err != nil {
		return nil, err
	}
	var out []commit
	for _, hash := range strings.Fields(string(log)) {
		if len(out) == most {
			break
		}
		files, err := from.Modified(ctx, hash)
		if err != nil {
			continue
		}
		c := commit{hash: hash}
		if c.before, c.after, _, err = from.Versions(hash, files[:min(len(files), 5)]); err != nil {
			return nil, err
		}
		maps.DeleteFunc(c.before, func(_, text string) bool { return len(text) >= 200_000 || strings.ContainsAny(text, "\x00\r") })
		if n := len(hunks.Steps(c.before, c.after)); 4 <= n && n <= 40 {
			out = append(out, c)
		}
	}
	return out, nil
}

// A player is one commit being played.
type player struct {
	server   *client.Server
	root     string
	random   *rand.Rand
	figures  *figures
	versions map[string]int
	texts    map[string]string   // by path
	alive    map[string][]marked // by path: what the person has reviewed and nobody has touched since
	steps    []hunks.Step        // of the agent, still to come
	words    int
}

// A marked is a reviewed hunk: where its lines are now.
type marked struct {
	span edits.Span
	text string
}

type wire struct {
	Files []struct {
		URI   string
		Path  string
		Hunks []struct {
			ID            string
			Range         client.Range
			Removed, Mark string
		}
	}
}

func play(ctx context.Context, bin string, c commit, f *figures) error {
	root, err := os.MkdirTemp("", "changes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	work := filepath.Join(root, "work")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	for name, text := range c.before {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "start"}} {
		if _, err := clones.Git(ctx, work, args...); err != nil {
			return err
		}
	}
	p := &player{root: work, random: rand.New(rand.NewPCG(uint64(f.Commits), 1)), figures: f, versions: map[string]int{}, texts: map[string]string{}, alive: map[string][]marked{}}
	command := exec.CommandContext(ctx, bin, "serve", "--offline")
	command.Env = client.Home(root)
	if p.server, err = client.Start(command, p.handle); err != nil {
		return err
	}
	defer func() { _ = p.server.Quit() }()
	if err := p.server.Initialize(work, false, client.Object{"workspace": client.AppliesEdits}); err != nil {
		return err
	}
	for name, text := range c.before {
		p.texts[name] = text
		p.versions[name] = 1
		if err := p.server.Open(p.uri(name), "plaintext", 1, text); err != nil {
			return err
		}
	}
	f.Commits++
	return p.all(hunks.Steps(c.before, c.after))
}

func (p *player) uri(name string) string { return client.URI(filepath.Join(p.root, name)) }

// all plays the steps: the agent's hunk, typing, a look at the marks, reviewing, at times a revert.
func (p *player) all(steps []hunks.Step) error {
	p.steps = steps
	for len(p.steps) > 0 {
		s := p.steps[0]
		p.steps = nil // its own edit moves none of those after it
		whole := lines(p.texts[s.Path], s.Edit.Span)
		if err := p.edit(s.Path, edits.Edit{Span: whole, New: s.Edit.New}); err != nil {
			return err
		}
		steps = steps[1:]
		taken := whole.End - whole.Start - (s.Edit.End - s.Edit.Start) // what was typed into its lines has gone with them
		for i := range steps {
			if e := &steps[i].Edit; steps[i].Path == s.Path {
				e.Start = max(e.Start-taken, whole.Start+len(s.Edit.New))
				e.End = max(e.End-taken, e.Start)
			}
		}
		p.steps = steps
		p.figures.Hunks++
		for range 1 + p.random.IntN(3) {
			if err := p.typeSomewhere(s.Path); err != nil {
				return err
			}
		}
		if err := p.review(); err != nil {
			return err
		}
	}
	return nil
}

// lines widens a span to whole lines: agents write those.
func lines(text string, s edits.Span) edits.Span {
	for s.Start > 0 && text[s.Start-1] != '\n' {
		s.Start--
	}
	for s.End < len(text) && s.End > s.Start && text[s.End-1] != '\n' {
		s.End++
	}
	return s
}

func (p *player) typeSomewhere(path string) error {
	text := p.texts[path]
	at := p.random.IntN(len(text) + 1)
	if near := p.alive[path]; len(near) > 0 && p.random.IntN(2) == 0 { // where it matters
		m := near[p.random.IntN(len(near))]
		at = min(max(m.span.Start-40+p.random.IntN(m.span.End-m.span.Start+80), 0), len(text))
	}
	for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 { // inside a character
		at--
	}
	p.words++
	typed := fmt.Sprintf("typed%d ", p.words)
	if p.random.IntN(3) == 0 {
		typed += "\n"
	}
	p.figures.Typed++
	return p.edit(path, edits.Edit{Span: edits.Span{Start: at, End: at}, New: typed})
}

// edit changes a document, and what is alive of the marks by positions: a mark ends where its
// lines, or the lines that touch them, are changed.
func (p *player) edit(path string, e edits.Edit) error {
	text := p.texts[path]
	p.versions[path]++
	err := p.server.Replace(p.uri(path), p.versions[path], client.Range{Start: client.PositionAt(text, e.Start), End: client.PositionAt(text, e.End)}, e.New)
	p.made(path, e)
	return err
}

func (p *player) made(path string, e edits.Edit) {
	text := p.texts[path]
	p.texts[path] = text[:e.Start] + e.New + text[e.End:]
	for i, step := range p.steps { // the person has moved what the agent will change
		if step.Path == path && step.Edit.Start >= e.Start {
			shift := max(e.Delta(), e.Start-step.Edit.Start)
			p.steps[i].Edit.Start, p.steps[i].Edit.End = step.Edit.Start+shift, min(step.Edit.End+shift, len(p.texts[path]))
		}
	}
	var left []marked
	for _, m := range p.alive[path] {
		switch {
		case e.End < m.span.Start:
			shift := e.Delta()
			m.span.Start, m.span.End = m.span.Start+shift, m.span.End+shift
			left = append(left, m)
		case e.Start > m.span.End:
			left = append(left, m)
		case e.End == m.span.Start && strings.HasSuffix(e.New, "\n"), e.Start == m.span.End && e.New != "" && e.Start == e.End:
			// whole lines directly before or after: they may or may not belong to the hunk
			if e.End == m.span.Start {
				m.span.Start, m.span.End = m.span.Start+len(e.New), m.span.End+len(e.New)
			}
			left = append(left, m)
		default:
			p.figures.Ended++
		}
	}
	p.alive[path] = left
}

func (p *player) command(args client.Object) (json.RawMessage, error) {
	return p.server.Call("workspace/executeCommand", client.Object{"command": "tandem.changes", "arguments": []any{args}})
}

// review compares the marks with what was reviewed, then reviews, keeps or reverts one hunk.
func (p *player) review() error {
	raw, err := p.command(client.Object{})
	if err != nil {
		return err
	}
	var list wire
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	type found struct {
		path, id string
		span     edits.Span
	}
	var open []found
	for _, file := range list.Files {
		seen := 0
		for _, h := range file.Hunks {
			span := edits.Span{Start: client.Offset(p.texts[file.Path], h.Range.Start), End: client.Offset(p.texts[file.Path], h.Range.End)}
			if h.Mark == "" {
				open = append(open, found{file.Path, h.ID, span})
				continue
			}
			seen++
			text := p.texts[file.Path][span.Start:span.End]
			if !slices.Contains(p.alive[file.Path], marked{span, text}) {
				p.figures.Wrong++
				fmt.Fprintf(os.Stderr, "%s: reviewed, and nobody has: %q\n", file.Path, text)
			}
		}
		p.figures.Forgotten += max(0, len(p.alive[file.Path])-seen)
	}
	if len(open) == 0 {
		return nil
	}
	h := open[p.random.IntN(len(open))]
	if p.random.IntN(4) > 0 {
		p.figures.Marked++
		p.alive[h.path] = append(p.alive[h.path], marked{h.span, p.texts[h.path][h.span.Start:h.span.End]})
		_, err := p.command(client.Object{"action": []string{"reviewed", "kept"}[p.random.IntN(2)], "id": h.id})
		return err
	}
	return p.revert(h.path, h.id, h.span)
}

// revert reverts a hunk; every word that was typed outside of it must be there still.
func (p *player) revert(path, id string, span edits.Span) error {
	text := p.texts[path]
	outside := typedWords(text[:span.Start] + "\n" + text[span.End:])
	p.figures.Reverted++
	if _, err := p.command(client.Object{"action": "revert", "id": id}); err != nil {
		return err
	}
	now := typedWords(p.texts[path])
	for word := range outside {
		if !now[word] {
			p.figures.Lost++
		}
	}
	return nil
}

func typedWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(text) {
		if i := strings.LastIndex(word, "typed"); i >= 0 {
			out[word[i:]] = true
		}
	}
	return out
}

// handle applies the server's edits as an editor does.
func (p *player) handle(method string, params json.RawMessage) any {
	if method != "workspace/applyEdit" {
		return nil
	}
	list, err := client.DocumentChanges(params)
	if err != nil || len(list) != 1 {
		return client.Object{"applied": false}
	}
	d := list[0]
	path := strings.TrimPrefix(d.TextDocument.URI, client.URI(p.root)+"/")
	if d.TextDocument.Version != p.versions[path] || len(d.Edits) != 1 {
		return client.Object{"applied": false, "failureReason": "version"}
	}
	e, text := d.Edits[0], p.texts[path]
	span := edits.Span{Start: client.Offset(text, e.Range.Start), End: client.Offset(text, e.Range.End)}
	return client.Object{"applied": p.edit(path, edits.Edit{Span: span, New: e.NewText}) == nil}
}
