package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tandem/cmd/tandem/config"
)

// TestReadmeConfigurations: tandem accepts every configuration in the README,
// each has fewer than five lines, and the targets of its links exist.
func TestReadmeConfigurations(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	if len(blocks) < 2 {
		t.Fatalf("the README shows %d configurations", len(blocks))
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
	for _, link := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(string(readme), -1) {
		if _, err := os.Stat(filepath.Join("../..", link[1])); err != nil {
			t.Errorf("the README links to %s: %v", link[1], err)
		}
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
