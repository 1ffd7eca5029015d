package terms

import (
	"fmt"
	"strings"
)

// Set is the words of a list that blanks separate.
func Set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// Counted is a number with what is counted: "1 use", "2 uses".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
