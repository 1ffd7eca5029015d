package complete

import "slices"

// trained is one immutable version of what is known of the files of one language
// family. An update replaces it.
type trained struct {
	shards []*shard
	since  map[string]*loose // files that no shard has as they are now; their segment is nil if there is nothing to learn
	left   int               // files that are not in the sample
}

// A loose file is learned by itself, in memory, until there are enough for a shard. It
// never changes once it is done.
type loose struct {
	stamp stamp
	open  bool // an open buffer, whose text is not on disk
	done  bool // it was read; nothing was learned if there is no segment
	seg   *segment
}

// A shard is a segment of many files, in a mapped file where there is a folder for it.
// Some of its files may have changed or be gone.
type shard struct {
	seg  *segment
	file string // "" in memory
	dead []bool // by row, the files that are not to be used; nil: none
	size int    // bytes of text of the live ones
}

// live reports whether a file of the shard is as it was learned.
func (sh *shard) live(row int) bool { return sh.dead == nil || !sh.dead[row] }

// masked returns the shard with the liveness of its files that keep reports.
func (sh *shard) masked(keep func(row int) bool) *shard {
	out := &shard{seg: sh.seg, file: sh.file, dead: make([]bool, len(sh.seg.files))}
	for row := range out.dead {
		if out.dead[row] = !keep(row); !out.dead[row] {
			out.size += int(sh.seg.files[row].stamp.size)
		}
	}
	return out
}

// text is how many bytes of text the shard was learned from.
func (sh *shard) text() (n int) {
	for row := range sh.seg.files {
		n += int(sh.seg.files[row].stamp.size)
	}
	return n
}

// small reports whether the shard holds little of what it could.
func (sh *shard) small() bool { return sh.text() < shardText/4 }

// separate lists the loose files, by path.
func (k trained) separate() []string {
	var out []string
	for path, f := range k.since {
		if f.seg != nil {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
