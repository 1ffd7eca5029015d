package prompt

import (
	"fmt"
	"testing"

	"tandem/edits"
	"tandem/model"
)

// backups is a program with an interface of six implementations, a function that eight files use,
// one that one file uses, and a folder of commands.
func backups() map[string]string {
	out := map[string]string{
		"backend/backend.go":         "package backend\n\ntype Backend interface {\n\tSaveBlob(b []byte) error\n\tLoadBlob(id string) ([]byte, error)\n}\n",
		"repo/index.go":              "package repo\n\n// MergeIndexes merges.\nfunc MergeIndexes(a, b int) int { return a + b }\n\nfunc parseSize(s string) int { return len(s) }\n\nvar one = parseSize(\"1\")\n",
		"internal/auth/session.go":   "package auth\n\nfunc Session() int { return 1 }\n",
		"db/migrations/0003_ids.sql": "alter table x add y int;\n",
		"ui/button.tsx":              "export const Button = () => <button/>\n",
	}
	for i, kind := range []string{"local", "sftp", "s3", "azure", "gs", "mem"} {
		out["backend/"+kind+"/"+kind+".go"] = fmt.Sprintf("package %s\n\ntype Store%d struct{}\n\nfunc (Store%d) SaveBlob(b []byte) error { return nil }\nfunc (Store%d) LoadBlob(id string) ([]byte, error) { return nil, nil }\n", kind, i, i, i)
	}
	for i := range 8 {
		out[fmt.Sprintf("commands/c%d.go", i)] = fmt.Sprintf("package commands\n\nimport \"x/repo\"\n\nvar v%d = repo.MergeIndexes(1, %d)\n", i, i)
	}
	return out
}

// asked are requests with the lane that a person who knows both models gives them.
var asked = []struct {
	purpose model.Purpose
	path    string
	words   string
	lane    model.Lane
}{
	{model.Edit, "backend/backend.go", "add a Stat method and implement it in every backend", model.Deep},
	{model.Edit, "backend/backend.go", "all backends should return a typed error when the blob is missing", model.Deep},
	{model.Edit, "repo/index.go", "make this cache lock-free", model.Deep},
	{model.Ask, "repo/index.go", "find the deadlock", model.Deep},
	{model.Edit, "repo/index.go", "rename MergeIndexes to CombineIndexes", model.Deep},
	{model.Edit, "repo/index.go", "rename parseSize to sizeOf", model.Fast},
	{model.Edit, "repo/index.go", "add a ctx parameter to MergeIndexes", model.Deep},
	{model.Edit, "repo/index.go", "use strconv here instead of the loop", model.Fast},
	{model.Edit, "internal/auth/session.go", "fix the typo in the comment", model.Fast},
	{model.Edit, "internal/auth/session.go", "expire sessions after an hour", model.Deep},
	{model.Edit, "db/migrations/0003_ids.sql", "reformat this file", model.Fast},
	{model.Edit, "db/migrations/0003_ids.sql", "make y not null", model.Deep},
	{model.Edit, "ui/button.tsx", "make the button blue", model.Fast},
	{model.Edit, "ui/button.tsx", "add a disabled prop", model.Fast},
	{model.Edit, "commands/c0.go", "add a --json flag", model.Fast},
	{model.Edit, "commands/c0.go", "give every command a --json flag", model.Deep},
	{model.Ask, "", "why do uploads hang when two clients prune at once?", model.Deep},
	{model.Ask, "", "where is the config file read?", model.Fast},
	{model.Ask, "repo/index.go", "what does this return for an empty index?", model.Fast},
	{model.Edit, "repo/index.go", "the merge is quadratic, make it n log n", model.Deep},
	{model.Edit, "repo/index.go", "reduce the allocations in this loop", model.Deep},
	{model.Edit, "repo/index.go", "handle the empty slice", model.Fast},
	{model.Edit, "repo/index.go", "write a doc comment for this function", model.Fast},
	{model.Edit, "repo/index.go", "return an error instead of panicking", model.Deep}, // what eight files call
	{model.Edit, "repo/index.go", "split this package into reading and writing", model.Deep},
	{model.Ask, "repo/index.go", "should the repository be an interface? what are the trade-offs?", model.Deep},
	{model.Edit, "repo/index.go", "sort the imports", model.Fast},
	{model.Edit, "repo/index.go", "translate the log messages to English", model.Fast},
	{model.Edit, "repo/index.go", "mach MergeIndexes threadsicher", model.Deep},
	{model.Edit, "repo/index.go", "korrigiere den Tippfehler", model.Fast},
	{model.Edit, "repo/index.go", "renomme la variable en total", model.Fast},
	{model.Edit, "repo/index.go", "修复这里的死锁", model.Deep},
	{model.Edit, "repo/index.go", "ajoute un test pour la liste vide", model.Fast},
	{model.Edit, "repo/index.go", "usa el paquete errors en todo el proyecto", model.Deep},
	{model.Edit, "repo/index.go", "store the user's password as a hash", model.Deep},
	{model.Edit, "repo/index.go", "extract these three lines into a helper", model.Fast},
	{model.Edit, "repo/index.go", "upload the packs concurrently, at most four at once", model.Deep},
	{model.Edit, "repo/index.go", "log how many packs were merged", model.Fast},
	{model.Edit, "repo/index.go", "replace the if chain by a switch", model.Fast},
	{model.Ask, "repo/index.go", "is there a data race in here?", model.Deep},
}

// TestRoutesAsAnExpertWould: of forty requests, at most four go to another lane than an expert
// gives them.
func TestRoutesAsAnExpertWould(t *testing.T) {
	b := newBench(t, lanes{model.Fast: replies("x"), model.Deep: replies("x")}, "package main\n", backups())
	right := 0
	for _, x := range asked {
		uri := ""
		if x.path != "" {
			uri = b.Session.Snapshot().Resolve(x.path)
		}
		at := edits.Span{Start: 20, End: 20}
		if x.path == "repo/index.go" {
			at = edits.Span{Start: 50, End: 50} // in MergeIndexes
		}
		got := b.maker.Route(b.Session.Snapshot(), x.purpose, "", x.words, uri, at)
		if got.Lane == x.lane {
			right++
			continue
		}
		t.Logf("%s: %s, %s", x.words, got.Lane, got.Reason)
	}
	if t.Logf("%d of %d", right, len(asked)); right < len(asked)-4 {
		t.Error("too many go to the wrong lane")
	}
}
