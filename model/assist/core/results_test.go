package core_test

import (
	"context"
	"strings"
	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace"
	"testing"
)

// addsImports adds a line at the start of each file with a name in it.
type addsImports struct{ edits.Names }

func (addsImports) Imports(f edits.FileChange) []edits.Edit {
	if !strings.Contains(f.After, "lib.") {
		return nil
	}
	return []edits.Edit{{New: "import lib\n"}}
}

// TestImportsOfAResult: each file that lacks an import gets it, as one change of the file.
func TestImportsOfAResult(t *testing.T) {
	c := core.New(core.Deps{Names: func(context.Context, *workspace.Snapshot) edits.Names { return addsImports{} }})
	list := []edits.FileChange{assisttest.ChangeOf("a", "x\n", "x", "lib.x"), assisttest.ChangeOf("b", "x\n", "x", "y"), {Path: "c", Before: "lib.x\n", AbsentAfter: true}}
	got := c.WithImports(t.Context(), nil, list, core.WhenAsked)
	if got[0].After != "import lib\nlib.x\n" || got[1].After != "y\n" || got[2].After != "" || list[0].After != "lib.x\n" {
		t.Errorf("%+v", got)
	}
	for _, f := range got {
		if after, err := edits.Apply(edits.NewText(f.Before), f.Edits); err != nil || !f.AbsentAfter && after.String() != f.After {
			t.Errorf("the edits of %s make %q, %v", f.Path, after, err)
		}
	}
	if got := core.New(core.Deps{}).WithImports(t.Context(), nil, list, core.WhenAsked); len(got) != 3 || got[0].After != "lib.x\n" {
		t.Errorf("%+v", got)
	}
}
