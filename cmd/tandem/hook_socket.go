package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"tandem/workspace/disk"
	"tandem/workspace/lock"
	"tandem/workspace/state"
)

// judgeWait is how long a hook waits for a running program to judge an event; then it judges by
// itself.
const judgeWait = 25 * time.Second

// A hookRequest is an event for a running program. The answer is one line for the agent, empty if
// it is told nothing, and lines on problems; what is not judged there has no answer.
type hookRequest struct {
	Agent string          `json:"agent"`
	Event json.RawMessage `json:"event"`
}

// errElsewhere is a file of another repository than the one that a program serves.
var errElsewhere = errors.New("it is in another repository")

// judgeHooks judges the events of agents in the repository around a folder, with a workspace that
// is open already, until ctx ends.
func (a *app) judgeHooks(ctx context.Context, folder string, report func(string)) {
	path, err := socketOf(folder, ".judge.sock")
	if err == nil && a.store != nil {
		err = serveSocket(ctx, path, func(c *net.UnixConn) { a.judgeHook(ctx, folder, c) })
	}
	if err != nil && ctx.Err() == nil && runtime.GOOS != "windows" {
		report(fmt.Sprintf("The hooks of agents are judged without this program: %v.", err))
	}
}

// judgeHook answers one event.
func (a *app) judgeHook(ctx context.Context, folder string, c *net.UnixConn) {
	_ = c.SetDeadline(time.Now().Add(judgeWait)) // the hook waits no longer
	line, err := bufio.NewReader(io.LimitReader(c, 2*maxEvent)).ReadBytes('\n')
	var asked hookRequest
	if err != nil || json.Unmarshal(line, &asked) != nil {
		return
	}
	e, err := readEvent(asked.Agent, asked.Event)
	if err != nil {
		return
	}
	own, err := repositoryAround(folder)
	if err != nil {
		return
	}
	var answer bytes.Buffer
	var problems []string
	h := hookJudge{store: a.store, say: func(s string) { problems = append(problems, s) }}
	h.open = func(root string, do func(*app) error) error {
		if disk.Real(root) != disk.Real(own) {
			return errElsewhere
		}
		if err := a.indexed(ctx); err != nil {
			return err
		}
		return do(a)
	}
	if err := h.answer(ctx, e, &answer); errors.Is(err, errElsewhere) {
		return
	} else if err != nil {
		problems = append(problems, err.Error())
	}
	fmt.Fprintf(c, "%s\n%s", strings.TrimSuffix(answer.String(), "\n"), strings.Join(problems, "\n"))
}

// askJudge has a running program judge an event; ok is false where none does.
func askJudge(ctx context.Context, folder string, asked hookRequest) (answer string, problems []string, ok bool) {
	path, err := socketOf(folder, ".judge.sock")
	if err != nil {
		return "", nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, judgeWait)
	defer cancel()
	c, err := dialOwn(ctx, path)
	if err != nil || c == nil {
		return "", nil, false
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if json.NewEncoder(c).Encode(asked) != nil {
		return "", nil, false
	}
	data, err := disk.All(c, disk.MaxNamed)
	answer, rest, whole := strings.Cut(string(data), "\n")
	if answer != "" {
		answer += "\n"
	}
	return answer, strings.FieldsFunc(rest, func(r rune) bool { return r == '\n' }), err == nil && whole
}

// dialOwn connects to a socket at whose other end is a program of this user; nil if nobody is.
func dialOwn(ctx context.Context, path string) (*net.UnixConn, error) {
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if own := c.(*net.UnixConn); peerIsUser(own) {
		return own, nil
	}
	return nil, errors.Join(fmt.Errorf("%s is another user's: nothing is read from it", path), c.Close())
}

// serveSocket answers programs of this user, one after the other, until ctx ends. The server that
// came first serves a repository, the next one follows it.
func serveSocket(ctx context.Context, path string, answer func(*net.UnixConn)) error {
	if runtime.GOOS == "windows" {
		return errors.New("on Windows a socket does not tell who connects")
	}
	mine, err := state.OpenPrivate(path+".lock", os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	defer mine.Close()
	for {
		if first, err := lock.Try(mine); err != nil {
			return err
		} else if first {
			break
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(socketRetry):
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a server that was killed
		return err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		if own := c.(*net.UnixConn); peerIsUser(own) {
			answer(own)
		}
		_ = c.Close() // it was answered
	}
}
