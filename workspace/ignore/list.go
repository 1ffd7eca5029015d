package ignore

import "strings"

// A list is the patterns of one ignore file, after those of the files nearer to a
// path and before those farther away. The last pattern that matches decides.
type list struct {
	farther  *list
	base     int // how many first bytes of a path are the file's folder and its slash
	fold     bool
	patterns []pattern
	ends     []byte // by pattern: what a name that it matches ends with; 0 may be anything
	all      string // not empty: everything is hidden, for this reason
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
	end := byte(0)
	if p.tail != "" && !l.fold {
		end = p.tail[len(p.tail)-1]
	}
	l.patterns, l.ends = append(l.patterns, p), append(l.ends, end)
}

// find returns the pattern of l alone that decides about path, or nil. name is
// path's last element, which is not empty.
func (l *list) find(path, name string, isDir bool) *pattern {
	last := name[len(name)-1]
	for i := len(l.ends) - 1; i >= 0; i-- {
		if l.ends[i] != 0 && l.ends[i] != last {
			continue
		}
		p := &l.patterns[i]
		if p.dirOnly && !isDir {
			continue
		}
		subject := name
		if p.anchor {
			subject = path[l.base:]
		}
		if p.matches(subject, l.fold) {
			return p
		}
	}
	return nil
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
