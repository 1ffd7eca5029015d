// Command manpage writes the manual page of a built tandem, from what its commands say of
// themselves: manpage PROGRAM VERSION.
//
// **Invariant**: the page says what --help says.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

var command = regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "manpage:", err)
		os.Exit(1)
	}
}

func run(program, version string) error {
	root, err := help(program)
	if err != nil {
		return err
	}
	fmt.Printf(".TH TANDEM 1 \"\" \"tandem %s\"\n.SH NAME\ntandem \\- two models behind your editor\n.SH SYNOPSIS\n.B tandem\n\\fICOMMAND\\fR [\\fIFLAG\\fR...]\n.SH DESCRIPTION\n%s", version, verbatim(root))
	for _, m := range command.FindAllStringSubmatch(root, -1) {
		if m[1] == "completion" || m[1] == "help" {
			continue
		}
		text, err := help(program, m[1])
		if err != nil {
			return err
		}
		fmt.Printf(".SH \"tandem %s\"\n%s", m[1], verbatim(text))
	}
	return nil
}

func help(program string, args ...string) (string, error) {
	out, err := exec.Command(program, append(args, "--help")...).Output()
	return string(out), err
}

// verbatim is text as it is, without what has a meaning in a manual page.
func verbatim(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		b.WriteString(line)
	}
	return ".nf\n" + b.String() + ".fi\n"
}
