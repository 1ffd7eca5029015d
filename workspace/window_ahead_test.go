package workspace

import (
	"testing"

	"tandem/workspace/run"
)

func TestAheadReturnsWhatTheWorkMade(t *testing.T) {
	group := run.NewGroup(t.Context(), nil)
	if got := runAhead(group, "work", func() int { return 7 }).wait(); got != 7 {
		t.Errorf("the work made %d", got)
	}
	group.Close()
	if got := runAhead(group, "work", func() int { return 8 }).wait(); got != 8 {
		t.Errorf("in a closed group the work made %d", got)
	}
}

func TestAheadPanicsWhereItIsAwaited(t *testing.T) {
	group := run.NewGroup(t.Context(), func(p *run.Panic) { t.Errorf("reported as well: %v", p) })
	defer group.Close()
	a := runAhead(group, "work", func() int { panic("broken") })
	p := run.Call("caller", func() { a.wait() })
	if inner, ok := p.Value.(*run.Panic); !ok || inner.Value != "broken" {
		t.Errorf("the caller got %v", p)
	}
}
