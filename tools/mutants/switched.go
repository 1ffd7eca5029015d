package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Most mutants stand side by side in one build, each behind a switch: an environment
// variable names the one that is on. Compiling costs as much as testing, and so it is done
// once for all.

// A rewrite is how a mutant is planted behind its switch: what stands before and after its
// range, and what replaces a part of it. Nothing has a line break, so that what the
// compiler refuses is found by its line.
type rewrite struct {
	open, close   string // with %d for the switch
	at, end       int    // what is replaced; nothing where end is 0
	by            string
	first, behind int // the range
}

// switches is the file that each package with mutants gets.
const switches = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var mutantOn, mutantsReached, mutantsSeen = func() (int, string, *sync.Map) {
	n, _ := strconv.Atoi(os.Getenv("MUTANT_ON"))
	return n, os.Getenv("MUTANTS_REACHED"), &sync.Map{}
}()

func mutantIs(id int) bool {
	if mutantsReached != "" {
		if _, known := mutantsSeen.LoadOrStore(id, true); !known {
			if f, err := os.OpenFile(mutantsReached, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
				_, _ = f.WriteString(strconv.Itoa(id) + "\n")
				_ = f.Close()
			}
		}
	}
	return id == mutantOn
}

func mutantFlip[T ~bool](id int, cond T) T { return cond != T(mutantIs(id)) }

func mutantAnd(id int, a bool, b func() bool) bool {
	if mutantIs(id) {
		return a || b()
	}
	return a && b()
}

func mutantOr(id int, a bool, b func() bool) bool {
	if mutantIs(id) {
		return a && b()
	}
	return a || b()
}

type mutantOrdered interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~string
}

func mutantLess[T mutantOrdered](id int, a, b T) bool {
	if mutantIs(id) {
		return a <= b
	}
	return a < b
}

func mutantAtMost[T mutantOrdered](id int, a, b T) bool {
	if mutantIs(id) {
		return a < b
	}
	return a <= b
}

func mutantMore[T mutantOrdered](id int, a, b T) bool {
	if mutantIs(id) {
		return a >= b
	}
	return a > b
}

func mutantAtLeast[T mutantOrdered](id int, a, b T) bool {
	if mutantIs(id) {
		return a > b
	}
	return a >= b
}

func mutantOne(id int) int {
	if mutantIs(id) {
		return 1
	}
	return 0
}
`

// A build is the packages of all areas with every mutant that can be switched.
type build struct {
	overlay string
	ids     map[string]int    // of a mutant, by file and key; what is missing cannot be switched
	files   map[string]string // by the name of what stands in for it
}

func (m mutant) place() string { return m.file + " " + m.key() }

// switched plants mutants. Those that the compiler refuses are left out.
func switched(ctx context.Context, dir string, all []mutant) (*build, error) {
	b := &build{overlay: filepath.Join(dir, "switched.json"), ids: map[string]int{}, files: map[string]string{}}
	byFile := map[string][]mutant{}
	for _, m := range all {
		byFile[m.file] = append(byFile[m.file], m)
		b.ids[m.place()] = len(b.ids) + 1
	}
	refused := map[string]bool{} // switches and lines
	var last []byte
	for range 12 {
		if err := b.write(dir, byFile, refused); err != nil {
			return nil, err
		}
		out, err := command(ctx, "go", "build", "-gcflags=-e", "-overlay", b.overlay, "./...").CombinedOutput()
		if err == nil {
			return b, nil
		}
		last = out
		if !b.refuse(out, refused) {
			break
		}
	}
	return nil, fmt.Errorf("the mutants do not compile:\n%s", last)
}

// refuse leaves out what the compiler refuses: the numbers that it names, else all mutants
// of a line. It is false where it finds neither.
func (b *build) refuse(out []byte, refused map[string]bool) (found bool) {
	for _, l := range compilerLine.FindAllSubmatch(out, -1) {
		file := b.files[string(l[1])]
		numbers := switchedNumber.FindAllSubmatch(l[3], -1)
		for _, n := range numbers {
			refused[string(n[1])] = true
		}
		if file != "" && len(numbers) == 0 {
			refused[file+":"+string(l[2])] = true
		}
		found = found || file != ""
	}
	return found
}

var (
	compilerLine   = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: (.*)$`)
	switchedNumber = regexp.MustCompile(`mutantOne\((\d+)\)`)
)

// write writes the files with their mutants, and the overlay.
func (b *build) write(dir string, byFile map[string][]mutant, refused map[string]bool) error {
	replace := map[string]string{}
	for file, list := range byFile {
		abs, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(slices.Clone(list), func(m mutant) bool {
			gone := m.rewrite == (rewrite{}) || refused[strconv.Itoa(b.ids[m.place()])]
			for line := m.line; line <= m.line+strings.Count(m.old, "\n"); line++ {
				gone = gone || refused[fmt.Sprintf("%s:%d", m.file, line)]
			}
			if gone {
				delete(b.ids, m.place())
			}
			return gone
		})
		name := filepath.Join(dir, fmt.Sprintf("switched-%d.go", len(replace)))
		b.files[name] = file
		if err := os.WriteFile(name, b.plant(list, byFile[file][0].source), 0o600); err != nil {
			return err
		}
		replace[abs] = name
		helper := filepath.Join(filepath.Dir(abs), "zz_mutants.go")
		replace[helper] = filepath.Join(dir, "helper-"+filepath.Base(filepath.Dir(abs))+".go")
		pkg := strings.SplitN(byFile[file][0].function, ".", 2)[0]
		if err := os.WriteFile(replace[helper], fmt.Appendf(nil, switches, pkg), 0o600); err != nil {
			return err
		}
	}
	data, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(b.overlay, data, 0o600)
}

// An insertion is text at an offset; removed bytes behind it go.
type insertion struct {
	at, removed int
	closes      bool
	other       int // the range's other end
	order       int
	text        string
}

// plant returns the source with the mutants of a file behind their switches.
func (b *build) plant(list []mutant, source string) []byte {
	slices.SortStableFunc(list, func(x, y mutant) int { return cmp.Compare(x.made, y.made) })
	var all []insertion
	for i, m := range list {
		r, id := m.rewrite, b.ids[m.place()]
		all = append(all, insertion{at: r.first, other: r.behind, order: i, text: strings.ReplaceAll(r.open, "%d", strconv.Itoa(id))})
		if r.close != "" {
			all = append(all, insertion{at: r.behind, closes: true, other: r.first, order: i, text: strings.ReplaceAll(r.close, "%d", strconv.Itoa(id))})
		}
		if r.end > 0 {
			all = append(all, insertion{at: r.at, removed: r.end - r.at, other: r.end, order: i, text: strings.ReplaceAll(r.by, "%d", strconv.Itoa(id))})
		}
	}
	slices.SortStableFunc(all, func(x, y insertion) int {
		switch {
		case x.at != y.at:
			return cmp.Compare(x.at, y.at)
		case x.closes != y.closes:
			return map[bool]int{true: -1, false: 1}[x.closes]
		case x.other != y.other:
			return cmp.Compare(y.other, x.other) // outer ranges open first; inner ones, which begin later, close first
		case x.closes:
			return cmp.Compare(y.order, x.order)
		}
		return cmp.Compare(x.order, y.order)
	})
	var out bytes.Buffer
	at := 0
	for _, i := range all {
		out.WriteString(source[at:i.at])
		out.WriteString(i.text)
		at = i.at + i.removed
	}
	out.WriteString(source[at:])
	return out.Bytes()
}
