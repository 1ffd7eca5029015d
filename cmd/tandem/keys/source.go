package keys

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"tandem/model"
)

// commandTime bounds how long a token's program may run.
const commandTime = 30 * time.Second

// A Source returns the key of one provider.
type Source struct {
	ring     *Ring
	provider model.ProviderConfig
	hint     string // how to get a key
	now      func() time.Time

	mu    sync.Mutex // guards all below
	token model.Secret
	until time.Time
}

// Source returns the provider's source of keys. hint is the user's instruction for how to get one.
func (r *Ring) Source(p model.ProviderConfig, hint string) *Source {
	return &Source{ring: r, provider: p, hint: hint, now: time.Now}
}

// Key returns the key, or the current token; empty if the provider needs none.
// Its error is a *model.Error that contains what to do.
func (s *Source) Key(ctx context.Context) (model.Secret, error) {
	switch p := s.provider; {
	case len(p.AuthCommand) > 0:
		return s.fromCommand(ctx)
	case p.Keyring != "":
		return s.stored(p.Keyring)
	case p.EnvKey != "":
		if key, err := clean(s.ring.getenv(p.EnvKey)); err == nil {
			return key, nil
		}
		return s.stored(p.Name)
	}
	return model.Secret{}, nil
}

// Where describes where the key comes from.
func (s *Source) Where() string {
	switch p := s.provider; {
	case len(p.AuthCommand) > 0:
		return "the program " + p.AuthCommand[0]
	case p.Keyring != "":
		return "stored as " + p.Keyring
	case p.EnvKey != "" && s.ring.getenv(p.EnvKey) != "":
		return "$" + p.EnvKey
	case p.EnvKey != "":
		return "stored as " + p.Name
	}
	return "nowhere: none is needed"
}

func (s *Source) stored(name string) (model.Secret, error) {
	key, _, err := s.ring.Get(name)
	if err == nil {
		return key, nil
	}
	message := "Run tandem key set " + name
	if s.provider.EnvKey != "" {
		message += ", or set " + s.provider.EnvKey
	}
	message += ": there is no key for " + s.provider.Name
	if s.hint != "" {
		message += " (" + s.hint + ")"
	}
	if !errors.Is(err, ErrNone) {
		message = fmt.Sprintf("Store the key for %s again (tandem key set %s): it cannot be used (%v)", s.provider.Name, name, err)
	}
	return model.Secret{}, &model.Error{Code: model.CodeNotConfigured, Provider: s.provider.Name, Message: message + ".", Err: err}
}

// fromCommand runs the user's program unless its last token is fresh.
func (s *Source) fromCommand(ctx context.Context) (model.Secret, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.token.Empty() && s.now().Before(s.until) {
		return s.token, nil
	}
	token, err := run(ctx, s.provider.AuthCommand)
	if err != nil {
		return model.Secret{}, &model.Error{Code: model.CodeNotConfigured, Provider: s.provider.Name, Err: err,
			Message: fmt.Sprintf("Run %s by hand to see why it gave no token for %s: %v.", s.provider.AuthCommand[0], s.provider.Name, err)}
	}
	s.token, s.until = token, s.now().Add(s.provider.AuthRefresh)
	return token, nil
}

// Rejected drops a token that the server refused, so that the next one is new.
func (s *Source) Rejected(token model.Secret) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token.Reveal() == s.token.Reveal() {
		s.token = model.Secret{}
	}
}

// run runs argv without a shell, outside of every workspace, and returns what it
// prints.
func run(ctx context.Context, argv []string) (model.Secret, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &limited{buf: &out}, &limited{buf: &problems}
	cmd.WaitDelay = time.Second
	cmd.Dir = os.TempDir()
	if home, err := os.UserHomeDir(); err == nil {
		cmd.Dir = home
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("it did not end within %v", commandTime)
		}
		if line := lastLine(problems.String()); line != "" {
			err = fmt.Errorf("%w (%s)", err, line)
		}
		return model.Secret{}, err
	}
	return clean(out.String())
}

// limited keeps the first maxKey bytes and one more, and drops the rest.
type limited struct{ buf *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if free := maxKey + 1 - l.buf.Len(); free > 0 {
		l.buf.Write(p[:min(free, len(p))])
	}
	return len(p), nil
}

// lastLine returns the last line of a program's error output, without control characters.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, lines[len(lines)-1])
	return line[:min(len(line), 200)]
}
