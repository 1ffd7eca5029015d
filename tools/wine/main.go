// Command wine runs tests as on Windows, under Wine: wine FOLDER PACKAGE... from the root of the
// repository; FOLDER is for the Windows that Wine makes. It prints what failed or was skipped,
// and how many tests ran of those that run on Linux.
//
// Invariant: what Wine lacks is replaced in the standard library that these tests alone are
// linked with, never in tandem.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "wine: give a folder and packages")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "wine:", err)
		os.Exit(1)
	}
}

func run(dir string, packages []string) error {
	program, err := exec.LookPath("wine")
	if err != nil {
		return fmt.Errorf("there is no wine: apt-get install --no-install-recommends wine wine64")
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	root := strings.TrimSpace(string(goroot))
	list, err := overlay(root, dir)
	if err != nil {
		return err
	}
	protocol, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.lsp.dev/protocol").Output()
	if err != nil {
		return err
	}
	// Tests find the standard library by GOROOT, which means another path to them than to the compiler,
	// and the description of LSP by its module, since there is no Go to ask.
	under, programs := filepath.Join(dir, "run"), filepath.Join(dir, "bin")
	//
	// What the first program starts, the services of Windows, lives as long as any program, and
	// would hold the pipe that go test reads a package's output from. So output goes by a file.
	script := fmt.Sprintf(`#!/bin/sh
unset SSL_CERT_FILE SSL_CERT_DIR
export GOROOT='%s' PROTOCOL_MODULE='%s'
said=$(mktemp)
'%s' "$@" </dev/null >"$said" 2>&1
code=$?
cat "$said"
rm -f "$said"
exit $code
`, inWine(root), inWine(strings.TrimSpace(string(protocol))), program)
	if err := os.WriteFile(under, []byte(script), 0o700); err != nil {
		return err
	}
	env := append(os.Environ(), "GOOS=windows", "GOROOT="+root, "WINEPREFIX="+filepath.Join(dir, "prefix"), "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=", "WINEPATH="+inWine(programs))
	build := exec.Command("go", "build", "-overlay", list, "-o", programs+"/", "./cmd/scripted") // tests start it, and there is no Go under Wine
	build.Env, build.Stderr = env, os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	c := exec.Command("go", append([]string{"test", "-json", "-vet=off", "-ldflags=-w", "-count=1", "-short", "-timeout=60m", "-overlay", list, "-exec", under}, packages...)...)
	c.Env, c.Stderr = env, os.Stderr
	out, err := c.Output()
	ran := count(out)
	linux, listErr := onLinux(packages)
	if listErr != nil {
		return listErr
	}
	all := ran["pass"] + ran["fail"] + ran["skip"]
	fmt.Printf("under Wine: %d passed, %d failed, %d skipped (%.1f %%); %d tests run on Linux, of which %.1f %% ran\n",
		ran["pass"], ran["fail"], ran["skip"], share(ran["skip"], all), linux, share(all-ran["skip"], linux))
	return err
}

// inWine is a path of this machine as Windows programs see it.
func inWine(path string) string { return "Z:" + strings.ReplaceAll(path, "/", `\`) }

func share(part, of int) float64 { return 100 * float64(part) / float64(max(1, of)) }

// onLinux counts the tests of packages as they are for Linux.
func onLinux(packages []string) (n int, err error) {
	list := exec.Command("go", append([]string{"list", "-f", "{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}/{{.}}\n{{end}}{{range .XTestGoFiles}}{{$d}}/{{.}}\n{{end}}"}, packages...)...)
	list.Env = append(os.Environ(), "GOOS=linux")
	names, err := list.Output()
	if err != nil {
		return 0, err
	}
	for _, name := range strings.Fields(string(names)) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return 0, err
		}
		for _, e := range doc.Examples(file) {
			if e.Output != "" || e.EmptyOutput {
				n++
			}
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && f.Name.Name != "TestMain" && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) {
				n++
			}
		}
	}
	return n, nil
}

// ended are the actions that end a test.
var ended = map[string]bool{"pass": true, "skip": true, "fail": true}

// count counts the ends of tests, without their parts, and prints what failed.
func count(out []byte) map[string]int {
	ends, said := map[string]int{}, map[string]string{}
	for line := range strings.Lines(string(out)) {
		var e struct{ Action, Package, Test, Output string }
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		top, _, part := strings.Cut(e.Test, "/")
		said[e.Package+top] += e.Output
		if e.Action == "build-output" { // of no test
			fmt.Print(e.Output)
		}
		if part || !ended[e.Action] {
			continue
		}
		switch {
		case e.Test != "":
			if ends[e.Action]++; e.Action != "pass" {
				fmt.Print(said[e.Package+top])
			}
		case e.Action == "fail":
			fmt.Print(said[e.Package])
		}
	}
	return ends
}
