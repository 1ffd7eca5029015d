package state

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"tandem/workspace/redact"
)

// Changes is what is kept of reviewing the changes of one folder.
type Changes struct{ path string }

// ChangesRecord is that file.
type ChangesRecord struct {
	// Marks are what the person has said of hunks, by the hunks' ids.
	Marks map[string]string `json:"marks"`
	// Moment is the texts that the person has marked as the base of what comes.
	Moment *Moment `json:"moment,omitempty"`
}

// A Moment is a revision, and the texts that were different from it then. They are stored
// without their secrets.
type Moment struct {
	Revision string            `json:"revision"`
	Texts    map[string]string `json:"texts"`
	Absent   map[string]bool   `json:"absent"` // files of the revision that were not there
}

// ChangesFile is where a state folder keeps what was reviewed in the folder at root.
func ChangesFile(dir, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(dir, "changes", hex.EncodeToString(sum[:12])+".json")
}

// Changes is the record of the folder at root.
func (s *Store) Changes(root string) *Changes { return &Changes{path: ChangesFile(s.Dir, root)} }

// Read returns the record. One that cannot be read is empty: nothing is reviewed.
func (c *Changes) Read() ChangesRecord {
	out := ChangesRecord{}
	if data, err := readWhole(c.path); err == nil && json.Unmarshal(data, &out) != nil {
		out = ChangesRecord{}
	}
	if out.Marks == nil {
		out.Marks = map[string]string{}
	}
	return out
}

// Change rewrites the record.
func (c *Changes) Change(do func(*ChangesRecord)) error {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	return alone(filepath.Dir(c.path), func() error { // one lock for all folders, which a purge may leave
		record := c.Read()
		do(&record)
		if record.Moment != nil {
			for path, text := range record.Moment.Texts {
				record.Moment.Texts[path] = redact.Kept(text)
			}
		}
		data, err := json.Marshal(record)
		if err != nil {
			return err
		}
		return writeWhole(c.path, data)
	})
}
