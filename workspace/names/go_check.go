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
)

// A goChecker keeps the worlds that checks of Go files look into.
type goChecker struct {
	deps *deps.Resolver

	mu     sync.Mutex // guards all below: type checking adds to packages
	worlds []*goKept  // the one used last at the end
}

// A goKept is a world and what of it was used.
type goKept struct {
	root     string
	ctx      goContext
	world    *goWorld
	bases    map[string]*goBase
	overlays map[string]goText
	verified time.Time
}

const (
	maxWorlds  = 8
	maxBases   = 12
	verifyWait = 2 * time.Second // how long the disk is believed not to change
)

// world is the kept world of a main module on a platform, with the open
// documents as they are now.
func (g *goChecker) world(ws Workspace, dir string, ctx goContext) *goKept {
	root := g.deps.GoModuleRoot(dir)
	i := slices.IndexFunc(g.worlds, func(k *goKept) bool { return k.root == root && k.ctx == ctx })
	var k *goKept
	if i >= 0 {
		k = g.worlds[i]
		g.worlds = append(slices.Delete(g.worlds, i, i+1), k)
	} else {
		k = &goKept{root: root, ctx: ctx, world: newGoWorld(g.deps, root, ctx), bases: map[string]*goBase{}, overlays: map[string]goText{}, verified: time.Now()}
		g.worlds = append(g.worlds, k)
		if len(g.worlds) > maxWorlds {
			g.worlds = slices.Delete(g.worlds, 0, 1)
		}
	}
	k.refresh(ws)
	return k
}

// refresh brings the open documents into the world, and now and then what
// changed on disk.
func (k *goKept) refresh(ws Workspace) {
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
	if len(gone) > 0 {
		k.world.unset(gone)
	}
	k.world.set(next)
	k.overlays = next
	if time.Since(k.verified) > verifyWait {
		k.verify()
	}
}

// verify looks at the disk; it reports whether something had changed.
func (k *goKept) verify() bool {
	stale := k.world.stale()
	k.verified = time.Now()
	if stale {
		k.forgetBases()
	}
	return stale
}

func (k *goKept) forgetBases() {
	for _, b := range k.bases {
		if b != nil {
			k.world.fset.RemoveFile(b.file)
		}
	}
	clear(k.bases)
}

// A goProposal is the Go files of a proposal, with the worlds that they make.
type goProposal struct {
	list   []*change
	worlds map[*goKept]*goWorld
}

// check judges the Go files of a proposal.
func (g *goChecker) check(ws Workspace, list []*change) verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out verdict
	p := &goProposal{list, map[*goKept]*goWorld{}}
	for _, f := range list {
		if !f.AbsentAfter && len(f.news) > 0 {
			out.add(g.file(ws, f, p))
		}
	}
	return out
}

// file judges one file. What looks wrong is looked at again after a look at
// the disk, and compared with what was wrong before.
func (g *goChecker) file(ws Workspace, f *change, p *goProposal) verdict {
	if !filepath.IsAbs(f.abs) {
		return verdict{unknown: []string{"names in " + f.Path + ": it belongs to no package on the disk"}}
	}
	k := g.world(ws, filepath.Dir(f.abs), contextFor(conditionOf(filepath.Base(f.abs), f.After)))
	r := g.run(k, f, f.After, f.news, p)
	v := k.verdict(ws, f, r)
	if len(v.findings) > 0 && k.verify() {
		clear(p.worlds)
		r = g.run(k, f, f.After, f.news, p)
		v = k.verdict(ws, f, r)
	}
	if len(v.findings) > 0 && !f.AbsentBefore && f.Before != "" {
		v.findings = g.notBefore(ws, k, f, v.findings)
	}
	return v
}

// notBefore leaves out what was wrong before the edit, too.
func (g *goChecker) notBefore(ws Workspace, k *goKept, f *change, found []edits.Finding) []edits.Finding {
	before := *f
	before.After = f.Before
	before.news = []edits.Span{{Start: 0, End: len(f.Before)}}
	old := map[string]int{}
	for _, o := range k.verdict(ws, &before, k.world.whole(f.abs, f.Before, before.news)).findings {
		old[o.Kind+" "+o.Message]++
	}
	return slices.DeleteFunc(found, func(n edits.Finding) bool { return old[n.Kind+" "+n.Message] > 0 })
}

// run type-checks what is new in a text of a file.
func (g *goChecker) run(k *goKept, f *change, text string, news []edits.Span, p *goProposal) goResult {
	if w := p.proposed(k); w != nil {
		return w.whole(f.abs, text, news)
	}
	b := k.baseOf(f)
	if b == nil {
		return k.world.whole(f.abs, text, news)
	}
	bodies, serves := b.changedBodies(text)
	if serves && b.text != f.Before {
		bodies, serves = b.covering(text, news, bodies)
	}
	if !serves {
		return k.world.whole(f.abs, text, news)
	}
	return b.check(f.abs, text, bodies)
}

// baseOf is the base that f's text after the edit can be checked against.
func (k *goKept) baseOf(f *change) *goBase {
	if f.AbsentBefore || f.Before == "" {
		return nil
	}
	b := k.bases[f.abs]
	if b != nil && b.current() {
		if _, serves := b.changedBodies(f.After); serves {
			return b
		}
		if b.text == f.Before {
			return b
		}
	}
	if b != nil {
		k.world.fset.RemoveFile(b.file)
	}
	if len(k.bases) >= maxBases {
		k.forgetBases()
	}
	b = k.world.base(f.abs, f.Before)
	if b != nil && b.broken { // half a line is typed: the text with the rest of it tells more
		k.world.fset.RemoveFile(b.file)
		b = k.world.base(f.abs, f.After)
	}
	k.bases[f.abs] = b
	return b
}

// proposed is the world in which the other texts of a proposal hold, nil when
// they are what the world has already.
func (p *goProposal) proposed(k *goKept) *goWorld {
	if w, ok := p.worlds[k]; ok {
		return w
	}
	texts := map[string]goText{}
	for _, o := range p.list {
		if !strings.HasSuffix(o.abs, ".go") {
			continue
		}
		if text, there := k.world.read(o.abs); there == o.AbsentAfter || text != o.After {
			texts[o.abs] = goText{text: o.After, absent: o.AbsentAfter, version: -1}
		}
	}
	if len(texts) == 1 && len(p.list) == 1 || len(texts) == 0 {
		p.worlds[k] = nil
		return nil
	}
	p.worlds[k] = k.world.with(texts)
	return p.worlds[k]
}

// position is where an object was declared, for a person.
func (k *goKept) position(ws Workspace, r goResult, pos token.Pos) string {
	if !pos.IsValid() {
		return ""
	}
	p := k.world.fset.Position(pos)
	if r.file != nil && holds(r.file, pos) {
		p = r.file.Position(pos)
	}
	if p.Filename == "" {
		return ""
	}
	return ws.Name(p.Filename) + ":" + itoa(p.Line)
}
