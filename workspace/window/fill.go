package window

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tandem/workspace/cut"
	"tandem/workspace/redact"
	"tandem/workspace/tokens"
)

// A fill is a window in the making. Sources read it; only take adds to it, so that the budget
// holds and no line is shown twice.
type fill struct {
	ctx     context.Context // of the one request that the window is for
	req     Request
	purpose purpose
	place   *place
	folder  *folder
	costs   *costs
	secrets *redact.Redactor
	scanned int     // see scanned
	unread  cut.Cut // what the words were not looked for in

	budget, left int
	extra        int // how far the budget may still grow for what the user's words name
	region       region
	shown        []Fragment     // in the order in which they were taken
	order        map[string]int // by section and path, the turn in which it was taken first
	earlier      int            // the fragments of shown that are the region's or Previous'
	kept         int            // the tokens of those of Previous

	focus []definition // what the request is about, noted by the sources that find it
}

// sections are the parts of a window other than code. Those with a negative place stand
// before the code, what seldom changes first, so that providers' caches hold.
var sections = map[FragmentKind]struct {
	place int
	label string
	named bool // Path is a name already, and no path of the folder
}{
	FragmentRule: {-2, "project rules", false}, FragmentMap: {-1, "map of the repository", true}, FragmentSearch: {named: true},
	FragmentRecentEdit: {1, "edited recently", true}, FragmentDiagnostic: {2, "diagnostics", true}, FragmentCursor: {3, "here", false},
}

const (
	leastLeft = 24 // tokens; fewer are too few for anything of use
	gapCost   = 1  // tokens between two pieces of a file
)

// run shows what sources find, each within its share. A source for which the budget may grow
// has half of it without growing it.
func (f *fill) run(shares []share) {
	for _, s := range shares {
		if f.ctx.Err() != nil || f.left < leastLeft {
			return
		}
		list, before := s.of(f), f.left
		most := (f.left + f.extra) * s.percent / 100
		for _, c := range list {
			if most < leastLeft {
				break
			}
			most -= f.take(c, most)
		}
		used := before - f.left
		grown := min(f.extra, max(0, used-f.budget/2))
		f.budget, f.left, f.extra = f.budget+grown, f.left+grown, 0
	}
}

// take shows a fragment if it fits into most tokens, or else what is shown in its place. It
// returns the tokens taken.
func (f *fill) take(c Fragment, most int) (taken int) {
	if c.most > 0 {
		most = min(most, c.most)
	}
	switch {
	case c.Text.Len() == 0:
		taken = f.takeLines(c, most)
	case sections[c.Kind].place != 0 || !f.shows(c.Path, c.StartLine):
		taken = f.put(c, 0, most)
	}
	if taken == 0 && c.orElse != nil {
		for _, x := range c.orElse() {
			taken += f.take(x, most-taken)
		}
	}
	return taken
}

// takeLines shows lines of a file of the folder. Fragments that overlap become one. The region
// and what Previous shows never change, so other lines are cut at their borders; likewise lines
// that merely resemble the place are cut at those that were chosen for a better reason.
func (f *fill) takeLines(c Fragment, most int) (taken int) {
	source := f.folder.file(c.Path)
	if source == nil || c.StartLine < 1 || c.StartLine > min(c.EndLine, source.LineCount()) {
		return 0
	}
	c.EndLine = min(c.EndLine, source.LineCount())
	refund := 0
	for i := range f.shown {
		old := &f.shown[i]
		switch {
		case !old.overlaps(&c):
			continue
		case i < f.earlier || c.resembles() && !old.resembles():
			above, below := c, c
			above.EndLine, below.StartLine = old.StartLine-1, old.EndLine+1
			taken = f.takeLines(above, most)
			return taken + f.takeLines(below, most-taken)
		case old.StartLine <= c.StartLine && c.EndLine <= old.EndLine:
			if old.resembles() {
				old.Kind, old.Reason = c.Kind, c.Reason
			}
			return 0
		case !old.resembles() && !strings.Contains(old.Reason, c.Reason):
			c.Kind, c.Reason = old.Kind, old.Reason+"; "+c.Reason
		}
		c.StartLine, c.EndLine = min(old.StartLine, c.StartLine), max(old.EndLine, c.EndLine)
		refund += old.cost
	}
	c.Text = f.secrets.Lines(source, c.StartLine, c.EndLine)
	if f.purpose.numbered {
		c.Text = numberLines(c.StartLine, c.Text)
	}
	return f.put(c, refund, most)
}

// overlaps reports whether two fragments are code with a line in common.
func (c *Fragment) overlaps(x *Fragment) bool {
	code := sections[c.Kind].place == 0 || c.Kind == FragmentCursor
	if !code || c.Path != x.Path {
		return false
	}
	return c.StartLine <= x.EndLine && x.StartLine <= c.EndLine
}

// resembles reports whether a fragment was chosen for its words alone.
func (c *Fragment) resembles() bool { return strings.HasPrefix(c.Reason, "similar") }

// put shows a fragment in place of those that it overlaps. Their cost is the refund.
func (f *fill) put(c Fragment, refund, most int) (taken int) {
	all := c
	if c.Text, c.StartLine = body(c.Text, c.StartLine); c.Text.Len() == 0 {
		return 0
	}
	c.cost = f.costs.count(c.Text.String()) + gapCost
	taken = c.cost - refund
	key := sections[c.Kind].label + c.Path
	_, begun := f.order[key]
	if !begun {
		taken += f.costs.count(f.heading(&c).String())
	}
	if taken > most || taken > f.left+f.extra {
		return 0
	}
	if !begun {
		f.order[key] = len(f.order)
	}
	if refund > 0 {
		f.shown = slices.DeleteFunc(f.shown, func(old Fragment) bool { return old.overlaps(&all) })
	}
	f.left, f.shown = f.left-taken, append(f.shown, c)
	return taken
}

// shows reports whether a line of a file is shown.
func (f *fill) shows(path string, line int) bool {
	at := &Fragment{Path: path, StartLine: line, EndLine: line}
	return slices.ContainsFunc(f.shown, func(c Fragment) bool { return c.overlaps(at) })
}

// show shows the region.
func (f *fill) show(r region) {
	f.region, f.left = r, f.left-r.tokens
	f.shown = append(f.shown, r.Fragment)
	f.earlier = len(f.shown)
}

// window returns the fill as a window. Joined texts can have more tokens than their parts; then
// what was taken last is left out.
func (f *fill) window() *Window {
	context, fragments := f.render()
	count := f.kept + f.costs.count(context.String()) + f.region.tokens
	for count > f.budget && len(f.shown) > f.earlier {
		f.shown = f.shown[:len(f.shown)-1]
		context, fragments = f.render()
		count = f.kept + f.costs.count(context.String()) + f.region.tokens
	}
	return &Window{Tokens: count, Budget: f.budget, Encoding: f.costs.counter.Name(), Exact: f.costs.counter.Exact(), Secrets: f.secrets, Left: f.unread,
		Fragments: append(fragments, f.shown[f.earlier-1]), Before: f.region.before, Selected: f.region.selected, After: f.region.after,
		context: context, region: f.region.heading}
}

// render joins the fragments by section, file and line. While the user types, the file that was
// chosen first stands last, next to the text before the place.
func (f *fill) render() (context redact.Text, list []Fragment) {
	list = slices.Clone(f.shown[f.earlier:])
	for i := range list {
		list[i].Chosen = i
	}
	slices.SortStableFunc(list, func(x, y Fragment) int {
		sx, sy := sections[x.Kind], sections[y.Kind]
		file := cmp.Compare(x.Path, y.Path)
		if first := f.order[sx.label+x.Path] - f.order[sy.label+y.Path]; f.purpose.typing {
			file = -first
		} else if f.purpose.ranked {
			file = first
		}
		line := x.StartLine - y.StartLine
		if sx.place != 0 {
			line = 0
		}
		return cmp.Or(sx.place-sy.place, file, line)
	})
	var texts []redact.Text
	for i := range list {
		c := &list[i]
		above := f.heading(c)
		if i > 0 && list[i-1].Path == c.Path && sections[list[i-1].Kind] == sections[c.Kind] {
			gap := f.gap(&list[i-1], c)
			texts, above = append(texts, gap), redact.Join("", list[i-1].Text, gap)
		} else {
			texts = append(texts, above)
		}
		texts = append(texts, c.Text)
		c.Tokens = f.costs.below(above.String(), c.Text.String())
		c.most, c.cost, c.orElse = 0, 0, nil
	}
	return redact.Join("", texts...), list
}

// gap returns the text between two fragments of a file: a blank line if only blank lines are
// left out, a mark otherwise.
func (f *fill) gap(x, y *Fragment) redact.Text {
	source := f.folder.file(y.Path)
	switch {
	case sections[y.Kind].place != 0 || y.StartLine-x.EndLine <= 1:
		return redact.Text{}
	case source != nil && strings.TrimSpace(source.Raw(x.EndLine+1, y.StartLine-1)) == "":
		return redact.Const("\n")
	}
	return redact.Const("...\n")
}

// heading returns the line above the fragments of a file. No path can break it.
func (f *fill) heading(c *Fragment) redact.Text {
	path := strings.Map(printable, f.name(c))
	if label := sections[c.Kind].label; label != "" {
		path += " (" + label + ")"
	}
	return redact.Format("# %s\n", f.secrets.Redact(path))
}

// name is the name that a fragment's file has outside its folder.
func (f *fill) name(c *Fragment) string {
	if f.folder.view == nil || c.Path == "" || sections[c.Kind].named {
		return c.Path
	}
	return f.folder.snap.Name(f.folder.view.Abs(c.Path))
}

// inFolder are fragments by the paths that their files have in the folder.
func (f *fill) inFolder(list []Fragment) []Fragment {
	out := slices.Clone(list)
	for i := range out {
		out[i].Path = f.folder.snap.Resolve(out[i].Path)
		if f.folder.view == nil {
			continue
		}
		if at, below := f.folder.view.Rel(out[i].Path); below {
			out[i].Path = at.String()
		}
	}
	return out
}

// named returns a window whose fragments have the names of their files.
func (f *fill) named(w *Window) *Window {
	w.memory.shown = slices.Clone(w.Fragments)
	for i := range w.Fragments {
		w.Fragments[i].Path = f.name(&w.Fragments[i])
	}
	return w
}

// printable returns a rune, or a mark in place of one that could break a line.
func printable(r rune) rune {
	switch {
	case r == utf8.RuneError, r == '\u2028', r == '\u2029', unicode.IsControl(r):
		return '?'
	}
	return r
}

// body prepares text to follow a heading or another fragment: it leaves out blank lines at the
// start, ends the last line, and lets no token cross the border above, unless the text begins
// with a slash (costs.below). It returns the line of the first character.
func body(text redact.Text, line int) (redact.Text, int) {
	rest := text.String()
	for i := strings.IndexByte(rest, '\n'); i >= 0 && strings.TrimSpace(rest[:i]) == ""; i = strings.IndexByte(rest, '\n') {
		rest, line = rest[i+1:], line+1
	}
	if rest != "" && rest[0] != '/' && !tokens.SafeStart(rest) {
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || r < ' ' })
	}
	text = text.Slice(text.Len()-len(rest), text.Len())
	if rest != "" && !strings.HasSuffix(rest, "\n") {
		text = redact.Format("%s\n", text)
	}
	return text, line
}

// numberLines puts the line number before every line that is not blank, for answers that
// name places.
func numberLines(first int, text redact.Text) redact.Text {
	var out []redact.Text
	for line := range text.Lines() {
		if strings.TrimSpace(line.String()) != "" {
			line = redact.Format("%s\t%s", redact.Int(first), line)
		}
		out = append(out, line)
		first++
	}
	return redact.Join("", out...)
}

func countLines(text string) int {
	return max(1, strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1)
}
