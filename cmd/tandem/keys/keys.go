// Package keys finds the keys of model providers: in the OS keyring, in the
// environment, from a program of the user's, or in a file of the user's own.
//
// Invariant: a key is a model.Secret from the moment it is read, and no name,
// path or program in here comes from a workspace. There is deliberately no
// way to pass a key as an argument of a command.
package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zalando/go-keyring"

	"tandem/model"
	"tandem/workspace/disk"
	"tandem/workspace/lock"
)

// service is the name of tandem's entries in the OS keyring.
const service = "tandem"

// maxKey bounds the length of a key or token in bytes.
const maxKey = 64 << 10

// ErrNone is the error for a name under which no key is stored.
var ErrNone = errors.New("no key is stored under this name")

// A Ring stores keys.
type Ring struct {
	dir    string // keys/ of the user's configuration
	getenv func(string) string
	held   map[string]model.Secret // not stored yet
}

// New returns the ring that keeps its files below the user's configuration folder.
func New(configDir string, getenv func(string) string) *Ring {
	return &Ring{dir: filepath.Join(configDir, "keys"), getenv: getenv}
}

// Holding returns the ring with a key that is not stored, to try it.
func (r *Ring) Holding(name string, key model.Secret) *Ring {
	return &Ring{r.dir, r.getenv, map[string]model.Secret{name: key}}
}

// A Stored is the name and place of a stored key.
type Stored struct {
	Name  string
	Where string // "keyring" or the path of its file
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.[A-Za-z0-9_-]{1,63})*$`)

func checkName(name string) error {
	if !plainName.MatchString(name) {
		return fmt.Errorf("%q is no name for a key: use letters, digits, - and _", name)
	}
	return nil
}

// Read reads a key from in, usually standard input; it must be one line.
func Read(in io.Reader) (model.Secret, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxKey+1))
	if err != nil {
		return model.Secret{}, fmt.Errorf("the key cannot be read: %w", err)
	}
	return clean(string(data))
}

// clean returns a key without the white space around it.
func clean(text string) (model.Secret, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return model.Secret{}, errors.New("the key is empty")
	case len(text) > maxKey:
		return model.Secret{}, fmt.Errorf("the key is longer than %d bytes", maxKey)
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return model.Secret{}, errors.New("the key has more than one line, or control characters: give the key alone")
	}
	return model.NewSecret(text), nil
}

// hasKeyring reports whether the OS keyring can work. Without a session bus the
// library would start one, and nothing may be started here.
func (r *Ring) hasKeyring() bool {
	return runtime.GOOS == "darwin" || runtime.GOOS == "windows" || r.getenv("DBUS_SESSION_BUS_ADDRESS") != ""
}

// Set stores a key and returns where: in the OS keyring or, if there is none,
// in a file that only the user can read.
func (r *Ring) Set(name string, key model.Secret) (where string, err error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	if r.hasKeyring() && keyring.Set(service, name, key.Reveal()) == nil {
		_ = os.Remove(r.file(name)) // an older key in a file would be a second one
		return "keyring", r.note(name)
	}
	if err := r.writeFile(name, key); err != nil {
		return "", err
	}
	return r.file(name), nil
}

func (r *Ring) file(name string) string { return filepath.Join(r.dir, name) }

// A key that is being written has newPrefix in its name; one that is older than
// leftoverAge was left by a killed program.
const (
	newPrefix   = ".new-"
	leftoverAge = time.Minute
)

// dropLeftovers removes what killed programs left of keys that they were writing.
func (r *Ring) dropLeftovers() {
	entries, _ := os.ReadDir(r.dir) // writing the key says why it cannot be read
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), newPrefix) && time.Since(info.ModTime()) > leftoverAge {
			_ = os.Remove(filepath.Join(r.dir, e.Name())) // the next write tries again
		}
	}
}

func (r *Ring) writeFile(name string, key model.Secret) error {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return fmt.Errorf("the key cannot be put away: %w", err)
	}
	r.dropLeftovers()
	if err := r.replace(name, key.Reveal()+"\n"); err != nil {
		return fmt.Errorf("the key cannot be put away: %w", err)
	}
	return nil
}

// replace writes a file whole or not at all.
func (r *Ring) replace(name, text string) error {
	temp, err := os.CreateTemp(r.dir, newPrefix+"*")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(text)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = lock.Replace(temp.Name(), r.file(name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// Get returns a stored key and where it was found.
func (r *Ring) Get(name string) (key model.Secret, where string, err error) {
	if err := checkName(name); err != nil {
		return model.Secret{}, "", err
	}
	if key, ok := r.held[name]; ok {
		return key, "not stored", nil
	}
	if r.hasKeyring() {
		if text, err := keyring.Get(service, name); err == nil {
			key, err := clean(text)
			return key, "keyring", err
		}
	}
	key, err = r.readFile(name)
	return key, r.file(name), err
}

// readFile refuses a file that other users can read, because they can have the key.
func (r *Ring) readFile(name string) (model.Secret, error) {
	info, err := os.Stat(r.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		return model.Secret{}, ErrNone
	}
	if err != nil {
		return model.Secret{}, fmt.Errorf("the key cannot be read: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return model.Secret{}, fmt.Errorf("others can read the key file %s (mode %04o): make it yours alone with chmod 600, and think about a new key", r.file(name), info.Mode().Perm())
	}
	data, err := disk.ReadFile(r.file(name), disk.MaxSettings)
	if err != nil {
		return model.Secret{}, fmt.Errorf("the key cannot be read: %w", err)
	}
	return clean(string(data))
}

// Delete removes a key from every place.
func (r *Ring) Delete(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	found := os.Remove(r.file(name)) == nil
	if r.hasKeyring() && keyring.Delete(service, name) == nil {
		found = true
	}
	if err := r.forget(name); err != nil {
		return err
	}
	if !found {
		return ErrNone
	}
	return nil
}

// The OS keyring has no list operation, so a file keeps the names of its keys.
const namesFile = ".in-keyring"

func (r *Ring) names() []string {
	data, err := disk.ReadFile(r.file(namesFile), disk.MaxSettings)
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}

func (r *Ring) note(name string) error {
	return r.changeNames(func(names []string) []string {
		names = append(names, name)
		slices.Sort(names)
		return slices.Compact(names)
	})
}

func (r *Ring) forget(name string) error {
	if !slices.Contains(r.names(), name) {
		return nil
	}
	return r.changeNames(func(names []string) []string {
		return slices.DeleteFunc(names, func(n string) bool { return n == name })
	})
}

// changeNames changes the names of the keys in the keyring while no other process does.
func (r *Ring) changeNames(change func([]string) []string) (err error) {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	f, err := lock.Opened(func() (*os.File, error) { return lock.Open(r.file(namesFile+".lock"), os.O_RDWR|os.O_CREATE, 0o600) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return r.replace(namesFile, strings.Join(change(r.names()), "\n")+"\n")
}

// List returns the names of all stored keys, never a key.
func (r *Ring) List() ([]Stored, error) {
	var out []Stored
	entries, err := os.ReadDir(r.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if plainName.MatchString(e.Name()) {
			out = append(out, Stored{e.Name(), r.file(e.Name())})
		}
	}
	for _, name := range r.names() {
		out = append(out, Stored{name, "keyring"})
	}
	slices.SortFunc(out, func(a, b Stored) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
