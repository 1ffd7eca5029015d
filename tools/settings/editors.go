package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"tandem/cmd/tandem/config"
)

// property is one setting in a VS Code manifest. Its scope is the application, so
// VS Code accepts no value from a workspace.
type property struct {
	Type        string            `json:"type"`
	Items       map[string]string `json:"items,omitempty"`
	Enum        []string          `json:"enum,omitempty"`
	Default     any               `json:"default"`
	Minimum     *float64          `json:"minimum,omitempty"`
	Maximum     *float64          `json:"maximum,omitempty"`
	Scope       string            `json:"scope"`
	Order       int               `json:"order"`
	Description string            `json:"markdownDescription"`
}

// properties returns the configuration section of the manifest.
func properties() map[string]any {
	out := map[string]property{}
	for i, s := range config.Settings {
		if s.Editor() {
			out["tandem."+s.Name] = propertyOf(&s, i)
		}
	}
	return map[string]any{"title": "tandem", "properties": out}
}

func propertyOf(s *config.Setting, order int) property {
	p := property{Default: s.Default, Enum: s.Values, Scope: "application", Order: order, Description: s.Doc}
	switch s.Kind {
	case config.Boolean, config.Integer, config.Number, config.String:
		p.Type = string(s.Kind)
	default:
		p.Type, p.Items = "array", map[string]string{"type": "string"}
	}
	if s.Kind == config.Integer || s.Kind == config.Number {
		p.Minimum = &s.Min
		if s.Max > 0 {
			p.Maximum = &s.Max
		}
	}
	if p.Default == nil {
		p.Default = map[string]any{"string": "", "array": []string{}}[p.Type]
	}
	return p
}

// manifest replaces the configuration section of a package.json and keeps every
// other byte.
func manifest(before []byte) ([]byte, error) {
	start, end, err := valueOf(before, "contributes", "configuration")
	if err != nil {
		return nil, err
	}
	indent := indentAt(before, start)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(indent, step(before))
	if err := encoder.Encode(properties()); err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{before[:start], bytes.TrimSpace(b.Bytes()), before[end:]}, nil), nil
}

// valueOf returns the range of the value at a path of keys in a JSON document.
func valueOf(doc []byte, path ...string) (start, end int, err error) {
	d := json.NewDecoder(bytes.NewReader(doc))
	for _, key := range path {
		if err := enter(d, key); err != nil {
			return 0, 0, err
		}
	}
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return 0, 0, err
	}
	end = int(d.InputOffset())
	return end - len(raw), end, nil
}

// enter reads up to the value of key in the next object.
func enter(d *json.Decoder, key string) error {
	open, err := d.Token()
	if err != nil || open != json.Delim('{') {
		return errors.Join(errors.New("is no object"), err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if name == key {
			return nil
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return fmt.Errorf("has no %q to write to; add it as an empty object", key)
}

// indentAt returns the indentation of the line at an offset.
func indentAt(doc []byte, offset int) string {
	line := doc[bytes.LastIndexByte(doc[:offset], '\n')+1 : offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// step returns the document's indentation for one level.
func step(doc []byte) string {
	_, rest, _ := bytes.Cut(doc, []byte("\n"))
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}

const vimHead = `*tandem-settings.txt*  Settings of tandem, written by make docs

What the server reads is in docs/settings.md. These can also be given to
require("tandem").setup{}; a workspace cannot set any of them.

`

// vimHelp returns the help text for the settings that Neovim may set.
func vimHelp() []byte {
	var b bytes.Buffer
	b.WriteString(vimHead)
	for _, s := range config.Settings {
		if !s.Editor() {
			continue
		}
		tag := "*tandem." + s.Name + "*"
		fmt.Fprintf(&b, "%s%s%s\n", s.Name, strings.Repeat(" ", max(1, 78-len(s.Name)-len(tag))), tag)
		about := "Type: " + strings.ReplaceAll(kind(&s), "`", "\"")
		if s.DefaultText() != "" {
			about += ", default: " + s.DefaultText()
		}
		for _, line := range wrap(about+"\n"+strings.ReplaceAll(s.Doc+bounds(&s), "`", "\""), 74) {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		b.WriteString("\n")
	}
	b.WriteString(" vim:tw=78:ts=8:noet:ft=help:norl:\n")
	return b.Bytes()
}

// wrap breaks paragraphs into lines of at most width bytes.
func wrap(text string, width int) []string {
	var out []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				out, line = append(out, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		out = append(out, line)
	}
	return out
}
