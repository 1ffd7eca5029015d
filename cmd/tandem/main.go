// Command tandem is the program: its subcommands, its configuration file and
// the wiring of the layers to its left.
//
// Invariant: nothing here decides about suggestions; a subcommand reads its
// flags, makes one call and prints the answer.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tandem/workspace/run"
)

// Exit codes of every command.
const (
	exitDone = iota
	exitFailed
	exitUsage
	exitConfig
	exitNoModel
	exitRefused
	exitDailyLimit
	exitUnchecked // check or review could not do its work on something it was asked for
)

// globals are the flags that every command takes.
type globals struct {
	config, workspace, profile string
	offline, noChecker         bool
	wait                       time.Duration // for the index; forever or a default if it is negative
	managed                    string        // the administrator's file; "" is the platform's place, which no flag changes
}

// An exitError is an error with the exit code of the program.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// exit wraps err so that the program ends with code.
func exit(code int, err error) error { return &exitError{code, err} }

// release is the version that make release makes next, or has made of this commit.
//
//go:embed VERSION
var release string

func version() string { return strings.TrimSpace(release) }

// commit and date are those of the sources, which the Makefile sets.
var commit, date string

// built returns the version, and the commit and date of the sources.
func built() string {
	if commit == "" {
		return version() + " (commit unknown: built without make)"
	}
	return fmt.Sprintf("%s (commit %s, %s)", version(), commit, date)
}

func main() { os.Exit(execute(os.Args[1:])) }

func execute(args []string) int {
	if len(args) == 1 && args[0] == "--stdio" {
		args = []string{"serve", "--stdio"}
	}
	root := newRoot()
	root.SetArgs(args)
	var err error
	if p := run.Call("tandem "+strings.Join(args[:min(1, len(args))], ""), func() { err = root.Execute() }); p != nil {
		fmt.Fprintf(os.Stderr, "tandem: %v; please report it with these lines:\n%s", p, p.Stack)
		return exitFailed
	}
	return report(err, os.Stderr)
}

// report prints an error in one line and returns the exit code.
func report(err error, problems io.Writer) int {
	if err == nil {
		return exitDone
	}
	if msg := err.Error(); msg != "" {
		tell(newScreen(problems), msg)
	}
	var coded *exitError
	if errors.As(err, &coded) {
		return coded.code
	}
	return exitFailed
}

func newRoot() *cobra.Command { return rootWith(&globals{}) }

// rootWith returns the command whose flags set g.
func rootWith(g *globals) *cobra.Command {
	root := parent(&cobra.Command{
		Use:           "tandem",
		Version:       built(),
		Short:         "Two models behind your editor: a fast one while you type, a deep one when it matters",
		SilenceErrors: true,
		SilenceUsage:  true,
	})
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(wrongFlag)
	f := root.PersistentFlags()
	f.StringVar(&g.config, "config", "", "configuration `FILE`")
	f.StringVar(&g.workspace, "workspace", "", "workspace `DIR` (default: the repository or folder around the working directory)")
	f.StringVar(&g.profile, "profile", "", "profile `NAME` of the configuration")
	f.BoolVar(&g.offline, "offline", false, "built-in engine only, no network")
	f.DurationVar(&g.wait, "wait", -1, "the longest `TIME` to wait until the workspace is read (default: no end on a terminal, else 10m)")
	f.Lookup("wait").DefValue = "0s" // the text says it
	f.BoolVar(&g.noChecker, "no-checker", false, "start no checker of a language (ty, tsc)")
	for _, command := range commands {
		root.AddCommand(command(g))
	}
	addExamples(root)
	addRemoved(root)
	onScreen(root)
	return root
}

// commands lists the subcommands; each has its constructor in a file of its own.
var commands = []func(*globals) *cobra.Command{
	applyCommand,
	askCommand,
	checkCommand,
	completeCommand,
	configCommand,
	demoCommand,
	doctorCommand,
	editCommand,
	evalCommand,
	hookCommand,
	indexCommand,
	serveCommand,
	keyCommand,
	ledgerCommand,
	mcpCommand,
	modelsCommand,
	purgeCommand,
	reviewCommand,
	setupCommand,
	statusCommand,
	tasksCommand,
	tokensCommand,
	windowCommand,
}
