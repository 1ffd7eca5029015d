package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tandem/workspace/lock"
)

// An Entry is one line of the ledger: a request that was sent from the machine
// (Event "sent"), or how it ended ("done"). It holds no text of either.
type Entry struct {
	Seq     int64     `json:"seq"`
	Time    time.Time `json:"time"`
	Event   string    `json:"event"`
	ID      string    `json:"id"` // of the request; the entries of one share it
	Lane    string    `json:"lane,omitempty"`
	Purpose string    `json:"purpose,omitempty"`
	By      string    `json:"by,omitempty"` // who asked: a command, an editor or an agent, by its own name
	Model   string    `json:"model,omitempty"`
	Host    string    `json:"host,omitempty"`
	Bytes   int       `json:"bytes,omitempty"`
	Body    string    `json:"body_sha256,omitempty"`
	Served  string    `json:"served,omitempty"`
	Input   int       `json:"input_tokens,omitempty"`
	Cached  int       `json:"cached_tokens,omitempty"`
	Output  int       `json:"output_tokens,omitempty"`
	// Estimated means that the server did not report the tokens.
	Estimated bool    `json:"estimated,omitempty"`
	CostUSD   float64 `json:"cost_usd,omitempty"`
	Error     string  `json:"error,omitempty"` // class of error, "" when it ended well
	// Hash is the SHA-256 of the line before's hash and this line without it. In every version
	// it is the last member.
	Hash string `json:"hash"`
}

// The events of an Entry.
const (
	EventSent = "sent"
	EventDone = "done"
)

// A head describes the end of the ledger: without it, the removal of the last
// lines could not be detected.
type head struct {
	Seq   int64   `json:"seq"`
	Hash  string  `json:"hash"`
	Size  int64   `json:"size"` // of the file that is written to
	Day   string  `json:"day"`
	Spent float64 `json:"spent_usd"` // on Day
}

// A Ledger is the hash-chained list of requests. Processes may append at the
// same time.
type Ledger struct {
	dir  string
	most int64 // bytes of a file, after which the next one begins

	mu          sync.Mutex // guards the files; the lock on head excludes other processes
	lines, head *os.File   // kept open after the first use, since a request waits until its line is written
}

// Ledger is the store's ledger.
func (s *Store) Ledger() *Ledger { return &Ledger{dir: filepath.Join(s.Dir, "ledger"), most: 32 << 20} }

const (
	linesFile = "ledger.jsonl"
	headFile  = "head.json"
	headSize  = 512 // the head is written in place, always at this length
)

// Append adds an entry: it gets the next number and its place in the chain.
func (l *Ledger) Append(e Entry) error {
	if math.IsNaN(e.CostUSD) || math.IsInf(e.CostUSD, 0) {
		e.CostUSD = 0
	}
	return l.locked(func() error {
		h, err := l.resume()
		if err != nil {
			return err
		}
		return l.write(h, e)
	})
}

// Close closes the files; a later Append opens them again.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.close()
}

func (l *Ledger) close() error {
	if l.lines == nil {
		return nil
	}
	err := errors.Join(l.lines.Close(), l.head.Close())
	l.lines, l.head = nil, nil
	return err
}

// locked runs use with the files open and no other process in them.
func (l *Ledger) locked(use func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range openAttempts {
		if err := l.open(); err != nil {
			return err
		}
		if err := lock.Wait(l.head); err != nil {
			return err
		}
		// Another process may have begun the next file, or removed all, before the lock was ours.
		if lock.Current(l.lines) && lock.Current(l.head) {
			return errors.Join(use(), lock.Release(l.head))
		}
		if err := l.close(); err != nil { // releases the lock
			return err
		}
	}
	return fmt.Errorf("the files in %s are removed while they are opened", l.dir)
}

// openAttempts is how often the files are opened again that were removed meanwhile.
const openAttempts = 100

// open opens the files, and opens them again if the open ones were removed.
func (l *Ledger) open() error {
	if l.lines != nil && lock.Current(l.lines) && lock.Current(l.head) {
		return nil
	}
	if err := errors.Join(l.close(), private(l.dir)); err != nil {
		return err
	}
	lines, err := lock.Open(filepath.Join(l.dir, linesFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	head, err := lock.Open(filepath.Join(l.dir, headFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return errors.Join(err, lines.Close())
	}
	l.lines, l.head = lines, head
	return nil
}

// resume is the head to continue from. A process that died between a line and its
// head wrote a line too many, or half of one: whole lines that continue the chain
// are accepted, half a line is cut off. Any other damage is kept, so that Read
// reports it.
func (l *Ledger) resume() (head, error) {
	f := l.lines
	h, err := l.readHead()
	if err != nil {
		h = head{} // it is computed again from the lines
	}
	info, err := f.Stat()
	if err != nil {
		return h, err
	}
	if info.Size() <= h.Size {
		h.Size = info.Size() // if it is shorter, lines are missing: Read reports that
		return h, nil
	}
	tail := make([]byte, info.Size()-h.Size)
	if _, err := f.ReadAt(tail, h.Size); err != nil {
		return h, err
	}
	for len(tail) > 0 {
		line, rest, whole := bytes.Cut(tail, []byte("\n"))
		if !whole {
			return h, f.Truncate(h.Size)
		}
		next, err := follow(h, line)
		if err != nil {
			h.Size = info.Size()
			return h, nil
		}
		h, tail = next, rest
	}
	return h, nil
}

// follow is the head after line, which has to continue the chain of h.
func follow(h head, line []byte) (head, error) {
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil {
		return h, errors.New("is not an entry of the ledger")
	}
	if e.Seq != h.Seq+1 {
		return h, fmt.Errorf("has number %d where %d follows: lines were removed, added or moved", e.Seq, h.Seq+1)
	}
	unhashed := bytes.Clone(bytes.TrimSuffix(line, []byte(e.Hash+hashEnd)))
	if e.Hash != chain(h.Hash, append(unhashed, hashEnd...)) {
		return h, errors.New("was changed after it was written")
	}
	return advance(h, e, len(line)+1), nil
}

func advance(h head, e Entry, size int) head {
	if day := e.Time.Format(time.DateOnly); day != h.Day {
		h.Day, h.Spent = day, 0
	}
	h.Seq, h.Hash, h.Size, h.Spent = e.Seq, e.Hash, h.Size+int64(size), h.Spent+max(0, e.CostUSD)
	return h
}

// hashEnd follows the hash, the last member of a line in every version. A line is hashed
// without its hash as it is written: another version may have members that this one does
// not know.
const hashEnd = `"}`

// encode is an entry's line. Encoding never fails: Append has checked the one
// number for which it could.
func encode(e Entry) []byte {
	line, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	return line
}

func chain(before string, line []byte) string {
	sum := sha256.Sum256(append([]byte(before), line...))
	return hex.EncodeToString(sum[:])
}

func (l *Ledger) write(h head, e Entry) error {
	if h.Size >= l.most {
		if err := l.rotate(h.Seq); err != nil {
			return err
		}
		h.Size = 0
	}
	e.Seq = h.Seq + 1
	e.Hash = ""
	e.Hash = chain(h.Hash, encode(e))
	line := append(encode(e), '\n')
	if _, err := l.lines.WriteAt(line, h.Size); err != nil {
		return err
	}
	return l.writeHead(advance(h, e, len(line)))
}

// rotate renames the full file, by the number of its last line, and begins the
// next one, which continues the chain.
func (l *Ledger) rotate(last int64) error {
	full := l.lines.Name()
	archived := filepath.Join(l.dir, fmt.Sprintf("ledger-%015d.jsonl", last))
	if err := errors.Join(l.lines.Close(), lock.Replace(full, archived)); err != nil {
		return err
	}
	lines, err := lock.Open(full, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	l.lines = lines
	return nil
}

// all is the lines of every file, oldest first.
func (l *Ledger) all() ([]byte, error) {
	names, err := filepath.Glob(filepath.Join(l.dir, "ledger-*.jsonl"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var out []byte
	for _, name := range append(names, l.lines.Name()) {
		data, err := readWhole(name)
		if err != nil {
			return nil, err
		}
		out = append(out, data...)
	}
	return out, nil
}

// readHead is the zero head for a new ledger.
func (l *Ledger) readHead() (head, error) {
	var h head
	data := make([]byte, headSize)
	n, err := l.head.ReadAt(data, 0)
	if n == 0 {
		return h, ignoreEOF(err)
	}
	if err := json.Unmarshal(data[:n], &h); err != nil {
		return head{}, fmt.Errorf("the ledger's head cannot be read: %w", err)
	}
	return h, nil
}

// writeHead does not wait for the disk: resume brings an old head up to date.
func (l *Ledger) writeHead(h head) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	padded := bytes.Repeat([]byte(" "), headSize)
	copy(padded, data)
	padded[headSize-1] = '\n'
	_, err = l.head.WriteAt(padded, 0)
	return err
}

// Spent is the cost of the day of t so far, of all processes. It is an error where
// no further entry can be written, since what comes next would not be counted.
func (l *Ledger) Spent(t time.Time) (usd float64, err error) {
	err = l.locked(func() error {
		h, err := l.readHead()
		if err == nil {
			h, err = l.resume() // a process that was killed may have written a line and no head
		}
		if h.Day == t.Format(time.DateOnly) {
			usd = h.Spent
		}
		if err != nil {
			return err
		}
		return l.space(h.Size)
	})
	return usd, err
}

// entrySpace is more than the lines of a request take.
const entrySpace = 4 << 10

// space reports why no further entry can be written behind a size, nil if one can. What
// it writes for that is half a line, which resume cuts off should this process die.
func (l *Ledger) space(size int64) error {
	_, err := l.lines.WriteAt(bytes.Repeat([]byte(" "), entrySpace), size)
	return errors.Join(err, l.lines.Truncate(size))
}

// A Fault is a line that was changed after it was written.
type Fault struct {
	Line    int // 1-based; one past the last for lines missing at the end, 0 for the head
	Message string
}

func (f Fault) String() string {
	if f.Line == 0 {
		return "the head " + f.Message
	}
	return fmt.Sprintf("line %d %s", f.Line, f.Message)
}

// Read calls each with every entry, oldest first, and returns the first line
// that breaks the chain, or nil. Entries after a fault are passed on too.
func (l *Ledger) Read(each func(Entry) error) (*Fault, error) {
	var data []byte
	var end head
	var headErr error
	err := l.locked(func() (err error) {
		end, headErr = l.readHead()
		data, err = l.all()
		return err
	})
	if err != nil {
		return nil, err
	}
	h, fault, err := walk(data, each)
	switch {
	case headErr != nil || end.Seq == 0 && h.Seq > 1: // the first line is written before the first head
		return &Fault{0, "is missing: what says where the ledger ends is gone or unreadable"}, err
	case fault == nil && h.Seq < end.Seq:
		n := bytes.Count(data, []byte("\n"))
		return &Fault{n + 1, fmt.Sprintf("is missing: %d lines were removed at the end", end.Seq-h.Seq)}, err
	}
	return fault, err
}

// walk goes through the lines and returns where their chain ends and the first
// line that breaks it.
func walk(data []byte, each func(Entry) error) (h head, fault *Fault, err error) {
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		data = rest
		if !whole && begun(h, line) {
			break
		}
		next, broken := follow(h, line)
		if fault == nil && (broken != nil || !whole) {
			fault = &Fault{n, faultMessage(broken)}
		}
		h = next
		var e Entry
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		if err := each(e); err != nil {
			return h, fault, ignoreEOF(err)
		}
	}
	return h, fault, nil
}

// begun reports whether half a line is what a killed process leaves behind the chain of h: the
// beginning of the next entry, or what space writes.
func begun(h head, half []byte) bool {
	next := fmt.Appendf(nil, `{"seq":%d,`, h.Seq+1)
	return bytes.HasPrefix(half, next) || bytes.HasPrefix(next, half) || len(bytes.Trim(half, " ")) == 0
}

func faultMessage(err error) string {
	if err == nil {
		return "is cut short"
	}
	return err.Error()
}

// ignoreEOF lets a reader stop early without an error.
func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
