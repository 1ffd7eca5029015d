package index

import (
	"context"
	"fmt"
	"runtime"

	"tandem/workspace/disk"
	"tandem/workspace/mapped"
	"tandem/workspace/rel"
)

// Text is the text of a file as it was when it was indexed: that of an open
// buffer from memory, any other from the disk. A file that has changed since is
// an error, because line numbers would be wrong.
func (ix *Index) Text(id FileID) (string, error) {
	defer runtime.KeepAlive(ix)
	p, ok := ix.state().at(id)
	if !ok {
		return "", fmt.Errorf("the file is no longer in the workspace")
	}
	if p.doc != nil {
		return p.doc.text, nil
	}
	row := &p.seg.files[p.row]
	if row.modTime == 0 {
		if p.seg.held == nil {
			return "", nil
		}
		return p.seg.held[p.row], nil
	}
	path := p.seg.text(row.path)
	text, err := readBelow(ix.root, path)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if uint64(len(text)) != row.size || hashOf(text) != row.hash {
		return "", fmt.Errorf("%s has changed since it was indexed; ask again when the change has been seen", path)
	}
	return mapped.String(text), nil
}

func readBelow(folder, path string) ([]byte, error) {
	at, ok := rel.Of(path)
	if !ok {
		return nil, disk.ErrOutside
	}
	root, err := disk.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(context.Background(), at, MaxFile)
}
