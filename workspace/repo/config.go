package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"tandem/workspace/disk"
)

// A Config is the settings of a git configuration file, in order; of a key that
// is set twice the last value holds. It is data: no value is ever run.
type Config []setting

type setting struct{ section, key, value string }

// Value is what key of a section without subsection is set to, or "".
func (c Config) Value(section, key string) string {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].section == section && c[i].key == key {
			return c[i].value
		}
	}
	return ""
}

// Bounds of one configuration with all that it includes.
const (
	maxIncludes = 10      // as deep as git follows them
	maxConfigs  = 64      // files
	maxConfig   = 1 << 20 // bytes of all files together
)

// A configReader reads a configuration with what it includes.
type configReader struct {
	files *disk.Reader // what may be included; nil is any regular file
	left  int          // files that may still be read
	bytes int64        // that may still be read
}

// UserConfig reads a configuration file of the user's and those it includes,
// wherever they are. A missing or unreadable file is empty; a malformed line is
// left out.
func UserConfig(file string) Config {
	r := configReader{left: maxConfigs, bytes: maxConfig}
	return r.read(file, 0)
}

// Config reads the repository's configuration. Of what it includes, files
// outside the repository and the user's home folder are left out.
func (r Repository) Config() Config {
	files := disk.NewReader(r.Top, r.GitDir, r.CommonDir)
	if home, err := os.UserHomeDir(); err == nil {
		files.Allow(home)
	}
	c := configReader{files: files, left: maxConfigs, bytes: maxConfig}
	return c.read(filepath.Join(r.CommonDir, "config"), 0)
}

func (r *configReader) read(file string, depth int) Config {
	if r.left == 0 || depth > maxIncludes {
		return nil
	}
	r.left--
	from := r.files
	if from == nil {
		from = disk.NewReader(filepath.Dir(file), filepath.Dir(disk.Real(file)))
	}
	content, err := from.ReadFile(context.Background(), file, r.bytes)
	if err != nil {
		return nil
	}
	r.bytes -= int64(len(content))
	var out Config
	for _, s := range parseConfig(string(content)) {
		out = append(out, s)
		if s.section != "include" || s.key != "path" {
			continue
		}
		path := ExpandHome(s.value)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		out = append(out, r.read(path, depth+1)...)
	}
	return out
}

// ExpandHome replaces a leading ~/ by the user's home folder.
func ExpandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}

func parseConfig(content string) Config {
	var out Config
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
