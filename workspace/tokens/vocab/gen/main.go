// Command gen writes the vocabularies that package tokens embeds. Run it by go
// generate in workspace/tokens.
//
// Invariant: it writes files of the working directory and nothing else.
package main

import (
	"fmt"
	"os"

	"tandem/workspace/tokens/vocab"
)

func main() {
	for _, encoding := range []string{"o200k_base", "cl100k_base"} {
		data, err := vocab.Build(encoding)
		if err == nil {
			err = os.WriteFile(encoding+".bin", data, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
}
