package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestCheckOfWhatIsPiped: whatever form a patch comes in, an invented name in it is found, and
// where it has none nothing is said to be wrong; before the patch is applied, and after.
func TestCheckOfWhatIsPiped(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git makes patches here")
	}
	const good, bad = "package m\n\nimport \"strings\"\n\n// A trims.\nfunc A(s string) string {\n\treturn strings.TrimSpace(s)\n}\n", "TrimSpaces("
	for _, c := range []struct {
		name   string
		change func(r repository)
		args   []string
		edit   func(patch []byte) []byte
		want   string
		code   int
	}{
		{"a diff", func(r repository) { r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1)) }, []string{"diff"}, nil, "TrimSpaces", exitFailed},
		{"nothing", func(repository) {}, []string{"diff"}, nil, "no text is changed", exitDone},
		{"no prefix", func(r repository) { r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1)) }, []string{"diff", "--no-prefix"}, nil, "TrimSpaces", exitFailed},
		{"other prefixes", func(r repository) { r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1)) }, []string{"diff", "--src-prefix=x/old/", "--dst-prefix=new/"}, nil, "TrimSpaces", exitFailed},
		{"mnemonic prefixes", func(r repository) { r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1)) }, []string{"-c", "diff.mnemonicPrefix=true", "diff"}, nil, "TrimSpaces", exitFailed},
		{"colours", func(r repository) { r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1)) }, []string{"-c", "color.diff=always", "diff", "--color-words=never", "--color=always", "--no-color-moved", "--word-diff=none"}, nil, "TrimSpaces", exitFailed},
		{"UTF-16", func(r repository) { r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1)) }, []string{"diff"}, func(patch []byte) []byte {
			out := []byte{0xff, 0xfe}
			for _, u := range utf16.Encode([]rune(string(patch))) {
				out = append(out, byte(u), byte(u>>8))
			}
			return out
		}, "TrimSpaces", exitFailed},
		{"a rename", func(r repository) {
			r.git("mv", "a.go", "b.go")
			r.write("b.go", strings.Replace(good, "TrimSpace(", bad, 1))
		}, []string{"diff", "-M", "HEAD"}, nil, "b.go:7", exitFailed},
		{"a rename alone", func(r repository) { r.git("mv", "a.go", "b.go") }, []string{"diff", "-M", "HEAD"}, nil, "tandem: 0 findings, 0 names judged\n", exitDone},
		{"a mode", func(r repository) { r.git("update-index", "--chmod=+x", "a.go") }, []string{"diff", "HEAD"}, nil, "no text is changed", exitDone},
		{"a link beside it", func(r repository) {
			r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1))
			if err := os.Symlink("a.go", filepath.Join(r.dir, "l.go")); err != nil {
				r.Fatal(err)
			}
			r.git("add", "l.go")
		}, []string{"diff", "HEAD"}, nil, "TrimSpaces", exitFailed},
		{"a new file", func(r repository) {
			r.write("deep/a.go", "package deep\n\nvar x = invented()")
			r.git("add", ".")
		}, []string{"diff", "HEAD"}, nil, "deep/a.go:3", exitFailed},
		{"a deleted file", func(r repository) {
			r.write("deep/a.go", "package deep\n")
			r.git("rm", "-q", "a.go")
		}, []string{"diff", "HEAD"}, nil, "tandem: 0 findings, 0 names judged\n", exitDone},
		{"a picture", func(r repository) { r.write("p.png", "\x89PNG\x00"); r.git("add", ".") }, []string{"diff", "HEAD"}, nil, "no text is changed", exitDone},
		{"a mail", func(r repository) {
			r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1))
			r.git("commit", "-qam", "x")
		}, []string{"format-patch", "--stdout", "-1"}, nil, "TrimSpaces", exitFailed},
		{"a log", func(r repository) {
			r.write("a.go", strings.Replace(good, "A trims", "A trims a text", 1))
			r.git("commit", "-qam", "x")
			r.write("a.go", strings.Replace(strings.Replace(good, "A trims", "A trims a text", 1), "TrimSpace(", bad, 1))
			r.git("commit", "-qam", "y")
		}, []string{"log", "-p", "-2"}, nil, "TrimSpaces", exitFailed},
		{"names in quotes", func(r repository) {
			r.write("gr\u00fcn.go", strings.Replace(good, "func A", "func B", 1))
			r.git("add", ".")
			r.git("commit", "-qm", "x")
			r.write("gr\u00fcn.go", strings.Replace(strings.Replace(good, "func A", "func B", 1), "TrimSpace(", bad, 1))
			r.git("commit", "-qam", "y")
		}, []string{"log", "-p", "-2"}, nil, "TrimSpaces", exitFailed},
		{"editors that trim", func(r repository) { r.write("a.go", strings.Replace(good, "TrimSpace(", bad, 1)) }, []string{"diff"}, func(patch []byte) []byte {
			return []byte(strings.ReplaceAll(string(patch), "\n \n", "\n\n"))
		}, "TrimSpaces", exitFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := repository{t, t.TempDir(), git}
			r.git("init", "-q")
			r.write("go.mod", "module m\n\ngo 1.24\n")
			r.write("a.go", good)
			r.git("add", "-A")
			r.git("commit", "-qm", "first")
			c.change(r)
			patch := r.git(c.args...)
			if c.edit != nil {
				patch = c.edit(patch)
			}
			for _, applied := range []bool{true, false} {
				if !applied {
					r.git("reset", "-q", "--hard", string(r.first()))
				}
				out, code := checked(t, r.dir, string(patch))
				if code != c.code || !strings.Contains(out, c.want) {
					t.Errorf("applied %v: code %d, %q of\n%s", applied, code, out, patch)
				}
			}
		})
	}
}

// A repository is a clone of git's own, in which it makes patches.
type repository struct {
	*testing.T
	dir, program string
}

func (r repository) git(args ...string) []byte {
	r.Helper()
	c := exec.Command(r.program, append([]string{"-c", "user.name=n", "-c", "user.email=n@example.com"}, args...)...)
	c.Dir, c.Env = r.dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "HOME="+r.dir)
	out, err := c.Output()
	if err != nil {
		r.Fatalf("git %v: %v", args, err)
	}
	return out
}

func (r repository) first() []byte {
	return []byte(strings.TrimSpace(string(r.git("rev-list", "--max-parents=0", "HEAD"))))
}

func (r repository) write(name, text string) {
	r.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}
