package complete

import (
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
	maxCorpus = 160 << 20 // bytes of text of one folder
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
	old         trained

	removed int // files that were removed from the index's base
	shards  []*shard
	since   map[string]*loose
	useless []string // files of shards that are replaced
}

func (u *update) result() trained { return trained{shards: u.shards, since: u.since} }

// follow finds which files are still as they were learned, and which are to be learned.
// built is the base of the index of the last update, and removed how many of its files
// were removed.
func (u *update) follow(built *index.Index, removed int) {
	u.shards, u.since = slices.Clone(u.old.shards), maps.Clone(u.old.since)
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

// compare compares all that is learned with all files of the index.
func (u *update) compare() {
	have := map[string]bool{}
	for i, sh := range u.shards {
		u.shards[i] = sh.masked(func(row int) bool {
			path := sh.seg.path(row)
			if have[path] || !u.current(path, sh.seg.files[row].stamp) {
				return false
			}
			have[path] = true
			return true
		})
	}
	u.since = map[string]*loose{}
	left := maxCorpus
	for _, id := range u.ix.Files() {
		if !u.concerns(id) {
			continue
		}
		f, _ := u.ix.File(id)
		if left -= f.Size; left > 0 && !have[f.Path] {
			u.since[f.Path] = u.loose(f)
		}
	}
}

// concerns reports whether a file is to be learned.
func (u *update) concerns(id index.FileID) bool {
	if language.Family(u.ix.Language(id)) != u.family {
		return false
	}
	f, ok := u.ix.File(id)
	return ok && f.Path != u.without && worth(f)
}

// current reports whether the index has a file as it was learned.
func (u *update) current(path string, st stamp) bool {
	id, ok := u.ix.FileID(path)
	if !ok {
		return false
	}
	f, _ := u.ix.File(id)
	return stampOf(f) == st
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
