package gotypes

import (
	"bytes"
	"go/types"

	"golang.org/x/tools/go/gcexportdata"

	"tandem/workspace/deps"
)

// stored returns a package of the standard library as an earlier process stored it; nil where none
// has. What it refers to of other packages is the same as there: l.read has them, a part of
// each until it is imported itself, which then has to be read so, too.
func (l *Loader) stored(place deps.Place) (p *Package, err error) {
	t := l.read[place.Dir]
	if t == nil || !t.Complete() {
		data := l.Store.Load(place.Dir)
		if data == nil && t == nil {
			return nil, nil
		}
		for key, p := range l.pkgs {
			if p != nil && p.Place.Standard && key == p.Place.Dir && l.read[key] == nil {
				l.read[key] = p.Types
			}
		}
		if t, err = gcexportdata.Read(bytes.NewReader(data), l.Fset, l.read, place.Dir); err != nil {
			return nil, errNoPackage
		}
	}
	p = &Package{Types: t, Place: place, isStored: true}
	l.pkgs[place.Dir] = p
	return p, nil
}

// store keeps a package of the standard library for later processes, if all that it imports is kept.
func (l *Loader) store(p *Package) {
	for _, key := range p.uses {
		if l.pkgs[key] == nil || !l.pkgs[key].isStored {
			return
		}
	}
	var data bytes.Buffer
	if p.lacks || gcexportdata.Write(&data, l.Fset, p.Types) != nil {
		return
	}
	l.Store.Save(p.Place.Dir, data.Bytes())
	p.isStored = true
}

// A Keeper keeps packages of the standard library, by their folders.
type Keeper interface {
	Load(dir string) []byte // nil where nothing is kept
	Save(dir string, data []byte)
}

// PlaceOf returns the place of a package that is loaded.
func (l *Loader) PlaceOf(pkg *types.Package) (deps.Place, bool) {
	for _, tests := range []bool{false, true} {
		if p := l.pkgs[keyOf(pkg.Path(), tests)]; p != nil && p.Types == pkg {
			return p.Place, true
		}
	}
	if l.read[pkg.Path()] == pkg {
		return deps.Place{Status: deps.Found, Dir: pkg.Path(), Standard: true}, true
	}
	return deps.Place{}, false
}
