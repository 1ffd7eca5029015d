package model_test

import (
	"strings"
	"testing"

	"tandem/model"
)

func TestChoose(t *testing.T) {
	five := []string{"a/a.go", "a/b.go", "b/c.go", "c/d.go", "d/e.go"}
	rows := []struct {
		name   string
		s      model.Signals
		lane   model.Lane
		reason string // part of it
	}{
		// The fast lane: work that can be checked in half a minute.
		{"single-file edit", model.Signals{Purpose: model.Edit, Instruction: "rename this variable to total", Paths: []string{"sum.go"}}, model.Fast, "one file"},
		{"boilerplate", model.Signals{Purpose: model.Edit, Instruction: "write getters for these fields", Paths: []string{"user.go"}}, model.Fast, "one file"},
		{"interface boilerplate", model.Signals{Purpose: model.Edit, Instruction: "implement io.Reader on this type", Paths: []string{"r.go"}}, model.Fast, "one file"},
		{"UI tweak", model.Signals{Purpose: model.Edit, Instruction: "make the button blue and add 4px of padding", Paths: []string{"ui/button.tsx"}}, model.Fast, "one file"},
		{"UI tweak on a login button", model.Signals{Purpose: model.Edit, Instruction: "change the colour of the sign-in button", Paths: []string{"ui/header.tsx"}}, model.Fast, "one file"},
		{"regex", model.Signals{Purpose: model.Edit, Instruction: "write a regex that matches ISO dates", Paths: []string{"date.ts"}}, model.Fast, "one file"},
		{"syntax clean-up", model.Signals{Purpose: model.Edit, Instruction: "fix the syntax error", Paths: []string{"main.py"}}, model.Fast, "one file"},
		{"formatting", model.Signals{Purpose: model.Edit, Instruction: "reformat this table", Paths: []string{"README.md"}}, model.Fast, "one file"},
		{"which file owns X", model.Signals{Purpose: model.Ask, Instruction: "which file owns the retry policy?"}, model.Fast, "question"},
		{"short question about auth", model.Signals{Purpose: model.Ask, Instruction: "where is auth handled?"}, model.Fast, "question"},
		{"plan revision", model.Signals{Purpose: model.Ask, Instruction: "shorten this plan to three points"}, model.Fast, "question"},
		{"explain a function", model.Signals{Purpose: model.Ask, Instruction: "what does this function return for an empty list?"}, model.Fast, "question"},
		{"two files", model.Signals{Purpose: model.Edit, Instruction: "rename Foo to Bar", Paths: []string{"a.go", "a_test.go"}}, model.Fast, "2 files"},
		{"four files", model.Signals{Purpose: model.Edit, Paths: five[:4]}, model.Fast, "4 files"},
		{"six steps", model.Signals{Purpose: model.Edit, Instruction: "1. a\n2. b\n3. c\n4. d\n5. e\n6. f"}, model.Fast, "one file"},
		{"window just fits", model.Signals{Purpose: model.Ask, WindowTokens: 128000, FastWindow: 128000}, model.Fast, "question"},
		{"small review", model.Signals{Purpose: model.Review, Paths: []string{"a.go"}}, model.Fast, "review"},
		{"review of many files", model.Signals{Purpose: model.Review, Paths: five}, model.Fast, "review"},
		{"documentation", model.Signals{Purpose: model.Edit, Instruction: "document this function", Paths: []string{"x.go"}}, model.Fast, "one file"},
		{"one debug", model.Signals{Purpose: model.Edit, Instruction: "this test fails with index out of range, fix it", Paths: []string{"x_test.go"}}, model.Fast, "one file"},
		{"debug in one service", model.Signals{Purpose: model.Edit, Instruction: "debug this crash", Paths: []string{"services/mail/send.go", "services/mail/queue.go"}}, model.Fast, "2 files"},
		{"author is not auth", model.Signals{Purpose: model.Edit, Instruction: "show the author's name", Paths: []string{"authors/author.go"}}, model.Fast, "one file"},
		{"tokenizer is not a token", model.Signals{Purpose: model.Edit, Instruction: "let the tokenizer skip blanks", Paths: []string{"tokenizer/split.go"}}, model.Fast, "one file"},
		{"a comment about passwords", model.Signals{Purpose: model.Edit, Instruction: "fix the typo in the comment about passwords", Paths: []string{"doc.go"}}, model.Fast, "one file"},
		{"library migration in one file", model.Signals{Purpose: model.Edit, Instruction: "use slices.Sort here", Paths: []string{"x.go"}}, model.Fast, "one file"},
		{"a table in a document", model.Signals{Purpose: model.Edit, Instruction: "align the columns of this markdown", Paths: []string{"x.md"}}, model.Fast, "one file"},
		{"asking about a migration", model.Signals{Purpose: model.Ask, Instruction: "what does the last schema migration do?"}, model.Fast, "question"},

		// The deep lane: work that the fast one gets wrong while it looks right.
		{"five files", model.Signals{Purpose: model.Edit, Paths: five}, model.Deep, "5 files"},
		{"files by name", model.Signals{Purpose: model.Edit, Instruction: "move the constants of a.go, b.go, c.go, d.go and e.go"}, model.Deep, "5 files"},
		{"everywhere", model.Signals{Purpose: model.Edit, Instruction: "rename the config package everywhere"}, model.Deep, "whole codebase"},
		{"all callers", model.Signals{Purpose: model.Edit, Instruction: "add a context parameter and update all callers"}, model.Deep, "whole codebase"},
		{"steps in a list", model.Signals{Purpose: model.Edit, Instruction: "1. a\n2. b\n3. c\n4. d\n5. e\n6. f\n7. g\n8. h"}, model.Deep, "8 steps"},
		{"bullets", model.Signals{Purpose: model.Ask, Instruction: "- a\n- b\n- c\n- d\n- e\n- f\n- g"}, model.Deep, "7 steps"},
		{"steps in a sentence", model.Signals{Purpose: model.Edit, Instruction: "parse it, then sort it, then group it, then count it, then print it, then log it, then exit"}, model.Deep, "7 steps"},
		{"window too large", model.Signals{Purpose: model.Ask, WindowTokens: 128001, FastWindow: 128000}, model.Deep, "128001 tokens"},
		{"400k of context", model.Signals{Purpose: model.Review, WindowTokens: 300000, FastWindow: 120000}, model.Deep, "300000 tokens"},
		{"auth path", model.Signals{Purpose: model.Edit, Instruction: "simplify this", Paths: []string{"internal/auth/session.go"}}, model.Deep, "internal/auth/session.go is security-sensitive"},
		{"auth in a file name", model.Signals{Purpose: model.Edit, Paths: []string{"web/auth_middleware.py"}}, model.Deep, "security-sensitive"},
		{"camel case path", model.Signals{Purpose: model.Edit, Paths: []string{"src/PasswordReset.java"}}, model.Deep, "security-sensitive"},
		{"crypto path", model.Signals{Purpose: model.Edit, Paths: []string{"pkg/crypto/aes.go"}}, model.Deep, "security-sensitive"},
		{"review of security code", model.Signals{Purpose: model.Review, Paths: []string{"iam/roles.tf"}}, model.Deep, "security-sensitive"},
		{"path named in words", model.Signals{Purpose: model.Edit, Instruction: "shorten pkg/oauth/flow.go"}, model.Deep, "security-sensitive"},
		{"password words", model.Signals{Purpose: model.Edit, Instruction: "hash the password before storing it"}, model.Deep, `"password"`},
		{"jwt", model.Signals{Purpose: model.Edit, Instruction: "verify the JWT expiry"}, model.Deep, `"jwt"`},
		{"sql injection", model.Signals{Purpose: model.Edit, Instruction: "is there an SQL injection here? fix it"}, model.Deep, `"injection"`},
		{"encryption", model.Signals{Purpose: model.Edit, Instruction: "encrypt the cache on disk"}, model.Deep, `"encrypt"`},
		{"permissions", model.Signals{Purpose: model.Edit, Instruction: "add permission checks to the handlers"}, model.Deep, `"permission checks"`},
		{"long security question", model.Signals{Purpose: model.Ask, Instruction: "explain in detail how credentials travel from the client to the vault"}, model.Deep, `"credentials"`},
		{"payment", model.Signals{Purpose: model.Edit, Instruction: "retry a failed payment"}, model.Deep, `"payment"`},
		{"migration words", model.Signals{Purpose: model.Edit, Instruction: "write a migration that adds a column to users"}, model.Deep, "changes a database"},
		{"alter table", model.Signals{Purpose: model.Edit, Instruction: "ALTER TABLE users, add an index"}, model.Deep, "changes a database"},
		{"drop a column", model.Signals{Purpose: model.Edit, Instruction: "drop the legacy column"}, model.Deep, "changes a database"},
		{"backfill", model.Signals{Purpose: model.Edit, Instruction: "backfill created_at"}, model.Deep, "changes a database"},
		{"migration path", model.Signals{Purpose: model.Edit, Paths: []string{"db/migrations/0042_users.sql"}}, model.Deep, "database migration"},
		{"dated migration", model.Signals{Purpose: model.Edit, Paths: []string{"db/20260102030405_add_users.rb"}}, model.Deep, "database migration"},
		{"flyway", model.Signals{Purpose: model.Edit, Paths: []string{"src/main/resources/V2__users.sql"}}, model.Deep, "database migration"},
		{"prisma schema", model.Signals{Purpose: model.Edit, Paths: []string{"prisma/schema.prisma"}}, model.Deep, "database migration"},
		{"debugging across services", model.Signals{Purpose: model.Ask, Instruction: "debug why requests time out between the services"}, model.Deep, "across services"},
		{"microservices", model.Signals{Purpose: model.Edit, Instruction: "find the race condition in these microservices"}, model.Deep, "across services"},
		{"services by path", model.Signals{Purpose: model.Edit, Instruction: "this crashes, fix it", Paths: []string{"services/mail/a.go", "services/user/b.go"}}, model.Deep, "across 2 services"},
		{"distributed deadlock", model.Signals{Purpose: model.Ask, Instruction: "root cause of this distributed deadlock"}, model.Deep, "across services"},

		// The user overrules, and the reason names what is not configured.
		{"asked for deep", model.Signals{Purpose: model.Edit, Override: model.Deep, Instruction: "fix the typo"}, model.Deep, "you asked"},
		{"asked for fast", model.Signals{Purpose: model.Edit, Override: model.Fast, Paths: five}, model.Fast, "you asked"},
		{"no deep model", model.Signals{Purpose: model.Edit, Paths: five, NoDeep: true}, model.Fast, "it touches 5 files, but no deep model is configured"},
		{"no fast model", model.Signals{Purpose: model.Ask, NoFast: true}, model.Deep, "no fast model"},
		{"a fast model for completions only", model.Signals{Purpose: model.Edit, FillOnly: true}, model.Deep, "only fills in code"},
		{"no model at all", model.Signals{Purpose: model.Ask, NoFast: true, NoDeep: true}, model.Fast, "question"},
	}
	if len(rows) < 60 {
		t.Errorf("only %d rows", len(rows))
	}
	for _, r := range rows {
		got := model.Choose(r.s)
		if got.Lane != r.lane || !strings.Contains(got.Reason, r.reason) {
			t.Errorf("%s: %s lane because %q, want %s because …%s…", r.name, got.Lane, got.Reason, r.lane, r.reason)
		}
	}
}
