package ignore

import "strings"

// A list is the patterns of one ignore file, after those of the files nearer to a
// path and before those farther away. The last pattern that matches decides.
type list struct {
	farther  *list
	base     int // how many first bytes of a path are the file's folder and its slash
	fold     bool
	patterns []pattern
	// Searched first: the last pattern of each literal name, literal path
	// and literal "*.extension"; scan holds the rest, in order.
	names, paths, extensions map[string][]int
	scan                     []int
	all                      string // not empty: everything is hidden, for this reason
}

// parseList reads an ignore file. With positive, a line with "!" has no effect.
func parseList(content, source string, base int, fold, positive bool) *list {
	l := &list{base: base, fold: fold}
	content = strings.TrimPrefix(content, "\xef\xbb\xbf")
	for number := 1; content != ""; number++ {
		line, rest, _ := strings.Cut(content, "\n")
		content = rest
		p, ok := parsePattern(strings.TrimSuffix(line, "\r"), source, number)
		if ok && !(positive && p.negated) {
			l.add(p)
		}
	}
	return l
}

func (l *list) add(p pattern) {
	at := len(l.patterns)
	l.patterns = append(l.patterns, p)
	plain := p.plain == len(p.text)
	switch {
	case l.fold:
		l.scan = append(l.scan, at)
	case plain && p.anchor:
		l.paths = note(l.paths, p.text, at)
	case plain:
		l.names = note(l.names, p.text, at)
	case p.suffix && strings.LastIndexByte(p.text, '.') == 1:
		l.extensions = note(l.extensions, p.text[2:], at)
	default:
		l.scan = append(l.scan, at)
	}
}

func note(m map[string][]int, key string, at int) map[string][]int {
	if m == nil {
		m = map[string][]int{}
	}
	m[key] = append(m[key], at)
	return m
}

// find returns the pattern of l alone that decides about path, or nil. name is
// path's last element, which is not empty.
func (l *list) find(path, name string, isDir bool) *pattern {
	best := -1
	if l.names != nil {
		best = l.newest(best, l.names[name], isDir)
	}
	if l.extensions != nil {
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			best = l.newest(best, l.extensions[name[dot+1:]], isDir)
		}
	}
	below := path[l.base:]
	if l.paths != nil {
		best = l.newest(best, l.paths[below], isDir)
	}
	last := name[len(name)-1]
	for i := len(l.scan) - 1; i >= 0 && l.scan[i] > best; i-- {
		p := &l.patterns[l.scan[i]]
		if p.dirOnly && !isDir || p.last != 0 && p.last != last && !l.fold {
			continue
		}
		subject := name
		if p.anchor {
			subject = below
		}
		if p.matches(subject, l.fold) {
			return p
		}
	}
	if best < 0 {
		return nil
	}
	return &l.patterns[best]
}

// newest is the last of the patterns that may be about a file of this type, if
// it comes after best.
func (l *list) newest(best int, candidates []int, isDir bool) int {
	for i := len(candidates) - 1; i >= 0 && candidates[i] > best; i-- {
		if isDir || !l.patterns[candidates[i]].dirOnly {
			return candidates[i]
		}
	}
	return best
}

// hides reports whether l and the lists after it hide path, and why.
func (l *list) hides(path, name string, isDir bool) (bool, string) {
	for ; l != nil; l = l.farther {
		if l.all != "" {
			return true, l.all
		}
		if p := l.find(path, name, isDir); p != nil {
			return !p.negated, p.why
		}
	}
	return false, ""
}
