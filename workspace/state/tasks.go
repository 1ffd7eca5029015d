package state

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tandem/workspace/lock"
)

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
		if err := task.Foreign(); err != nil {
			return err
		}
		if err := t.removeCancels(id); err != nil {
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
		if err := task.Foreign(); err != nil {
			return err
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
	text, err := readWhole(filepath.Join(dir, name+".txt"))
	if err != nil {
		return "", fmt.Errorf("a text of the task %s cannot be read: %w", id, err)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != name {
		return "", fmt.Errorf("a text of the task %s has been changed on disk", id)
	}
	return string(text), nil
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
	data, err := readWhole(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Task{}, ErrNoTask
	}
	if err != nil {
		return Task{}, err
	}
	task, err := decodeTask(data)
	if err != nil {
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

// locked opens a file of a task and locks it while use runs.
func (t *Tasks) locked(id, suffix string, use func(*os.File) error) error {
	path, err := t.path(id, suffix)
	if err != nil {
		return err
	}
	if err := private(t.dir); err != nil {
		return err
	}
	f, err := lock.Opened(func() (*os.File, error) { return lock.Open(path, os.O_RDWR|os.O_CREATE, 0o600) })
	if err != nil {
		return err
	}
	defer f.Close()
	return use(f)
}
