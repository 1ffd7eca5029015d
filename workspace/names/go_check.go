package names

import (
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
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
	deps *deps.Resolver

	mu       sync.Mutex // guards all below: type checking adds to packages
	audience audience
	loaders  []*cachedLoader // the most recently used is last
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
	audience *audience
	checked  string                  // the file that is checked now
	packages map[*types.Package]bool // see shownPackage; of that file's check
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
		k = &cachedLoader{root: root, ctx: ctx, loader: newPackageLoader(g.deps, root, ctx), bases: map[string]*goBase{}, overlays: map[string]goText{}, verified: time.Now(), audience: &g.audience}
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
		return slices.ContainsFunc(b.imported.uses, func(key string) bool { return dropped[key] })
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
	many    bool // so many packages are checked that those are kept which were read for them
}

// fewPackages is how many packages are checked together where somebody edits.
const fewPackages = 3

// check checks the names in the Go files of a proposal.
func (g *goChecker) check(ws Workspace, list []*change) Verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out Verdict
	p := &goProposal{list: list, loaders: map[*cachedLoader]*packageLoader{}}
	all := groups(list)
	p.many = len(all) > fewPackages
	for _, group := range all {
		out.add(g.isolated(ws, group, p))
	}
	return out
}

// groups are the files that are looked at, those together that are one package on a platform.
func groups(list []*change) (out [][]*change) {
	type key struct {
		dir, clause string
		test, built bool
		platform    gotypes.Platform
	}
	at := map[key]int{}
	for _, f := range list {
		if len(f.Look) == 0 {
			continue
		}
		clause := packageClause.FindString(f.Text)
		k := key{filepath.Dir(f.abs), clause, strings.HasSuffix(f.abs, "_test.go"), built(f), platformOf(f)}
		i, ok := at[k]
		if !ok || clause == "" {
			i = len(out)
			at[k], out = i, append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

var packageClause = regexp.MustCompile(`(?m)^package \w+`)

func platformOf(f *change) gotypes.Platform {
	return gotypes.PlatformFor(gotypes.ConditionOf(filepath.Base(f.abs), f.Text))
}

// built reports whether a file is part of its package on the platform that it is checked for.
func built(f *change) bool { return platformOf(f).Builds(filepath.Base(f.abs), f.Text) }

// isolated checks the files of a package. After a panic no loaded package is used again: it
// may be half checked, and each file is checked by itself.
func (g *goChecker) isolated(ws Workspace, group []*change, p *goProposal) Verdict {
	v := guarded(group, func() Verdict { return g.files(ws, group, p) })
	if len(v.Failed) > 0 {
		g.loaders = nil
		clear(p.loaders)
	}
	if len(v.Failed) > 0 && len(group) > 1 {
		v = Verdict{}
		for _, f := range group {
			v.add(g.isolated(ws, []*change{f}, p))
		}
	}
	return v
}

// files checks the files of a package.
func (g *goChecker) files(ws Workspace, group []*change, p *goProposal) (out Verdict) {
	first := group[0]
	if !filepath.IsAbs(first.abs) {
		return Verdict{Unknown: []string{"names in " + first.Path + ": it belongs to no package on the disk"}}
	}
	if newer := g.deps.Go.Newer(filepath.Dir(first.abs)); newer != "" {
		return Verdict{Unknown: []string{"names in " + first.Path + ": its go.mod asks for Go " + newer + ", which is not on this machine's disk"}}
	}
	if !built(first) {
		return Verdict{Unknown: []string{"names in " + first.Path + ": it is part of its package with no Go that is used today"}}
	}
	k := g.loaderFor(ws, filepath.Dir(first.abs), platformOf(first))
	if k.loader.Most = maxLoaded; p.many {
		k.loader.Most = maxLoadedMany
	}
	for i, r := range g.run(k, group, p, false) {
		out.add(g.file(ws, k, group[i], r, p))
	}
	return out
}

// file tells of the result of a file. When there are findings, it compares the loaded
// packages with the disk and checks again if they differ. The names that are nearest to those
// of a finding are looked up where somebody changes the file: they may be any.
func (g *goChecker) file(ws Workspace, k *cachedLoader, f *change, r goResult, p *goProposal) Verdict {
	k.checked, k.packages = f.abs, map[*types.Package]bool{}
	v := k.verdict(ws, f, r.briefly())
	if len(v.Findings) > 0 && k.verify() {
		clear(p.loaders)
		r = g.run(k, []*change{f}, p, false)[0]
		v = k.verdict(ws, f, r.briefly())
	}
	v.Names, v.Doubts = r.counts(f)
	if len(v.Findings) > 0 && (f.stage == Standing || len(f.Changed) > 0) {
		r = g.run(k, []*change{f}, p, true)[0]
		v.Findings = g.audience.findings(func() []edits.Finding {
			k.packages = map[*types.Package]bool{}
			return k.verdict(ws, f, r).Findings
		})
	}
	return v
}

// run type-checks what is looked at of a package's files; all is as in the loader's whole.
func (g *goChecker) run(k *cachedLoader, group []*change, p *goProposal, all bool) []goResult {
	if l := p.proposed(k); l != nil {
		return l.whole(all, group...)
	}
	if len(group) > 1 {
		return k.whole(all, group...)
	}
	f := group[0]
	if f.stage != Typed { // bodies by themselves do not show what the file does not use any more
		return k.whole(all, f)
	}
	b := k.baseOf(f)
	if b == nil {
		return k.whole(all, f)
	}
	bodies, usable := b.changedBodies(f.Text)
	parts := f.Changed
	if len(parts) == 0 { // the text without a change
		parts = f.Look
	}
	if usable && (b.text != f.Was || len(f.Changed) == 0) {
		bodies, usable = b.covering(f.Text, parts, bodies)
	}
	if !usable {
		return k.whole(all, f)
	}
	return []goResult{b.check(f.abs, f.Text, bodies)}
}

// whole type-checks files as the loader's whole does, and drops what was loaded for others.
func (k *cachedLoader) whole(all bool, group ...*change) []goResult {
	out := k.loader.whole(all, group...)
	k.trim(filepath.Dir(group[0].abs), out[0].imported.uses)
	return out
}

// trim drops packages that are not needed any more, and the bases, which refer to them.
func (k *cachedLoader) trim(dir string, imports []string) {
	if k.loader.Trim(dir, imports) {
		k.forgetBases()
	}
}

// baseOf is the base that f's text after the edit can be checked against.
func (k *cachedLoader) baseOf(f *change) *goBase {
	if f.Was == "" {
		return nil
	}
	b := k.bases[f.abs]
	if b != nil && b.current() {
		if _, usable := b.changedBodies(f.Text); usable {
			return b
		}
		if b.text == f.Was {
			return b
		}
	}
	if b != nil {
		k.loader.Fset.RemoveFile(b.file)
	}
	if len(k.bases) >= maxBases {
		k.forgetBases()
	}
	b = k.loader.base(f.abs, f.Was)
	if b != nil && b.broken { // a line was incomplete before the edit: the text after it is complete and gives a better base
		k.loader.Fset.RemoveFile(b.file)
		b = k.loader.base(f.abs, f.Text)
	}
	if b != nil {
		k.trim(b.dir, b.imported.uses)
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
		if text, exists := k.loader.source.Read(o.abs); exists == o.Absent || text != o.Text {
			texts[o.abs] = goText{text: o.Text, absent: o.Absent, version: -1}
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
	for _, file := range r.group {
		if holds(file, pos) {
			p = file.Position(pos)
		}
	}
	if p.Filename == "" {
		return ""
	}
	return ws.Name(p.Filename) + ":" + itoa(p.Line)
}
