package main

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// A form is a way in which a model writes a change that says what it means, or that must not be
// taken for what it says.
type form struct {
	name  string
	doubt bool // it does not say plainly what is meant: it may be refused, and must not be wrong
	write func(f *formed) (string, bool)
}

// A formed is a change of one hunk, as forms write it.
type formed struct {
	change
	dir      string // the workspace
	old, new string
}

func (f *formed) lang() string { return strings.TrimPrefix(path.Ext(f.path), ".") }

func (f *formed) block() string {
	return "<<<<<<< SEARCH\n" + f.old + "=======\n" + f.new + ">>>>>>> REPLACE\n"
}

func (f *formed) fence(head, text string) string { return "```" + head + "\n" + text + "```\n" }

func (f *formed) body() string { return f.hunks[0].body() }

func (f *formed) numbers() string {
	h := &f.hunks[0]
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", h.oldStart, h.count('+'), h.newStart, h.count('-'))
}

func (f *formed) patch() string { return "*** Update File: " + f.path + "\n@@\n" + f.body() }

func (f *formed) entry(pathName, oldName, newName string) string {
	data, err := json.Marshal(map[string]string{pathName: f.path, oldName: f.old, newName: f.new})
	if err != nil {
		panic(err) // strings only
	}
	return string(data)
}

func (f *formed) comment(text string) string {
	switch f.lang() {
	case "py", "rb", "sh", "yml", "yaml", "toml":
		return "# " + text + "\n"
	case "md", "html", "xml":
		return "<!-- " + text + " -->\n"
	case "css":
		return "/* " + text + " */\n"
	}
	return "// " + text + "\n"
}

// lastAdded puts something behind the last added line of an answer.
func (f *formed) lastAdded(answer, what string) (string, bool) {
	lines := f.hunks[0].lines
	for i := len(lines) - 1; i >= 0; i-- {
		if l := lines[i]; l.op == '+' && strings.TrimSpace(l.text) != "" {
			at := strings.LastIndex(answer, l.text+"\n")
			if at < 0 {
				return "", false
			}
			return answer[:at+len(l.text)] + what + answer[at+len(l.text):], true
		}
	}
	return "", false
}

// above writes the block behind words about its path.
func above(name, before, after string) form {
	return form{name: name, write: func(f *formed) (string, bool) {
		r := strings.NewReplacer("PATH", f.path, "LANG", f.lang(), "DIR", f.dir, "BASE", path.Base(f.path))
		return r.Replace(before) + f.block() + r.Replace(after), true
	}}
}

// changed writes the block with other marks.
func changed(name string, pairs ...string) form {
	return form{name: name, write: func(f *formed) (string, bool) {
		return f.path + "\n" + strings.NewReplacer(pairs...).Replace(f.block()), !strings.Contains(f.old+f.new, "SEARCH") && !strings.Contains(f.old+f.new, "REPLACE")
	}}
}

func written(name string, write func(f *formed) string) form {
	return form{name: name, write: func(f *formed) (string, bool) { return write(f), true }}
}

func doubtful(f form) form {
	f.doubt = true
	return f
}

// sign writes the body of the hunk with other signs.
func (f *formed) sign(pairs ...string) (string, bool) {
	signs := map[byte]string{}
	for i := 0; i < len(pairs); i += 2 {
		signs[pairs[i][0]] = pairs[i+1]
	}
	var s strings.Builder
	changed := false
	for _, l := range f.hunks[0].lines {
		sign, ok := signs[l.op]
		if changed = changed || ok; !ok {
			sign = string(l.op)
		}
		s.WriteString(sign + l.text + "\n")
	}
	return "*** Begin Patch\n*** Update File: " + f.path + "\n@@\n" + s.String() + "*** End Patch\n", changed
}

// prefixed puts a text before every line.
func prefixed(text, prefix string) string {
	return prefix + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+prefix) + "\n"
}

func numberedText(text string, from int, layout string) string {
	var s strings.Builder
	for line := range strings.Lines(text) {
		fmt.Fprintf(&s, layout, from)
		s.WriteString(line)
		from++
	}
	return s.String()
}

// forms are the kinds.
var forms = []form{
	above("plain", "PATH\n", ""),
	above("path in the fence's line", "```LANG:PATH\n", "```\n"),
	above("path and line in the fence's line", "```LANG:PATH:1\n", "```\n"),
	above("path behind the language", "```LANG PATH\n", "```\n"),
	above("path alone in the fence's line", "```PATH\n", "```\n"),
	above("title", "```LANG title=\"PATH\"\n", "```\n"),
	above("filename", "```LANG filename=PATH\n", "```\n"),
	above("title in braces", "```LANG {title=\"PATH\"}\n", "```\n"),
	above("emphasis, blank line", "**PATH**\n\n```LANG\n", "```\n"),
	above("backticks and colon", "`PATH`:\n\n", ""),
	above("heading", "### `PATH`\n\n```LANG\n", "```\n"),
	above("numbered heading", "#### 1. PATH\n\n", ""),
	above("item of a list", "- `PATH`\n", ""),
	above("label", "File: PATH\n", ""),
	above("bold label", "**File**: `PATH`\n```LANG\n", "```\n"),
	above("comment above", "// PATH\n", ""),
	above("comment above, #", "# PATH\n", ""),
	above("sentence", "In `PATH`, this has to change:\n\n", ""),
	above("sentence and fence", "I'll update `PATH` as follows:\n\n```LANG\n", "```\n\nThat is all.\n"),
	above("quoted path", "\"PATH\"\n", ""),
	above("path with ./", "./PATH\n", ""),
	above("whole path", "DIR/PATH\n", ""),
	written("backslashes", func(f *formed) string { return strings.ReplaceAll(f.path, "/", `\\`) + "\n" + f.block() }),
	above("words behind", "PATH\n", "\nThis is done; run the tests.\n"),
	doubtful(above("name alone", "BASE\n", "")),
	changed("lower-case marks", "SEARCH", "search", "REPLACE", "replace"),
	changed("marks in title case", "SEARCH", "Search", "REPLACE", "Replace"),
	changed("longer marks", "<<<<<<< SEARCH", "<<<<<<<<< SEARCH", ">>>>>>> REPLACE", ">>>>>>>>> REPLACE"),
	changed("colon behind marks", "SEARCH", "SEARCH:", "REPLACE", "REPLACE:"),
	changed("conflict marks", "SEARCH", "HEAD", "REPLACE", "updated"),
	changed("conflict marks of branches", "SEARCH", "ours", "REPLACE", "theirs"),
	changed("ORIGINAL and UPDATED", "SEARCH", "ORIGINAL", "REPLACE", "UPDATED"),
	changed("no blank in marks", "<<<<<<< SEARCH", "<<<<<<<SEARCH", ">>>>>>> REPLACE", ">>>>>>>REPLACE"),
	written("quotation", func(f *formed) string { return prefixed(f.path+"\n"+f.block(), "> ") }),
	written("in a list item", func(f *formed) string { return "1. Change it:\n\n" + prefixed(f.path+"\n"+f.block(), "   ") }),
	written("numbered gutter", func(f *formed) string {
		return f.path + "\n<<<<<<< SEARCH\n" + numberedText(f.old, f.hunks[0].oldStart, "%4d | ") + "=======\n" + numberedText(f.new, f.hunks[0].oldStart, "%4d | ") + ">>>>>>> REPLACE\n"
	}),
	written("gutter with a tab", func(f *formed) string {
		return f.path + "\n<<<<<<< SEARCH\n" + numberedText(f.old, f.hunks[0].oldStart, "%6d\t") + "=======\n" + numberedText(f.new, f.hunks[0].oldStart, "%6d\t") + ">>>>>>> REPLACE\n"
	}),
	written("header of another format", func(f *formed) string {
		return f.path + "\n" + strings.Replace(f.block(), "SEARCH\n", fmt.Sprintf("SEARCH\n:start_line:%d\n-------\n", f.hunks[0].oldStart), 1)
	}),
	written("header on both sides", func(f *formed) string {
		head := fmt.Sprintf(":start_line:%d\n-------\n", f.hunks[0].oldStart)
		return f.path + "\n<<<<<<< SEARCH\n" + head + f.old + "=======\n" + head + f.new + ">>>>>>> REPLACE\n"
	}),
	written("token behind the mark", func(f *formed) string { return f.path + "\n" + strings.TrimSuffix(f.block(), "\n") + "<|im_end|>" }),
	{name: "token behind an added line", write: func(f *formed) (string, bool) { return f.lastAdded(f.path+"\n"+f.block(), "<|im_end|>") }},
	{name: "another token there", write: func(f *formed) (string, bool) { return f.lastAdded(f.path+"\n"+f.block(), "</s>") }},
	{name: "token in a patch", write: func(f *formed) (string, bool) {
		return f.lastAdded("*** Begin Patch\n"+f.patch()+"*** End Patch\n", "<|eot_id|>")
	}},
	{name: "token in a text", write: func(f *formed) (string, bool) {
		return f.path + "\n" + f.fence(f.lang(), strings.TrimSuffix(f.after, "\n")+"<|endoftext|>\n"), !strings.Contains(f.after, "```")
	}},
	written("patch", func(f *formed) string { return "*** Begin Patch\n" + f.patch() + "*** End Patch\n" }),
	written("patch without Begin", func(f *formed) string { return f.patch() + "*** End Patch\n" }),
	written("patch without Begin in a fence", func(f *formed) string { return "Here:\n\n" + f.fence("", f.patch()) }),
	written("patch without End in a fence", func(f *formed) string { return f.fence("diff", "*** Begin Patch\n"+f.patch()) }),
	written("patch, whole path", func(f *formed) string {
		return "*** Begin Patch\n" + strings.Replace(f.patch(), f.path, f.dir+"/"+f.path, 1) + "*** End Patch\n"
	}),
	written("patch in JSON", func(f *formed) string {
		data, _ := json.Marshal(map[string]string{"input": "*** Begin Patch\n" + f.patch() + "*** End Patch\n"})
		return string(data)
	}),
	written("diff", func(f *formed) string { return "--- a/" + f.path + "\n+++ b/" + f.path + "\n" + f.numbers() + f.body() }),
	written("diff without header", func(f *formed) string { return "Change `" + f.path + "`:\n\n" + f.fence("diff", f.body()) }),
	written("diff without header, with numbers", func(f *formed) string { return "In `" + f.path + "`:\n" + f.fence("diff", f.numbers()+f.body()) }),
	written("diff without header, path above", func(f *formed) string { return f.path + "\n" + f.fence("diff", f.body()) }),
	written("diff without @@", func(f *formed) string { return f.fence("diff", "--- "+f.path+"\n+++ "+f.path+"\n"+f.body()) }),
	written("diff with i/ and w/", func(f *formed) string {
		return "diff --git i/" + f.path + " w/" + f.path + "\nindex 1111111..2222222 100644\n--- i/" + f.path + "\n+++ w/" + f.path + "\n" + f.numbers() + f.body()
	}),
	written("diff with c/ and o/", func(f *formed) string {
		return "diff --git c/" + f.path + " o/" + f.path + "\n--- c/" + f.path + "\n+++ o/" + f.path + "\n" + f.numbers() + f.body()
	}),
	written("diff with 1/ and 2/", func(f *formed) string {
		return "--- 1/" + f.path + "\n+++ 2/" + f.path + "\n" + f.numbers() + f.body()
	}),
	written("diff in colours", func(f *formed) string {
		var s strings.Builder
		for line := range strings.Lines("--- a/" + f.path + "\n+++ b/" + f.path + "\n" + f.numbers() + f.body()) {
			colour := map[byte]string{'+': "\x1b[32m", '-': "\x1b[31m", '@': "\x1b[36m"}[line[0]]
			s.WriteString(colour + strings.TrimSuffix(line, "\n") + "\x1b[m\n")
		}
		return s.String()
	}),
	written("list of replacements", func(f *formed) string { return "[" + f.entry("path", "old_string", "new_string") + "]" }),
	written("oldString and newString", func(f *formed) string { return "[" + f.entry("filePath", "oldString", "newString") + "]" }),
	written("oldText and newText", func(f *formed) string { return f.entry("path", "oldText", "newText") }),
	written("search and replace", func(f *formed) string { return f.entry("file", "search", "replace") }),
	written("last comma", func(f *formed) string {
		return "[" + strings.TrimSuffix(f.entry("path", "old_string", "new_string"), "}") + ",},\n]"
	}),
	written("JSON in a fence", func(f *formed) string { return f.fence("json", "["+f.entry("path", "old_string", "new_string")+"]\n") }),
	written("tags", func(f *formed) string {
		return "<edit path=\"" + f.path + "\">\n<old_text>\n" + f.old + "</old_text>\n<new_text>\n" + f.new + "</new_text>\n</edit>\n"
	}),
	written("tags in one word", func(f *formed) string {
		return "<edit path=\"" + f.path + "\">\n<oldString>\n" + f.old + "</oldString>\n<newString>\n" + f.new + "</newString>\n</edit>\n"
	}),
	written("file in a tag", func(f *formed) string { return "<file path=\"" + f.path + "\">\n" + f.after + "</file>\n" }),
	written("file in a tag by name", func(f *formed) string { return "<file name='" + f.path + "'>\n" + f.after + "</file>\n" }),
	{name: "before and after", write: func(f *formed) (string, bool) {
		return "In `" + f.path + "`:\n\nBefore:\n" + f.fence(f.lang(), f.old) + "\nAfter:\n" + f.fence(f.lang(), f.new), !strings.Contains(f.before+f.after, "```")
	}},
	{name: "old code, new code", write: func(f *formed) (string, bool) {
		return "**" + f.path + "**\n\nOld code:\n\n" + f.fence(f.lang(), f.old) + "\nNew code:\n\n" + f.fence(f.lang(), f.new), !strings.Contains(f.before+f.after, "```")
	}},
	{name: "replace, with", write: func(f *formed) (string, bool) {
		return "In `" + f.path + "`\n\nReplace this:\n" + f.fence(f.lang(), f.old) + "\nWith this:\n" + f.fence(f.lang(), f.new), !strings.Contains(f.before+f.after, "```")
	}},
	{name: "whole text", write: func(f *formed) (string, bool) {
		return f.path + "\n" + f.fence(f.lang(), f.after), !strings.Contains(f.after, "```")
	}},
	{name: "whole text, path in a comment", write: func(f *formed) (string, bool) {
		return f.fence(f.lang(), f.comment(f.path)+f.after), strings.Contains(f.path, "/") && !strings.Contains(f.after, "```")
	}},
	{name: "whole text, path above and in a comment", write: func(f *formed) (string, bool) {
		return "`" + f.path + "`\n\n" + f.fence(f.lang(), f.comment(f.path)+"\n"+f.after), strings.Contains(f.path, "/") && !strings.Contains(f.after, "```")
	}},
	{name: "whole text, path in the fence's line", write: func(f *formed) (string, bool) {
		return f.fence(f.lang()+":"+f.path, f.after), !strings.Contains(f.after, "```")
	}},
	doubtful(form{name: "U+2212 for the sign", write: func(f *formed) (string, bool) { return f.sign("-", "\u2212") }}),
	doubtful(form{name: "full-width plus", write: func(f *formed) (string, bool) { return f.sign("+", "\uff0b") }}),
	doubtful(form{name: "en dash for the sign", write: func(f *formed) (string, bool) { return f.sign("-", "\u2013") }}),
	doubtful(written("cut in the block", func(f *formed) string { return f.path + "\n" + f.block()[:len(f.block())-len(">>>>>>> REPLACE\n")-1] })),
	doubtful(written("patch that stops", func(f *formed) string { return "*** Begin Patch\n" + f.patch() })),
	doubtful(written("patch without Begin that stops", func(f *formed) string { return f.patch() })),
	doubtful(written("two readings", func(f *formed) string {
		return "Option 1:\n\n" + f.path + "\n" + f.block() + "\nOption 2:\n\n" + f.path + "\n" + strings.Replace(f.block(), f.new, f.new+"x\n", 1)
	})),
	doubtful(form{name: "a text that is half of it", write: func(f *formed) (string, bool) {
		lines := strings.SplitAfter(f.after, "\n")
		return f.path + "\n" + f.fence(f.lang(), strings.Join(lines[:len(lines)/2], "")+f.comment("... rest of the file is unchanged ...")), len(lines) > 30
	}}),
}
