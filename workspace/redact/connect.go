package redact

import (
	"strings"

	"tandem/edits"
)

// connections are the triggers of passwords among the settings of a connection, and of what
// only its neighbour identifies.
func connections() []trigger {
	return []trigger{
		{literal: "@tcp", check: sourceName(":")}, {literal: "@unix(", check: sourceName(":")}, {literal: "@//", check: sourceName("/")},
		{literal: "cookie:", fold: true, spans: cookies},
		{literal: "AKIA", spans: nearbySecrets}, {literal: "ASIA", spans: nearbySecrets},
	}
}

// sourceName finds the password of user:password@tcp(host), with a separator after the user.
func sourceName(separator string) func(text string, at int) (edits.Span, bool) {
	return func(text string, at int) (edits.Span, bool) {
		start := strings.LastIndexAny(text[max(0, at-200):at], " \t\r\n\"'`<>()") + 1 + max(0, at-200)
		user, password, ok := strings.Cut(text[start:at], separator)
		opens := strings.IndexByte(text[at:min(len(text), at+7)], '(') > 0 || strings.HasPrefix(text[at:], "@//")
		if !ok || !opens || user == "" || !dotted[user[len(user)-1]] || dummy(password) {
			return edits.Span{}, false
		}
		return edits.Span{Start: at - len(password), End: at}, true
	}
}

// nearbySecrets finds the secrets of 40 characters near an access key's identifier.
func nearbySecrets(text string, at int) (found []edits.Span) {
	id := at + len("AKIA")
	if n := upper.run(text, id); n < 16 || n > 20 || !startsWord(text, at) {
		return nil
	}
	chars := set(letters + digits + "+/")
	for i, end := max(0, at-300), min(len(text), at+300); i < end; {
		n := chars.run(text, i)
		if secret := text[i : i+n]; n == 40 && random(secret) && hexes.run(secret, 0) < n && (i == 0 || !word[text[i-1]]) {
			found = append(found, edits.Span{Start: i, End: i + n})
		}
		i += n + 1
	}
	return found
}

// connecting are the settings beside which a password of letters is one.
var connecting = []string{"host", "server", "user", "username", "user id", "uid", "login", "port", "database", "dbname", "data source", "account", "email"}

// typical are what stands after a name of a password that has a type or a description.
var typical = strings.Fields("string str text char varchar bytes bool boolean number integer object unknown never optional required default value hidden masked enabled disabled nullable secretstr")

// connects reports whether the password at a place, whose value has no quotes, is among the
// settings of a connection: on its line, or in YAML at the same depth.
func connects(text string, at int, value edits.Span) bool {
	secret := text[value.Start:value.End]
	if len(secret) < 4 || dummy(secret) || !dotted[secret[0]] {
		return false
	}
	start := strings.LastIndexByte(text[:at], '\n') + 1
	before, assigned := text[start:at], strings.TrimLeft(text[at:value.Start], letters)
	rest, _, _ := strings.Cut(text[value.End:], "\n")
	if strings.HasPrefix(assigned, "=") {
		line := strings.ToLower(before + " " + rest)
		code := strings.HasSuffix(strings.TrimRight(before, " "), ",") || strings.HasSuffix(before, "(") || strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, ")")
		for _, setting := range connecting {
			if !code && strings.Contains(line, setting+"=") {
				return true
			}
		}
		return false
	}
	rest, _, _ = strings.Cut(rest, " #")
	depth := len(before) - len(strings.TrimLeft(before, " "))
	if !strings.HasPrefix(assigned, ": ") || strings.TrimSpace(rest) != "" || dashed.run(before, depth) < len(before)-depth || isTypical(secret) {
		return false
	}
	return alongside(text, start, depth) || within(text[:start], depth)
}

func isTypical(value string) bool {
	for _, word := range typical {
		if strings.EqualFold(value, word) {
			return true
		}
	}
	return value[0] >= 'A' && value[0] <= 'Z' && plainWord(value)
}

// connected are what the settings of a connection stand below in YAML.
var connected = strings.Fields("db database datasource sql postgres mongo redis mq smtp mail ldap auth credential connection server account user login admin")

// within reports whether the last line before with a smaller depth names such settings.
func within(before string, depth int) bool {
	for before != "" {
		end := strings.LastIndexByte(before[:len(before)-1], '\n') + 1
		line := strings.TrimRight(before[end:], "\r\n")
		before = before[:end]
		name, found := strings.CutSuffix(strings.TrimLeft(line, " -"), ":")
		if line == "" || len(line)-len(strings.TrimLeft(line, " ")) >= depth {
			continue
		}
		return found && dashed.run(name, 0) == len(name) && containsAny(strings.ToLower(name), connected...)
	}
	return false
}

// alongside reports whether one of the lines around the one at start is, at the same depth, a
// setting of a connection in YAML.
func alongside(text string, start, depth int) bool {
	const around = 400
	for line := range strings.Lines(text[max(0, start-around):min(len(text), start+around)]) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !ok || len(name)-len(strings.TrimLeft(name, " -")) != depth || strings.ContainsAny(value, ",;{(") || value == "" || isTypical(value) {
			continue
		}
		for _, setting := range connecting {
			if strings.HasSuffix(strings.ToLower(name), setting) {
				return true
			}
		}
	}
	return false
}
