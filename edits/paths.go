package edits

import "strings"

// Outside reports whether a path cannot name a file below the folder it is
// relative to, whatever the operating system: it is empty, absolute, has a
// drive or a scheme, climbs with "..", also in percent signs, or holds a NUL.
func Outside(name string) bool {
	name = strings.ReplaceAll(decodePercent(name), `\`, "/")
	switch {
	case name == "", strings.HasPrefix(name, "/"), strings.HasPrefix(name, "~/"), name == "~":
		return true
	case strings.ContainsRune(name, 0), strings.Contains(name, "://"), strings.HasPrefix(name, "file:"):
		return true
	case len(name) > 1 && name[1] == ':' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z':
		return true
	}
	named := false
	for _, part := range strings.Split(name, "/") {
		switch trimmed := strings.Trim(part, " "); {
		case len(trimmed) > 1 && strings.Trim(trimmed, ".") == "":
			return true
		case trimmed != "" && trimmed != ".":
			named = true
		}
	}
	return !named
}

// decodePercent decodes the escapes that could hide a way out: "%2e", "%2f", "%5c", "%00".
func decodePercent(s string) string {
	for range 3 { // escapes of escapes
		next := percents.Replace(s)
		if next == s {
			break
		}
		s = next
	}
	return s
}

var percents = strings.NewReplacer("%2e", ".", "%2E", ".", "%2f", "/", "%2F", "/", "%5c", `\`, "%5C", `\`, "%00", "\x00", "%25", "%")
