package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"tandem/edits"
	"tandem/workspace/disk"
)

// A patchFile is what a patch does to one file, as its headers name it.
type patchFile struct {
	old, new         string // as written, with whatever prefix; "" where the file is not there
	common           string // the path in both names, where their prefixes differ
	renamed          bool   // the names are without prefix
	created, deleted bool
	passed           bool // a binary file, a link or a submodule: nothing in it is checked
	hunks            []patchHunk
}

// A patchHunk is lines in place of others, with their ends.
type patchHunk struct {
	at, newAt int // the first line of both, from 0
	old, new  []string
}

var (
	colours    = regexp.MustCompile("\x1b\\[[0-9;]*[mK]")
	hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)
)

// decoded is what was piped as UTF-8 without colours.
func decoded(given []byte) string {
	big, little := bytes.HasPrefix(given, []byte{0xfe, 0xff}), bytes.HasPrefix(given, []byte{0xff, 0xfe})
	if !big && !little {
		return colours.ReplaceAllString(strings.TrimPrefix(string(given), "\ufeff"), "")
	}
	var units []uint16
	for i := 2; i+1 < len(given); i += 2 {
		low, high := given[i], given[i+1]
		if big {
			low, high = high, low
		}
		units = append(units, uint16(low)|uint16(high)<<8)
	}
	return colours.ReplaceAllString(strings.ReplaceAll(string(utf16.Decode(units)), "\r\n", "\n"), "")
}

// readPatch reads what git, mail or an editor writes: any number of patches with anything between
// them. It is false where the text is none, or not whole: then it may be a model's answer.
func readPatch(text string) (out []patchFile, ok bool) {
	lines := strings.SplitAfter(text, "\n")
	var f *patchFile
	begin := func() { out = append(out, patchFile{}); f = &out[len(out)-1] }
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		value := func(prefix string) (string, bool) { return strings.CutPrefix(line, prefix) }
		if rest, is := value("diff --git "); is {
			begin()
			f.old, f.new = gitNames(rest)
			f.common = common(f.old, f.new)
		} else if strings.HasPrefix(line, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ") {
			quoted := f != nil && f.old+f.new == "" // named only here
			if f == nil || len(f.hunks) > 0 || !quoted && !strings.Contains(line, "/dev/null") && f.old != patchName(line[4:]) && !f.renamed {
				begin()
			}
			if !f.renamed {
				f.old, f.new = patchName(line[4:]), patchName(strings.TrimRight(lines[i+1], "\r\n")[4:])
				f.created, f.deleted = f.created || f.old == "", f.deleted || f.new == ""
			}
			i++
		} else if f == nil {
			continue
		} else if strings.HasPrefix(line, "@@@") {
			return nil, false
		} else if strings.HasPrefix(line, "@@") {
			h, next, whole := readHunk(lines, i)
			if !whole {
				return nil, false
			}
			f.hunks = append(f.hunks, h)
			i = next - 1
		} else if from, is := value("rename from "); is {
			f.old, f.renamed = unquoted(from), true
		} else if to, is := value("rename to "); is {
			f.new, f.renamed = unquoted(to), true
		} else if mode, is := value("new file mode "); is {
			f.created, f.passed = true, !strings.HasPrefix(mode, "100")
		} else if mode, is := value("deleted file mode "); is {
			f.deleted, f.passed = true, !strings.HasPrefix(mode, "100")
		} else if strings.HasPrefix(line, "Binary files ") || line == "GIT binary patch" || strings.HasPrefix(line, "index ") && (strings.HasSuffix(line, " 120000") || strings.HasSuffix(line, " 160000")) {
			f.passed = true
		}
	}
	return out, len(out) > 0
}

// readHunk reads the hunk at a line by the counts of its header.
func readHunk(lines []string, i int) (h patchHunk, next int, ok bool) {
	m := hunkHeader.FindStringSubmatch(lines[i])
	if m == nil {
		return h, i, false
	}
	number := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s) // digits; one too large is nowhere
		return n
	}
	h.at, h.newAt = max(number(m[1])-1, 0), max(number(m[3])-1, 0)
	old, new := number(m[2]), number(m[4])
	if old == 0 && m[1] != "0" { // lines put behind this one
		h.at++
	}
	if new == 0 && m[3] != "0" {
		h.newAt++
	}
	for i++; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, `\`): // no newline at the end of the line before
			for _, side := range []*[]string{&h.old, &h.new} {
				if k := len(*side) - 1; k >= 0 && lines[i-1] != "" && strings.HasSuffix(lines[i-1], (*side)[k]) {
					(*side)[k] = strings.TrimRight((*side)[k], "\r\n")
				}
			}
		case old == 0 && new == 0:
			return h, i, true
		case line == "":
			return h, i, false
		case line[0] == '-' && old > 0:
			h.old, old = append(h.old, line[1:]), old-1
		case line[0] == '+' && new > 0:
			h.new, new = append(h.new, line[1:]), new-1
		case old > 0 && new > 0 && (line[0] == ' ' || line == "\n" || line == "\r\n"): // an editor may take the blank of an empty line
			line = strings.TrimPrefix(line, " ")
			h.old, h.new, old, new = append(h.old, line), append(h.new, line), old-1, new-1
		default:
			return h, i, false
		}
	}
	return h, i, old == 0 && new == 0
}

// gitNames are both names of a line that begins a file's patch.
func gitNames(rest string) (old, new string) {
	if strings.HasPrefix(rest, `"`) || strings.HasSuffix(rest, `"`) {
		return "", "" // the lines below name it
	}
	for i := strings.Index(rest, " "); i >= 0 && i < len(rest); {
		a, b := rest[:i], rest[i+1:]
		if a == b || path.Base(a) == path.Base(b) {
			return a, b
		}
		k := strings.Index(rest[i+1:], " ")
		if k < 0 {
			break
		}
		i += 1 + k
	}
	return "", ""
}

// common is the path in two names whose prefixes differ, "" if they do not.
func common(a, b string) string {
	for rest := a; a != b; {
		_, after, more := strings.Cut(rest, "/")
		if !more {
			return ""
		}
		if rest = after; strings.HasSuffix(b, "/"+rest) {
			return rest
		}
	}
	return ""
}

// patchName is the name in a header, without the time that some tools write behind it.
func patchName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if s = unquoted(strings.TrimRight(s, " \r\n")); s == "/dev/null" {
		return ""
	}
	return s
}

func unquoted(s string) string {
	if text, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return text
	}
	return s
}

// reversed is the patch that takes back what one does.
func (f patchFile) reversed() patchFile {
	f.old, f.new, f.created, f.deleted = f.new, f.old, f.deleted, f.created
	f.hunks = slices.Clone(f.hunks)
	for i, h := range f.hunks {
		f.hunks[i] = patchHunk{h.newAt, h.at, h.new, h.old}
	}
	return f
}

// apply is a text with the hunks, each where it is nearest to its line.
func (f patchFile) apply(text string) (string, bool) {
	lines := slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(s string) bool { return s == "" })
	var out []string
	from, shift := 0, 0
	for _, h := range f.hunks {
		fits := func(at int) bool {
			return at >= from && at+len(h.old) <= len(lines) && slices.EqualFunc(lines[at:at+len(h.old)], h.old, func(a, b string) bool {
				return a == b || strings.TrimRight(a, "\r\n") == strings.TrimRight(b, "\r\n")
			})
		}
		at := -1
		for away := 0; away <= len(lines) && at < 0; away++ {
			for _, place := range []int{h.at + shift + away, h.at + shift - away} {
				if fits(place) {
					at = place
					break
				}
			}
		}
		if at < 0 {
			return "", false
		}
		shift = at - h.at
		out = append(append(out, lines[from:at]...), h.new...)
		from = at + len(h.old)
	}
	return strings.Join(append(out, lines[from:]...), ""), true
}

// A patching applies patches to texts as the workspace has them.
type patching struct {
	read  func(name string) (text string, ok bool, err error)
	texts map[string]*string // by name, nil where there is no file; those that were read or made
	first map[string]*string // as they were read
	err   error
}

func (p *patching) text(name string) *string {
	if t, known := p.texts[name]; known {
		return t
	}
	text, ok, err := p.read(name)
	p.err = errors.Join(p.err, err)
	var t *string
	if ok {
		t = &text
	}
	p.texts[name], p.first[name] = t, t
	return t
}

// named is the path of a name in a patch's headers: without the prefix in which its names differ,
// or by which it is there, or the usual one.
func (p *patching) named(f patchFile, name string, there bool) string {
	switch {
	case name == "" || f.renamed:
		return name
	case f.common != "" && strings.HasSuffix(name, "/"+f.common):
		return f.common
	}
	for rest, more := name, there; more; _, rest, more = strings.Cut(rest, "/") {
		if p.text(rest) != nil {
			return rest
		}
	}
	if prefix, rest, ok := strings.Cut(name, "/"); ok && len(prefix) == 1 {
		return rest
	}
	return name
}

// do does what a patch does; it is false where it does not fit.
func (p *patching) do(f patchFile) bool {
	old, new := p.named(f, f.old, true), p.named(f, f.new, !f.created)
	switch {
	case f.created:
		before := ""
		if t := p.text(new); t != nil && *t != "" {
			return false
		}
		after, ok := f.apply(before)
		p.texts[new] = &after
		return ok
	case f.deleted:
		t := p.text(old)
		if t == nil {
			return false
		}
		rest, ok := f.apply(*t)
		p.texts[old] = nil
		return ok && (rest == "" || len(f.hunks) == 0)
	}
	if !f.renamed && p.text(old) == nil { // a name with another prefix than its old one
		old = new
	}
	t := p.text(old)
	if t == nil || f.renamed && old != new && p.text(new) != nil {
		return false
	}
	after, ok := f.apply(*t)
	if f.renamed {
		p.texts[old] = nil
	} else {
		new = old
	}
	p.texts[new] = &after
	return ok
}

// changesOfPatch are the changes that patches make, in the order in which they fit the files as
// they are: still to do, or already done.
func changesOfPatch(list []patchFile, read func(string) (string, bool, error)) ([]edits.FileChange, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(f patchFile) bool { return f.passed || len(f.hunks) == 0 && !f.renamed && !f.created && !f.deleted })
	backward := slices.Clone(list)
	slices.Reverse(backward)
	wrong := ""
	for _, order := range []struct {
		list []patchFile
		done bool
	}{{list, false}, {backward, true}, {backward, false}, {list, true}} {
		p := &patching{read: read, texts: map[string]*string{}, first: map[string]*string{}}
		i := slices.IndexFunc(order.list, func(f patchFile) bool {
			if order.done {
				f = f.reversed()
			}
			return !p.do(f)
		})
		if p.err != nil {
			return nil, p.err
		}
		if i < 0 {
			return p.changes(order.done), nil
		}
		if wrong == "" {
			wrong = order.list[i].new + order.list[i].old
			if order.list[i].new != "" {
				wrong = order.list[i].new
			}
		}
	}
	return nil, &edits.Error{Code: edits.CodeStale, Message: fmt.Sprintf("the patch of %s fits neither the file as it is, nor as it may have been before the patch: check it out, or give git diff instead", wrong)}
}

// changes are the files that are others than they were.
func (p *patching) changes(done bool) (out []edits.FileChange) {
	for name, now := range p.texts {
		before, after := p.first[name], now
		if before == nil && after == nil || before != nil && after != nil && *before == *after {
			continue
		}
		if done {
			before, after = after, before
		}
		c := edits.FileChange{Path: name, AbsentBefore: before == nil, AbsentAfter: after == nil}
		if before != nil {
			c.Before = *before
		}
		if after != nil {
			c.After = *after
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b edits.FileChange) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// patchedChanges returns the changes that a patch on stdin makes, or a model's answer. A diff that
// is already applied to the workspace is checked as the change it made.
func patchedChanges(root string, in io.Reader, mayShow func(string) error) ([]edits.FileChange, error) {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&fs.ModeCharDevice != 0 {
			return nil, exit(exitUsage, errors.New("name files to check, a revision (tandem check --diff HEAD), or give a patch on stdin"))
		}
	}
	given, err := disk.All(in, disk.MaxNamed)
	if err != nil {
		return nil, failed(fmt.Errorf("reading the patch: %w", err))
	}
	text := decoded(given)
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	dir, err := disk.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	defer dir.Close() //nolint:errcheck // only read from
	list, ok := readPatch(text)
	if !ok {
		changes, err := readAnswer(dir, root, edits.FormatAuto, text, mayShow)
		if err != nil {
			return nil, refusedOr(err)
		}
		return changes, nil
	}
	changes, err := changesOfPatch(list, func(name string) (string, bool, error) {
		text, ok, err := readNamed(dir, name)
		if ok && mayShow != nil {
			err = mayShow(name)
		}
		return text, ok, err
	})
	if err != nil {
		return nil, refusedOr(err)
	}
	return changes, nil
}
