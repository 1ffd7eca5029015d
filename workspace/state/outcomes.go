package state

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tandem/workspace/lock"
)

// outcomeVersion is the version of an Outcome's form. A line of another version is
// skipped.
const outcomeVersion = 1

// An Outcome is how a suggestion ended, or, with Since, how much of an accepted one was
// left some time later. It holds numbers and names of models and languages, no text.
type Outcome struct {
	V        int       `json:"v"`
	Time     time.Time `json:"time"`
	ID       string    `json:"id"` // the lines about one suggestion share it
	Model    string    `json:"model,omitempty"`
	Language string    `json:"language,omitempty"`
	Kind     string    `json:"kind,omitempty"` // line, block, next_edit
	End      string    `json:"end,omitempty"`  // accepted, partly, typed, dismissed, against, left, replaced; unseen and nothing where none was shown
	Shown    int       `json:"shown_ms,omitempty"`
	Length   int       `json:"length,omitempty"`  // bytes of the suggestion
	Taken    int       `json:"taken,omitempty"`   // bytes of it that were typed or accepted
	Control  bool      `json:"control,omitempty"` // it was shown whatever was estimated of it
	Place    []float64 `json:"place,omitempty"`   // numbers about the place: index, value, index, value, …
	Answer   []float64 `json:"answer,omitempty"`  // and about the suggestion's text

	Since string  `json:"since,omitempty"` // 30s, 5m, commit
	Left  float64 `json:"left,omitempty"`  // share of the accepted text that is still there
}

// Outcomes are the outcomes of suggestions, oldest first. Processes may add at the same
// time.
type Outcomes struct {
	dir  string
	most int64 // bytes of the file, after which the next one begins; the one before is kept
	mu   sync.Mutex
}

// Outcomes is the store's outcomes.
func (s *Store) Outcomes() *Outcomes {
	return &Outcomes{dir: filepath.Join(s.Dir, "outcomes"), most: 16 << 20}
}

const outcomesFile, outcomesBefore = "outcomes.jsonl", "outcomes-before.jsonl"

// Add appends an outcome.
func (o *Outcomes) Add(out Outcome) error {
	out.V = outcomeVersion
	line, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("encode an outcome: %w", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := private(o.dir); err != nil {
		return err
	}
	name := filepath.Join(o.dir, outcomesFile)
	f, err := lock.Opened(func() (*os.File, error) { return OpenPrivate(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY) })
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if info, statErr := f.Stat(); err == nil && statErr == nil && info.Size() > o.most {
		err = os.Rename(name, filepath.Join(o.dir, outcomesBefore))
	}
	return errors.Join(err, f.Close())
}

// Read lists what is kept. What cannot be decoded is skipped.
func (o *Outcomes) Read() ([]Outcome, error) {
	out, err := o.read()
	if err != nil {
		return nil, fmt.Errorf("read the outcomes of suggestions: %w", err)
	}
	return out, nil
}

// read holds the lock of the file that is written to, so that no other process begins the
// next one while the two are read.
func (o *Outcomes) read() (out []Outcome, err error) {
	now, err := lock.Opened(func() (*os.File, error) { return os.OpenFile(filepath.Join(o.dir, outcomesFile), os.O_RDWR, 0) })
	if err == nil {
		defer func() { err = errors.Join(err, now.Close()) }()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	before, err := os.Open(filepath.Join(o.dir, outcomesBefore))
	if err == nil {
		defer func() { err = errors.Join(err, before.Close()) }()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range []*os.File{before, now} {
		if f == nil {
			continue
		}
		if out, err = appendOutcomes(out, f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func appendOutcomes(out []Outcome, in io.Reader) ([]Outcome, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one Outcome
		if json.Unmarshal(lines.Bytes(), &one) == nil && one.V == outcomeVersion {
			out = append(out, one)
		}
	}
	return out, lines.Err()
}
