// Command secrets prints what the detector of secrets finds in the files of projects, so that
// what it finds wrongly can be counted, and compared with the detector of another revision.
//
// Invariant: it uses nothing of the code but redact.Find, so that it compiles in an old
// revision too.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"tandem/workspace/redact"
)

// largest is the size of the largest file that is read: more is data.
const largest = 1 << 20

func main() {
	list := flag.String("list", "", "write what is found to this file, a line each")
	flag.Parse()
	out := os.Stdout
	if *list != "" {
		var err error
		if out, err = os.Create(*list); err != nil {
			fmt.Fprintln(os.Stderr, "secrets:", err)
			os.Exit(1)
		}
		defer out.Close() //nolint:errcheck // the program ends
	}
	for _, root := range flag.Args() {
		files, size, found := 0, 0, 0
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == ".venv") {
				return cmp.Or(err, fs.SkipDir)
			}
			if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > largest {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil || !utf8.Valid(data) {
				return err
			}
			text := string(data)
			files, size = files+1, size+len(text)
			rel, _ := filepath.Rel(root, path)
			for _, sp := range redact.Find(text) {
				found++
				line := text[strings.LastIndexByte(text[:sp.Start], '\n')+1:]
				line, _, _ = strings.Cut(line, "\n")
				fmt.Fprintf(out, "%s/%s: %.60q in %.160s\n", filepath.Base(root), rel, text[sp.Start:sp.End], strings.TrimSpace(line))
			}
			return nil
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, "secrets:", err)
			os.Exit(1)
		}
		fmt.Fprintf(os.Stderr, "%-24s %6d files %7.1f MB %5d found\n", filepath.Base(root), files, float64(size)/1e6, found)
	}
}
