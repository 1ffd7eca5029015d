package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"tandem/tools/client"
)

// bounds of the files whose changes are written in forms
const (
	mostFormed  = 12 << 10
	leastFormed = 200
	mostRemoved = 10 // lines: more than that is a deletion, which is judged otherwise
)

// mostRefused is how many of the answers that say what they mean may be refused, in percent.
const mostRefused = 15

// runForms writes n changes in every form, through apply and edit --write, and judges all files
// on disk.
func runForms(tandem string, all []change, n int, seed uint64, only string) error {
	random := rand.New(rand.NewPCG(seed, 7))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var list []*formed
	for _, c := range all {
		if f, ok := formedOf(c); ok && len(list) < n {
			list = append(list, f)
		}
	}
	if len(list) < n {
		return fmt.Errorf("%d changes are suitable, %d are wanted", len(list), n)
	}
	fmt.Printf("seed %d, %d changes, %d forms\n%-42s %8s %8s %8s\n", seed, n, len(forms), "form", "right", "refused", "wrong")
	plain, refusals, wrongs := 0, 0, 0
	for _, form := range forms {
		if only != "" && form.name != only {
			continue
		}
		var s [3]int // how often each outcome came
		for _, f := range list {
			for _, road := range []string{"apply", "edit"} {
				what, said, answer, err := f.try(tandem, road, form)
				if err != nil {
					return err
				}
				if what == unwritten {
					continue
				}
				s[what]++
				if what == wrong || only != "" && what == refused {
					fmt.Printf("%s by %s: %s: %s\n--- answer\n%.1500s\n", f.name, road, f.path, said, answer)
				}
			}
		}
		fmt.Printf("%-42s %8d %8d %8d\n", form.name, s[right], s[refused], s[wrong])
		if wrongs += s[wrong]; !form.doubt {
			plain, refusals = plain+s[right]+s[refused]+s[wrong], refusals+s[refused]
		}
	}
	fmt.Printf("of %d answers that say what they mean %d (%.1f %%) are refused; %d texts are wrong\n", plain, refusals, 100*float64(refusals)/float64(max(plain, 1)), wrongs)
	if wrongs > 0 || refusals*100 > plain*mostRefused {
		return fmt.Errorf("%d texts are wrong, %d of %d are refused", wrongs, refusals, plain)
	}
	return nil
}

// formedOf is a change as forms write it, if it is one hunk of a small text that has its old text
// once.
func formedOf(c change) (*formed, bool) {
	if len(c.hunks) != 1 || c.created || !suitable(c.path, c.before) {
		return nil, false
	}
	h := &c.hunks[0]
	f := &formed{change: c, old: h.side('+'), new: h.side('-')}
	removed := len(h.lines) - h.count('-')
	return f, h.count('-') > 1 && removed <= mostRemoved && strings.Count(c.before, f.old) == 1
}

// suitable reports whether forms can have a file: its name has a folder and an extension, and its
// text has whole lines and fits an answer.
func suitable(name, text string) bool {
	named := strings.Contains(name, "/") && path.Ext(name) != "" && !strings.Contains(name, " ")
	return named && len(text) >= leastFormed && len(text) <= mostFormed && strings.HasSuffix(text, "\n")
}

// unwritten is the outcome of a change that a form has no place for.
const unwritten outcome = -1

// try has the change applied in a form.
func (f *formed) try(tandem, road string, form form) (what outcome, said, answer string, err error) {
	home, err := os.MkdirTemp("", "forms")
	if err != nil {
		return 0, "", "", err
	}
	defer os.RemoveAll(home)
	f.dir = filepath.Join(home, "w")
	answer, ok := form.write(f)
	if !ok {
		return unwritten, "", "", nil
	}
	if err := client.Write(filepath.Join(f.dir, f.path), f.before); err != nil {
		return 0, "", "", err
	}
	c := exec.Command(tandem, "apply", "--write", "--force", "--require-judged=false", "--workspace", f.dir)
	if road == "edit" {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { client.Chat(w, r, answer) }))
		defer server.Close()
		config := filepath.Join(home, "config.toml")
		if err := os.WriteFile(config, []byte(client.Chatting(server.URL, "")), 0o600); err != nil {
			return 0, "", "", err
		}
		c = exec.Command(tandem, "edit", f.path, "make the change", "--write", "--force", "--require-judged=false", "--workspace", f.dir, "--config", config)
	}
	c.Dir, c.Env, c.Stdin = f.dir, client.Home(home), strings.NewReader(answer)
	_, said, _, err = client.Run(c)
	if err != nil {
		return 0, said, answer, err
	}
	return f.became(), said, answer, nil
}

// became judges the workspace.
func (f *formed) became() outcome {
	what := wrong
	got, err := os.ReadFile(filepath.Join(f.dir, f.path))
	switch {
	case err != nil:
	case string(got) == f.after:
		what = right
	case string(got) == f.before:
		what = refused
	}
	_ = filepath.WalkDir(f.dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != filepath.Join(f.dir, f.path) {
			what = wrong
		}
		return nil
	})
	return what
}
