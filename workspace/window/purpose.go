package window

import "slices"

// A Source finds what a window may show, the most useful first.
type Source func(*fill) []Fragment

// A share is a source and how much it may take of what the sources before it left, in percent.
type share struct {
	of      Source
	percent int
}

// A purpose says what the window of a use case shows, and how large it may be.
type purpose struct {
	budget  int     // the default, in tokens
	region  int     // the share of the budget for the text around the place, in percent
	whole   int     // the share within which the whole document is shown, in percent
	sources []share // in the order in which they are asked
	alone   []share // the sources for a small model

	typing   bool // windows follow each other while the user types
	numbered bool // lines are shown with their numbers, since answers name places
	replaces bool // the answer replaces the selection, so that is shown whole or refused
	outlines bool // files that the words name are shown by their signatures
	ranked   bool // files are shown in the order in which they were found
}

// The sources of the purposes. docs/performance.md, "What windows hold", says what is known of
// their use.
var (
	// A completion shows what was found to help a real model, and of other files nothing where
	// the file itself explains the names before the cursor.
	completion = []share{{named, 100}, {diagnostics, 8}, {recentEdits, 8}, {declared, 33}, {unexplained, 100}}
	nextEdit   = []share{{diagnostics, 8}, {everyEdit, 8}, {ownFile, 10}, {declared, 33}, {users, 60}, {resembling, 100}}
	said       = []share{{rules, 10}, {diagnostics, 8}, {recentEdits, 8}, {named, 100}, {hinted, 33}, {around, 50}, {ownFile, 25}, {searched, 15}}
	change     = slices.Concat(said, []share{{related, 75}, {wholeFunctions(resembling), 100}})
	question   = slices.Concat(said, []share{{folders, 10}, {related, 60}, {found, 85}, {wholeFunctions(resembling), 100}})
	followed   = []share{{around, 50}, {named, 100}, {found, 85}} // what a further question needs
	functions  = []share{{named, 100}, {found, 100}, {related, 100}}

	edit = purpose{budget: 8_000, region: 34, whole: 40, sources: change, alone: []share{{around, 50}, {ownFile, 25}, {declared, 100}}, replaces: true}
	ask  = purpose{budget: 16_000, region: 20, whole: 25, sources: question, numbered: true}
)

// purposes are by name; "" is complete.
var purposes = map[string]purpose{
	"complete":  {budget: 3_000, region: 34, whole: 45, sources: completion, typing: true},
	"next_edit": {budget: 4_000, region: 45, whole: 50, sources: nextEdit, typing: true},
	"edit":      edit,
	"fix":       edit,
	"document":  edit,
	"test":      edit,
	"ask":       ask,
	"explain":   ask,
	"debug":     {budget: 16_000, region: 20, whole: 25, sources: question},
	"review":    {budget: 16_000, region: 50, whole: 60, sources: change, numbered: true},
	"plan":      {budget: 32_000, region: 10, whole: 15, sources: question, outlines: true},
	"step":      {budget: 16_000, region: 10, whole: 90, sources: change},
	"context":   {budget: 2_000, region: 34, whole: 40, sources: functions, ranked: true},
	"commit":    {budget: 4_000, region: 34, whole: 40, sources: []share{{rules, 10}, {named, 100}}},
}

func purposeOf(name string, alone bool) purpose {
	p, ok := purposes[name]
	if !ok {
		p = purposes["complete"]
	}
	if alone {
		p.sources = p.alone
	}
	return p
}

// Purposes returns the names of all purposes.
func Purposes() []string {
	return []string{"complete", "next_edit", "edit", "fix", "document", "test", "ask", "explain", "debug", "review", "plan", "step", "context", "commit"}
}

// DefaultBudget returns the budget in tokens of a purpose if none is configured. For "ask_max"
// it returns how far the budget of a question grows for what its words name.
func DefaultBudget(name string) int {
	if name == "ask_max" {
		return 64_000
	}
	return purposeOf(name, false).budget
}
