package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"tandem/cmd/tandem/config"
)

// Bounds of a run of the test command.
const (
	testTime   = 10 * time.Minute
	testHead   = 16 << 10 // bytes of output that are kept from its start
	testTail   = 48 << 10 // and from its end
	testKilled = 5 * time.Second
)

// testTurn lets one test command run at a time: two in one folder disturb each other.
var testTurn = make(chan struct{}, 1)

// testRunner returns what runs the user's test command in a folder, or nil if there is
// none. It runs the argv of the user's own configuration, without a shell, without any
// key in its environment, for a bounded time.
func testRunner(c *config.Config) func(ctx context.Context, root string) (string, error) {
	argv := c.Tasks.TestCommand
	if len(argv) == 0 {
		return nil
	}
	return func(ctx context.Context, root string) (string, error) {
		select {
		case testTurn <- struct{}{}:
			defer func() { <-testTurn }()
		case <-ctx.Done():
			return "", ctx.Err()
		}
		return runTests(ctx, argv, root, withoutKeys(os.Environ(), keyVariables(c)), testTime)
	}
}

// runTests runs argv in a folder and returns what it prints, with how it ended in front.
// A command that fails is no error: that is what it was run for.
func runTests(ctx context.Context, argv []string, root string, env []string, limit time.Duration) (string, error) {
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var out ends
	cmd := exec.CommandContext(inner, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = root, env, &out, &out
	cmd.WaitDelay = testKilled
	endWithChildren(cmd)
	err := cmd.Run()
	var failed *exec.ExitError
	name := strings.Join(argv, " ")
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case inner.Err() != nil:
		return fmt.Sprintf("%s did not end within %v and was stopped.\n%s", name, limit, out.text()), nil
	case errors.As(err, &failed):
		return fmt.Sprintf("%s failed (%v).\n%s", name, failed, out.text()), nil
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return "", fmt.Errorf("the test command cannot be run: %w; correct tasks.test_command", err)
	}
	return fmt.Sprintf("%s succeeded.\n%s", name, out.text()), nil
}

// keyVariables are the environment variables that the configuration names for keys and headers.
func keyVariables(c *config.Config) []string {
	var out []string
	for _, p := range c.Providers {
		out = append(out, p.EnvKey)
		for _, name := range p.EnvHTTPHeaders {
			out = append(out, name)
		}
	}
	return out
}

// secretName finds variables that by their names hold what a test does not need to know.
// In source, some of these words would hide what is none.
var secretName = regexp.MustCompile(`(?i)KEY|TOKEN|SECRET|PASS|.PWD|PWD.|CREDENTIAL|AUTH|CONN|COOKIE|SESSION|(^|_)(PIN|SK|PAT|DSN)(_|$)|DATABASE_URL`)

// withoutKeys is an environment without the named variables and those whose names are those
// of secrets.
func withoutKeys(env, names []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(names, name) || name != "OLDPWD" && secretName.MatchString(name)
	})
}

// ends keeps the first and the last bytes that are written to it.
type ends struct {
	head, tail []byte
	dropped    int
}

func (e *ends) Write(p []byte) (int, error) {
	n := len(p)
	take := min(testHead-len(e.head), len(p))
	e.head = append(e.head, p[:take]...)
	e.tail = append(e.tail, p[take:]...)
	if over := len(e.tail) - testTail; over > 0 {
		e.dropped += over
		e.tail = append(e.tail[:0], e.tail[over:]...)
	}
	return n, nil
}

// escape is what colours and moves text on a terminal.
var escape = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]")

// text is what was kept, in whole lines where bytes are missing, without a terminal's escapes.
func (e *ends) text() string {
	head, tail := e.head, e.tail
	between := ""
	if e.dropped > 0 {
		cut := bytes.LastIndexByte(head, '\n') + 1
		from := bytes.IndexByte(tail, '\n') + 1
		between = fmt.Sprintf("… %d bytes are left out …\n", e.dropped+len(head)-cut+from)
		head, tail = head[:cut], tail[from:]
	}
	return escape.ReplaceAllString(strings.ToValidUTF8(string(head)+between+string(tail), "\uFFFD"), "")
}
