package model

import (
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	five := []string{"a/a.go", "a/b.go", "b/c.go", "c/d.go", "d/e.go"}
	rows := []struct {
		name   string
		s      Signals
		lane   Lane
		reason string // part of it
	}{
		// The fast lane: work that can be checked in half a minute.
		{"single-file edit", Signals{Purpose: Edit, Instruction: "rename this variable to total", Paths: []string{"sum.go"}}, Fast, "one file"},
		{"boilerplate", Signals{Purpose: Edit, Instruction: "write getters for these fields", Paths: []string{"user.go"}}, Fast, "one file"},
		{"interface boilerplate", Signals{Purpose: Edit, Instruction: "implement io.Reader on this type", Paths: []string{"r.go"}}, Fast, "one file"},
		{"UI tweak", Signals{Purpose: Edit, Instruction: "make the button blue and add 4px of padding", Paths: []string{"ui/button.tsx"}}, Fast, "one file"},
		{"UI tweak on a login button", Signals{Purpose: Edit, Instruction: "change the colour of the sign-in button", Paths: []string{"ui/header.tsx"}}, Fast, "one file"},
		{"regex", Signals{Purpose: Edit, Instruction: "write a regex that matches ISO dates", Paths: []string{"date.ts"}}, Fast, "one file"},
		{"syntax clean-up", Signals{Purpose: Edit, Instruction: "fix the syntax error", Paths: []string{"main.py"}}, Fast, "one file"},
		{"formatting", Signals{Purpose: Edit, Instruction: "reformat this table", Paths: []string{"README.md"}}, Fast, "one file"},
		{"which file owns X", Signals{Purpose: Ask, Instruction: "which file owns the retry policy?"}, Fast, "question"},
		{"short question about auth", Signals{Purpose: Ask, Instruction: "where is auth handled?"}, Fast, "question"},
		{"plan revision", Signals{Purpose: Ask, Instruction: "shorten this plan to three points"}, Fast, "question"},
		{"explain a function", Signals{Purpose: Ask, Instruction: "what does this function return for an empty list?"}, Fast, "question"},
		{"two files", Signals{Purpose: Edit, Instruction: "rename Foo to Bar", Paths: []string{"a.go", "a_test.go"}}, Fast, "2 files"},
		{"four files", Signals{Purpose: Edit, Paths: five[:4]}, Fast, "4 files"},
		{"six steps", Signals{Purpose: Edit, Instruction: "1. a\n2. b\n3. c\n4. d\n5. e\n6. f"}, Fast, "one file"},
		{"window just fits", Signals{Purpose: Ask, WindowTokens: 128000, FastWindow: 128000}, Fast, "question"},
		{"small review", Signals{Purpose: Review, Paths: []string{"a.go"}}, Fast, "review"},
		{"review of many files", Signals{Purpose: Review, Paths: five}, Fast, "review"},
		{"documentation", Signals{Purpose: Edit, Instruction: "document this function", Paths: []string{"x.go"}}, Fast, "one file"},
		{"one debug", Signals{Purpose: Edit, Instruction: "this test fails with index out of range, fix it", Paths: []string{"x_test.go"}}, Fast, "one file"},
		{"debug in one service", Signals{Purpose: Edit, Instruction: "debug this crash", Paths: []string{"services/mail/send.go", "services/mail/queue.go"}}, Fast, "2 files"},
		{"author is not auth", Signals{Purpose: Edit, Instruction: "show the author's name", Paths: []string{"authors/author.go"}}, Fast, "one file"},
		{"tokenizer is not a token", Signals{Purpose: Edit, Instruction: "speed up the tokenizer", Paths: []string{"tokenizer/split.go"}}, Fast, "one file"},
		{"a comment about passwords", Signals{Purpose: Edit, Instruction: "fix the typo in the comment about passwords", Paths: []string{"doc.go"}}, Fast, "one file"},
		{"library migration in one file", Signals{Purpose: Edit, Instruction: "use slices.Sort here", Paths: []string{"x.go"}}, Fast, "one file"},
		{"a table in a document", Signals{Purpose: Edit, Instruction: "align the columns of this markdown", Paths: []string{"x.md"}}, Fast, "one file"},
		{"asking about a migration", Signals{Purpose: Ask, Instruction: "what does the last schema migration do?"}, Fast, "question"},

		// The deep lane: work that the fast one gets wrong while it looks right.
		{"five files", Signals{Purpose: Edit, Paths: five}, Deep, "5 files"},
		{"files by name", Signals{Purpose: Edit, Instruction: "move the constants of a.go, b.go, c.go, d.go and e.go"}, Deep, "5 files"},
		{"everywhere", Signals{Purpose: Edit, Instruction: "rename the config package everywhere"}, Deep, "whole codebase"},
		{"all callers", Signals{Purpose: Edit, Instruction: "add a context parameter and update all callers"}, Deep, "whole codebase"},
		{"steps in a list", Signals{Purpose: Edit, Instruction: "1. a\n2. b\n3. c\n4. d\n5. e\n6. f\n7. g\n8. h"}, Deep, "8 steps"},
		{"bullets", Signals{Purpose: Ask, Instruction: "- a\n- b\n- c\n- d\n- e\n- f\n- g"}, Deep, "7 steps"},
		{"steps in a sentence", Signals{Purpose: Edit, Instruction: "parse it, then sort it, then group it, then count it, then print it, then log it, then exit"}, Deep, "7 steps"},
		{"window too large", Signals{Purpose: Ask, WindowTokens: 128001, FastWindow: 128000}, Deep, "128001 tokens"},
		{"400k of context", Signals{Purpose: Review, WindowTokens: 300000, FastWindow: 120000}, Deep, "300000 tokens"},
		{"auth path", Signals{Purpose: Edit, Instruction: "simplify this", Paths: []string{"internal/auth/session.go"}}, Deep, "internal/auth/session.go is security-sensitive"},
		{"auth in a file name", Signals{Purpose: Edit, Paths: []string{"web/auth_middleware.py"}}, Deep, "security-sensitive"},
		{"camel case path", Signals{Purpose: Edit, Paths: []string{"src/PasswordReset.java"}}, Deep, "security-sensitive"},
		{"crypto path", Signals{Purpose: Edit, Paths: []string{"pkg/crypto/aes.go"}}, Deep, "security-sensitive"},
		{"review of security code", Signals{Purpose: Review, Paths: []string{"iam/roles.tf"}}, Deep, "security-sensitive"},
		{"path named in words", Signals{Purpose: Edit, Instruction: "shorten pkg/oauth/flow.go"}, Deep, "security-sensitive"},
		{"password words", Signals{Purpose: Edit, Instruction: "hash the password before storing it"}, Deep, `"password"`},
		{"jwt", Signals{Purpose: Edit, Instruction: "verify the JWT expiry"}, Deep, `"jwt"`},
		{"sql injection", Signals{Purpose: Edit, Instruction: "is there an SQL injection here? fix it"}, Deep, `"injection"`},
		{"encryption", Signals{Purpose: Edit, Instruction: "encrypt the cache on disk"}, Deep, `"encrypt"`},
		{"permissions", Signals{Purpose: Edit, Instruction: "add permission checks to the handlers"}, Deep, `"permission checks"`},
		{"long security question", Signals{Purpose: Ask, Instruction: "explain in detail how credentials travel from the client to the vault"}, Deep, `"credentials"`},
		{"payment", Signals{Purpose: Edit, Instruction: "retry a failed payment"}, Deep, `"payment"`},
		{"migration words", Signals{Purpose: Edit, Instruction: "write a migration that adds a column to users"}, Deep, "changes a database"},
		{"alter table", Signals{Purpose: Edit, Instruction: "ALTER TABLE users, add an index"}, Deep, "changes a database"},
		{"drop a column", Signals{Purpose: Edit, Instruction: "drop the legacy column"}, Deep, "changes a database"},
		{"backfill", Signals{Purpose: Edit, Instruction: "backfill created_at"}, Deep, "changes a database"},
		{"migration path", Signals{Purpose: Edit, Paths: []string{"db/migrations/0042_users.sql"}}, Deep, "database migration"},
		{"dated migration", Signals{Purpose: Edit, Paths: []string{"db/20260102030405_add_users.rb"}}, Deep, "database migration"},
		{"flyway", Signals{Purpose: Edit, Paths: []string{"src/main/resources/V2__users.sql"}}, Deep, "database migration"},
		{"prisma schema", Signals{Purpose: Edit, Paths: []string{"prisma/schema.prisma"}}, Deep, "database migration"},
		{"debugging across services", Signals{Purpose: Ask, Instruction: "debug why requests time out between the services"}, Deep, "across services"},
		{"microservices", Signals{Purpose: Edit, Instruction: "find the race condition in these microservices"}, Deep, "across services"},
		{"services by path", Signals{Purpose: Edit, Instruction: "this crashes, fix it", Paths: []string{"services/mail/a.go", "services/user/b.go"}}, Deep, "across 2 services"},
		{"distributed deadlock", Signals{Purpose: Ask, Instruction: "root cause of this distributed deadlock"}, Deep, "across services"},

		// The user overrules, and the reason names what is not configured.
		{"asked for deep", Signals{Purpose: Edit, Override: Deep, Instruction: "fix the typo"}, Deep, "you asked"},
		{"asked for fast", Signals{Purpose: Edit, Override: Fast, Paths: five}, Fast, "you asked"},
		{"no deep model", Signals{Purpose: Edit, Paths: five, NoDeep: true}, Fast, "it touches 5 files, but no deep model is configured"},
		{"no fast model", Signals{Purpose: Ask, NoFast: true}, Deep, "no fast model"},
		{"a fast model for completions only", Signals{Purpose: Edit, FillOnly: true}, Deep, "only fills in code"},
		{"no model at all", Signals{Purpose: Ask, NoFast: true, NoDeep: true}, Fast, "question"},
	}
	if len(rows) < 60 {
		t.Errorf("only %d rows", len(rows))
	}
	for _, r := range rows {
		got := Choose(r.s)
		if got.Lane != r.lane || !strings.Contains(got.Reason, r.reason) {
			t.Errorf("%s: %s lane because %q, want %s because …%s…", r.name, got.Lane, got.Reason, r.lane, r.reason)
		}
	}
}
