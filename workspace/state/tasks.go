package state

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/workspace/lock"
)

// A Task is a deep task as it was last saved.
type Task struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	State       string    `json:"state"` // queued, planning, planned, running, waiting, done, failed, cancelled, interrupted
	Root        string    `json:"root"`  // folder it works on
	Instruction string    `json:"instruction"`
	URI         string    `json:"uri,omitempty"`
	Start       int       `json:"start,omitempty"` // of the selection, in bytes
	End         int       `json:"end,omitempty"`
	Tests       bool      `json:"tests,omitempty"` // the user allowed the test command
	Started     time.Time `json:"started"`
	Updated     time.Time `json:"updated"`
	Steps       []Step    `json:"steps,omitempty"`
	Approved    bool      `json:"approved,omitempty"`   // the user has started the plan, or need not see it
	Hold        bool      `json:"hold,omitempty"`       // the user has edited the plan and not started it
	AgreedUSD   float64   `json:"agreed_usd,omitempty"` // the estimate that the user has agreed to
	Replan      bool      `json:"replan,omitempty"`     // a message changes what is to do
	Messages    []Message `json:"messages,omitempty"`
	Calls       []Call    `json:"calls,omitempty"`
	Partial     string    `json:"partial,omitempty"` // what had come of a plan
	Error       string    `json:"error,omitempty"`
	Code        string    `json:"code,omitempty"` // class of the error

	EstimateTokens int     `json:"estimate_tokens,omitempty"`
	EstimateUSD    float64 `json:"estimate_usd,omitempty"`
	PromptTokens   int     `json:"prompt_tokens,omitempty"`
	OutputTokens   int     `json:"output_tokens,omitempty"`
	CostUSD        float64 `json:"cost_usd,omitempty"`
	FastUSD        float64 `json:"fast_usd,omitempty"` // what of it the fast lane cost
	Ms             int64   `json:"ms,omitempty"`       // how long it worked, without waiting for the user

	Review   string `json:"review,omitempty"`   // what the review of the whole found, or why there was none
	Resolved string `json:"resolved,omitempty"` // accepted, rejected: what the user decided about the result
	Owner    string `json:"owner,omitempty"`    // the process that runs it
}

// A Step is one part of a task's plan, with its result.
type Step struct {
	Title  string   `json:"title"`
	Lane   string   `json:"lane"`
	State  string   `json:"state"` // queued, running, waiting, done, failed, interrupted
	Reads  []string `json:"reads,omitempty"`
	Writes []string `json:"writes,omitempty"`
	After  []int    `json:"after,omitempty"` // indices of steps
	Done   string   `json:"done,omitempty"`  // what done means

	Order   int      `json:"order,omitempty"`   // when it was done, from 1, among the steps
	Result  []Change `json:"result,omitempty"`  // what it changed
	Partial string   `json:"partial,omitempty"` // what had come of its answer when it was stopped
	Checks  []string `json:"checks,omitempty"`  // what checks said of earlier attempts
	Model   string   `json:"model,omitempty"`   // that answered
	CostUSD float64  `json:"cost_usd,omitempty"`
	Ms      int64    `json:"ms,omitempty"`
	Error   string   `json:"error,omitempty"`
}

// A Message is one sentence between the user and a task.
type Message struct {
	Time time.Time `json:"time"`
	From string    `json:"from"` // user, task
	Kind string    `json:"kind"` // steer, question, answer, notice
	Text string    `json:"text"`
}

// A Call is one use of a tool by the deep model.
type Call struct {
	Step   int    `json:"step"` // index of the step; -1 for the plan and the review
	Tool   string `json:"tool"`
	Args   string `json:"args"`
	Tokens int    `json:"tokens"` // of what it returned
	Error  string `json:"error,omitempty"`
}

// A Change is what a step did to one file. Before and After name texts that the store
// keeps for the task (Tasks.Text); "" is no file.
type Change struct {
	Path   string `json:"path"` // relative to the task's root, with slashes
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Running reports whether the task is not over.
func (t Task) Running() bool {
	switch t.State {
	case "queued", "planning", "planned", "running", "waiting":
		return true
	}
	return false
}

// ErrOwned is the error for a task that another process runs.
var ErrOwned = errors.New("another tandem runs this task")

// ErrNoTask is the error for an id that names no task.
var ErrNoTask = errors.New("there is no such task; tandem tasks lists them")

// Tasks is the folder of deep tasks: a file a task.
type Tasks struct {
	dir string

	mu    sync.Mutex // guards owner
	owner *os.File   // locked while this process lives
}

// Tasks is the store's tasks. Close it to give up those that run.
func (s *Store) Tasks() *Tasks { return &Tasks{dir: filepath.Join(s.Dir, "tasks")} }

const ownerPrefix = "owner-"

// NewID is a short, unique name for a task.
func NewID() string {
	return strings.ToLower(rand.Text()[:8])
}

// path is a task's file; an id that is no plain name has none.
func (t *Tasks) path(id, suffix string) (string, error) {
	if id == "" || strings.HasPrefix(id, ".") || strings.HasPrefix(id, ownerPrefix) || strings.ContainsAny(id, `/\:`) {
		return "", ErrNoTask
	}
	return filepath.Join(t.dir, id+suffix), nil
}

// Save puts a task on disk. While it runs, it belongs to this process: if the
// process dies, the task is listed as interrupted.
func (t *Tasks) Save(task Task) error {
	path, err := t.path(task.ID, ".json")
	if err != nil {
		return err
	}
	if err := private(t.dir); err != nil {
		return err
	}
	task.Owner = ""
	if task.Running() {
		if task.Owner, err = t.own(); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(task, "", "\t")
	if err != nil {
		return fmt.Errorf("the task %s cannot be kept: %w", task.ID, err)
	}
	return writeWhole(path, append(data, '\n'))
}

// Take makes this process the owner of a task that is not over, or that is to go on, and
// returns it as it was. One process at a time gets it; the others get ErrOwned.
func (t *Tasks) Take(id string) (Task, error) {
	var task Task
	err := t.locked(id, ".lock", func(*os.File) error {
		var err error
		if task, err = t.Get(id); err != nil {
			return err
		}
		if task.Running() {
			return ErrOwned
		}
		if err := t.dropCancels(id); err != nil {
			return err
		}
		next := task
		next.State = "queued"
		return t.Save(next)
	})
	return task, err
}

// Change lets a task that nobody runs be changed, such as by what the user decides about
// its result. ErrOwned if a process runs it.
func (t *Tasks) Change(id string, change func(*Task)) error {
	return t.locked(id, ".lock", func(*os.File) error {
		task, err := t.Get(id)
		if err != nil {
			return err
		}
		if task.Running() {
			return ErrOwned
		}
		change(&task)
		return t.Save(task)
	})
}

// PutText keeps a text of a task and returns its name.
func (t *Tasks) PutText(id, text string) (string, error) {
	dir, err := t.path(id, ".texts")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(text))
	name := hex.EncodeToString(sum[:])
	path := filepath.Join(dir, name+".txt")
	if _, err := os.Stat(path); err == nil {
		return name, nil
	}
	if err := private(dir); err != nil {
		return "", err
	}
	return name, writeWhole(path, []byte(text))
}

// Text is a text that PutText kept; "" has the name "".
func (t *Tasks) Text(id, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	dir, err := t.path(id, ".texts")
	if err != nil {
		return "", err
	}
	if strings.Trim(name, "0123456789abcdef") != "" {
		return "", fmt.Errorf("the task %s names a text that cannot be its own", id)
	}
	text, err := os.ReadFile(filepath.Join(dir, name+".txt"))
	if err != nil {
		return "", fmt.Errorf("a text of the task %s cannot be read: %w", id, err)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != name {
		return "", fmt.Errorf("a text of the task %s has been changed on disk", id)
	}
	return string(text), nil
}

// own is the name of this process's lock, taken when first needed.
func (t *Tasks) own() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.owner != nil {
		return filepath.Base(t.owner.Name()), nil
	}
	f, err := lockedOwner(t.dir)
	if err != nil {
		return "", err
	}
	t.owner = f
	return filepath.Base(f.Name()), nil
}

// lockedOwner makes an owner's file and locks it. Another process may take the
// file for one that a dead process left, and remove it, until it is locked; then
// the next one is made.
func lockedOwner(dir string) (*os.File, error) {
	for range 10 {
		f, err := os.CreateTemp(dir, ownerPrefix)
		if err != nil {
			return nil, err
		}
		ok, err := lock.Try(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the tasks folder cannot be locked; is it on a file system without locks?"), err, f.Close())
		}
		if ok && lock.Current(f) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the owner's files in %s are removed while they are made", dir)
}

// Close ends this process's claim: its running tasks count as interrupted.
func (t *Tasks) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.owner == nil {
		return nil
	}
	name := t.owner.Name()
	err := errors.Join(t.owner.Close(), ignoreGone(os.Remove(name))) // who looked whether this process lives may have removed it
	t.owner = nil
	return err
}

// alive reports whether the process that owns a task still runs. The lock of a dead
// process is removed. It shares the lock for its look: two who look at the same time must
// not take each other for the owner.
func (t *Tasks) alive(owner string) bool {
	if owner == "" || owner != filepath.Base(owner) || !strings.HasPrefix(owner, ownerPrefix) {
		return false
	}
	path := filepath.Join(t.dir, owner)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := lock.Share(f)
	if err == nil && free {
		_ = os.Remove(path)
	}
	return err == nil && !free
}

// Get is one task; one whose process died is interrupted.
func (t *Tasks) Get(id string) (Task, error) {
	task, err := t.stored(id)
	for err == nil && task.Running() && !t.alive(task.Owner) {
		// The owner may have stored the end between the two looks; it writes nothing now.
		gone := task
		task, err = t.stored(id)
		if err == nil && task.Running() && task.Owner == gone.Owner {
			return interrupted(task), nil
		}
	}
	return task, err
}

// interrupted is a task whose process died.
func interrupted(task Task) Task {
	task.State = "interrupted"
	for i := range task.Steps {
		if task.Steps[i].State == "running" {
			task.Steps[i].State = "interrupted"
		}
	}
	return task
}

// stored is a task as it is on disk.
func (t *Tasks) stored(id string) (Task, error) {
	path, err := t.path(id, ".json")
	if err != nil {
		return Task{}, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Task{}, ErrNoTask
	}
	if err != nil {
		return Task{}, err
	}
	var task Task
	if err := json.Unmarshal(data, &task); err != nil {
		return Task{}, fmt.Errorf("the task %s cannot be read: %w", id, err)
	}
	return task, nil
}

// List is every task, newest first. A file that cannot be read is left out and
// named in the error; the others are there all the same.
func (t *Tasks) List() ([]Task, error) {
	names, err := filepath.Glob(filepath.Join(t.dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var out []Task
	var failed error
	for _, name := range names {
		task, err := t.Get(strings.TrimSuffix(filepath.Base(name), ".json"))
		switch {
		case err == nil:
			out = append(out, task)
		case !errors.Is(err, ErrNoTask):
			failed = errors.Join(failed, err)
		}
	}
	slices.SortStableFunc(out, func(a, b Task) int { return b.Started.Compare(a.Started) })
	return out, failed
}

// Find is the task whose id begins with prefix.
func (t *Tasks) Find(prefix string) (Task, error) {
	if task, err := t.Get(prefix); err == nil {
		return task, nil
	}
	tasks, err := t.List()
	found := slices.DeleteFunc(tasks, func(task Task) bool { return prefix == "" || !strings.HasPrefix(task.ID, prefix) })
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return Task{}, fmt.Errorf("%d tasks begin with %q: write more of the id", len(found), prefix)
	}
	return Task{}, errors.Join(ErrNoTask, err)
}

// Remove deletes a task.
func (t *Tasks) Remove(id string) error {
	path, err := t.path(id, ".json")
	if err != nil {
		return err
	}
	messages, _ := t.path(id, ".words")
	locked, _ := t.path(id, ".lock")
	texts, _ := t.path(id, ".texts")
	err = t.locked(id, ".lock", func(*os.File) error { // so that nobody who changes the task stores it again
		return errors.Join(os.Remove(path), os.RemoveAll(texts), ignoreGone(os.Remove(messages)))
	})
	return errors.Join(err, ignoreGone(os.Remove(locked)))
}

// forget removes the tasks of one workspace.
func (t *Tasks) forget(root string) (Part, error) {
	gone := Part{Name: "tasks", Path: t.dir}
	tasks, failed := t.List()
	for _, task := range tasks {
		if task.Root != root {
			continue
		}
		path, _ := t.path(task.ID, ".json")
		if info, err := os.Stat(path); err == nil {
			gone.Bytes += info.Size()
		}
		texts, _ := t.path(task.ID, ".texts")
		if p, err := measure("texts", texts); err == nil {
			gone.Bytes += p.Bytes
		}
		if err := t.Remove(task.ID); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		gone.Files++
	}
	return gone, failed
}

// A TaskMessage is a message from another process to a running task.
type TaskMessage struct {
	Action string `json:"action"` // cancel, steer, resume, plan
	Text   string `json:"text,omitempty"`
}

// Send stores a message for the process that runs the task.
func (t *Tasks) Send(id string, message TaskMessage) error {
	return t.locked(id, ".words", func(f *os.File) error {
		line, err := json.Marshal(message)
		if err != nil {
			return err
		}
		_, err = f.Seek(0, 2)
		if err == nil {
			_, err = f.Write(append(line, '\n'))
		}
		return err
	})
}

// Receive returns and removes the messages that were stored for a task.
func (t *Tasks) Receive(id string) ([]TaskMessage, error) {
	path, err := t.path(id, ".words")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []TaskMessage
	err = t.locked(id, ".words", func(f *os.File) error {
		data, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(data) {
			var message TaskMessage
			if json.Unmarshal(line, &message) == nil {
				out = append(out, message)
			}
		}
		return f.Truncate(0)
	})
	return out, err
}

// dropCancels forgets the cancellations that came too late for the run before; what the
// user wrote stays for the next.
func (t *Tasks) dropCancels(id string) error {
	messages, err := t.Receive(id)
	for _, m := range messages {
		if m.Action != "cancel" {
			err = errors.Join(err, t.Send(id, m))
		}
	}
	return err
}

// locked opens a file of a task and locks it while use runs.
func (t *Tasks) locked(id, suffix string, use func(*os.File) error) error {
	path, err := t.path(id, suffix)
	if err != nil {
		return err
	}
	if err := private(t.dir); err != nil {
		return err
	}
	f, err := lock.Opened(func() (*os.File, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) })
	if err != nil {
		return err
	}
	defer f.Close()
	return use(f)
}
