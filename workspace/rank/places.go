package rank

import "tandem/workspace/index"

// foldersOf lists the files of each folder.
func foldersOf(files []file) map[string][]index.FileID {
	folders := map[string][]index.FileID{}
	for id, f := range files {
		if f.path != "" {
			folders[f.dir] = append(folders[f.dir], index.FileID(id))
		}
	}
	return folders
}
