// Command costs measures what a server that lives takes and gives back: memory, disk and processor
// time while ignore files change, while documents are opened and closed, and while one is typed in.
//
// **Invariant:** each part starts servers of a user of its own in a folder of its own, and compares a
// server with itself; what fails its bar ends the program with an error. Linux alone counts both.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/tools/bench/clones"
	"tandem/tools/client"
	"tandem/workspace/language"
)

type options struct {
	tandem, repos string
	tree, hides   string
	lines, trees  int
	kind          string
	seed          uint64
	rest          time.Duration

	failed bool
}

func main() {
	var o options
	flag.StringVar(&o.tandem, "tandem", "bin/tandem", "the `PROGRAM`")
	flag.StringVar(&o.repos, "repos", ".", "a `FOLDER` of trees to copy")
	flag.StringVar(&o.tree, "tree", "", "a `REPOSITORY` that is the large tree as it is")
	flag.StringVar(&o.hides, "hides", "", "`FOLDERS` of that repository that its .gitignore hides in turn, with commas between")
	flag.IntVar(&o.lines, "lines", 3_000_000, "lines of the large tree")
	flag.DurationVar(&o.rest, "rest", time.Minute, "how long a server rests before its memory counts")
	flag.IntVar(&o.trees, "trees", 90, "hostile trees")
	flag.StringVar(&o.kind, "kind", "", "the one `KIND` of hostile trees")
	flag.Uint64Var(&o.seed, "seed", 1, "what the hostile trees hold")
	parts := flag.String("parts", "rules,closed,typing,minute,hostile", "what is measured")
	flag.Parse()
	for _, part := range strings.Split(*parts, ",") {
		run, known := map[string]func(scratch string) error{"rules": o.rules, "closed": o.closed, "typing": o.typing, "hostile": o.hostile, "minute": o.minute}[part]
		err := fmt.Errorf("there is no such part")
		if known {
			err = inScratch(run)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "costs: %s: %v\n", part, err)
			os.Exit(1)
		}
	}
	if o.failed {
		os.Exit(1)
	}
}

func inScratch(run func(scratch string) error) error {
	scratch, err := os.MkdirTemp("", "tandem-costs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return err
	}
	return run(scratch)
}

// say prints a figure beside its bar.
func (o *options) say(what string, value, bar float64, unit string) {
	verdict := "ok"
	if value > bar {
		verdict, o.failed = "TOO MUCH", true
	}
	fmt.Printf("%-70s %9.1f %-3s at most %8.1f  %s\n", what, value, unit, bar, verdict)
}

const mega = 1 << 20

// memory is a figure of a process's memory in MB, by the name that Linux gives it.
func memory(pid int, name string) (megabytes float64) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // no Linux: 0
	if _, rest, ok := strings.Cut(string(data), name+":"); ok {
		_, _ = fmt.Sscan(rest, &megabytes)
	}
	return megabytes / 1024
}

const own, all = "RssAnon", "VmRSS" // resident memory that is not in files, and in all

// onDisk is how much a folder takes, and what a process has mapped that was removed from it, in MB.
func onDisk(dir string, pid int) float64 {
	bytes := 0.0
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			bytes += float64(info.Size())
		}
		return nil
	})
	maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	for line := range strings.Lines(string(maps)) {
		if strings.Contains(line, dir) && strings.Contains(line, "(deleted)") {
			var from, to uint64
			_, _ = fmt.Sscanf(line, "%x-%x", &from, &to)
			bytes += float64(to - from)
		}
	}
	return bytes / mega
}

// settle waits until a server has rested for two seconds, and returns its processor time.
func settle(pid int) time.Duration {
	for quiet, last := 0, client.ProcessorTime(pid); ; {
		time.Sleep(500 * time.Millisecond)
		now := client.ProcessorTime(pid)
		if now-last > 5*time.Millisecond {
			quiet = 0
		} else if quiet++; quiet == 4 {
			return now
		}
		last = now
	}
}

// rules changes the .gitignore of a large tree ten times, below a server that started with an
// index on disk.
func (o *options) rules(scratch string) error {
	root, home := filepath.Join(scratch, "tree"), filepath.Join(scratch, "home")
	hides, err := o.large(root)
	if err != nil {
		return err
	}
	ignore := filepath.Join(root, ".gitignore")
	usual, _ := os.ReadFile(ignore) // a tree that is copied has none
	usual = append(usual, "*.log\n"...)
	if err := os.WriteFile(ignore, usual, 0o600); err != nil {
		return err
	}
	first, err := client.StartUser(o.tandem, home, root)
	if err != nil {
		return err
	}
	built := settle(first.Pid())
	cold := memory(first.Pid(), all)
	if err := first.Quit(); err != nil {
		return err
	}
	e, err := client.StartUser(o.tandem, home, root)
	if err != nil {
		return err
	}
	defer e.Kill()
	before := settle(e.Pid())
	anonymous, resident := memory(e.Pid(), own), memory(e.Pid(), all)
	disk := onDisk(home, e.Pid())
	fmt.Printf("read first in %.1f s of processor time, %.0f MB; at the second start %.1f s, %.0f MB (%.0f MB not in files), %.0f MB on disk\n",
		built.Seconds(), cold, before.Seconds(), resident, anonymous, disk)
	for i := range 10 {
		rules := string(usual)
		if i%2 == 0 {
			rules += "/" + hides[i/2%len(hides)] + "/\n" // and back
		}
		if err := os.WriteFile(ignore, []byte(rules), 0o600); err != nil {
			return err
		}
		time.Sleep(time.Second)
		after := settle(e.Pid())
		o.say(fmt.Sprintf("change %d of .gitignore: processor time", i+1), (after - before).Seconds(), 3, "s")
		before = after
	}
	time.Sleep(o.rest)
	o.say("after ten changes: resident memory", memory(e.Pid(), all), 1.1*resident, "MB")
	fmt.Printf("of which not in files: %.0f MB, %.0f before\n", memory(e.Pid(), own), anonymous)
	o.say("after ten changes: disk, with what is mapped and removed", onDisk(home, e.Pid()), disk+1, "MB")
	return nil
}

// large makes the large tree: a repository as it is, or trees that are copied again and again until
// there are as many lines. It returns folders to hide.
func (o *options) large(root string) (hides []string, err error) {
	if o.tree != "" {
		_, err = clones.Git(context.Background(), filepath.Dir(root), "clone", "-q", "--shared", o.tree, root)
		return strings.Split(o.hides, ","), err
	}
	code := func(name string) bool { return language.OfFile(name) != "" && name != ".gitignore" }
	files := 0
	for lines := 0; lines < o.lines; {
		before := lines
		hides = append(hides, fmt.Sprintf("copy%02d", len(hides)))
		err = client.EachText(o.repos, mega, code, func(path, text string) error {
			lines, files = lines+strings.Count(text, "\n"), files+1
			return client.Write(filepath.Join(root, hides[len(hides)-1], path), text)
		})
		if err == nil && lines == before {
			err = fmt.Errorf("%s has no code", o.repos)
		}
		if err != nil {
			return nil, err
		}
	}
	fmt.Printf("%d files\n", files)
	return hides, nil
}

// sources are a function of each language, in which %[1]d is a number.
var sources = map[string]string{
	"go":     "// F%[1]d adds.\nfunc F%[1]d(first, second int) (int, error) {\n\tif first > %[1]d {\n\t\treturn 0, nil\n\t}\n\treturn first + second + %[1]d, nil\n}\n\n",
	"python": "def f%[1]d(first, second):\n    \"\"\"Adds.\"\"\"\n    if first > %[1]d:\n        return 0\n    return first + second + %[1]d\n\n\n",
	"ts":     "/** Adds. */\nexport function f%[1]d(first: number, second: number): number {\n  if (first > %[1]d) {\n    return 0;\n  }\n  return first + second + %[1]d;\n}\n\n",
}

// source is a text of a language of so many bytes.
func source(lang string, bytes int) string {
	var b strings.Builder
	if lang == "go" {
		b.WriteString("package p\n\n")
	}
	for i := 0; b.Len() < bytes; i++ {
		fmt.Fprintf(&b, sources[lang], i)
	}
	return b.String()
}

var extension = map[string]string{"go": "go", "python": "py", "ts": "ts"}

// closed opens and closes a file of 384 KB 200 times in each of three languages.
func (o *options) closed(scratch string) error {
	root := filepath.Join(scratch, "tree")
	for lang, ext := range extension {
		if err := client.Write(filepath.Join(root, "big."+ext), source(lang, 384<<10)); err != nil {
			return err
		}
	}
	for _, lang := range []string{"go", "python", "ts"} {
		e, err := client.StartUser(o.tandem, filepath.Join(scratch, "home-"+lang), root)
		if err != nil {
			return err
		}
		settle(e.Pid())
		before := memory(e.Pid(), all)
		path := "big." + extension[lang]
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		for range 200 {
			if err := e.Open(path, string(text)); err != nil {
				return err
			}
			if err := e.Close(path); err != nil {
				return err
			}
		}
		if _, err := e.Command("tandem.status", nil); err != nil {
			return err
		}
		time.Sleep(time.Second)
		spent := client.ProcessorTime(e.Pid())
		time.Sleep(o.rest)
		o.say(lang+": 200 opens and closes of 384 KB: memory above the start", memory(e.Pid(), all)-before, 60, "MB")
		o.say(lang+": processor time from one second after the last close on", 1000*(client.ProcessorTime(e.Pid())-spent).Seconds(), 100, "ms")
		if err := e.Quit(); err != nil {
			return err
		}
	}
	return nil
}

// typing invokes a completion after each of 200 edits in files of 200 KB and 1 MB.
func (o *options) typing(scratch string) error {
	root := filepath.Join(scratch, "tree")
	if err := client.Write(filepath.Join(root, "go.mod"), "module example.com/p\n\ngo 1.24\n"); err != nil {
		return err
	}
	for _, size := range []struct {
		name string
		kb   int
		bar  float64
	}{{"200 KB", 200, 3}, {"1 MB", 1024, 8}} {
		text := source("go", size.kb<<10)
		if err := client.Write(filepath.Join(root, "big.go"), text); err != nil {
			return err
		}
		e, err := client.StartUser(o.tandem, filepath.Join(scratch, fmt.Sprint("home", size.kb)), root)
		if err != nil {
			return err
		}
		if err := e.Open("big.go", text); err != nil {
			return err
		}
		at := strings.Index(text[len(text)/2:], "\treturn first") + len(text)/2
		settle(e.Pid())
		var took []time.Duration
		spent := client.ProcessorTime(e.Pid())
		for i := range 200 {
			typed := "fi"[i%2 : i%2+1]
			if i%20 == 19 {
				typed = "\n\t"
			}
			if err := e.Replace("big.go", at, at, typed); err != nil {
				return err
			}
			at += len(typed)
			where := client.PositionAt(e.Text("big.go"), at)
			began := time.Now()
			id, reply, err := e.Request("textDocument/inlineCompletion", client.Object{"textDocument": client.Object{"uri": e.URI("big.go")}, "position": where, "context": client.Object{"triggerKind": 1}})
			if err != nil {
				return err
			}
			got := <-reply
			if got.Err != nil {
				return fmt.Errorf("completion %d: %w", id, got.Err)
			}
			took = append(took, got.At.Sub(began))
			time.Sleep(50 * time.Millisecond)
		}
		spent = client.ProcessorTime(e.Pid()) - spent
		slices.Sort(took)
		o.say(size.name+": completion invoked, the median of 200", took[100].Seconds()*1000, size.bar, "ms")
		fmt.Printf("%s: 95 of 100 in %.1f ms; %.1f ms of processor time an edit and its completion\n", size.name, took[190].Seconds()*1000, 1000*spent.Seconds()/200)
		if size.kb == 1024 {
			o.say(size.name+": resident after 200 edits", memory(e.Pid(), all), 80, "MB")
		}
		if err := e.Quit(); err != nil {
			return err
		}
	}
	return nil
}
