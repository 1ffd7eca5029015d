package ignore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A list is the patterns of one ignore file, after those of the files nearer to a
// path and before those farther away. The last pattern that matches decides.
type list struct {
	farther  *list
	source   string
	base     int // how many first bytes of a path are the file's folder and its slash
	fold     bool
	patterns []pattern
	names    table  // of patterns about an entry's name
	paths    table  // of patterns about its path below the file's folder
	all      string // not empty: everything is hidden, for this reason
}

// maxAlike is how many patterns of a file may have to be tried one by one: those whose ends say
// nothing of which names they are about, or the same. A file with more hides everything beside
// and below it, as one does that is too large: what it says would take too long to know.
const maxAlike = 5000

// parseList reads an ignore file. With positive, a line with "!" has no effect.
func parseList(content, source string, base int, fold, positive bool) *list {
	l := &list{source: source, base: base, fold: fold}
	content = strings.TrimPrefix(content, "\xef\xbb\xbf")
	for number := 1; content != ""; number++ {
		line, rest, _ := strings.Cut(content, "\n")
		content = rest
		p, ok := parsePattern(strings.TrimSuffix(line, "\r"), number)
		if ok && !(positive && p.negated) {
			l.add(p)
		}
	}
	if l.names.alike() > maxAlike || l.paths.alike() > maxAlike {
		l.all = fmt.Sprintf("%s has more than %d patterns that are alike, which hides everything beside and below it", source, maxAlike)
	}
	for i := range l.patterns {
		if l.all == "" {
			l.patterns[i].readSets(fold)
		}
	}
	return l
}

func (l *list) add(p pattern) {
	t := &l.names
	if p.anchor {
		t = &l.paths
	}
	t.add(&p, len(l.patterns), l.fold)
	l.patterns = append(l.patterns, p)
}

// find returns the pattern of l alone that decides about path, or nil. name is
// path's last element, which is not empty.
func (l *list) find(path, name string, isDir bool) *pattern {
	best := max(l.last(&l.names, name, isDir, -1), -1)
	best = l.last(&l.paths, path[l.base:], isDir, best)
	if best < 0 {
		return nil
	}
	return &l.patterns[best]
}

// last is the last pattern of a table that matches subject, if it comes behind least; else least.
func (l *list) last(t *table, subject string, isDir bool, least int) int {
	try := func(some []int32) {
		for _, i := range slices.Backward(some) {
			if int(i) <= least {
				return
			}
			if p := &l.patterns[i]; (isDir || !p.dirOnly) && p.matches(subject, l.fold) {
				least = int(i)
				return
			}
		}
	}
	text := subject
	if l.fold {
		text = folded(text)
	}
	for _, n := range t.endLengths {
		if n <= len(text) {
			try(t.ends[text[len(text)-n:]])
		}
	}
	for _, n := range t.startLengths {
		if n <= len(text) {
			try(t.starts[text[:n]])
		}
	}
	try(t.others)
	return least
}

// hides reports whether l and the lists after it hide path, and why.
func (l *list) hides(path, name string, isDir bool) (bool, string) {
	for ; l != nil; l = l.farther {
		if l.all != "" {
			return true, l.all
		}
		if p := l.find(path, name, isDir); p != nil {
			return !p.negated, fmt.Sprintf("%s line %d: %s", l.source, p.number, p.line)
		}
	}
	return false, ""
}

// A table finds the patterns that may match a text by how it ends or starts, so that a file
// of many patterns costs as little as one of a few. Patterns are their places in the file.
type table struct {
	ends, starts             map[string][]int32
	endLengths, startLengths []int // that the keys have
	others                   []int32
}

// maxKey bounds the keys of a table, in bytes.
const maxKey = 32

func (t *table) add(p *pattern, at int, fold bool) {
	end, start := p.tail[max(len(p.tail)-maxKey, 0):], p.text[:min(p.plain, maxKey)]
	if fold {
		end, start = folded(end), folded(start)
	}
	switch {
	case end == "" && start == "":
		t.others = append(t.others, int32(at))
	case cmp.Compare(len(start), len(end)) > 0:
		putKey(&t.starts, &t.startLengths, start, at)
	default:
		putKey(&t.ends, &t.endLengths, end, at)
	}
}

func putKey(into *map[string][]int32, lengths *[]int, key string, at int) {
	if *into == nil {
		*into = map[string][]int32{}
	}
	(*into)[key] = append((*into)[key], int32(at))
	if !slices.Contains(*lengths, len(key)) {
		*lengths = append(*lengths, len(key))
	}
}

// alike is how many patterns one text may have to be compared with.
func (t *table) alike() int {
	most := len(t.others)
	for _, keyed := range []map[string][]int32{t.ends, t.starts} {
		for _, list := range keyed {
			most = max(most, len(list))
		}
	}
	return most
}

// folded is a text with its ASCII letters in lower case, and other bytes as they are.
func folded(text string) string {
	g, out := glob{fold: true}, []byte(text)
	for i, c := range out {
		out[i] = g.foldByte(c)
	}
	return string(out)
}
