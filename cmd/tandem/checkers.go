package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/lsp/checker"
	"tandem/workspace/deps"
	"tandem/workspace/disk"
	"tandem/workspace/judge"
	"tandem/workspace/state"
)

const (
	leastFree   = 2 << 30                 // memory without which no checker is started
	findAgain   = 10 * time.Second        // how long it is remembered where a checker is
	checkerEnds = 500 * time.Millisecond  // how long one may take to end by itself
	coldHook    = 1500 * time.Millisecond // how long a hook waits after an edit for one that starts
	startsTable = "checkers"
)

// A checkerHost finds and starts the checkers of languages, as the configuration and the policy
// allow. Nothing of a workspace chooses a program, and none in a workspace is started.
type checkerHost struct {
	config  func() *config.Config
	folders func() []string // of the workspace
	deps    *deps.Resolver
	store   *state.Store // nil where the user has no state folder

	mu    sync.Mutex // guards all below
	found map[*checker.Adapter]foundChecker
	brief bool // after an edit of an agent, which waits
}

// A foundChecker is where a checker is, or why there is none, as it was a short time ago.
type foundChecker struct {
	setting, program string
	err              error
	at               time.Time
}

// Find implements checker.Host.
func (h *checkerHost) Find(a *checker.Adapter) (string, error) {
	c := h.config()
	if err := c.Policy.Feature(config.Checker); err != nil {
		return "", err
	}
	setting := cmp.Or(c.Checkers.Programs[a.Setting], config.CheckerOff)
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.found[a]
	if f.setting != setting || time.Since(f.at) > findAgain {
		program, err := findChecker(a, setting, h.folders())
		f = foundChecker{setting, program, err, time.Now()}
		if h.found == nil {
			h.found = map[*checker.Adapter]foundChecker{}
		}
		h.found[a] = f
	}
	return f.program, f.err
}

// findChecker is the program of a checker: the one that the setting names, else the first on PATH
// that lies outside all folders, whatever leads to it.
func findChecker(a *checker.Adapter, setting string, folders []string) (string, error) {
	switch setting {
	case config.CheckerOff:
		return "", errors.New(judge.SwitchedOff)
	case config.CheckerAuto, config.CheckerAsked:
	default:
		if program := usableChecker(a, setting, folders); program != "" {
			return program, nil
		}
		return "", fmt.Errorf("checker.%s names %s, which is no program outside the workspace", a.Setting, setting)
	}
	old := false
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		for _, suffix := range programSuffixes() {
			file := filepath.Join(dir, a.Program+suffix)
			if !filepath.IsAbs(dir) || !disk.IsFile(file) {
				continue
			}
			if program := usableChecker(a, file, folders); program != "" {
				return program, nil
			}
			old = true
		}
	}
	if old {
		return "", fmt.Errorf("%s is not installed outside the workspace as a program of its own", a.Name)
	}
	return "", fmt.Errorf("%s is not installed", a.Name)
}

// programSuffixes are those of programs, and of the scripts beside which npm puts one.
func programSuffixes() []string {
	if runtime.GOOS == "windows" {
		return []string{".exe", ".cmd"}
	}
	return []string{""}
}

// usableChecker is the program itself that a file is or leads to, "" if it lies in one of the folders.
// A script is none: what it starts may depend on the folder that it is started in.
func usableChecker(a *checker.Adapter, file string, folders []string) string {
	inside := func(path string) bool {
		return slices.ContainsFunc(folders, func(folder string) bool {
			_, below := disk.Below(disk.Real(folder), path)
			return below
		})
	}
	if !filepath.IsAbs(file) || inside(file) || inside(disk.Real(file)) {
		return ""
	}
	for _, program := range a.Candidates(disk.Real(file)) {
		if real := disk.Real(program); !inside(real) && isProgram(real) {
			return real
		}
	}
	return ""
}

// isProgram reports whether a file is an executable that is no script.
func isProgram(file string) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return false
	}
	head, err := disk.Head(file, 4)
	magic := [][]byte{[]byte("\x7fELF"), []byte("MZ"), {0xcf, 0xfa, 0xed, 0xfe}, {0xca, 0xfe, 0xba, 0xbe}}
	return err == nil && slices.ContainsFunc(magic, func(m []byte) bool { return bytes.HasPrefix(head, m) })
}

// Asked implements checker.Host.
func (h *checkerHost) Asked(a *checker.Adapter) bool {
	return h.config().Checkers.Programs[a.Setting] == config.CheckerAsked
}

// Memory implements checker.Host.
func (h *checkerHost) Memory() int64 { return h.config().Checkers.Memory }

// Patience implements checker.Host: an agent that edits is made to wait only where the last start
// was short.
func (h *checkerHost) Patience(a *checker.Adapter, root string) time.Duration {
	h.mu.Lock()
	brief := h.brief
	h.mu.Unlock()
	if !brief {
		return checker.ColdWait
	}
	if h.store == nil {
		return 0
	}
	starts, err := state.TableOf[int](h.store, startsTable).All()
	ms, known := starts[startKey(a, root)]
	if err != nil || !known || time.Duration(ms)*time.Millisecond > coldHook {
		return 0
	}
	return 2 * coldHook
}

// beBrief makes judgements wait less for a checker that does not run yet.
func (h *checkerHost) beBrief(brief bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.brief = brief
}

// Began implements checker.Host.
func (h *checkerHost) Began(a *checker.Adapter, root string, took time.Duration) {
	if h.store != nil {
		_ = state.TableOf[int](h.store, startsTable).Change(func(all map[string]int) { all[startKey(a, root)] = int(took.Milliseconds()) }) // a lost time costs a hook its checker
	}
}

func startKey(a *checker.Adapter, root string) string {
	sum := sha256.Sum256([]byte(root))
	return a.Name + " " + hex.EncodeToString(sum[:8])
}

// Environment implements checker.Host.
func (h *checkerHost) Environment(a *checker.Adapter, root, folder string) (dir, stamp string) {
	if a.Setting != "python" {
		return "", stampsOf(filepath.Join(folder, "node_modules"), filepath.Join(folder, "node_modules", ".package-lock.json"))
	}
	if !disk.IsDir(filepath.Join(root, ".venv")) {
		root = folder
	}
	env := h.deps.Python.Env(root)
	if env == nil {
		return "", ""
	}
	return env.Prefix, stampsOf(env.Sites...)
}

// stampsOf tells one state of some files from the next.
func stampsOf(files ...string) string {
	var out strings.Builder
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(&out, "%d ", info.ModTime().UnixNano())
		}
	}
	return out.String()
}

var errNoMemory = errors.New("less than 2,048 MB of memory are free")

// Start implements checker.Host. A checker gets no key, and no PATH: it starts nothing.
func (h *checkerHost) Start(program string, a *checker.Adapter, root string) (checker.Process, error) {
	if free := freeMemory(); free > 0 && free < leastFree {
		return nil, errNoMemory
	}
	cmd := exec.Command(program, a.Args...)
	env := withoutKeys(os.Environ(), keyVariables(h.config()))
	env = slices.DeleteFunc(env, func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.EqualFold(name, "PATH") || name == "NODE_OPTIONS" || name == "GOMEMLIMIT"
	})
	cmd.Dir, cmd.Env = root, append(env, "PATH=", fmt.Sprintf("GOMEMLIMIT=%d", h.Memory()*3/4))
	endWithChildren(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", program, err)
	}
	return &checkerProcess{cmd: cmd, in: in, out: out}, nil
}

// A checkerProcess is a checker that was started. Whoever started it closes it.
type checkerProcess struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.Reader
}

func (p *checkerProcess) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *checkerProcess) Write(b []byte) (int, error) { return p.in.Write(b) }

// Memory implements checker.Process.
func (p *checkerProcess) Memory() int64 { return memoryOf(p.cmd.Process.Pid) }

// Close implements checker.Process: without input a checker ends by itself, else it is killed.
func (p *checkerProcess) Close() error {
	_ = p.in.Close() // it may have ended
	late := time.AfterFunc(checkerEnds, func() { _ = killWithChildren(p.cmd) })
	defer late.Stop()
	return p.cmd.Wait()
}

// freeMemory is how many bytes of memory programs may still take; 0 if that is not known.
func freeMemory() int64 {
	data, err := disk.ReadFile("/proc/meminfo", 64<<10) // of Linux
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "MemAvailable:" {
			kib, _ := strconv.ParseInt(f[1], 10, 64) // else it is not known
			return kib << 10
		}
	}
	return 0
}

// memoryOf is how many bytes of memory a process has; 0 if that is not known.
func memoryOf(pid int) int64 {
	data, err := disk.ReadFile(fmt.Sprintf("/proc/%d/statm", pid), 4<<10) // of Linux
	if err != nil && runtime.GOOS == "darwin" {
		out, err := exec.Command("/bin/ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
		kib, _ := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64) // else it is not known
		if err != nil {
			return 0
		}
		return kib << 10
	}
	f := strings.Fields(string(data))
	if len(f) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(f[1], 10, 64) // else it is not known
	return pages * int64(os.Getpagesize())
}
