package workspace

import (
	"cmp"
	"path"
	"slices"

	"tandem/workspace/index"
)

const (
	// mostModules and mostNames are how many tokens the modules used most and
	// the lines that bind names near the place may have, and of a budget, one
	// in moduleShare and nameShare.
	mostModules, moduleShare = 2000, 40
	mostNames, nameShare     = 400, 20
	smallBudget, smallShare  = 4_000, 50 // below this budget the share is smaller
	nameReach                = 24 << 10  // bytes on either side of the place
	leastBinding             = 3 * overhead
)

// A namer picks lines that bind names which no definition explains.
type namer struct {
	*builder
	known    *bindings
	self     index.FileID
	language string
	changed  []index.FileID
	imported map[string]bool // folders that the document imports
	left     int
	picked   map[string]bool
	buf      []index.DefID
}

// addBindings adds the meaning of names near the place that have no definition:
// which package, which renamed import, which value.
func (b *builder) addBindings() {
	if b.view == nil || b.ix.NumFiles() == 0 || b.text == "" {
		return
	}
	n := namer{builder: b, known: b.view.folder.ranks.bindings(b.ix), changed: b.ix.Changed(), imported: map[string]bool{}, picked: map[string]bool{}}
	if len(n.known.of) == 0 {
		return
	}
	n.self, _ = b.ix.FileID(b.rel)
	n.language = b.ix.Language(n.self)
	n.findImported()
	n.left = min(b.budget/nameShare, mostNames, b.left)
	if b.budget < smallBudget {
		n.left = min(b.budget/smallShare, b.left)
	}
	for _, name := range n.near() {
		n.add(&b.bound, name, ", used near "+b.name)
	}
	b.bound.sortByPlace()
	if steadyShare(b.budget) > 0 {
		n.addModules()
	}
}

// addModules adds the modules used most, the same wherever the place is.
func (n *namer) addModules() {
	n.left = min(n.budget/moduleShare, mostModules, n.builder.left)
	clear(n.picked)
	for _, name := range n.known.often {
		n.add(&n.modules, name, ", one of the modules used most")
	}
	n.modules.sortByPlace()
}

func (n *namer) findImported() {
	for _, im := range n.ix.Imports(n.self) {
		if files := n.ix.Resolve(n.self, im); len(files) > 0 {
			n.imported[path.Dir(n.ix.Path(files[0]))] = true
		}
	}
}

// near are the names around the place that have bindings, the nearest first.
func (n *namer) near() []string {
	type found struct {
		name     string
		distance int
	}
	var list []found
	from, to := max(0, n.at.Start-nameReach), min(len(n.text), n.at.End+nameReach)
	seen := map[string]int{}
	for at := from; at < to; {
		word := leadingWord(n.text[at:min(to, at+longestBound)])
		if word == "" {
			at++
			continue
		}
		if _, ok := n.known.of[word]; ok {
			d := distance(at, n.at.Start)
			if i, ok := seen[word]; ok {
				list[i].distance = min(list[i].distance, d)
			} else {
				seen[word] = len(list)
				list = append(list, found{word, d})
			}
		}
		at += len(word)
	}
	slices.SortStableFunc(list, func(x, y found) int { return cmp.Compare(x.distance, y.distance) })
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.name
	}
	return names
}

func (n *namer) add(s *section, name, why string) {
	if n.left < leastBinding || n.picked[name] {
		return
	}
	n.picked[name] = true
	x, ok := n.best(n.known.of[name])
	if !ok || x.kind != bindsModule && n.defined(name) {
		return
	}
	taken, _ := n.builder.add(s, Fragment{Path: n.ix.Path(x.file), StartLine: x.line, EndLine: x.line, Kind: FragmentDefinition,
		Reason: "defines " + name + why, Text: x.text}, n.left)
	n.left -= taken
}

func (n *namer) defined(name string) bool {
	n.buf = n.ix.LookupIDs(name, n.buf[:0])
	return len(n.buf) > 0
}

// best is the binding most relevant to the place: one of a folder it imports, of
// its own folder, a module, else the first.
func (n *namer) best(list []binding) (best *binding, ok bool) {
	most := -1
	for i := range list {
		x := &list[i]
		if x.file == n.self || x.language != n.language || slices.Contains(n.changed, x.file) {
			continue
		}
		worth := 0
		if n.imported[x.dir] {
			worth += 4
		}
		if x.dir == path.Dir(n.rel) {
			worth += 2
		}
		if x.kind == bindsModule {
			worth++
		}
		if worth > most {
			best, most = x, worth
		}
	}
	return best, most >= 0
}
