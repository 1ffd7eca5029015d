package terms

import (
	"strings"
	"testing"
)

func TestPartsOfNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"getHTTPServer_v2": "get http server", "NewControllerExpectations": "new controller expectations", "x": "", "URL": "url", "__init__": "init", "snake_case_name": "snake case name", "XMLParser": "xml parser",
		"a_b": "", "ALL_CAPS": "all caps", "größeAlsOb": "größe als",
	} {
		var parts []string
		EachPart(name, func(part []byte) { parts = append(parts, string(part)) })
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestMarksAreClearedByReset(t *testing.T) {
	t.Parallel()
	var m Marks
	m.Reset(4)
	m.Add(2, 1)
	m.Add(2, 2)
	m.Max(1, 5)
	m.Max(1, 3)
	if m.Get(2) != 3 || m.Get(1) != 5 || m.Has(0) || m.Get(100) != 0 || len(m.IDs) != 2 {
		t.Errorf("%v %v %v", m.Get(2), m.Get(1), m.IDs)
	}
	m.Reset(4)
	if m.Has(2) || m.Get(1) != 0 || len(m.IDs) != 0 {
		t.Errorf("set after the reset: %v", m.IDs)
	}
	m.now = ^uint32(0)
	m.marks[3].stamp = 1
	if m.Reset(4); m.Has(3) {
		t.Error("a stamp of long ago counts again")
	}
}
