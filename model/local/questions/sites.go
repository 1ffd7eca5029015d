package questions

import (
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A site is a place where code contains a name.
type site struct {
	file index.FileID
	line int // counted from 1
	text string
	call bool
}

// maxUserFiles limits how many files are read to find sites.
const maxUserFiles = 400

// sites returns the places where code uses a name, without its definitions, in
// the files that keep accepts.
func (q *inquiry) sites(name string, keep func(path string) bool) (out []site) {
	defined := map[site]bool{}
	for _, d := range q.ix.Lookup(name) {
		defined[site{file: d.File, line: d.StartLine}] = true
	}
	read := 0
	for _, id := range q.ix.Users(name) {
		path := q.ix.Path(id)
		if q.ctx.Err() != nil || read >= maxUserFiles {
			break
		}
		if !keep(path) {
			continue
		}
		text, ok := q.corpus.Text(path)
		if !ok {
			continue
		}
		read++
		for _, s := range sitesIn(text, name) {
			s.file = id
			if !defined[site{file: id, line: s.line}] {
				out = append(out, s)
			}
		}
	}
	return out
}

// sitesIn returns the lines of a text whose code contains a name.
func sitesIn(text, name string) (out []site) {
	var buf []source.Lexeme
	n := 0
	for line := range strings.Lines(text) {
		n++
		body := strings.TrimSpace(line)
		if !strings.Contains(body, name) || source.IsComment(body) {
			continue
		}
		buf = source.Lex(body, buf[:0])
		found, call := false, false
		for i, t := range buf {
			if t.Text == name && (t.Class == source.Word || t.Class == source.Keyword) {
				found = true
				call = call || i+1 < len(buf) && source.OpensCall[buf[i+1].Text]
			}
		}
		if found {
			out = append(out, site{line: n, text: body, call: call})
		}
	}
	return out
}

func anyFile(string) bool { return true }

var configurationLanguages = terms.Set("json jsonc yaml toml ini properties dotenv dockerfile makefile xml hcl terraform")

// isConfiguration reports whether a file is about settings, by its kind or name.
func isConfiguration(p string) bool {
	if configurationLanguages[language.OfFile(source.Base(p))] {
		return true
	}
	lower := strings.ToLower(p)
	for _, w := range []string{"config", "setting", "option", "flag", "defaults", "conf/"} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}

func countFiles(sites []site) int {
	seen := map[index.FileID]bool{}
	for _, s := range sites {
		seen[s.file] = true
	}
	return len(seen)
}
