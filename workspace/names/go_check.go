package names

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/gotypes"
)

// A goChecker keeps the package loaders that checks of Go files use.
type goChecker struct {
	deps     *deps.Resolver
	shows    func(file string) bool // a finding may name what the file tells
	most     int                    // see packageLoader
	compiles bool                   // see Options

	mu      sync.Mutex      // guards all below: type checking adds to packages
	loaders []*cachedLoader // the most recently used is last
}

// A cachedLoader is a package loader with the bases and overlays of earlier
// checks.
type cachedLoader struct {
	root     string
	ctx      gotypes.Platform
	loader   *packageLoader
	bases    map[string]*goBase
	overlays map[string]goText
	verified time.Time
	shows    func(file string) bool
	compiles bool
	checked  string // the file that is checked now
}

const (
	maxLoaders = 8
	maxBases   = 12
	verifyWait = 2 * time.Second // how long the disk is taken to be unchanged
)

// loaderFor returns the package loader of a main module on a platform, with the
// open documents as they are now.
func (g *goChecker) loaderFor(ws Workspace, dir string, ctx gotypes.Platform) *cachedLoader {
	g.deps.Allow(dir)
	root := g.deps.Go.ModuleRoot(dir)
	i := slices.IndexFunc(g.loaders, func(k *cachedLoader) bool { return k.root == root && k.ctx == ctx })
	var k *cachedLoader
	if i >= 0 {
		k = g.loaders[i]
		g.loaders = append(slices.Delete(g.loaders, i, i+1), k)
	} else {
		k = &cachedLoader{root: root, ctx: ctx, loader: newPackageLoader(g.deps, root, ctx, g.most), bases: map[string]*goBase{}, overlays: map[string]goText{}, verified: time.Now(), shows: g.shows, compiles: g.compiles}
		g.loaders = append(g.loaders, k)
		if len(g.loaders) > maxLoaders {
			g.loaders = slices.Delete(g.loaders, 0, 1)
		}
	}
	k.refresh(ws)
	return k
}

// refresh updates the loader with the open documents and, from time to time,
// with the changes on disk.
func (k *cachedLoader) refresh(ws Workspace) {
	next := map[string]goText{}
	for _, abs := range ws.Overlays() {
		if text, version, ok := ws.Overlay(abs); ok && strings.HasSuffix(abs, ".go") {
			next[abs] = goText{text: text, version: version}
		}
	}
	var gone []string
	for abs := range k.overlays {
		if _, ok := next[abs]; !ok {
			gone = append(gone, abs)
		}
	}
	k.forgetUsers(k.loader.unset(gone))
	k.forgetUsers(k.loader.set(next))
	k.overlays = next
	if time.Since(k.verified) > verifyWait {
		k.verify()
	}
}

// verify compares the loaded packages with the disk; it reports whether
// something had changed.
func (k *cachedLoader) verify() bool {
	stale := k.loader.Stale()
	k.verified = time.Now()
	if stale {
		k.forgetBases()
	}
	return stale
}

func (k *cachedLoader) forgetBases() { k.forget(func(*goBase) bool { return true }) }

// forgetUsers forgets the bases that import one of the packages that were dropped.
func (k *cachedLoader) forgetUsers(dropped map[string]bool) {
	k.forget(func(b *goBase) bool {
		return slices.ContainsFunc(b.imports, func(key string) bool { return dropped[key] })
	})
}

func (k *cachedLoader) forget(which func(*goBase) bool) {
	for abs, b := range k.bases {
		if b != nil && which(b) {
			k.loader.Fset.RemoveFile(b.file)
			delete(k.bases, abs)
		}
	}
}

// A goProposal is the Go files of a proposal, with the package loaders that see
// its texts.
type goProposal struct {
	list    []*change
	loaders map[*cachedLoader]*packageLoader
}

// check checks the names in the Go files of a proposal.
func (g *goChecker) check(ws Workspace, list []*change) verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out verdict
	p := &goProposal{list, map[*cachedLoader]*packageLoader{}}
	for _, f := range list {
		if !f.AbsentAfter && len(f.added) > 0 {
			out.add(g.isolated(ws, f, p))
		}
	}
	return out
}

// isolated checks one file. After a panic no loaded package is used again: it
// may be half checked.
func (g *goChecker) isolated(ws Workspace, f *change, p *goProposal) verdict {
	v := guarded([]*change{f}, func() verdict { return g.file(ws, f, p) })
	if len(v.failed) > 0 {
		g.loaders = nil
		clear(p.loaders)
	}
	return v
}

// file checks one file. When there are findings, it compares the loaded
// packages with the disk and checks again if they differ; then it drops the
// findings that the text before the edit had too.
func (g *goChecker) file(ws Workspace, f *change, p *goProposal) verdict {
	if !filepath.IsAbs(f.abs) {
		return verdict{unknown: []string{"names in " + f.Path + ": it belongs to no package on the disk"}}
	}
	if newer := g.deps.Go.Newer(filepath.Dir(f.abs)); newer != "" {
		return verdict{unknown: []string{"names in " + f.Path + ": its go.mod asks for Go " + newer + ", which is not on this machine's disk"}}
	}
	k := g.loaderFor(ws, filepath.Dir(f.abs), gotypes.PlatformFor(gotypes.ConditionOf(filepath.Base(f.abs), f.After)))
	k.checked = f.abs
	r := g.run(k, f, f.After, f.added, p)
	v := k.verdict(ws, f, r.briefly())
	if len(v.findings) > 0 && k.verify() {
		clear(p.loaders)
		r = g.run(k, f, f.After, f.added, p)
		v = k.verdict(ws, f, r.briefly())
	}
	v.names, v.doubts = r.counts(f.added)
	if len(v.findings) == 0 {
		return v
	}
	old := k.before(ws, f, v.findings)
	had := func(n edits.Finding) bool { return old[keyOf(n)] }
	if v.findings = slices.DeleteFunc(v.findings, had); len(v.findings) > 0 {
		v.findings = slices.DeleteFunc(k.verdict(ws, f, r).findings, had)
	}
	return v
}

// before returns what the text before an edit has of some findings.
func (k *cachedLoader) before(ws Workspace, f *change, wanted []edits.Finding) findings {
	if f.AbsentBefore || f.Before == "" {
		return nil
	}
	if b := k.bases[f.abs]; b != nil && !b.broken && b.current() {
		if old, ok := k.findingsBefore(ws, f, b, wanted); ok {
			return old
		}
	}
	places := mentions(f.Before, wanted)
	if len(places) == 0 {
		return nil
	}
	return k.findingsIn(ws, f.earlier(f.Before, places), k.loader.whole(f.abs, f.Before, places))
}

// mentions are the places of a text that may have one of the findings: only functions that
// contain one are checked. A finding about a name or an import is at that name; one about
// arguments may be anywhere.
func mentions(text string, found []edits.Finding) []edits.Span {
	var out []edits.Span
	seen := map[string]bool{}
	for _, f := range found {
		name := aboutOf(f)
		if name == "" {
			return []edits.Span{{Start: 0, End: len(text)}}
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		for at := edits.IndexWord(text, name, 0); at >= 0; at = edits.IndexWord(text, name, at+len(name)) {
			out = append(out, edits.Span{Start: at, End: at + len(name)})
		}
	}
	return out
}

// run type-checks the new spans in a text of a file.
func (g *goChecker) run(k *cachedLoader, f *change, text string, added []edits.Span, p *goProposal) goResult {
	if l := p.proposed(k); l != nil {
		return l.whole(f.abs, text, added)
	}
	b := k.baseOf(f)
	if b == nil {
		return k.whole(f.abs, text, added)
	}
	bodies, usable := b.changedBodies(text)
	if usable && b.text != f.Before {
		bodies, usable = b.covering(text, added, bodies)
	}
	if !usable {
		return k.whole(f.abs, text, added)
	}
	return b.check(f.abs, text, bodies)
}

// whole type-checks a file's text as the loader's whole does, and drops what was loaded
// for others.
func (k *cachedLoader) whole(abs, text string, added []edits.Span) goResult {
	r := k.loader.whole(abs, text, added)
	k.trim(filepath.Dir(abs), r.imports)
	return r
}

// trim drops packages that are not needed any more, and the bases, which refer to them.
func (k *cachedLoader) trim(dir string, imports []string) {
	if k.loader.Trim(dir, imports) {
		k.forgetBases()
	}
}

// baseOf is the base that f's text after the edit can be checked against.
func (k *cachedLoader) baseOf(f *change) *goBase {
	if f.AbsentBefore || f.Before == "" {
		return nil
	}
	b := k.bases[f.abs]
	if b != nil && b.current() {
		if _, usable := b.changedBodies(f.After); usable {
			return b
		}
		if b.text == f.Before {
			return b
		}
	}
	if b != nil {
		k.loader.Fset.RemoveFile(b.file)
	}
	if len(k.bases) >= maxBases {
		k.forgetBases()
	}
	b = k.loader.base(f.abs, f.Before)
	if b != nil && b.broken { // a line was incomplete before the edit: the text after it is complete and gives a better base
		k.loader.Fset.RemoveFile(b.file)
		b = k.loader.base(f.abs, f.After)
	}
	if b != nil {
		k.trim(b.dir, b.imports)
	}
	k.bases[f.abs] = b
	return b
}

// proposed is a package loader that sees the other texts of a proposal, nil
// when k's loader has them already.
func (p *goProposal) proposed(k *cachedLoader) *packageLoader {
	if l, ok := p.loaders[k]; ok {
		return l
	}
	texts := map[string]goText{}
	for _, o := range p.list {
		if !strings.HasSuffix(o.abs, ".go") {
			continue
		}
		if text, exists := k.loader.source.Read(o.abs); exists == o.AbsentAfter || text != o.After {
			texts[o.abs] = goText{text: o.After, absent: o.AbsentAfter, version: -1}
		}
	}
	if len(texts) == 1 && len(p.list) == 1 || len(texts) == 0 {
		p.loaders[k] = nil
		return nil
	}
	p.loaders[k] = k.loader.with(texts)
	return p.loaders[k]
}

// position is where an object was declared, in a form for users.
func (k *cachedLoader) position(ws Workspace, r goResult, pos token.Pos) string {
	if !pos.IsValid() {
		return ""
	}
	p := k.loader.Fset.Position(pos)
	if r.file != nil && holds(r.file, pos) {
		p = r.file.Position(pos)
	}
	if p.Filename == "" {
		return ""
	}
	return ws.Name(p.Filename) + ":" + itoa(p.Line)
}
