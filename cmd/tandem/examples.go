package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples are what people type, by command: each line runs as it stands, in a repository with a
// store/load.go. A line may have a pipe before it.
var examples = map[string]string{
	"apply": `tandem apply < answer.md             # print what a model's answer changes
tandem apply --write < fix.patch     # and write it, if it passes its checks`,
	"ask": `tandem ask "where are keys read?"
tandem ask "why is this retried?" store/load.go:31:2`,
	"check": `tandem check --diff HEAD             # what you have not committed
tandem check --staged --format github
git diff main... | tandem check
tandem check store cmd/main.go`,
	"complete":   `tandem complete store/load.go:31:9 -n 3`,
	"completion": `tandem completion bash > ~/.local/share/bash-completion/completions/tandem`,
	"config":     `tandem config                        # every value, and where it comes from`,
	"demo":       `tandem demo --workspace ~/src/shop`,
	"doctor":     `tandem doctor                        # what is wrong, and what to do about it`,
	"edit": `tandem edit store/load.go "return an error in place of panicking"
tandem edit store/load.go:20-41 "read the file once" --write
tandem edit store/load.go "split it by format" --deep --write`,
	"eval":         `tandem eval --commits 20             # exact lines of your own history, and what they cost`,
	"hook":         `tandem hook install claude           # its edits are checked from now on`,
	"hook install": `tandem hook install claude --dry-run # what would be written, as a diff`,
	"hook remove":  `tandem hook remove claude`,
	"index":        `tandem index --json`,
	"key":          `pass show openai | tandem key set openai`,
	"key delete":   `tandem key delete openai`,
	"key list":     `tandem key list`,
	"key set":      `pass show openai | tandem key set openai`,
	"ledger":       `tandem ledger --verify               # every request that left this machine`,
	"mcp":          `claude mcp add tandem -- tandem mcp`,
	"models":       `tandem models openai`,
	"purge":        `tandem purge --workspace .           # index, tasks and cached answers of this folder`,
	"review": `tandem review --diff main
tandem review store/load.go`,
	"serve":        `tandem serve --log tandem.log        # an editor runs it; the log has no text of yours`,
	"setup":        `tandem setup                         # from nothing to a model that answers`,
	"status":       `tandem status`,
	"tasks":        `tandem tasks                         # those of this folder, newest first`,
	"tasks apply":  `tandem tasks apply k3f9 --step 2`,
	"tasks cancel": `tandem tasks cancel k3f9`,
	"tasks list":   `tandem tasks list --json`,
	"tasks revert": `tandem tasks revert k3f9`,
	"tasks resume": `tandem tasks resume k3f9`,
	"tasks show":   `tandem tasks show k3f9`,
	"tasks steer":  `tandem tasks steer k3f9 "leave the tests alone"`,
	"tokens":       `tandem tokens store/load.go`,
	"window":       `tandem window store/load.go:31:2 --purpose edit`,
}

// addExamples gives each command below c its examples.
func addExamples(c *cobra.Command) {
	name := strings.TrimPrefix(c.CommandPath(), "tandem ")
	if text := examples[name]; text != "" {
		c.Example = "  " + strings.ReplaceAll(text, "\n", "\n  ")
	}
	for _, child := range c.Commands() {
		addExamples(child)
	}
}
