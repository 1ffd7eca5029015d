package obvious

import (
	"slices"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/local/localtest"
)

var declared = map[string]string{
	"a/types.go": "package a\n\ntype Names []string\n\ntype Reader interface{ Read() }\n\ntype Point struct {\n\tX int\n\tY int\n}\n\ntype Stats struct {\n\tReadBytes int\n\tWriteBytes int\n\tOpenFiles int\n}\n\ntype Level int\n\nconst (\n\tLow Level = iota\n\tMid\n\tHigh\n)\n\nconst other = 1\n",
	"go.mod":     "module m\n",
}

// best is the first candidate at the cursor, which is marked by |.
func best(t *testing.T, text string) (string, float64) {
	t.Helper()
	before, after, ok := strings.Cut(text, "|")
	if !ok {
		t.Fatal("no cursor")
	}
	found := At(localtest.New(declared), nil, &model.Fill{Path: "a/a.go", Prefix: before, Suffix: after}).Candidates(nil)
	if len(found) == 0 {
		return "", 0
	}
	return found[0].Text, found[0].Confidence
}

// check is a function with the results given that checks an error.
func check(results, typed string) string {
	return "package a\n\nfunc f(ctx context.Context) " + results + " {\n\tif err := ctx.Err(); err != nil {\n\t\t" + typed + "|\n\t}\n\treturn g()\n}\n"
}

// TestReturns: a return has the zero values of the function's results, and the error.
func TestReturns(t *testing.T) {
	for _, c := range []struct{ results, typed, want string }{
		{"error", "", "return err"},
		{"error", "ret", "urn err"},
		{"error", "log", ""},
		{"", "", "return"},
		{"(int, string, bool, error)", "", `return 0, "", false, err`},
		{"(*Point, error)", "", "return nil, err"},
		{"(Point, error)", "", "return Point{}, err"},
		{"(p Point, err error)", "", "return p, err"},
		{"(Names, Reader, Level, error)", "", "return nil, nil, 0, err"},
		{"([]int, map[string]int, func(), chan int, [2]int, error)", "", "return nil, nil, nil, nil, [2]int{}, err"},
		{"(time.Duration, time.Time, error)", "return ", "0, time.Time{}, err"},
	} {
		if got, _ := best(t, check(c.results, c.typed)); got != c.want {
			t.Errorf("%s, %q typed: %q, want %q", c.results, c.typed, got, c.want)
		}
	}
}

// TestReturnsAsTheFunctionDoes: the function's other returns are followed, and a return is
// doubtful where the document wraps errors with messages.
func TestReturnsAsTheFunctionDoes(t *testing.T) {
	with := func(ret string) string {
		return "package a\n\nfunc f() (int, error) {\n\ta, aErr := g()\n\tif aErr != nil {\n\t\t" + ret + "\n\t}\n\tb, err := g()\n\tif err != nil {\n\t\t|\n\t}\n\treturn a + b, nil\n}\n"
	}
	for ret, want := range map[string]string{
		"return -1, aErr":             "return -1, err",
		"return 0, errors.Wrap(aErr)": "return 0, errors.Wrap(err)",
		"return a, fail(aErr, 1)":     "return a, fail(err, 1)",
	} {
		if got, sure := best(t, with(ret)); got != want || sure < 0.5 {
			t.Errorf("after %q: %q, %.2f sure, want %q", ret, got, sure, want)
		}
	}
	_, plain := best(t, with("return 0, aErr"))
	_, wrapped := best(t, with("return 0, fmt.Errorf(\"first: %w\", aErr)"))
	if wrapped >= 0.2 || plain < 0.5 {
		t.Errorf("%.2f sure after a plain return and %.2f after a wrapped error", plain, wrapped)
	}
}

// TestMissing: the next constant of the cases' type and the next field of a literal whose
// value the others or a name in scope show.
func TestMissing(t *testing.T) {
	for name, c := range map[string][2]string{
		"case":           {"package a\n\nfunc f(l Level) {\n\tswitch l {\n\tcase Low:\n\tcase Mid:\n\t|\n\t}\n}\n", "case High:"},
		"no case left":   {"package a\n\nfunc f(l Level) {\n\tswitch l {\n\tcase Low:\n\tcase Mid:\n\tcase High:\n\t|\n\t}\n}\n", ""},
		"field in scope": {"package a\n\nfunc f(x, y int) Point {\n\treturn Point{\n\t\tX: x,\n\t\t|\n\t}\n}\n", "Y: y,"},
		"field of value": {"package a\n\nfunc f(o Point) Point {\n\treturn Point{\n\t\tX: o.X,\n\t\t|\n\t}\n}\n", "Y: o.Y,"},
		"unknown value":  {"package a\n\nfunc f() Point {\n\treturn Point{\n\t\tX: 1,\n\t\t|\n\t}\n}\n", ""},
		"as the others":  {"package a\n\nvar all = []pair{\n\t{\n\t\tA: 1,\n\t\tB: true,\n\t},\n\t{\n\t\tA: 2,\n\t\tB: true,\n\t},\n\t{\n\t\tA: 3,\n\t\t|\n\t},\n}\n", "B: true,"},
		"other language": {"text |\n", ""},
		"half a file":    {"package a\n\nfunc f() error {\n\tif err != nil {\n\t\t|", ""},
	} {
		if got, _ := best(t, c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
}

// TestFits: a return with another number of results does not stand at an error check.
func TestFits(t *testing.T) {
	before, after, _ := strings.Cut(check("(int, error)", ""), "|")
	at := At(localtest.New(declared), nil, &model.Fill{Path: "a/a.go", Prefix: before, Suffix: after})
	for line, want := range map[string]bool{"return 1, err": true, "return g()": true, "return err": false, "return": true, "t.Fatal(err)": false} {
		if at.Fits(line) != want {
			t.Errorf("Fits(%q) is %v", line, !want)
		}
	}
	if !(Place{}).Fits("return err") {
		t.Error("elsewhere something does not fit")
	}
}

// TestContinued: a value is written as those above are: with the field's name where they
// have theirs, and with the next number.
func TestContinued(t *testing.T) {
	literal := func(above ...string) string {
		return "package a\n\nvar v = load()\n\nfunc f() Stats {\n\treturn Stats{\n\t\t" + strings.Join(above, "\n\t\t") + "\n\t\t|\n\t}\n}\n"
	}
	for _, c := range []struct {
		above []string
		want  string
	}{
		{[]string{"ReadBytes: v[0],", "WriteBytes: v[1],"}, "OpenFiles: v[2],"},
		{[]string{"ReadBytes: at(v, 4, 8),", "WriteBytes: at(v, 8, 12),"}, "OpenFiles: at(v, 12, 16),"},
		{[]string{`ReadBytes: get("read_bytes"),`, `WriteBytes: get("write_bytes"),`}, `OpenFiles: get("open_files"),`},
		{[]string{"ReadBytes: int(v.readBytes),", "WriteBytes: int(v.writeBytes),"}, "OpenFiles: int(v.openFiles),"},
	} {
		before, after, _ := strings.Cut(literal(c.above...), "|")
		found := At(localtest.New(declared), nil, &model.Fill{Path: "a/a.go", Prefix: before, Suffix: after}).Candidates(nil)
		if !slices.ContainsFunc(found, func(f Candidate) bool { return f.Text == c.want }) {
			t.Errorf("after %q: %v, want %q among them", c.above, found, c.want)
		}
	}
	for _, c := range [][3]string{{"", "v[1]", ""}, {"v[1]", "v[0]", ""}, {"v[1]", "w[2]", ""}, {"v[7]", "v[9]", "v[11]"}, {"", "v[0]", "v[1]"}, {"99999999999999999999", "99999999999999999999", ""}} {
		if got, ok := next(c[0], c[1]); ok != (c[2] != "") || ok && got != c[2] {
			t.Errorf("after %q and %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
	if got := renamed("x.Readily(read)", "Read", "Write"); len(got) != 1 || got[0] != "x.Readily(write)" {
		t.Errorf("renamed: %q", got)
	}
}
