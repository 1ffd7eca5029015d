package ignore

import (
	"path/filepath"
	"strings"
)

// A config is the settings of a git configuration file, in order; if a key is set
// twice, the last value applies. It is data: no value is ever run.
type config []setting

type setting struct{ section, key, value string }

// value is what key of a section without subsection is set to, or "".
func (c config) value(section, key string) string {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].section == section && c[i].key == key {
			return c[i].value
		}
	}
	return ""
}

const maxIncludes = 10 // as deep as git follows them

// readConfig reads a configuration file and those it includes. A missing or
// unreadable file is empty; a malformed line is left out.
func readConfig(file string, depth int) config {
	content, ok := readRules(file, true)
	if !ok || depth > maxIncludes {
		return nil
	}
	var out config
	for _, s := range parseConfig(content) {
		out = append(out, s)
		if s.section != "include" || s.key != "path" {
			continue
		}
		path := expandHome(s.value)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		out = append(out, readConfig(path, depth+1)...)
	}
	return out
}

func parseConfig(content string) config {
	var out config
	section := ""
	content = strings.ReplaceAll(strings.TrimPrefix(content, "\xef\xbb\xbf"), "\r\n", "\n")
	content = strings.ReplaceAll(content, "\\\n", "")
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok {
			name, after, _ := strings.Cut(rest, "]")
			section = strings.ToLower(strings.TrimSpace(name))
			line = strings.TrimSpace(after)
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, assigned := strings.Cut(line, "=")
		if !assigned {
			value = "true"
		}
		out = append(out, setting{section, strings.ToLower(strings.TrimSpace(key)), configValue(value)})
	}
	return out
}

// configValue takes quotes, escapes and a trailing comment off a value.
func configValue(raw string) string {
	var b strings.Builder
	quoted, kept := false, 0
	raw = strings.TrimLeft(raw, " \t")
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
			kept = b.Len()
		case c == '\\' && i+1 < len(raw):
			i++
			b.WriteByte(unescape(raw[i]))
			kept = b.Len()
		case !quoted && (c == '#' || c == ';'):
			return b.String()[:kept]
		default:
			b.WriteByte(c)
			if quoted || c != ' ' && c != '\t' {
				kept = b.Len()
			}
		}
	}
	return b.String()[:kept]
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	}
	return c
}
