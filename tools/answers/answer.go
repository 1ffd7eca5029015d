package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// formats are how models are asked to write edits.
var formats = []string{"search_replace", "apply_patch", "rewrite"}

// An answer is one that a model might give to a request for a change.
type answer struct {
	*file
	format string
	whole  bool // nothing is marked: a new text is one of the whole file
	kind   string
	meant  bool // it says plainly what is wanted
	text   string
}

// written is a change in the format: the lines old of the file become new.
func (a *answer) written(path string, old, new []string) string {
	switch a.format {
	case "search_replace":
		return path + "\n<<<<<<< SEARCH\n" + text(old) + "=======\n" + text(new) + ">>>>>>> REPLACE\n"
	case "apply_patch":
		var b strings.Builder
		b.WriteString("*** Begin Patch\n*** Update File: " + path + "\n@@\n")
		for _, l := range old {
			b.WriteString("-" + l + "\n")
		}
		for _, l := range new {
			b.WriteString("+" + l + "\n")
		}
		return b.String() + "*** End Patch\n"
	}
	return "```" + a.language().ending + "\n" + text(a.around(new)) + "```\n"
}

// around is a new text of what is asked for, in which the function's lines are new.
func (a *answer) around(function []string) []string {
	if !a.whole {
		return function
	}
	return slices.Concat(a.lines[:a.from], function, a.lines[a.to:])
}

func (a *answer) old() []string { return a.lines[a.from:a.to] }

func (a *answer) plain() string { return a.written(a.path, a.old(), a.function()) }

func indented(s, by string) string {
	return by + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+by) + "\n"
}

func mapped(lines []string, f func(i int, line string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = f(i, l)
	}
	return out
}

// other is the function with another change than the one that is meant: a draft.
func (a *answer) other() []string {
	out := slices.Clone(a.old())
	out[2] = strings.Replace(out[2], "+=", "-=", 1)
	return out
}

// A kind is one way in which models answer. It returns "" where it has no place.
type kind struct {
	name  string
	meant bool
	write func(a *answer, r *rand.Rand) string
}

func one(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

var kinds = []kind{
	{"plain", true, func(a *answer, _ *rand.Rand) string { return a.plain() }},
	{"prose around", true, func(a *answer, r *rand.Rand) string {
		return one(r, "Sure! Here is the change:\n\n", "I'll make that edit now.\n\n", "The function needs one more line.\n\n") + a.plain() + one(r, "\nThis keeps the behaviour otherwise.\n", "\nLet me know if you need more!\n", "")
	}},
	{"draft in thoughts", true, func(a *answer, r *rand.Rand) string {
		return one(r, "<think>\n", "\n<think>", "<thinking>\nHm. ") + "Maybe this:\n" + a.written(a.path, a.old(), a.other()) + "No, better so.\n" + "</think>\n\n" + a.plain()
	}},
	{"thoughts without beginning", true, func(a *answer, _ *rand.Rand) string {
		return "Let me see. The function adds numbers.\n</think>\n\n" + a.plain()
	}},
	{"CRLF", true, func(a *answer, _ *rand.Rand) string { return strings.ReplaceAll(a.plain(), "\n", "\r\n") }},
	{"in a list item", true, func(a *answer, r *rand.Rand) string {
		return "1. The change:\n\n" + indented(a.plain(), one(r, "   ", "    ", "\t"))
	}},
	{"fence around", true, func(a *answer, _ *rand.Rand) string {
		if a.format == "rewrite" {
			return ""
		}
		return "```\n" + a.plain() + "```\n"
	}},
	{"JSON arguments", true, func(a *answer, r *rand.Rand) string {
		if a.format != "apply_patch" {
			return ""
		}
		data, _ := json.Marshal(a.plain())
		form := one(r, `{"input": %s}`, `{"patch": %s}`, `{"command": ["apply_patch", %s]}`, `{"name": "apply_patch", "arguments": {"input": %s}}`, "```json\n{\"patch\": %s}\n```\n")
		return fmt.Sprintf(form, data)
	}},
	{"line numbers", true, func(a *answer, r *rand.Rand) string {
		form := one(r, "%d: ", "L%d: ", "%3d | ", "%d\t")
		number := func(first int) func(int, string) string {
			return func(i int, l string) string { return fmt.Sprintf(form, first+i) + l }
		}
		if a.whole && a.format == "rewrite" {
			return "```\n" + text(mapped(a.after, number(1))) + "```\n"
		}
		return a.written(a.path, mapped(a.old(), number(a.from+1)), mapped(a.function(), number(a.from+1)))
	}},
	{"path with line", true, func(a *answer, _ *rand.Rand) string {
		if a.format == "rewrite" {
			return ""
		}
		return a.written(fmt.Sprintf("%s:%d", a.path, a.from+1), a.old(), a.function())
	}},
	{"the example's path", true, func(a *answer, r *rand.Rand) string {
		if a.format == "rewrite" || a.whole {
			return ""
		}
		return a.written("path/to/file."+a.language().ending, a.old(), a.function())
	}},
	{"given twice", true, func(a *answer, _ *rand.Rand) string { return a.plain() + "\nAgain, in full:\n\n" + a.plain() }},
	{"a command behind it", true, func(a *answer, _ *rand.Rand) string {
		return a.plain() + "\nRun the tests:\n\n```bash\nmake test\n```\n"
	}},
	{"one fence", true, func(a *answer, r *rand.Rand) string {
		if a.whole || a.format == "rewrite" {
			return ""
		}
		return one(r, "", "The new function:\n\n") + "```" + a.language().ending + "\n" + text(a.function()) + "```\n"
	}},
	{"before and after", true, func(a *answer, _ *rand.Rand) string {
		if a.format != "rewrite" {
			return ""
		}
		return "Before:\n\n```\n" + text(a.around(a.old())) + "```\n\nAfter:\n\n" + a.plain()
	}},
	{"at the margin", true, func(a *answer, _ *rand.Rand) string {
		if a.whole || a.format != "rewrite" {
			return ""
		}
		margin := a.old()[0][:len(a.old()[0])-len(strings.TrimLeft(a.old()[0], " "))]
		return a.written(a.path, nil, mapped(a.function(), func(_ int, l string) string { return strings.TrimPrefix(l, margin) }))
	}},
	{"the whole file", true, func(a *answer, _ *rand.Rand) string {
		if a.whole || a.format != "rewrite" {
			return ""
		}
		return "```\n" + text(a.after) + "```\n"
	}},

	{"code left out", false, func(a *answer, r *rand.Rand) string {
		remark := a.language().comment + " " + one(r, "... existing code ...", "... rest of the function ...", "(everything else stays the same)", "other lines as before", "...", "nothing below changes",
			"[the remaining statements]", "same body", "the old loop goes here", "unchanged from here on", "and so on", "TODO: keep the original lines")
		n := a.function()
		cut := slices.Concat(n[:2], []string{strings.Repeat(" ", 4) + remark}, n[len(n)-2:])
		if r.IntN(2) == 0 {
			cut = slices.Concat(n[:1], []string{strings.Repeat(" ", 4) + remark}, n[3:])
		}
		return a.written(a.path, a.old(), cut)
	}},
	{"options", false, func(a *answer, r *rand.Rand) string {
		more := slices.Concat(a.old()[:1], []string{a.replacementOr()}, a.old()[1:])
		word := one(r, "Option", "Alternative", "Approach", "Version")
		return "**" + word + " 1**\n\n" + a.written(a.path, a.old()[:1], more[:2]) + "\n**" + word + " 2**\n\n" + a.written(a.path, a.old()[1:2], []string{a.replacementOr(), a.old()[1]})
	}},
	{"typographic quotes", false, func(a *answer, r *rand.Rand) string {
		return a.with(one(r, "total = “abc”", "total = ‘a’"))
	}},
	{"entities", false, func(a *answer, r *rand.Rand) string {
		return a.with(one(r, "total = total &lt; 4", "total = 4 &gt; 3 &amp;&amp; total"))
	}},
	{"signs in the text", false, func(a *answer, _ *rand.Rand) string {
		n := mapped(a.function(), func(i int, l string) string {
			if i == 2 {
				return "+" + l
			}
			return l
		})
		return a.written(a.path, a.old(), slices.Concat(n[:3], []string{"-" + a.old()[3]}, n[4:]))
	}},
	{"inserted twice", false, func(a *answer, _ *rand.Rand) string {
		return a.written(a.path, a.old(), slices.Concat(a.function(), []string{""}, a.function()))
	}},
	{"cut short", false, func(a *answer, r *rand.Rand) string {
		all := a.plain()
		return all[:len(all)*(30+r.IntN(50))/100]
	}},
	{"the end left out", false, func(a *answer, _ *rand.Rand) string {
		if a.format != "rewrite" || !a.whole {
			return ""
		}
		n := a.around(a.function())
		return "```\n" + text(n[:a.from+len(a.function())]) + "```\n"
	}},
	{"only a part", false, func(a *answer, _ *rand.Rand) string {
		if a.format != "rewrite" {
			return ""
		}
		return "```\n" + text(a.function()[2:4]) + "```\n"
	}},
	{"refuses in words", false, func(a *answer, r *rand.Rand) string {
		return one(r, "I was not shown "+a.path+".", "I'm sorry, I cannot do that.", "The function already does this.\nNothing has to be changed.")
	}},
	{"code without fence", false, func(a *answer, _ *rand.Rand) string {
		return "Here is the new text:\n\n" + text(a.around(a.function())) + "\nI hope this helps.\n"
	}},
	{"open thoughts", false, func(a *answer, _ *rand.Rand) string { return "<think>\nMaybe:\n" + a.plain() }},
	{"two texts", false, func(a *answer, _ *rand.Rand) string {
		return a.written(a.path, a.old(), a.function()) + "\nor\n\n" + a.written(a.path, a.old(), a.other())
	}},
}

// replacementOr is a line that the change adds, or one as good.
func (a *answer) replacementOr() string {
	if len(a.replacement) > 0 {
		return a.replacement[len(a.replacement)-1]
	}
	return a.old()[1] + " "
}

// with writes a change that adds a line.
func (a *answer) with(line string) string {
	indent := a.old()[1][:len(a.old()[1])-len(strings.TrimLeft(a.old()[1], " \t"))]
	return a.written(a.path, a.old(), slices.Concat(a.old()[:3], []string{indent + line}, a.old()[3:]))
}

// answers draws n answers: of each kind in turn from the given one on, then of any.
func answers(seed uint64, n, from int, whole bool) []*answer {
	random := rand.New(rand.NewPCG(seed, 28))
	var out []*answer
	for len(out) < n {
		k := kinds[(from+len(out))%len(kinds)]
		if len(out) >= 2*len(kinds) {
			k = kinds[random.IntN(len(kinds))]
		}
		var a *answer
		for tries := 0; (a == nil || a.text == "") && tries < 20; tries++ {
			a = &answer{file: draw(random, len(out)), format: formats[random.IntN(len(formats))], whole: whole, kind: k.name, meant: k.meant}
			a.text = k.write(a, random)
		}
		if a.text == "" { // this kind has no place here
			a = &answer{file: a.file, format: a.format, whole: whole, kind: "plain", meant: true}
			a.text = a.plain()
		}
		out = append(out, a)
	}
	return out
}
