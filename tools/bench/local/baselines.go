package main

import (
	"strings"
)

// Baselines are two simple engines to compare with. They get the same tree and
// the same text around the cursor.
//
// "three tokens" suggests the line that most often follows the last three tokens
// before the line, among those that begin with the typed text. "line prefix"
// suggests the nearest line above that begins with the typed text and follows
// the same line; if the file has none, the last such line of another file.
type baselines struct {
	next   map[string]map[string]int // lines by the three tokens before them
	own    map[string]int            // "path\x00key\x00line": how many of those are in the file itself
	follow map[string][2]string      // line and its file, by the line above it
}

func newBaselines(t *tree) *baselines {
	b := &baselines{next: map[string]map[string]int{}, own: map[string]int{}, follow: map[string][2]string{}}
	for _, path := range t.files() {
		text, _ := t.Text(path)
		b.learn(path, text)
	}
	return b
}

func (b *baselines) learn(path, text string) {
	var last []string
	above := ""
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(line)
		if body == "" {
			continue
		}
		key := strings.Join(last, " ")
		if b.next[key] == nil {
			b.next[key] = map[string]int{}
		}
		b.next[key][body]++
		b.own[path+"\x00"+key+"\x00"+body]++
		b.follow[above] = [2]string{body, path}
		last = lastThree(append(last, words(body)...))
		above = body
	}
}

func lastThree(tokens []string) []string { return tokens[max(len(tokens)-3, 0):] }

// words splits a line into tokens, roughly as a compiler would.
func words(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		if s[i] == ' ' || s[i] == '\t' {
			i++
			continue
		}
		n := i + 1
		if wordByte(s[i]) {
			for n < len(s) && wordByte(s[n]) {
				n++
			}
		}
		out = append(out, s[i:n])
		i = n
	}
	return out
}

func wordByte(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_' || b >= 0x80
}

// answer returns the result of each baseline for a held line of which some
// characters are typed.
func (b *baselines) answer(h held, typed int) map[string]result {
	out := map[string]result{}
	if line, confidence := b.threeTokens(h, typed); line != "" {
		out["three tokens"] = result{confidence, line == h.text}
	}
	if line, confidence := b.linePrefix(h, typed); line != "" {
		out["line prefix"] = result{confidence, line == h.text}
	}
	return out
}

func (b *baselines) threeTokens(h held, typed int) (best string, confidence float64) {
	above := nonBlank(h.prefix)
	var last []string
	for _, line := range above[max(len(above)-3, 0):] {
		last = lastThree(append(last, words(line)...))
	}
	key := strings.Join(last, " ")
	total, top := 0, 0
	for line, n := range b.next[key] {
		if line == h.text {
			n -= b.own[h.path+"\x00"+key+"\x00"+line]
		}
		if !strings.HasPrefix(line, h.text[:typed]) || n <= 0 {
			continue
		}
		total += n
		if n > top || n == top && line < best {
			best, top = line, n
		}
	}
	return best, float64(top) / (float64(total) + 1)
}

func nonBlank(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if body := strings.TrimSpace(line); body != "" {
			out = append(out, body)
		}
	}
	return out
}

func (b *baselines) linePrefix(h held, typed int) (string, float64) {
	above := nonBlank(h.prefix)
	if len(above) == 0 {
		return "", 0
	}
	prev := above[len(above)-1]
	for i := len(above) - 2; i >= 0; i-- {
		if above[i] == prev && strings.HasPrefix(above[i+1], h.text[:typed]) {
			return above[i+1], 1
		}
	}
	if f := b.follow[prev]; f[0] != "" && f[1] != h.path && strings.HasPrefix(f[0], h.text[:typed]) {
		return f[0], 0.7
	}
	for i := len(above) - 1; i >= 0 && typed > 0; i-- {
		if strings.HasPrefix(above[i], h.text[:typed]) {
			return above[i], 0.5
		}
	}
	return "", 0
}
