package rank

import (
	"path"
	"strings"

	"tandem/workspace/index"
)

// places finds the files that an import means by comparing the ends of paths,
// which needs no knowledge of build systems: the file or folder that shares the
// most trailing parts with what is written wins.
type places struct {
	dirs   map[string][]string       // last part of a folder's path -> folders
	inDir  map[string][]index.FileID // folder -> its files
	stems  map[string][]index.FileID // file name without its extension -> files
	pathOf func(index.FileID) string
}

func newPlaces(files []file) places {
	p := places{dirs: map[string][]string{}, inDir: map[string][]index.FileID{}, stems: map[string][]index.FileID{}}
	p.pathOf = func(f index.FileID) string { return files[f].path }
	for id, f := range files {
		if f.path == "" {
			continue
		}
		if _, seen := p.inDir[f.dir]; !seen {
			p.dirs[path.Base(f.dir)] = append(p.dirs[path.Base(f.dir)], f.dir)
		}
		p.inDir[f.dir] = append(p.inDir[f.dir], index.FileID(id))
		stem := stemOf(f.path)
		p.stems[stem] = append(p.stems[stem], index.FileID(id))
	}
	return p
}

func stemOf(p string) string {
	base := path.Base(p)
	if dot := strings.IndexByte(base, '.'); dot > 0 {
		base = base[:dot]
	}
	return base
}

// resolve calls found with every file that an import of a file in dir means.
func (p places) resolve(dir string, im index.Import, found func(index.FileID)) {
	written := strings.NewReplacer("::", "/", "\\", "/").Replace(im.Path)
	relative := strings.HasPrefix(written, ".")
	if !strings.Contains(written, "/") {
		written = dots(written)
	}
	if relative {
		written = path.Join(dir, written)
	}
	for _, prefix := range []string{"crate/", "self/", "super/", "@/", "~/"} {
		written = strings.TrimPrefix(written, prefix)
	}
	written = path.Clean(written)
	if im.Name != "" && im.Name != "*" && p.match(written+"/"+im.Name, relative, found) {
		return
	}
	if p.match(written, relative, found) {
		return
	}
	p.match(path.Dir(written), relative, found) // the last part was a name
}

// dots turns a dotted module into a path; leading dots go up.
func dots(module string) string {
	up := 0
	for up < len(module) && module[up] == '.' {
		up++
	}
	rest := strings.ReplaceAll(module[up:], ".", "/")
	if up == 0 {
		return rest
	}
	return "./" + strings.Repeat("../", up-1) + rest
}

// match finds the folders and files whose paths share the longest end with
// want, at least half of its parts.
func (p places) match(want string, exact bool, found func(index.FileID)) bool {
	if want == "." || want == "/" || want == "" {
		return false
	}
	best, dirs, files := 0, []string(nil), []index.FileID(nil)
	offer := func(got string) bool {
		n := sharedEnd(got, want)
		if exact && got != want || n < best || 2*n < strings.Count(want, "/")+1 {
			return false
		}
		if n > best {
			best, dirs, files = n, nil, nil
		}
		return true
	}
	for _, d := range p.dirs[path.Base(want)] {
		if offer(d) {
			dirs = append(dirs, d)
		}
	}
	for _, f := range p.stems[stemOf(want)] {
		full := p.pathOf(f)
		if offer(path.Join(path.Dir(full), stemOf(full))) || offer(full) {
			files = append(files, f)
		}
	}
	if len(dirs)+len(files) > 4 {
		return false
	}
	for _, d := range dirs {
		for _, f := range p.inDir[d] {
			found(f)
		}
	}
	for _, f := range files {
		found(f)
	}
	return best > 0
}

// sharedEnd counts the parts that two paths have in common at their ends.
func sharedEnd(a, b string) int {
	n := 0
	for {
		x, y := path.Base(a), path.Base(b)
		if x != y && stemOf(x) != stemOf(y) || x == "." || x == "/" {
			return n
		}
		n++
		a, b = path.Dir(a), path.Dir(b)
	}
}
