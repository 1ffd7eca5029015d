package main

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tandem/cmd/tandem/config"
)

// TestShownConfigurations: tandem accepts every configuration of docs/models.md, each has fewer
// than five lines. The targets of the README's links exist.
func TestShownConfigurations(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	models, err := os.ReadFile("../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(string(models), -1)
	if len(blocks) < 2 {
		t.Fatalf("the page shows %d configurations", len(blocks))
	}
	for _, b := range blocks {
		file := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(file, []byte(b[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(config.Options{File: file, Getenv: func(string) string { return "" }})
		if err != nil {
			t.Errorf("%s\n%v", b[1], err)
			continue
		}
		if c.Fast == config.Local || strings.Count(b[1], "\n") >= 5 {
			t.Errorf("%s\nconfigures %q in %d lines", b[1], c.Fast, strings.Count(b[1], "\n"))
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`).FindAllStringSubmatch(string(readme), -1) {
		if _, err := os.Stat(filepath.Join("../..", link[1])); err != nil {
			t.Errorf("the README links to %s: %v", link[1], err)
		}
	}
}

// TestPictures: every picture is shown by a page, and compared with the screen of an editor by a
// driver of make e2e.
func TestPictures(t *testing.T) {
	readAll := func(patterns ...string) string {
		var all strings.Builder
		for _, pattern := range patterns {
			paths, err := filepath.Glob(pattern)
			if err != nil || len(paths) == 0 {
				t.Fatal(pattern, err)
			}
			for _, path := range paths {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				all.Write(text)
			}
		}
		return all.String()
	}
	pages, drivers := readAll("../../README.md", "../../docs/*.md"), readAll("../../editors/e2e/*.lua")
	pictures, err := filepath.Glob("../../docs/images/*")
	if err != nil || len(pictures) == 0 {
		t.Fatal(pictures, err)
	}
	for _, path := range pictures {
		name := filepath.Base(path)
		if !strings.Contains(pages, "images/"+name+")") {
			t.Errorf("no page shows %s: remove it", name)
		}
		if !strings.Contains(drivers, "'"+name+"'") {
			t.Errorf("nothing compares %s with today's tandem: see recording.compare", name)
		}
	}
}

// TestRolloutNeedsNoAnswer: with the administrator's file of the page, a user who has no file
// of their own has a model with a key and may use it.
func TestRolloutNeedsNoAnswer(t *testing.T) {
	page, err := os.ReadFile("../../docs/rollout.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```toml\n(.*?)```").FindSubmatch(page)
	managed := filepath.Join(t.TempDir(), "managed.toml")
	if err := os.WriteFile(managed, block[1], 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	c, err := config.Load(config.Options{Managed: managed, Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }})
	if err != nil {
		t.Fatal(err)
	}
	p := c.Providers[c.Models[c.Fast].Provider]
	if c.Fast == config.Local || len(p.AuthCommand) == 0 || c.Policy.Fault != "" || c.Policy.LedgerFile == "" || c.Policy.Host("llm.example.com:443") != nil || c.Policy.Model(c.Models[c.Fast].Model) != nil {
		t.Errorf("%q at %+v with %+v", c.Fast, p, c.Policy)
	}
}

// TestReadmeLeadsToEveryPage: each page of docs/ is reached by links from the README,
// and the links between pages have targets.
func TestReadmeLeadsToEveryPage(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#: ]+\.md)(#[^)]*)?\)`)
	reached := map[string]bool{}
	next := []string{"../../README.md"}
	for len(next) > 0 {
		page := next[0]
		next = next[1:]
		if reached[page] {
			continue
		}
		reached[page] = true
		text, err := os.ReadFile(page)
		if err != nil {
			t.Errorf("a page links to it: %v", err)
			continue
		}
		for _, to := range link.FindAllStringSubmatch(string(text), -1) {
			next = append(next, filepath.Join(filepath.Dir(page), to[1]))
		}
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		if !reached[page] {
			t.Errorf("no link leads to %s", page)
		}
	}
}

// A promise is a row, a point or a paragraph of these pages, up to the heading named.
var promises = []struct{ page, from, to string }{
	{"README.md", "## What leaves your machine", "## Measured"},
	{"docs/privacy.md", "# What leaves your machine", ""},
	{"docs/security.md", "# Security", "## Reporting"},
}

// TestPromisesAreHeld: each promise about what leaves the machine and what may happen on it
// ends in a comment with the tests that hold it, and those tests exist.
func TestPromisesAreHeld(t *testing.T) {
	tests := map[string]bool{}
	files, err := ownCode()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && f.test() && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
				tests[fn.Name.Name] = true
			}
		}
	}
	for _, p := range promises {
		text, err := os.ReadFile(filepath.Join("../..", p.page))
		if err != nil {
			t.Fatal(err)
		}
		_, section, found := strings.Cut(string(text), p.from+"\n")
		if !found {
			t.Fatalf("%s has no heading %q", p.page, p.from)
		}
		if p.to != "" {
			section, _, _ = strings.Cut(section, "\n"+p.to+"\n")
		}
		for _, problem := range unheld(section, tests) {
			t.Errorf("%s: %s", p.page, problem)
		}
	}
	for text, want := range map[string]int{
		"A promise.\n": 1, "A promise. <!-- TestGone -->": 1, "A promise. <!-- TestPromisesAreHeld -->": 0, "These:\n\n- one <!-- TestPromisesAreHeld -->\n- two\n": 1,
		"| a | b |\n|---|---|\n| c | d |\n| e | f <!-- TestPromisesAreHeld --> |\n": 1,
	} {
		if got := unheld(text, tests); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

var (
	promise = regexp.MustCompile(`(?m)^(?:\|.*|(?:- |[^|#\n]).*(?:\n(?:[^-|#\n]).*)*)`)
	heldBy  = regexp.MustCompile(`<!-- ((?:Test\w+ ?)+)-->(?: \|)?$`)
	header  = regexp.MustCompile(`(?m)^\|.*\n\|[-|]+\|\n`)
)

// unheld lists the promises of a text that no test holds. What ends in a colon promises nothing.
func unheld(text string, tests map[string]bool) (out []string) {
	for _, one := range promise.FindAllString(header.ReplaceAllString(text, ""), -1) {
		held := heldBy.FindStringSubmatch(one)
		switch {
		case held == nil && !strings.HasSuffix(one, ":"):
			out = append(out, "no test is named for: "+one)
		case held != nil:
			for name := range strings.FieldsSeq(held[1]) {
				if !tests[name] {
					out = append(out, name+" does not exist, which is to hold: "+one)
				}
			}
		}
	}
	return out
}
