package config

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"tandem/workspace/disk"
)

// pollEvery is how often the files are checked: often enough for a person who
// has just saved one, and rarely enough that the cost does not matter.
const pollEvery = 2 * time.Second

// Watch holds the callbacks for changes of a configuration in use. They are
// called from the goroutine that detected the change.
type Watch struct {
	Changed func(*Config) // a new configuration is in use
	Failed  func(error)   // the new configuration is invalid: the old one stays in use
}

// A Live is the configuration in use. It is read again when one of its files
// changes, and replaced only by a valid one.
type Live struct {
	watch   Watch
	current atomic.Pointer[Config]

	mu      sync.Mutex // guards all below; one load at a time
	options Options
	seen    [sha256.Size]byte // of the files as last read, valid or not
}

// NewLive reads the configuration. An invalid one is reported, and the fallback
// configuration is used until it is corrected.
func NewLive(o Options, w Watch) *Live {
	l := &Live{watch: w, options: o}
	l.current.Store(Fallback(o))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = l.fingerprint()
	c, err := Load(o)
	if err != nil {
		w.Failed(err)
		// The error may be in the editor's settings only.
		o.Editor = nil
		c, err = Load(o)
	}
	if err == nil {
		l.options = o
		l.current.Store(c)
	}
	return l
}

// Fallback returns a configuration without a model: only the built-in engine.
func Fallback(o Options) *Config {
	c := decode(layer{})
	c.Policy = ReadPolicy(o)
	c.Offline, c.File, c.Managed = o.Offline, o.File, o.Managed
	c.Checkers.without(o)
	return c
}

// Config returns the configuration in use.
func (l *Live) Config() *Config { return l.current.Load() }

// Watch checks the files until ctx ends.
func (l *Live) Watch(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.Check()
		}
	}
}

// Check reads the configuration again if one of its files has changed.
func (l *Live) Check() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.fingerprint(); now != l.seen {
		l.seen = now
		if err := l.try(l.options); err != nil {
			l.watch.Failed(err)
		}
	}
}

// Select changes the profile. An error leaves everything as it was.
func (l *Live) Select(profile string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.options
	next.Profile = profile
	return l.try(next)
}

// SetEditor replaces the editor's user-level settings. An error leaves
// everything as it was.
func (l *Live) SetEditor(settings map[string]any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.options
	next.Editor = settings
	return l.try(next)
}

// try loads with other options and keeps them if that succeeds.
func (l *Live) try(next Options) error {
	l.seen = l.fingerprint()
	c, err := Load(next)
	if err != nil {
		l.restrict(err)
		return err
	}
	l.options = next
	l.current.Store(c)
	l.watch.Changed(c)
	return nil
}

// restrict holds the configuration in use to the policy as it is now. If nobody
// knows what that is, the built-in engine alone remains.
func (l *Live) restrict(err error) {
	var mistakes *Error
	if errors.As(err, &mistakes) && mistakes.Managed {
		c := Fallback(l.options)
		l.current.Store(c)
		l.watch.Changed(c)
		return
	}
	c := *l.current.Load()
	c.Policy = ReadPolicy(l.options)
	l.current.Store(&c)
}

// fingerprint is a hash of the files' contents, so that a save without changes,
// or a clock that jumps, is no change.
func (l *Live) fingerprint() [sha256.Size]byte {
	hash := sha256.New()
	user := l.options.File
	if user == "" {
		user = DefaultFile(l.options.Getenv)
	}
	for _, path := range []string{user, l.options.managedFile()} {
		data, err := disk.ReadFile(path, disk.MaxSettings)
		if err != nil {
			data = []byte(err.Error())
		}
		sum := sha256.Sum256(data)
		hash.Write(sum[:])
	}
	return [sha256.Size]byte(hash.Sum(nil))
}
