package complete

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/mapped"
	"tandem/workspace/redact"
	"tandem/workspace/terms"
)

// Limits of training. Large data files and very large files are skipped: they
// would use more memory than the suggestions are worth.
const (
	maxData   = 64 << 10
	maxCorpus = 160 << 20 // bytes of text of one language in a folder: of more, a sample is learned
	maxLoose  = 48        // files that are learned each by itself; with more, they become a shard
)

// A shard is learned from shardText bytes of text: that much is in memory while it is
// made. A shard of less than a quarter of it is small, and joins the next one that is
// made if there are more than maxSmall.
const (
	shardText = 8 << 20
	maxSmall  = 2
)

var dataLanguages = terms.Set("json jsonc plaintext csv xml svg toml yaml html")

// worth reports whether a file is small enough to learn.
func worth(f index.File) bool {
	return f.Size <= source.MaxFile && (f.Size <= maxData || !dataLanguages[f.Language])
}

// An update is one change of what is trained, from one index to the next.
type update struct {
	ctx         context.Context
	corpus      source.Corpus
	ix          *index.Index
	family, dir string
	without     string // the document that is being typed
	most        int    // bytes of text that are learned
	old         trained

	removed int // files that were removed from the index's base
	shards  []*shard
	since   map[string]*loose
	left    int
	useless []string // files of shards that are replaced
}

func (u *update) result() trained { return trained{u.shards, u.since, u.left} }

// follow finds which files are still as they were learned, and which are to be learned.
// built is the base of the index of the last update, and removed how many of its files
// were removed.
func (u *update) follow(built *index.Index, removed int) {
	u.shards, u.since, u.left = slices.Clone(u.old.shards), maps.Clone(u.old.since), u.old.left
	changed := u.ix.Changed()
	for _, id := range changed {
		if u.ix.Path(id) == "" {
			u.removed++
		}
	}
	switch {
	case built == nil:
		u.shards = u.load()
		u.compare()
	case built != u.ix.Base() || removed != u.removed:
		u.compare()
	default:
		u.replace(changed)
	}
}

// compare compares what is learned with the files of the index that are to be.
func (u *update) compare() {
	wanted := u.sample()
	have := map[string]bool{}
	for i, sh := range u.shards {
		u.shards[i] = sh.masked(func(row int) bool {
			path := sh.seg.path(row)
			f, is := wanted[path]
			if have[path] || !is || stampOf(f) != sh.seg.files[row].stamp {
				return false
			}
			have[path] = true
			return true
		})
	}
	u.since = map[string]*loose{}
	for path, f := range wanted {
		if !have[path] && path != u.without {
			u.since[path] = u.loose(f)
		}
	}
}

// sample chooses the files that are learned, by path: all, or where that is too much, of each folder
// the files that changed last, and the more of it, the nearer it is to the document that is typed.
func (u *update) sample() map[string]index.File {
	folders := map[string][]index.File{}
	for _, id := range u.ix.Files() {
		if f, ok := u.file(id); ok {
			folders[source.Folder(f.Path)] = append(folders[source.Folder(f.Path)], f)
		}
	}
	type candidate struct {
		index.File
		turn int // files of its folder that come before it, and a quarter of them for each part of the path that is the document's
	}
	var list []candidate
	for folder, files := range folders {
		near := min(2*shared(folder, source.Folder(u.without)), 60)
		slices.SortFunc(files, func(a, b index.File) int {
			return cmp.Or(b.ModTime.Compare(a.ModTime), strings.Compare(a.Path, b.Path))
		})
		for i, f := range files {
			list = append(list, candidate{f, i >> near})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(a.turn-b.turn, strings.Compare(a.Path, b.Path)) })
	out, left := map[string]index.File{}, u.most
	for _, c := range list {
		if left -= c.Size; left >= 0 {
			out[c.Path] = c.File
		}
	}
	u.left = len(list) - len(out)
	return out
}

// shared counts the first parts of two paths that are the same.
func shared(a, b string) (n int) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// concerns reports whether a file is to be learned.
func (u *update) concerns(id index.FileID) bool {
	f, ok := u.file(id)
	return ok && f.Path != u.without
}

// file is a file of the family that is worth learning.
func (u *update) file(id index.FileID) (f index.File, ok bool) {
	if language.Family(u.ix.Language(id)) == u.family {
		f, ok = u.ix.File(id)
	}
	return f, ok && worth(f)
}

func stampOf(f index.File) stamp { return stamp{uint64(f.Size), f.Hash} }

// loose is a file as it is now, which is learned already if it was before.
func (u *update) loose(f index.File) *loose {
	if l := u.old.since[f.Path]; l != nil && l.stamp == stampOf(f) {
		return l
	}
	return &loose{stamp: stampOf(f), open: f.ModTime.IsZero()}
}

// replace follows the files that changed since the index was built.
func (u *update) replace(changed []index.FileID) {
	if u.since == nil {
		u.since = map[string]*loose{}
	}
	for _, id := range changed {
		if !u.concerns(id) {
			continue
		}
		f, _ := u.ix.File(id)
		known := false
		for i, sh := range u.shards {
			row, ok := sh.seg.rowOf(f.Path)
			switch {
			case !ok || !sh.live(row):
			case sh.seg.files[row].stamp == stampOf(f):
				known = true
			default:
				u.shards[i] = sh.masked(func(r int) bool { return r != row && sh.live(r) })
			}
		}
		if !known {
			u.since[f.Path] = u.loose(f)
		}
	}
}

// load maps the shards that earlier processes kept, the newest first. Those that cannot
// be used are replaced.
func (u *update) load() []*shard {
	var out []*shard
	files := mapped.Files(u.dir, u.family+"-")
	slices.Reverse(files)
	for _, file := range files {
		sh, err := mapShard(file)
		switch {
		case err == nil && len(sh.seg.files) > 0:
			out = append(out, sh)
		case !errors.Is(err, fs.ErrNotExist):
			u.useless = append(u.useless, file)
		}
	}
	return out
}

func mapShard(file string) (*shard, error) {
	seg := &segment{}
	data, _, err := format.Map(file, seg.columns()...)
	if err != nil {
		return nil, err
	}
	data.Forever() // what is made of a segment shares its texts
	return &shard{seg: seg, file: file}, nil
}

// fold makes shards of the loose files if there are too many, or no shard yet. Small
// shards and those whose files have mostly changed are made again with them.
func (u *update) fold() {
	var paths []string
	for path, l := range u.since {
		if !l.open && (!l.done || l.seg != nil) {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 || len(paths) <= maxLoose && len(u.shards) > 0 {
		return
	}
	paths = append(paths, u.dissolve()...)
	slices.Sort(paths)
	tr := newTrainer()
	for len(paths) > 0 && u.ctx.Err() == nil {
		n := u.train(tr, paths)
		if sh := u.addShard(tr); sh.file == "" && len(sh.seg.files) > 0 {
			tr = newTrainer() // the shard has its memory
		}
		paths = paths[n:]
	}
	slices.SortFunc(u.shards, func(a, b *shard) int { return strings.Compare(a.seg.path(0), b.seg.path(0)) })
}

// dissolve removes the shards that are not worth keeping as they are, and lists their
// files.
func (u *update) dissolve() (paths []string) {
	small := 0
	for _, sh := range u.shards {
		if sh.small() {
			small++
		}
	}
	u.shards = slices.DeleteFunc(u.shards, func(sh *shard) bool {
		if sh.size >= sh.text()/2 && !(sh.small() && small > maxSmall) {
			return false
		}
		for row := range sh.seg.files {
			if sh.live(row) {
				paths = append(paths, sh.seg.path(row))
			}
		}
		u.useless = append(u.useless, sh.file)
		return true
	})
	return paths
}

// train learns the first of some files, as many as a shard holds, and returns how many.
func (u *update) train(tr *trainer, paths []string) int {
	tr.reset()
	left := shardText
	for i, path := range paths {
		if left <= 0 || u.ctx.Err() != nil {
			return i
		}
		id, ok := u.ix.FileID(path)
		if !ok {
			continue
		}
		f, _ := u.ix.File(id)
		text, ok := u.corpus.Text(path)
		if !ok {
			u.since[path] = &loose{stamp: stampOf(f), done: true}
			continue
		}
		delete(u.since, path)
		left -= len(text)
		tr.learn(f, text)
	}
	return len(paths)
}

// learn adds a file without its secrets.
func (tr *trainer) learn(f index.File, text string) {
	if tr.hidden = len(redact.Find(text)) > 0; tr.hidden {
		text = new(redact.Redactor).Redact(text).String()
	}
	tr.file(f.Path, f.Language, text, stampOf(f))
	tr.hidden = false
}

// addShard makes a shard of what was learned: in a file, else in the trainer's memory.
func (u *update) addShard(tr *trainer) *shard {
	sh := &shard{seg: tr.finish(true)}
	if len(sh.seg.files) == 0 {
		return sh
	}
	if u.dir != "" {
		file := filepath.Join(u.dir, fmt.Sprintf("%s-%x", u.family, time.Now().UnixNano()))
		seg := &segment{}
		if data, err := format.Keep(file, sh.seg.columns(), seg.columns()); err == nil {
			data.Forever() // see mapShard
			sh = &shard{seg: seg, file: file}
		}
	}
	sh.size = sh.text()
	u.shards = append(u.shards, sh)
	return sh
}

// learnLoose learns the files that stay by themselves.
func (u *update) learnLoose() {
	for path, l := range u.since {
		if l.done || u.ctx.Err() != nil {
			continue
		}
		now := &loose{stamp: l.stamp, open: l.open, done: true}
		id, ok := u.ix.FileID(path)
		if text, readable := u.corpus.Text(path); ok && readable {
			f, _ := u.ix.File(id)
			tr := newTrainer()
			tr.learn(f, text)
			now.seg = tr.finish(false)
		}
		u.since[path] = now
	}
}
