//go:build oracle

package ignore

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// gitKind is .gitignore alone, which git itself reads.
var gitKind = []kind{{name: ".gitignore", git: true}}

// TestAgreesWithGit compares with git on random trees with random ignore files.
func TestAgreesWithGit(t *testing.T) {
	const repositories, wanted = 60, 5000
	seed := uint64(1)
	if text := os.Getenv("ORACLE_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	asked, hidden := 0, 0
	for n := range repositories {
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		top, paths := randomRepository(t, random, n)
		want := askGit(t, top, paths)
		for _, root := range []string{top, filepath.Join(top, "aa")} {
			m := newMatcher(root, gitKind, false)
			for _, p := range paths {
				rel, ok := strings.CutPrefix(filepath.Join(top, p), root+"/")
				if !ok || root != top && hiddenAbove(want, p) {
					continue
				}
				info, err := os.Lstat(filepath.Join(top, p))
				if err != nil {
					t.Fatal(err)
				}
				got, why := m.Ignored(at(rel), info.IsDir())
				if asked++; got {
					hidden++
				}
				if got != want[p] {
					t.Errorf("seed %d repository %d: %q from %s is ignored=%v (%s), git says %v\n%s", seed, n, p, root, got, why, want[p], rulesOf(top))
				}
			}
		}
	}
	if asked < wanted || hidden < asked/20 || hidden > asked*19/20 {
		t.Errorf("%d paths of which %d hidden are no test", asked, hidden)
	}
	t.Logf("seed %d: %d paths, %d hidden", seed, asked, hidden)
}

// hiddenAbove reports whether git hides the folder "aa" that a path lies in:
// opened as a workspace of its own it is shown.
func hiddenAbove(want map[string]bool, path string) bool { return want["aa"] }

var (
	pieces = []string{"a", "b", "aa", "ab", "a.b", "b.a", "foo", "foo.c", "A", "x y", "#a", "!b", "a]", "a-b", "é", "1", "a ", "[", "b\\", ".x", "a.b.c"}
	atoms  = []string{"a", "b", "c", "aa", "foo", ".", "*", "**", "?", "/", "/**/", "**/", "/**", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]", "[[:digit:]]", "[[:digit:]-c]",
		"[[:punct:]]", "[[:space:]]", "[[:nope:]]", "[]]", "[]-a]", "[a", "\\*", "\\a", "\\", "\\ ", " ", "!", "\\!", "#", "\\#", "[[:upper:]b]", "[\\]]", "-", "é", "1", "A", "[a\\-c]", "[--0]", "[a-]", "[[:alpha]", "*.c", "x y", "\t", "[/]", "[a/]"}
)

func randomRepository(t *testing.T, random *rand.Rand, n int) (string, []string) {
	t.Helper()
	top := filepath.Join(t.TempDir(), "repository")
	mkdir(t, filepath.Join(top, ".git", "objects"), filepath.Join(top, ".git", "refs"), filepath.Join(top, ".git", "info"))
	put(t, filepath.Join(top, ".git", "HEAD"), "ref: refs/heads/main\n")
	fold := ""
	if n%5 == 4 {
		fold = "\tignoreCase = true\n"
	}
	put(t, filepath.Join(top, ".git", "config"), "[core]\n\trepositoryformatversion = 0\n"+fold)
	global := filepath.Join(top, "..", "global")
	put(t, global, randomRules(random, 2))
	put(t, filepath.Join(top, "..", "gitconfig"), fmt.Sprintf("[core]\n\texcludesFile = %q # the user's\n", global))
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(top, "..", "gitconfig"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	put(t, filepath.Join(top, ".git", "info", "exclude"), randomRules(random, 3))

	dirs := []string{"", "aa"}
	mkdir(t, filepath.Join(top, "aa"))
	for range 12 {
		d := filepath.Join(dirs[random.IntN(len(dirs))], pieces[random.IntN(len(pieces))])
		mkdir(t, filepath.Join(top, d))
		dirs = append(dirs, d)
	}
	paths := slices.Clone(dirs[1:])
	for range 120 {
		p := filepath.Join(dirs[random.IntN(len(dirs))], pieces[random.IntN(len(pieces))])
		if _, err := os.Lstat(filepath.Join(top, p)); err == nil {
			continue
		}
		put(t, filepath.Join(top, p), "")
		paths = append(paths, p)
	}
	for i, d := range dirs {
		if i == 0 || random.IntN(3) == 0 {
			put(t, filepath.Join(top, d, ".gitignore"), randomRules(random, 8))
		}
	}
	slices.Sort(paths)
	return top, slices.Compact(paths)
}

func randomRules(random *rand.Rand, most int) string {
	var b strings.Builder
	if random.IntN(8) == 0 {
		b.WriteString("\ufeff")
	}
	for range random.IntN(most + 1) {
		if random.IntN(3) == 0 {
			b.WriteByte('!')
		}
		if random.IntN(4) == 0 {
			b.WriteByte('/')
		}
		for range 1 + random.IntN(4) {
			b.WriteString(atoms[random.IntN(len(atoms))])
		}
		b.WriteString([]string{"", "", "/", " ", "  ", "\r"}[random.IntN(6)])
		if random.IntN(10) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func askGit(t *testing.T, top string, paths []string) map[string]bool {
	t.Helper()
	git := exec.Command("git", "check-ignore", "--no-index", "--stdin", "-z")
	git.Dir = top
	git.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	var problems bytes.Buffer
	git.Stderr = &problems
	out, err := git.Output()
	if code := git.ProcessState.ExitCode(); code > 1 {
		t.Fatalf("git check-ignore: %v: %s", err, &problems)
	}
	hidden := map[string]bool{}
	for p := range strings.SplitSeq(string(out), "\x00") {
		hidden[p] = true
	}
	return hidden
}

func rulesOf(top string) string {
	var b strings.Builder
	_ = filepath.WalkDir(filepath.Dir(top), func(p string, d os.DirEntry, err error) error {
		if err == nil && (d.Name() == ".gitignore" || d.Name() == "exclude" || d.Name() == "global") {
			content, _ := os.ReadFile(p)
			fmt.Fprintf(&b, "%s: %q\n", p, content)
		}
		return nil
	})
	return b.String()
}

func mkdir(t *testing.T, dirs ...string) {
	t.Helper()
	for _, d := range dirs {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
