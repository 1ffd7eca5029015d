package complete

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/model"
	"tandem/model/local/localtest"
	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/rel"
	"tandem/workspace/run"
)

// suggested returns what the engine suggests to a user who is typing at the cursor, which is marked by |.
func suggested(t *testing.T, e *Engine, c source.Corpus, path, text string) string {
	t.Helper()
	return suggestedAs(t, e, c, path, text, Likely)
}

// suggestedAs is suggested with a certainty.
func suggestedAs(t *testing.T, e *Engine, c source.Corpus, path, text string, least Certainty) string {
	t.Helper()
	before, after, ok := strings.Cut(text, "|")
	if !ok {
		t.Fatal("no cursor")
	}
	return strings.Join(e.Suggest(context.Background(), c, &model.Fill{Path: path, Prefix: before, Suffix: after}, 1, least), "")
}

// handler returns one of a family of similar files.
func handler(name string) string {
	lower := strings.ToLower(name)
	return fmt.Sprintf(`package api

// Get%[1]s answers with one %[2]s.
func (s *Server) Get%[1]s(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("%[2]sID")
	%[2]s, err := s.store.%[1]s(r.Context(), id)
	if err != nil {
		s.fail(w, err, "%[2]s")
		return
	}
	s.metrics.Count("%[2]s.get")
	s.respond(w, %[2]s)
}
`, name, lower)
}

func handlers(names ...string) *localtest.Memory {
	files := map[string]string{}
	for _, n := range names {
		files["api/"+strings.ToLower(n)+".go"] = handler(n)
	}
	return localtest.New(files)
}

// TestCompletionAdaptsNames: a line of other files at the same place is suggested
// with the names of this file.
func TestCompletionAdaptsNames(t *testing.T) {
	c := handlers("Order", "Customer", "Invoice", "Payment")
	c.Write("api/store.go", "package api\n\nfunc (s *Store) Ticket(ctx context.Context, id string) (Ticket, error) { return s.tickets.find(ctx, id) }\n")
	whole := handler("Ticket")
	for _, line := range []string{
		"id := r.PathValue(\"ticketID\")",
		"ticket, err := s.store.Ticket(r.Context(), id)",
		"s.fail(w, err, \"ticket\")",
		"s.metrics.Count(\"ticket.get\")",
		"s.respond(w, ticket)",
	} {
		for typed, least := range map[int]Certainty{0: Possible, 3: Likely} {
			text := strings.Replace(whole, line, line[:typed]+"|", 1)
			got, _, _ := strings.Cut(suggestedAs(t, New(nil), c, "api/ticket.go", text, least), "\n")
			if got != line[typed:] {
				t.Errorf("for %q suggested %q, want %q", line[:typed], got, line[typed:])
			}
		}
	}
}

// TestNoSuggestionWithoutEvidence: without similar code there is no suggestion,
// whatever the input.
func TestNoSuggestionWithoutEvidence(t *testing.T) {
	c := handlers("Order", "Customer", "Invoice")
	for name, at := range map[string][2]string{
		"empty file":       {"api/new.go", "|"},
		"unknown language": {"x.zzz", "qwe rty |\n"},
		"nothing alike":    {"api/new.go", "package api\n\nvar zebra = |\n"},
		"binary":           {"api/new.go", "\x00\x01|\x02"},
		"huge line":        {"api/new.go", "package api\nvar x = \"" + strings.Repeat("a", 1<<20) + "|\"\n"},
		"large file":       {"api/new.go", strings.Repeat("1, 2, 3,\n", 1<<20) + "zebra |"},
	} {
		if got := suggested(t, New(nil), c, at[0], at[1]); got != "" {
			t.Errorf("%s: suggested %q", name, source.Clip(got, 80))
		}
	}
	if got := suggested(t, New(nil), localtest.New(nil), "a.go", handler("Order")+"|"); got != "" {
		t.Errorf("in an empty workspace suggested %q", got)
	}
}

// TestSecretsAreNotLearned: text that the corpus does not return is never
// suggested, nor is the former text of a file that is now secret.
func TestSecretsAreNotLearned(t *testing.T) {
	c := handlers("Order", "Customer", "Invoice", "Payment")
	e := New(nil)
	text := strings.Replace(handler("Ticket"), "s.metrics.Count(\"ticket.get\")", "|", 1)
	if got := suggested(t, e, c, "api/ticket.go", text); !strings.HasPrefix(got, "s.metrics.Count") {
		t.Fatalf("suggested %q before", got)
	}
	for path := range c.Texts {
		c.Secret[path] = true
		c.Indexed = c.Indexed.With(index.Change{Path: rel.Must(path), Text: c.Texts[path] + "\n"})
	}
	if got := suggested(t, e, c, "api/ticket.go", text); strings.Contains(got, "metrics") {
		t.Errorf("suggested %q from files that are secret now", got)
	}
	c = handlers("Order", "Customer", "Invoice", "Payment")
	for path := range c.Texts {
		c.Secret[path] = true
	}
	if got := suggested(t, New(nil), c, "api/ticket.go", text); strings.Contains(got, "metrics") {
		t.Errorf("suggested %q from secret files", got)
	}
}

// TestLearnsChanges: a changed file is learned again without training on all
// files again.
func TestLearnsChanges(t *testing.T) {
	c := handlers("Order", "Customer", "Invoice", "Payment")
	e := New(nil)
	text := strings.Replace(handler("Ticket"), "s.metrics.Count(\"ticket.get\")", "|", 1)
	suggested(t, e, c, "api/ticket.go", text)
	base := e.store(c, "go").current().shards[0].seg
	for path, old := range c.Texts {
		c.Write(path, strings.ReplaceAll(old, "metrics.Count", "stats.Add"))
	}
	if got := suggested(t, e, c, "api/ticket.go", text); !strings.HasPrefix(got, "s.stats.Add(\"ticket.get\")") {
		t.Errorf("after the change suggested %q", got)
	}
	if e.store(c, "go").current().shards[0].seg != base {
		t.Error("everything was trained again for four changed files")
	}
}

// TestBackground: an engine with a group answers immediately and trains in the
// background.
func TestBackground(t *testing.T) {
	c := handlers("Order", "Customer", "Invoice", "Payment")
	group := run.NewGroup(context.Background(), nil)
	defer group.Close()
	e := New(group)
	text := strings.Replace(handler("Ticket"), "s.metrics.Count(\"ticket.get\")", "|", 1)
	suggested(t, e, c, "api/ticket.go", text)
	group.Wait()
	if got := suggested(t, e, c, "api/ticket.go", text); !strings.HasPrefix(got, "s.metrics.Count") {
		t.Errorf("suggested %q", got)
	}
}

// TestAnyInput: no text around the cursor breaks the engine, and every candidate
// is valid.
func TestAnyInput(t *testing.T) {
	c := handlers("Order", "Customer", "Invoice")
	e := New(nil)
	all := handler("Order")
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, len(all)).Draw(t, "from")
		to := rapid.IntRange(from, len(all)).Draw(t, "to")
		f := &model.Fill{Path: "api/new.go", Prefix: all[:from] + rapid.String().Draw(t, "typed"), Suffix: rapid.String().Draw(t, "tail") + all[to:]}
		for _, found := range e.Consider(c, f) {
			if found.Confidence < 0 || found.Confidence > 1 || strings.TrimSpace(found.Text) == "" {
				t.Fatalf("considered %q with %v", found.Text, found.Confidence)
			}
			if block := found.Block(); !strings.HasPrefix(block, found.Text) {
				t.Fatalf("the block %q does not begin with %q", block, found.Text)
			}
		}
	})
}

// TestBlankIsNoName: a value that nothing reads where the lines alike have a name does not replace
// that name where it is read.
func TestBlankIsNoName(t *testing.T) {
	function := func(name, got string) string {
		return "func " + name + "(t *testing.T) {\n\t" + got + ", err := run(c)\n\texpect(" + got + ", err, t)\n}\n\n"
	}
	c := localtest.New(map[string]string{"a_test.go": "package a\n\n" + function("One", "out") + function("Two", "out") + function("Three", "out")})
	text := "package a\n\nfunc Four(t *testing.T) {\n\t_, err := run(c)\n\tex|\n}\n"
	if got := suggestedAs(t, New(nil), c, "b_test.go", text, Possible); strings.Contains(got, "_") {
		t.Errorf("suggested %q", got)
	}
}
