package edits

// Echoed returns how many bytes at the start of a text repeat what is before it, for tests of
// what is counted without them.
func Echoed(prefix, suffix, text string) int {
	n, _ := siteIn(prefix, suffix).settledEcho(text)
	return n
}
