package clones

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A clone is a git folder that is read and never written. Objects that it
// lacks (snapshots leave out large files) are passed over.
type Clone struct {
	Name, Dir string
	objects   *dialogue // one git object after the other from one process
}

// OpenClone opens a bare git folder or one with a work tree.
func OpenClone(ctx context.Context, dir string) (*Clone, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Clone{Name: filepath.Base(dir), Dir: dir}
	if _, err := c.Git(ctx, "rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		return nil, fmt.Errorf("%s is no git clone with commits: %w", dir, err)
	}
	command := exec.CommandContext(ctx, "git", "cat-file", "--batch")
	command.Dir, command.Env = dir, gitEnvironment()
	c.objects, err = startDialogue(command)
	return c, err
}

// OpenAll opens the clones in a folder in the order of their names; what is no clone is passed over. only are
// the names of those that are wanted, with commas between them, "" for all.
func OpenAll(ctx context.Context, dir, only string) ([]*Clone, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []*Clone
	for _, e := range entries {
		if only != "" && !slices.Contains(strings.Split(only, ","), e.Name()) {
			continue
		}
		if c, err := OpenClone(ctx, filepath.Join(dir, e.Name())); err == nil {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no git clones", dir)
	}
	return out, nil
}

// Git runs git in the clone.
func (c *Clone) Git(ctx context.Context, args ...string) ([]byte, error) {
	return Git(ctx, c.Dir, args...)
}

// Git runs git in a folder, without the settings of whoever measures.
func Git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return runGit(ctx, dir, nil, args...)
}

// An Object is a regular file of a revision.
type Object struct {
	Path, Name string
	Size       int // bytes; -1: the clone lacks it
}

// Objects lists the regular files of a revision.
func (c *Clone) Objects(ctx context.Context, revision string) ([]Object, error) {
	list, err := c.Git(ctx, "ls-tree", "-r", "-l", "-z", revision)
	if err != nil {
		return nil, err
	}
	var out []Object
	for _, entry := range SplitZero(list) {
		about, path, _ := strings.Cut(entry, "\t")
		f := strings.Fields(about) // mode, type, object, size
		if len(f) != 4 || !strings.HasPrefix(f[0], "100") {
			continue
		}
		size, err := strconv.Atoi(f[3])
		if err != nil {
			size = -1
		}
		out = append(out, Object{path, f[2], size})
	}
	return out, nil
}

// Modified are the files that a commit changes, which were there before.
func (c *Clone) Modified(ctx context.Context, commit string) ([]string, error) {
	out, err := c.Git(ctx, "diff-tree", "--no-commit-id", "--name-only", "-r", "-z", "--no-renames", "--diff-filter=M", commit)
	return SplitZero(out), err
}

// Versions are the texts before and after a commit of some of the files that it changes, and
// whether the clone lacks one.
func (c *Clone) Versions(commit string, paths []string) (before, after map[string]string, lacks bool, err error) {
	before, after = map[string]string{}, map[string]string{}
	for _, path := range paths {
		was, had, err1 := c.Read(commit + "^:" + path)
		is, has, err2 := c.Read(commit + ":" + path)
		if err := errors.Join(err1, err2); err != nil {
			return nil, nil, false, err
		}
		if !had || !has {
			lacks = true
			continue
		}
		before[path], after[path] = was, is
	}
	return before, after, lacks, nil
}

// runGit is Git with an input.
func runGit(ctx context.Context, dir string, in io.Reader, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "git", args...)
	command.Dir, command.Env, command.Stdin = dir, gitEnvironment(), in
	var problem bytes.Buffer
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		return out, fmt.Errorf("git %s: %w: %s", args[0], err, firstLine(problem.String()))
	}
	return out, nil
}

// gitEnvironment keeps hooks, filters and line-end rules of the user out, and git from fetching
// what a partial clone lacks.
func gitEnvironment() []string {
	settings := [][2]string{{"safe.directory", "*"}, {"core.hooksPath", os.DevNull}, {"core.autocrlf", "false"}, {"core.quotePath", "false"}}
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_CONFIG_COUNT="+strconv.Itoa(len(settings)))
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[1]))
	}
	return env
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// Read returns what a name such as COMMIT:PATH stands for; ok is false where
// there is no such object.
func (c *Clone) Read(name string) (content string, ok bool, err error) {
	o := c.objects
	if strings.ContainsRune(name, '\n') {
		return "", false, nil
	}
	if _, err := io.WriteString(o.in, name+"\n"); err != nil {
		return "", false, err
	}
	header, err := o.out.ReadString('\n')
	if err != nil {
		return "", false, err
	}
	fields := strings.Fields(header)
	size, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil || len(fields) < 3 {
		return "", false, nil // "NAME missing"
	}
	data := make([]byte, size+1) // a newline follows
	if _, err := io.ReadFull(o.out, data); err != nil {
		return "", false, err
	}
	return string(data[:size]), true, nil
}

// Close ends what reads the objects.
func (c *Clone) Close() { c.objects.Close() }

// A checkout is a work tree of its own that moves from commit to commit.
type Checkout struct {
	Dir  string
	tree string // the commit that is checked out; "" is none
}

// NewCheckout makes a clone without refs in dir: a tool that looks at history
// there sees HEAD and what led to it, not what came after.
func NewCheckout(ctx context.Context, c *Clone, dir string) (*Checkout, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if _, err := runGit(ctx, ".", nil, "clone", "--quiet", "--local", "--no-checkout", "--no-tags", c.Dir, dir); err != nil {
		return nil, err
	}
	head, err := c.Git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	git := filepath.Join(dir, ".git")
	for _, after := range []string{"packed-refs", "refs/remotes", "refs/heads", "refs/tags", "logs"} {
		if err := os.RemoveAll(filepath.Join(git, after)); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Join(git, "refs/heads"), 0o755); err != nil {
		return nil, err
	}
	return &Checkout{Dir: dir}, os.WriteFile(filepath.Join(git, "HEAD"), head, 0o644)
}

// Move brings the work tree, the index and HEAD to a commit; only what differs
// is written, so a move to a near commit costs little.
func (k *Checkout) Move(ctx context.Context, commit string) error {
	changed, gone, err := k.differences(ctx, commit)
	if err != nil {
		return err
	}
	for _, p := range gone {
		if err := os.RemoveAll(filepath.Join(k.Dir, p)); err != nil {
			return err
		}
	}
	read := []string{"read-tree", commit}
	if k.tree != "" {
		read = []string{"read-tree", "-m", "-i", commit} // keeps what is known of unchanged files
	}
	if _, err := runGit(ctx, k.Dir, nil, read...); err != nil {
		return err
	}
	in := strings.NewReader(strings.Join(changed, "\x00"))
	if _, err := runGit(ctx, k.Dir, in, "checkout-index", "-f", "-u", "-q", "-z", "--stdin"); err != nil && !strings.Contains(err.Error(), "unable to read") {
		return err
	}
	k.tree = commit
	return os.WriteFile(filepath.Join(k.Dir, ".git", "HEAD"), []byte(commit+"\n"), 0o644)
}

// differences are the paths to write and those to remove.
func (k *Checkout) differences(ctx context.Context, commit string) (changed, gone []string, err error) {
	if k.tree == "" {
		out, err := runGit(ctx, k.Dir, nil, "ls-tree", "-r", "-z", "--name-only", commit)
		return SplitZero(out), nil, err
	}
	out, err := runGit(ctx, k.Dir, nil, "diff-tree", "-r", "-z", "--no-renames", "--name-status", k.tree, commit)
	fields := SplitZero(out)
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] == "D" {
			gone = append(gone, fields[i+1])
		} else {
			changed = append(changed, fields[i+1])
		}
	}
	return changed, gone, err
}

func SplitZero(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
