package window

// A purpose is what a window of one use case holds, and what it may cost.
type purpose struct {
	budget int // the default, in tokens
	region int // the share of the budget that the text around the place has, in percent
	whole  int // a file that fits into so many percent of the budget is shown whole
	own    int // the share that the rest of the document may have: outline, imports

	typing    bool // windows follow each other while the user types
	numbered  bool // every line has its number before it: answers name places
	replaces  bool // the answer replaces the selection, which is shown whole or not at all
	related   bool // bodies of what the place calls, of who calls it, and of its tests
	users     bool // code that uses what the user changed last
	documents bool // sections of documents count as much as code
	plan      bool // the map, and outlines in place of bodies
	files     bool // files that the words name are shown whole
	functions bool // nothing but code: whole functions, the likeliest first
}

// The purposes of a window; "" is complete.
var purposes = map[string]purpose{
	"complete":  {budget: 3_000, region: 34, whole: 45, own: 3, typing: true},
	"next_edit": {budget: 4_000, region: 45, whole: 50, own: 6, typing: true, users: true},
	"edit":      {budget: 8_000, region: 34, whole: 40, own: 16, replaces: true, related: true},
	"fix":       {budget: 8_000, region: 34, whole: 40, own: 16, replaces: true, related: true},
	"document":  {budget: 8_000, region: 34, whole: 40, own: 16, replaces: true, related: true},
	"test":      {budget: 8_000, region: 34, whole: 40, own: 16, replaces: true, related: true},
	"ask":       {budget: 16_000, region: 20, whole: 25, own: 12, numbered: true, related: true, documents: true},
	"explain":   {budget: 16_000, region: 20, whole: 25, own: 12, numbered: true, related: true, documents: true},
	"debug":     {budget: 16_000, region: 20, whole: 25, own: 12, related: true, documents: true},
	"review":    {budget: 16_000, region: 50, whole: 60, own: 16, numbered: true, related: true},
	"plan":      {budget: 32_000, region: 10, whole: 15, own: 6, related: true, documents: true, plan: true},
	"step":      {budget: 16_000, region: 10, whole: 90, own: 10, related: true, files: true},
	"context":   {budget: 2_000, region: 34, whole: 40, related: true, documents: true, functions: true},
	"commit":    {budget: 4_000, region: 34, whole: 40, own: 6},
}

func purposeOf(name string) purpose {
	if p, ok := purposes[name]; ok {
		return p
	}
	return purposes["complete"]
}

// Purposes are the names of what a window can be for.
func Purposes() []string {
	return []string{"complete", "next_edit", "edit", "fix", "document", "test", "ask", "explain", "debug", "review", "plan", "step", "context", "commit"}
}

// DefaultBudget is the budget in tokens of a purpose if none is configured.
// That of "ask_max" is how far the budget of a question grows for what its words
// name.
func DefaultBudget(name string) int {
	if name == "ask_max" {
		return 64_000
	}
	return purposeOf(name).budget
}
