package main

import (
	_ "embed"
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"

	"tandem/cmd/tandem/config"
)

// page is the page but for what follows from the table.
//
//go:embed page.md
var page string

// examples are the shortest configurations for common setups. A test loads each of
// them.
//
//go:embed examples.txtar
var examples []byte

// sections maps prefixes of setting names to the headings of the tables.
var sections = []struct{ prefix, title string }{
	{"models.*.", "[models.NAME]"},
	{"providers.*.", "[providers.NAME]"},
	{"editor.language.*.", "[editor.language.ID]"},
	{"editor.", "[editor]"},
	{"budget.", "[budget]"},
	{"search.", "[search]"},
	{"mcp.", "[mcp]"},
	{"policy.", "[policy], in managed.toml alone"},
	{"", "Top level"},
}

func sectionOf(name string) (title, key string) {
	for _, s := range sections {
		if rest, ok := strings.CutPrefix(name, s.prefix); ok {
			return s.title, rest
		}
	}
	return "", name
}

func markdown() []byte {
	var shown, tables, removed strings.Builder
	for _, e := range txtar.Parse(examples).Files {
		fmt.Fprintf(&shown, "\n%s:\n\n```toml\n%s```\n", e.Name, e.Data)
	}
	var titles []string
	rows := map[string]string{} // by title
	inEditor := ""
	for _, s := range config.Settings {
		title, key := sectionOf(s.Name)
		row := func(key string) string {
			return fmt.Sprintf("| `%s` | %s | %s | %s |\n", key, kind(&s), code(s.DefaultText()), cell(&s))
		}
		if !s.InFile() {
			inEditor += row("tandem." + s.Name)
			continue
		}
		if rows[title] == "" {
			titles = append(titles, title)
		}
		rows[title] += row(strings.ReplaceAll(key, "*", "KEY"))
	}
	const head = "| key | type | default | what it does |\n|---|---|---|---|\n"
	for _, title := range titles {
		fmt.Fprintf(&tables, "\n## %s\n\n%s%s", title, head, rows[title])
	}
	fmt.Fprintf(&tables, "\n## In an editor\n\n`editor.enabled`, `editor.trigger` and the rest of `[editor]` can also be set in the editor's user settings, as can how tandem is started:\n\n%s%s", head, inEditor)
	for _, r := range config.Removals {
		fmt.Fprintf(&removed, "| `%s` | %s | %s |\n", r.Written(), r.Since, r.Instead)
	}
	presets := "Built-in providers, which need no table: " + strings.Join(config.Presets(), ", ") + ".\n"
	return []byte(strings.NewReplacer("{{examples}}", shown.String(), "{{presets}}\n", presets, "{{tables}}", tables.String(), "{{removed}}", removed.String()).Replace(page))
}

func kind(s *config.Setting) string {
	if len(s.Values) > 0 {
		return "one of `" + strings.Join(s.Values, "`, `") + "`"
	}
	return string(s.Kind)
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func cell(s *config.Setting) string { return strings.ReplaceAll(s.Doc+bounds(s), "|", `\|`) }

// bounds returns a sentence with the limits of a number, or "".
func bounds(s *config.Setting) string {
	switch {
	case s.Kind != config.Integer && s.Kind != config.Number:
		return ""
	case s.Max > 0:
		return fmt.Sprintf(" From %s to %s.", plain(s.Min), plain(s.Max))
	case s.Min > 0:
		return fmt.Sprintf(" At least %s.", plain(s.Min))
	}
	return ""
}

// plain formats a number without an exponent.
func plain(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", f), "0"), ".")
}
