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
