package assist_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/assist/ask"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/redact"
	"tandem/workspace/run"
)

// sized are scripted models of one context window.
type sized struct {
	assisttest.Lanes
	window int
}

func (s sized) Config(lane model.Lane) (model.ModelConfig, bool) {
	cfg, ok := s.Lanes.Config(lane)
	cfg.ContextWindow, cfg.InputPrice = s.window, 1
	return cfg, ok
}

func (s sized) ConfigFor(model.Purpose) (model.ModelConfig, bool) { return s.Config(model.Fast) }

// a project is a clone with what is drawn from it.
type project struct {
	session   *workspace.Session
	functions []index.Def // of 8 to 60 lines, in an order that is drawn
	files     []string    // URIs, the largest first
	uri       map[index.DefID]string
	body      map[index.DefID]string
}

func openProject(t *testing.T, group *run.Group, dir string, random *rand.Rand) project {
	session, err := workspace.Open(group.Context(), workspace.Options{Folders: []string{dir}, Trusted: true, ClientWatches: true, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if err := session.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := project{session: session, uri: map[index.DefID]string{}, body: map[index.DefID]string{}}
	snap := session.Snapshot()
	view := snap.Views()[0]
	ix, size := view.Index(), map[string]int{}
	for _, id := range ix.Files() {
		f, err := snap.File(filepath.Join(view.Root, ix.Path(id)))
		if err != nil || f.Binary() || f.Large() {
			continue
		}
		p.files, size[f.URI()] = append(p.files, f.URI()), f.Raw().Len()
		for _, d := range ix.Defs(id) {
			if lines := d.EndLine - d.StartLine; d.Kind.IsFunc() && lines >= 8 && lines <= 60 && d.EndLine <= f.Raw().LineCount() && len(ix.LookupIDs(d.Name)) == 1 && len(redact.Find(body(f, d))) == 0 {
				p.functions = append(p.functions, d)
				p.uri[d.ID], p.body[d.ID] = f.URI(), body(f, d)
			}
		}
	}
	slices.SortFunc(p.files, func(a, b string) int { return size[b] - size[a] })
	random.Shuffle(len(p.functions), func(i, j int) { p.functions[i], p.functions[j] = p.functions[j], p.functions[i] })
	return p
}

func body(f workspace.FileHandle, d index.Def) string {
	return f.Raw().Slice(edits.Span{Start: f.Raw().LineStart(d.StartLine - 1), End: f.Raw().LineEnd(d.EndLine - 1)})
}

func textOf(messages []model.Message) string {
	var out strings.Builder
	for _, m := range messages {
		out.WriteString(m.Text.String() + "\n")
	}
	return out.String()
}

// holdsFunction reports whether a prompt has every line of a function, with line numbers or without.
func holdsFunction(prompt, body string) bool {
	for line := range strings.Lines(body) {
		if !strings.Contains(prompt, strings.TrimSpace(line)) {
			return false
		}
	}
	return true
}

// TestConversationsOfClones prints what make conversations measures, on the clones in CONVERSATIONS:
// fifteen follow-ups of five questions in each with the function still shown, the share of the
// prompt before that is kept as prefix, prompts within the bound of three windows, and selections
// up to the window. It fails where a bar is missed.
func TestConversationsOfClones(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("CONVERSATIONS"), "*"))
	if os.Getenv("CONVERSATIONS") == "" || len(dirs) == 0 {
		t.Skip("CONVERSATIONS names no folder of clones")
	}
	random := rand.New(rand.NewPCG(52, 7))
	group := run.NewGroup(context.Background(), func(p *run.Panic) { t.Errorf("%v\n%s", p, p.Stack) })
	defer group.Close()
	followUps := []string{"why?", "and for an empty input?", "what calls it?"}
	for _, dir := range dirs {
		p := openProject(t, group, dir, random)
		if len(p.functions) < 5 {
			continue
		}
		shown, asked, kept, within, prompts, anew := 0, 0, 100.0, 0, 0, map[int]int{}
		for _, window := range []int{16000, 32000, 128000} {
			fast := assisttest.Replies("It does what its name says.")
			lanes := sized{assisttest.Lanes{model.Fast: fast}, window}
			engine := assist.New(assist.Deps{Deps: core.Deps{Models: lanes, Group: group}})
			cfg, _ := lanes.Config(model.Fast)
			for n, d := range p.functions[:5] {
				var before []model.Message
				for i, question := range append([]string{fmt.Sprintf("what does %s do?", d.Name)}, followUps...) {
					got, err := engine.Asker.Ask(t.Context(), p.session.Snapshot(), ask.Request{Question: question, Place: core.Place{URI: p.uri[d.ID]}, Thread: fmt.Sprint(n)})
					if err != nil {
						t.Fatalf("%s: %s: %v", filepath.Base(dir), question, err)
					}
					all := fast.Requests()
					req := all[len(all)-1]
					if prompts++; model.Count(cfg, req) <= model.Room(cfg, req.MaxOutputTokens) {
						within++
					}
					if i > 0 {
						if asked++; holdsFunction(textOf(req.Input), p.body[d.ID]) {
							shown++
						} else {
							t.Logf("%s, %d: %q after %s does not hold it", filepath.Base(dir), window, question, d.Name)
						}
						same := 0
						for same < min(len(before), len(req.Input)) && before[same] == req.Input[same] {
							same++
						}
						share := 100 * float64(len(textOf(before[:same]))) / float64(len(textOf(before)))
						if strings.Contains(got.From.Reason, "began anew") {
							anew[window]++
						} else {
							kept = min(kept, share)
						}
					}
					before = req.Input
				}
			}
		}
		whole, refused := 0, 0
		lanes := sized{assisttest.Lanes{model.Fast: assisttest.Replies("x")}, 128000}
		engine := assist.New(assist.Deps{Deps: core.Deps{Models: lanes, Group: group}})
		for _, uri := range p.files[:min(40, len(p.files))] {
			f, err := p.session.Snapshot().File(uri)
			if err != nil || model.Sized(model.ModelConfig{Model: "fake"}, f.Content()) > 110000 {
				continue
			}
			snap := p.session.Update(workspace.Opened{URI: uri, Version: 1, Text: f.Raw()})
			e, err := engine.Editor.Estimate(t.Context(), snap, edit.Request{URI: uri, Span: edits.Span{End: f.Raw().Len()}, Instruction: "say what each function does", Lane: model.Fast})
			p.session.Update(workspace.Closed{URI: uri})
			if err == nil && e.Tokens*4 > f.Raw().Len()/2 && e.CostUSD > 0 {
				whole++
			} else {
				refused++
				t.Logf("%s: %d tokens, %v", uri, e.Tokens, err)
			}
		}
		t.Logf("%s: the function is shown in %d of %d follow-ups; at least %.1f %% of the prompt before is kept, but for new beginnings (%v of 15 at a window of so many tokens); %d of %d prompts within the bound; %d of %d files shown whole and priced",
			filepath.Base(dir), shown, asked, kept, anew, within, prompts, whole, whole+refused)
		if shown*15 < asked*13 || kept < 95 || within < prompts || refused > 0 {
			t.Errorf("%s: a bar is missed", filepath.Base(dir))
		}
	}
}
