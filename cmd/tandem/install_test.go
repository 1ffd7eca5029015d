package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// An archive is installed where it is said to, and only if SHA256SUMS lists it as it is.
func TestInstallScript(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for systems with sh")
	}
	script, err := filepath.Abs("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	archive := releaseArchive(t)
	listed := fmt.Sprintf("%x  tandem-1-test.tar.gz\n", sha256.Sum256(archive))
	bare := t.TempDir() // the programs that install.sh needs, none of which hashes
	for _, name := range []string{"sh", "awk", "basename", "cp", "chmod", "cut", "dirname", "gzip", "mkdir", "mktemp", "mv", "rm", "tar"} {
		file, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(file, filepath.Join(bare, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, sums, prefix, path, refused string }{
		{"absolute", listed, "ABSOLUTE", "", ""},
		{"relative", listed, "deep/prefix", "", ""},
		{"relative, with blanks", listed, "a deep/pre fix", "", ""},
		{"absolute, with blanks", listed, "ABSOLUTE/pre fix", "", ""},
		{"of binary mode", strings.Replace(listed, "  ", " *", 1), "p", "", ""},
		{"without sums", "", "p", "", ""},
		{"not listed", strings.Replace(listed, "tandem-1", "tandem-2", 1), "p", "", "does not list"},
		{"another text", "0" + listed[1:], "p", "", "is not what SHA256SUMS says"},
		{"nothing that hashes", listed, "p", bare, "cannot be compared"},
	} {
		dir := filepath.Join(t.TempDir(), "with blanks")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "tandem-1-test.tar.gz"), archive, 0o644); err != nil {
			t.Fatal(err)
		}
		if c.sums != "" {
			if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(c.sums), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		prefix := strings.Replace(c.prefix, "ABSOLUTE", filepath.Join(dir, "absolute"), 1)
		cmd := exec.Command("sh", script, "tandem-1-test.tar.gz", prefix)
		cmd.Dir = dir
		if c.path != "" {
			cmd.Env = append(os.Environ(), "PATH="+c.path)
		}
		out, err := cmd.CombinedOutput()
		if (err != nil) != (c.refused != "") || !strings.Contains(string(out), c.refused) {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
		if !filepath.IsAbs(prefix) {
			prefix = filepath.Join(dir, prefix)
		}
		if _, err := os.Stat(filepath.Join(prefix, "bin", "tandem")); (err == nil) != (c.refused == "") {
			t.Errorf("%s: the program: %v\n%s", c.name, err, out)
		}
	}
}

// An archive that is unpacked already is installed from its folder, by the script that it has.
func TestInstallScriptUnpacked(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for systems with sh")
	}
	script, err := os.ReadFile("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "with blanks")
	folder := filepath.Join(dir, "tandem-1-test")
	home := "HOME=" + filepath.Join(dir, "home")
	install := func(args ...string) (string, error) {
		cmd := exec.Command("sh", append([]string{"tandem-1-test/install.sh"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), home)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "install.sh"), script, 0o755)); err != nil {
		t.Fatal(err)
	}
	if out, err := install(); err == nil || !strings.Contains(out, "there is no release in") {
		t.Errorf("a folder without a program: %v\n%s", err, out)
	}
	unpack := exec.Command("tar", "-xz")
	unpack.Dir, unpack.Stdin = dir, bytes.NewReader(releaseArchive(t))
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := install("--help"); err == nil || !strings.Contains(out, "write install.sh") {
		t.Errorf("--help: %v\n%s", err, out)
	}
	out, err := install()
	if _, missing := os.Stat(filepath.Join(dir, "home", ".local", "bin", "tandem")); err != nil || missing != nil || !strings.Contains(out, "Next,") {
		t.Errorf("%v, %v\n%s", err, missing, out)
	}
}

// releaseArchive returns an archive as a release has, its program a script.
func releaseArchive(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	w := tar.NewWriter(packed)
	for _, name := range []string{"tandem", "completions/tandem.bash", "completions/tandem.zsh", "completions/tandem.fish", "man/tandem.1", "README.md", "docs/check.md", "LICENSE", "THIRD_PARTY_NOTICES.txt", "editors/neovim/lua/tandem.lua"} {
		text := "#!/bin/sh\necho tandem 1\n"
		if err := w.WriteHeader(&tar.Header{Name: "tandem-1-test/" + name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
