package client

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Home is the environment of a user whose home is a folder: neither settings nor records nor
// keys of whoever measures take part.
func Home(dir string) []string {
	return append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir+"/config", "XDG_STATE_HOME="+dir+"/state",
		"XDG_CACHE_HOME="+dir+"/cache", "XDG_DATA_HOME="+dir+"/data", "DBUS_SESSION_BUS_ADDRESS=")
}

// Configure writes tandem's configuration of that user.
func Configure(dir, config string) error {
	file := filepath.Join(dir, "config", "tandem", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(config), 0o600)
}

// Run runs a command to its end, and returns what it printed. Any exit code is an answer and
// no error.
func Run(command *exec.Cmd) (out, said string, code int, err error) {
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code, err = exit.ExitCode(), nil
	}
	return stdout.String(), stderr.String(), code, err
}

// StartScripted starts the scripted model server and returns its address. The caller calls
// stop.
func StartScripted(program string, args ...string) (address string, stop func(), err error) {
	command := exec.Command(program, args...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := command.Start(); err != nil {
		return "", nil, fmt.Errorf("%s does not start, run make build: %w", program, err)
	}
	stop = func() {
		_ = command.Process.Kill() // it keeps nothing
		_ = command.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("%s does not say where it listens: %w", program, err)
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "listening ")), stop, nil
}

// ProcessorTime is how long the threads of a process have run so far, as Linux counts it;
// other work of the machine does not count. It is 0 elsewhere.
func ProcessorTime(pid int) (sum time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) // the pattern is right
	for _, name := range threads {
		var ran time.Duration
		if data, err := os.ReadFile(name); err == nil { // else it has ended
			_, _ = fmt.Sscan(string(data), &ran)
		}
		sum += ran
	}
	return sum
}
