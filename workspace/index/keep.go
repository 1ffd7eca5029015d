package index

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"time"

	"tandem/workspace/mapped"
)

// format is the file of a saved index: the columns of one segment. A file of another
// version, or of another byte order, is rebuilt.
var format = mapped.Format{Kind: "tandem index\n", Version: 4}

// all is the order of the columns in the file.
func (c *columns) all() []mapped.Column {
	return []mapped.Column{
		mapped.Of(&c.files), mapped.Of(&c.defs), mapped.Of(&c.params), mapped.Of(&c.imports),
		mapped.Of(&c.nameAt), mapped.Of(&c.nameBytes), mapped.Of(&c.nameSlots), mapped.Of(&c.textAt), mapped.Of(&c.textBytes),
		mapped.Of(&c.defAt), mapped.Of(&c.byName), mapped.Of(&c.memberAt), mapped.Of(&c.byType),
		mapped.Of(&c.useAt), mapped.Of(&c.useFile), mapped.Of(&c.useCount), mapped.Of(&c.sigs),
	}
}

// Save writes the index to a file, from which the next Build starts, and
// returns an equal index whose data is in that file and not in the heap. Open
// buffers are not saved: the next Build reads their files.
func (ix *Index) Save(file string) (*Index, error) {
	defer runtime.KeepAlive(ix)
	whole := ix.state().whole()
	kept := &segment{made: whole.made}
	var err error
	if kept.data, err = format.Keep(file, whole.all(), kept.all()); err != nil {
		var at *fs.PathError // names a temporary file
		if errors.As(err, &at) {
			err = at.Err
		}
		return nil, fmt.Errorf("%s could not be written, so the next start will read every file: %w", file, err)
	}
	kept.ids = make([]FileID, kept.numFiles())
	return of(ix.root, kept), nil
}

// load reads a saved index, and the time when it was saved. The error is
// os.ErrNotExist when there is none.
func load(file string) (*segment, time.Time, error) {
	seg := &segment{}
	data, at, err := format.Map(file, seg.all()...)
	if errors.Is(err, mapped.ErrDamaged) || errors.Is(err, mapped.ErrVersion) {
		return nil, time.Time{}, fmt.Errorf("the kept index is being made anew: %w", err)
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	seg.data, seg.made, seg.ids = data, at, make([]FileID, seg.numFiles())
	return seg, at, nil
}
