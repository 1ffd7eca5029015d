// Command notices writes the licences of everything that the program and the VS
// Code extension contain, from the module cache and node_modules.
//
// Invariant: what is linked or bundled is computed from the build, on every
// platform of a release; no list is kept by hand but that of embedded data.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const (
	outFile   = "THIRD_PARTY_NOTICES.txt"
	extension = "editors/vscode"
)

// A dependency is something that is shipped.
type dependency struct {
	name, version string
	dir           string // of its licence
}

func (d dependency) title() string { return d.name + " " + d.version }

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "notices: "+err.Error())
		os.Exit(1)
	}
}

// shipped is every dependency of the program and of the extension.
func shipped() ([]dependency, error) {
	modules, err := linked()
	if err != nil {
		return nil, err
	}
	packages, err := bundled()
	return append(modules, packages...), err
}

// embedded are modules whose data is in the program, though nothing links them.
var embedded = []string{"github.com/pkoukk/tiktoken-go-loader"}

// linked is the standard library and every module that cmd/tandem links on one of
// the platforms of a release.
func linked() ([]dependency, error) {
	found := map[string]dependency{}
	add := func(env []string, args ...string) error {
		c := exec.Command("go", append([]string{"list"}, args...)...)
		c.Env, c.Stderr = append(os.Environ(), env...), os.Stderr
		out, err := c.Output()
		if err != nil {
			return fmt.Errorf("go list %s: %w", strings.Join(args, " "), err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 && f[1] != "" {
				found[f[0]] = dependency{f[0], f[1], f[2]}
			}
		}
		return nil
	}
	const module = "{{.Path}}\t{{.Version}}\t{{.Dir}}"
	for _, system := range []string{"linux", "darwin", "windows"} {
		if err := add([]string{"GOOS=" + system, "GOARCH=amd64", "CGO_ENABLED=0"}, "-deps", "-f", "{{with .Module}}"+module+"{{end}}", "./cmd/tandem"); err != nil {
			return nil, err
		}
	}
	for _, path := range embedded {
		if err := add(nil, "-m", "-f", module, path); err != nil {
			return nil, err
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("ask go for its root: %w", err)
	}
	out := []dependency{{"Go standard library", strings.TrimPrefix(runtime.Version(), "go"), strings.TrimSpace(string(root))}}
	for _, d := range found {
		out = append(out, d)
	}
	slices.SortFunc(out[1:], func(a, b dependency) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

var imported = regexp.MustCompile(`(?m)(?:from|import|require\()\s*"([^"./][^"]*)"`)

// bundled is every npm package that the extension's code imports, and what those
// need.
func bundled() ([]dependency, error) {
	data, err := os.ReadFile(filepath.Join(extension, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version      string
			Dependencies map[string]string
		}
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	sources, err := filepath.Glob(filepath.Join(extension, "src", "*.ts"))
	if err != nil {
		return nil, err
	}
	found := map[string]dependency{}
	var add func(from, name string)
	add = func(from, name string) {
		for at := from; ; at = at[:max(strings.LastIndex(at, "/node_modules/"), 0)] {
			key := strings.TrimPrefix(at+"/node_modules/"+name, "/")
			if p, ok := lock.Packages[key]; ok {
				if _, known := found[key]; !known {
					found[key] = dependency{name + " (npm)", p.Version, filepath.Join(extension, key)}
					for need := range p.Dependencies {
						add(key, need)
					}
				}
				return
			}
			if at == "" {
				return
			}
		}
	}
	for _, file := range sources {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range imported.FindAllSubmatch(text, -1) {
			name := string(m[1])
			if name == "vscode" || strings.HasPrefix(name, "node:") {
				continue
			}
			parts := strings.Split(name, "/")
			if name[0] == '@' {
				name = strings.Join(parts[:min(2, len(parts))], "/")
			} else {
				name = parts[0]
			}
			add("", name)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no npm package is imported in %s/src: the search is wrong", extension)
	}
	var out []dependency
	for _, d := range found {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b dependency) int { return strings.Compare(a.title(), b.title()) })
	return out, nil
}

const rule = "================================================================================"

// write writes the notices, one section a dependency.
func write() error {
	list, err := shipped()
	if err != nil {
		return err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "tandem contains the following third-party software. `make notices` writes this file.\n\n")
	for _, d := range list {
		fmt.Fprintf(&out, "- %s\n", d.title())
	}
	for _, d := range list {
		texts, err := licences(d.dir)
		if err != nil {
			return fmt.Errorf("%s: %w", d.title(), err)
		}
		fmt.Fprintf(&out, "\n%s\n%s\n%s\n\n%s\n", rule, d.title(), rule, texts)
	}
	return os.WriteFile(outFile, out.Bytes(), 0o644)
}

// licences joins the licence, copying and notice files of a folder.
func licences(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var out []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.Type().IsRegular() && (strings.HasPrefix(name, "LICEN") || strings.HasPrefix(name, "COPYING") || strings.HasPrefix(name, "NOTICE")) {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return "", err
			}
			out = append(out, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		}
	}
	if len(out) == 0 {
		return "", fmt.Errorf("no licence in %s", dir)
	}
	return strings.Join(out, "\n\n"), nil
}
