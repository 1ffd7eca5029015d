package window

import (
	"slices"
	"strings"
	"testing"

	"tandem/edits"
)

// callTree has the forms in which code of one file calls functions of another. Each
// function has a name and a body that no other has.
var callTree = map[string]string{
	"go.mod":                   "module example.com/calls\n\ngo 1.26\n",
	"shop/order.go":            "package shop\n\nimport \"example.com/calls/money\"\n\ntype Order struct{ lines []int }\n\nfunc (o *Order) Total() int {\n\treturn money.Round(sumOf(o.lines)) + o.discount()\n}\n",
	"shop/sum.go":              "package shop\n\nfunc sumOf(lines []int) int {\n\tsumBody := len(lines)\n\treturn sumBody\n}\n\nfunc (o *Order) discount() int {\n\tdiscountBody := 3\n\treturn discountBody\n}\n",
	"money/money.go":           "package money\n\nfunc Round(cents int) int {\n\troundBody := cents\n\treturn roundBody\n}\n",
	"web/src/app.ts":           "import { parse as read } from './parser'\nimport { render } from './parts'\nimport * as text from './text'\nimport { connectAll } from '@web/link'\n\nexport class App {\n  first() {\n    return other(1)\n  }\n  start(input: string) {\n    const tree = read(input)\n    connectAll(tree)\n    return render(text.trimmed(tree)) + this.label()\n  }\n  label() {\n    const labelBody = 1\n    return labelBody\n  }\n}\n",
	"web/src/parser.ts":        "export function parse(input: string) {\n  const parseBody = input\n  return parseBody\n}\n",
	"web/src/parts/index.ts":   "export { render } from './render'\n",
	"web/src/parts/render.ts":  "export const render = (tree: string) => {\n  const renderBody = tree\n  return renderBody\n}\n",
	"web/src/text.ts":          "export function trimmed(tree: string) {\n  const trimmedBody = tree\n  return trimmedBody\n}\n",
	"packages/link/src/all.ts": "export function connectAll(tree: string) {\n  const connectBody = tree\n  return connectBody\n}\n",
	"web/src/app.test.ts":      "import { parse } from './parser'\n\ndescribe('app', () => {\n  it('parses', () => {\n    expect(parse('x')).toBe('x')\n  })\n})\n",
	"py/pkg/__init__.py":       "",
	"py/pkg/views.py":          "from .forms import check_form\nfrom pkg import storage as store\n\n\nclass View:\n    def post(self, request):\n        check_form(request)\n        store.keep(request)\n        return self.answer(request)\n\n    def answer(self, request):\n        answer_body = request\n        return answer_body\n",
	"py/pkg/forms.py":          "def check_form(request):\n    form_body = request\n    return form_body\n",
	"py/pkg/storage.py":        "def keep(request):\n    keep_body = request\n    return keep_body\n",
	"rs/src/main.rs":           "mod queue;\nuse crate::queue::fill;\n\nfn run_all() {\n    fill(3);\n}\n",
	"rs/src/queue.rs":          "pub fn fill(n: usize) -> usize {\n    let fill_body = n;\n    fill_body\n}\n",
	"java/shop/Cart.java":      "package shop;\n\npublic class Cart {\n    int count() {\n        return Lines.amount(this);\n    }\n}\n",
	"java/shop/Lines.java":     "package shop;\n\nclass Lines {\n    static int amount(Cart cart) {\n        int amountBody = 4;\n        return amountBody;\n    }\n}\n",
}

func TestEditsShowWhatIsCalled(t *testing.T) {
	s := openWindows(t, callTree, true)
	for _, c := range []struct{ file, at, path, body, reason string }{
		{"shop/order.go", "return money.Round", "shop/sum.go", "sumBody :=", "defines sumOf, used by Total"},
		{"shop/order.go", "return money.Round", "shop/sum.go", "discountBody :=", "defines discount, used by Total"},
		{"shop/order.go", "return money.Round", "money/money.go", "roundBody :=", "defines Round, used by Total"},
		{"web/src/app.ts", "const tree", "web/src/parser.ts", "parseBody =", "defines parse, used by start"},
		{"web/src/app.ts", "const tree", "web/src/parts/render.ts", "renderBody =", "defines render, used by start"},
		{"web/src/app.ts", "const tree", "web/src/text.ts", "trimmedBody =", "defines trimmed, used by start"},
		{"web/src/app.ts", "const tree", "packages/link/src/all.ts", "connectBody =", "defines connectAll, used by start"},
		{"web/src/app.test.ts", "expect(", "web/src/parser.ts", "parseBody =", "defines parse, used near web/src/app.test.ts:5"},
		{"py/pkg/views.py", "store.keep", "py/pkg/forms.py", "form_body =", "defines check_form, used by post"},
		{"py/pkg/views.py", "store.keep", "py/pkg/storage.py", "keep_body =", "defines keep, used by post"},
		{"rs/src/main.rs", "fill(3)", "rs/src/queue.rs", "let fill_body", "defines fill, used by run_all"},
		{"java/shop/Cart.java", "return Lines", "java/shop/Lines.java", "int amountBody", "defines Lines, used by count"},
	} {
		at := strings.Index(callTree[c.file], c.at)
		w, err := Build(t.Context(), s.Snapshot(), Request{URI: c.file, Purpose: "edit", Span: edits.Span{Start: at, End: at}})
		if err != nil {
			t.Fatal(err)
		}
		checkWindow(t, w)
		if !slices.ContainsFunc(w.Fragments, func(f Fragment) bool {
			return f.Path == c.path && strings.Contains(f.Text.String(), c.body) && strings.Contains(f.Reason, c.reason)
		}) {
			t.Errorf("%s, %s: %s does not show %q because it %q:\n%s", c.file, c.at, c.path, c.body, c.reason, describeWindow(w))
		}
	}
}
