package returns

import (
	"math"
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
	found := At(localtest.New(declared), &model.Fill{Path: "a/a.go", Prefix: before, Suffix: after}).Candidates(nil)
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
	t.Parallel()
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

// TestReturnsInOpenCode: where the check, or the function too, is not closed yet, the return is
// as when it is.
func TestReturnsInOpenCode(t *testing.T) {
	t.Parallel()
	const head = "package a\n\nfunc f(ctx context.Context) (int, error) {\n\tif err := ctx.Err(); err != nil {\n\t\tret|\n"
	for _, rest := range []string{"", "}\n", "\treturn g()\n}\n", "\n\nfunc g() {\n\tif x {\n\t}\n}\n", "}\n\nfunc g() {}\n", "\t}\n}\n"} {
		if got, _ := best(t, head+rest); got != "urn 0, err" {
			t.Errorf("before %q: %q", rest, got)
		}
	}
}

// TestReturnsAsTheFunctionDoes: the function's other returns are followed, and a return is
// doubtful where the document wraps errors with messages.
func TestReturnsAsTheFunctionDoes(t *testing.T) {
	t.Parallel()
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

// TestElsewhere: no return is suggested where no error check ends.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"other language":  "text |\n",
		"other check":     "package a\n\nfunc f() error {\n\tif n != 0 {\n\t\t|\n\t}\n}\n",
		"not its end":     "package a\n\nfunc f() error {\n\tif err != nil {\n\t\t|\n\t\treturn nil\n\t}\n}\n",
		"code to the end": "package a\n\nfunc f() error {\n\tif err != nil {\n\t\treturn |nil\n\t}\n}\n",
	} {
		if got, _ := best(t, text); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestLearned: what is learned is a candidate as sure as the model is where it adds a
// message, and otherwise as often as other returns are as it is.
func TestLearned(t *testing.T) {
	t.Parallel()
	others := "\nfunc other() (int, error) {\n\tif err := g(); err != nil {\n\t\treturn 0, err\n\t}\n}\n"
	before, after, _ := strings.Cut(check("(int, error)", "")+others, "|")
	at := At(localtest.New(declared), &model.Fill{Path: "a/a.go", Prefix: before, Suffix: after})
	for _, c := range []struct {
		learned string
		sure    float64
	}{
		{`return 0, fmt.Errorf("f: %w", err)`, 0.9},
		{"return 0, err", 0.925}, // (3 * 0.9 + 1) / (3 + 1)
	} {
		found := at.Candidates([]Candidate{{c.learned, 0.9}})
		if found[0].Text != c.learned || math.Abs(found[0].Confidence-c.sure) > 1e-9 {
			t.Errorf("after %q was learned: %v", c.learned, found)
		}
	}
}

// TestDoubtful: where most returns of the document add a message, a plain one is only for who
// asks.
func TestDoubtful(t *testing.T) {
	t.Parallel()
	text := check("error", "")
	for range 3 {
		text += "\nfunc other() error {\n\tif err := g(); err != nil {\n\t\treturn fmt.Errorf(\"g: %w\", err)\n\t}\n}\n"
	}
	if got, sure := best(t, text); got != "return err" || sure >= 0.2 {
		t.Errorf("%q, %.2f sure", got, sure)
	}
}

// TestFits: a return with another number of results does not stand at an error check.
func TestFits(t *testing.T) {
	t.Parallel()
	before, after, _ := strings.Cut(check("(int, error)", ""), "|")
	at := At(localtest.New(declared), &model.Fill{Path: "a/a.go", Prefix: before, Suffix: after})
	for line, want := range map[string]bool{"return 1, err": true, "return g()": true, "return err": false, "return": true, "t.Fatal(err)": false} {
		if at.Fits(line) != want {
			t.Errorf("Fits(%q) is %v", line, !want)
		}
	}
	if !(Place{}).Fits("return err") {
		t.Error("elsewhere something does not fit")
	}
}
