package edits

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// find resolves a block's path to a file that exists now.
func (a *applier) find(b *Block) (string, bool) {
	only, single := a.only()
	if single && (b.Path == "" || a.options.IgnoreNames) {
		return only, true
	}
	for _, candidate := range b.spellings() {
		if a.exists(candidate) {
			return candidate, true
		}
	}
	if found, ok := a.suffix(b.spellings(), b.search && hasOp(b.Lines, Remove)); ok {
		return found, true
	}
	if here := a.options.Here; here != "" && a.exists(here) && (b.Path == "" || a.meansHere(b)) {
		return here, true
	}
	return only, single && b.git && a.options.AnyName && (!b.fromNone || a.before[only] == "")
}

// cleaned is a block without what is not of its text: tokens at the ends of lines, a comment
// that names the file. What the file has itself stays, and the tokens of a text of turns.
func (a *applier) cleaned(b *Block) (*Block, *Error) {
	name, known := a.find(b)
	text := ""
	if known {
		text = a.open(name).before
	}
	out := *b
	switch {
	case len(b.comment) == 0:
	case b.guessed && !known: // it names no file
		out.Path, out.Lines = "", slices.Concat(b.comment, b.Lines)
	case firstLine(a.marked(name)) == strings.TrimSpace(b.comment[0].Text): // the file has it
		out.Lines = slices.Concat(b.comment, b.Lines)
	}
	hasTurns := sync.OnceValue(b.hasTurns)
	clean := func(line string) string {
		bare := withoutTurnToken(line)
		if bare == line || strings.Contains(text, strings.TrimSpace(line[len(bare):])) || hasTurns() {
			return line
		}
		return bare
	}
	lines := make([]Line, 0, len(out.Lines))
	for _, l := range out.Lines {
		if bare := clean(l.Text); bare != "" || l.Text == "" {
			lines = append(lines, Line{l.Op, bare})
		}
	}
	out.Lines = lines
	if b.Literal {
		out.New = clean(b.New)
	}
	if b.divider != "" && known {
		return out.divided(a.open(name))
	}
	if b.merge && strings.Contains("\n"+text, "\n<<<<<<<") {
		return nil, b.refuse(CodeAmbiguous, "its marks are those of a failed merge, which the file has too")
	}
	return &out, nil
}

// firstLine is the first line of a text that is not blank, trimmed.
func firstLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(plainText(text), " \t\n"), "\n")
	return strings.TrimSpace(first)
}

// divided is a block with several lines that may divide the old text from the new one: the
// last of them divides below which the old text is in the file. One that is in the file just
// there, too, does not: it belongs to an old text that is spelt otherwise.
func (b *Block) divided(d *doc) (*Block, *Error) {
	first := slices.IndexFunc(b.Lines, func(l Line) bool { return l.Op == Add })
	all := slices.Concat(texts(b.Lines[:first]), []string{b.divider}, texts(b.Lines[first:]))
	out := *b
	out.divider = ""
	for i := len(all) - 1; i > 0; i-- {
		rule := strings.TrimRight(all[i], " \t")
		if len(rule) < 3 || strings.Trim(rule, "=") != "" {
			continue
		}
		out.Lines = appendAll(appendAll(nil, Remove, all[:i]), Add, all[i+1:])
		hits := (&locator{doc: d, block: &out}).hits(hunkOf(out.Lines), exact)
		if len(hits) == 0 {
			continue
		}
		inFile := func(h hit) bool {
			_, end := h.span()
			return end < len(d.lines) && d.lines[end] == all[i]
		}
		_, merge := marksMerge(out.Lines)
		again := slices.Contains(all[i+1:], all[i]) && !slices.Contains(d.lines, all[i])
		if merge || again || slices.ContainsFunc(hits, inFile) {
			break
		}
		return &out, nil
	}
	if slices.Contains(all[first+1:], b.divider) {
		return nil, b.refuse(CodeParse, "several lines of %s may divide its old text from the new one, and the file does not show which", b.divider)
	}
	out.Lines = b.Lines
	return &out, nil
}

// only is the one file there is.
func (a *applier) only() (string, bool) {
	if len(a.before) != 1 {
		return "", false
	}
	for name := range a.before {
		if a.exists(name) {
			return name, true
		}
	}
	return "", false
}

// suffix finds the one file whose path ends in one of the spellings, or the
// reverse: models drop and add leading folders. A bare name counts only if bare
// is set: otherwise it may well be a different file. A path that leads out of
// the workspace is taken as written.
func (a *applier) suffix(spellings []string, bare bool) (string, bool) {
	found, n := "", 0
	for name := range a.before {
		for _, s := range spellings {
			if (bare || strings.Contains(s, "/")) && s != "" && !strings.HasPrefix(path.Clean(s), "../") && a.exists(name) && (strings.HasSuffix(name, "/"+s) || strings.HasSuffix(s, "/"+name)) {
				found = name
				n++
				break
			}
		}
	}
	return found, n == 1
}

func (a *applier) exists(name string) bool {
	if a.docs[name] != nil {
		return true
	}
	_, ok := a.before[name]
	return ok && !a.gone[name]
}

// spellings lists how a block's path may be written in the workspace.
func (b *Block) spellings() []string {
	slashed := strings.ReplaceAll(b.Path, `\`, "/")
	out := []string{b.Path, slashed, path.Clean(slashed)}
	if at := strings.TrimRight(slashed, "0123456789-L"); strings.HasSuffix(at, ":") && at != slashed {
		out = append(out, path.Clean(at[:len(at)-1])) // path:12
	}
	if b.git {
		if rest, ok := unprefixed(slashed); ok {
			out = append(out, rest)
		}
	}
	return out
}

// target is the path that a block creates.
func (b *Block) target() string { return b.clean(b.Path) }

// destination is the path that a block moves its file to.
func (b *Block) destination() string { return b.clean(b.MoveTo) }

func (b *Block) clean(name string) string {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if b.git && (strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/")) {
		return name[len("a/"):]
	}
	return name
}

// allow refuses a path that may not be written.
func (a *applier) allow(b *Block, name string) *Error {
	judge := a.options.Refuse
	if judge == nil {
		judge = a.forbidden
	}
	if code, reason := judge(name); code != "" {
		return b.refuse(code, "%s %s", name, reason)
	}
	return nil
}

// missing refuses a block whose file does not exist. A path that may not be
// written gets that refusal first: a model may not learn whether such a file
// exists.
func (a *applier) missing(b *Block) *Error {
	if refusal := a.allow(b, b.target()); b.Path != "" && refusal != nil {
		return refusal
	}
	return b.refuse(CodeNotFound, "there is no such file")
}

// forbidden is the default for Options.Refuse. A file that the caller passed in
// counts as inside the workspace, whatever its name is.
func (a *applier) forbidden(name string) (Code, string) {
	if _, given := a.before[name]; !given && Outside(name) {
		return CodeOutside, "lies outside the workspace, where no model may write"
	}
	return "", ""
}

// open returns the file's doc, reading it at the first block that touches it.
func (a *applier) open(name string) *doc {
	d := a.docs[name]
	if d == nil {
		d = newDoc(a.before[name])
		a.docs[name] = d
	}
	return d
}

// create writes a new file, or a whole file over an old one.
func (a *applier) create(b *Block) (Tier, *Error) {
	name := b.target()
	if only, single := a.only(); single && a.options.IgnoreNames {
		name = only
	}
	if b.Path == "" && !a.options.IgnoreNames {
		return "", b.refuse(CodeParse, "it creates a file without naming it")
	}
	if refusal := a.allow(b, name); refusal != nil {
		return "", refusal
	}
	if replaces := a.options.IgnoreNames || a.options.Replaces && !b.git; !replaces && a.exists(name) && a.open(name).String() != "" {
		return "", b.refuse(CodeNotFound, "it creates a file that exists already")
	}
	text := b.NewText()
	if b.noEOL {
		text = strings.TrimSuffix(text, "\n")
	}
	a.docs[name] = newDoc(text)
	a.docs[name].fit = FitAll
	a.forms[name] = Form{Mode: b.Mode}
	return TierExact, nil
}

// remove deletes a file. If a diff lists the lines it deletes, all of them must
// match the file.
func (a *applier) remove(b *Block) (Tier, *Error) {
	name, ok := a.find(b)
	if !ok {
		return "", a.missing(b)
	}
	if refusal := a.allow(b, name); refusal != nil {
		return "", refusal
	}
	tier := TierExact
	if len(b.Lines) > 0 {
		d := a.open(name)
		var refusal *Error
		if tier, refusal = a.change(b, d); refusal != nil {
			return "", refusal
		}
		if len(d.lines) > 0 {
			return "", b.refuse(CodeStale, "the file has lines that the deletion does not know of")
		}
	}
	delete(a.docs, name)
	delete(a.forms, name)
	a.gone[name] = true
	return tier, nil
}

// finishMove renames the file whose blocks asked for it.
func (a *applier) finishMove() {
	if a.moving == "" {
		return
	}
	from, ok := a.find(&Block{Path: a.moving})
	if ok && from != a.to {
		d := a.open(from)
		delete(a.docs, from)
		a.gone[from] = true
		delete(a.gone, a.to)
		a.docs[a.to] = d
		form := a.forms[from]
		if _, existed := a.before[from]; existed && form.From == "" {
			form.From = from
		}
		delete(a.forms, from)
		a.forms[a.to] = form
	}
	a.moving = ""
}
