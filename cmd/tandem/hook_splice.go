package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"tandem/workspace/language"
)

// withHooks returns a JSON configuration, with comments or without, with tandem's handlers as
// the last ones of their events or without them. All else stays byte for byte.
func withHooks(old []byte, kind hookFile, command string, install bool) ([]byte, error) {
	bom := []byte("\ufeff")
	text, marked := bytes.CutPrefix(old, bom)
	if len(bytes.TrimSpace(text)) == 0 {
		if !install {
			return old, nil
		}
		text = []byte("{\n}\n")
	}
	if err := language.Parsable("jsonc", string(text)); err != nil {
		return nil, err
	}
	whole, err := hujson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("it is not JSON that tandem can read: %w", err)
	}
	f := &spliced{unit: indentation(text), line: lineEnd(text)}
	root, err := objectOf(&whole, "the file")
	if err != nil {
		return nil, err
	}
	if err := f.remove(root, kind, command, install); err != nil {
		return nil, err
	}
	if install {
		if err := f.add(root, kind, command); err != nil {
			return nil, err
		}
	}
	if !install && f.changed && onlyVersion(root) && kind.version {
		return nil, nil
	}
	if !f.changed {
		return old, nil
	}
	next := whole.Pack()
	if marked {
		next = append(bom, next...)
	}
	return next, nil
}

// value returns the entry that is written for a command line.
func (h hookEntry) value(command string) json.RawMessage {
	quoted, _ := json.Marshal(command) // a string can always be encoded
	return json.RawMessage(strings.ReplaceAll(h.entry, "COMMAND", string(quoted)))
}

// A spliced is a configuration while entries are put into it and taken out of it.
type spliced struct {
	unit, line string // what one level is indented by, and how lines end
	changed    bool
}

// remove takes tandem's own handlers out, and the entries, lists and objects that are empty
// without them. When installing, a handler that is already as it must be stays.
func (f *spliced) remove(root *hujson.Object, kind hookFile, command string, install bool) error {
	hooks, err := member(root, "hooks")
	if err != nil || hooks == nil {
		return err
	}
	events, err := objectOf(hooks, "its hooks")
	if err != nil {
		return err
	}
	emptied := false
	for _, h := range kind.events {
		value, err := member(events, h.event)
		if err != nil {
			return err
		}
		if value == nil {
			continue
		}
		list, ok := value.Value.(*hujson.Array)
		if !ok {
			return fmt.Errorf("its hooks of %s are no list", h.event)
		}
		before := len(list.Elements)
		for i := before - 1; i >= 0; i-- {
			if install && sameJSON(list.Elements[i], h, command) {
				continue
			}
			if f.withoutHandlers(&list.Elements[i], command) {
				removeElement(list, i)
				f.changed = true
			}
		}
		if before > 0 && len(list.Elements) == 0 && !install {
			removeMember(events, h.event)
			emptied = true
		}
	}
	if emptied && len(events.Members) == 0 {
		removeMember(root, "hooks")
	}
	return nil
}

// withoutHandlers removes tandem's handlers of an entry, and reports whether the entry is
// nothing else: then it is to go whole.
func (f *spliced) withoutHandlers(entry *hujson.Value, command string) bool {
	if isOurs(entry, command) {
		return true
	}
	object, ok := entry.Value.(*hujson.Object)
	if !ok {
		return false
	}
	value, err := member(object, "hooks")
	if err != nil || value == nil {
		return false
	}
	list, ok := value.Value.(*hujson.Array)
	if !ok {
		return false
	}
	before := len(list.Elements)
	for i := before - 1; i >= 0; i-- {
		if isOurs(&list.Elements[i], command) {
			removeElement(list, i)
			f.changed = true
		}
	}
	return before > 0 && len(list.Elements) == 0
}

// tandemCommand matches a command line that is tandem's hook alone, however the program is named.
var tandemCommand = regexp.MustCompile(`^("[^"]*[/\\]|[^\s"']*[/\\]|"?)tandem(\.exe)?"? check --hook (\w+)$`)

// isOurs reports whether a handler runs tandem for the same agent and nothing else. The
// program of a test or a build has another name: the command that would be written counts too.
func isOurs(handler *hujson.Value, command string) bool {
	var read struct {
		Command string
		Args    []string
	}
	text := handler.Clone()
	text.Standardize()
	if json.Unmarshal(text.Pack(), &read) != nil || read.Command == "" {
		return false
	}
	line := strings.Join(append([]string{read.Command}, read.Args...), " ")
	_, agent, _ := strings.Cut(command, " check --hook ")
	is := tandemCommand.FindStringSubmatch(line)
	return line == command || is != nil && is[3] == agent
}

// sameJSON reports whether a value is the entry as it would be written.
func sameJSON(v hujson.Value, h hookEntry, command string) bool {
	text := v.Clone()
	text.Standardize()
	var is, want any
	err := errors.Join(json.Unmarshal(text.Pack(), &is), json.Unmarshal(h.value(command), &want))
	return err == nil && reflect.DeepEqual(is, want)
}

// add appends the entries that are not there.
func (f *spliced) add(root *hujson.Object, kind hookFile, command string) error {
	if version, err := member(root, "version"); err != nil {
		return err
	} else if version == nil && kind.version {
		if err := f.append(root, "version", json.RawMessage("1"), 1); err != nil {
			return err
		}
	}
	hooks, err := member(root, "hooks")
	if err != nil {
		return err
	}
	var missing []string
	for _, h := range kind.events {
		entry := h.value(command)
		alone := "[" + string(entry) + "]"
		if hooks == nil {
			missing = append(missing, fmt.Sprintf("%q:%s", h.event, alone))
			continue
		}
		events, err := objectOf(hooks, "its hooks")
		if err != nil {
			return err
		}
		value, err := member(events, h.event)
		switch {
		case err != nil:
			return err
		case value == nil:
			err = f.append(events, h.event, json.RawMessage(alone), 2)
		default:
			list := value.Value.(*hujson.Array) // remove has seen it
			if slices.ContainsFunc(list.Elements, func(v hujson.Value) bool { return sameJSON(v, h, command) }) {
				continue
			}
			err = f.appendElement(list, entry)
		}
		if err != nil {
			return err
		}
	}
	if hooks != nil {
		return nil
	}
	return f.append(root, "hooks", json.RawMessage("{"+strings.Join(missing, ",")+"}"), 1)
}

// append puts a member behind the last one, written as its neighbours are.
func (f *spliced) append(o *hujson.Object, name string, value json.RawMessage, depth int) error {
	var last *hujson.Value
	if n := len(o.Members); n > 0 {
		last = &o.Members[n-1].Value
	}
	lead, comma := f.room(last, &o.AfterExtra, depth)
	v, err := f.encode(value, depth, strings.Contains(string(lead), "\n"))
	if err != nil {
		return err
	}
	v.AfterExtra = comma
	o.Members = append(o.Members, hujson.ObjectMember{Name: hujson.Value{BeforeExtra: lead, Value: hujson.String(name)}, Value: v})
	f.changed = true
	return nil
}

// appendElement puts an entry behind the last one of an event.
func (f *spliced) appendElement(a *hujson.Array, value json.RawMessage) error {
	var last *hujson.Value
	if n := len(a.Elements); n > 0 {
		last = &a.Elements[n-1]
	}
	lead, comma := f.room(last, &a.AfterExtra, 3)
	v, err := f.encode(value, 3, strings.Contains(string(lead), "\n"))
	if err != nil {
		return err
	}
	v.BeforeExtra, v.AfterExtra = lead, comma
	a.Elements = append(a.Elements, v)
	f.changed = true
	return nil
}

// room returns what stands before a new last item, and its trailing comma if its neighbour
// has one: hujson writes one if a last value's AfterExtra is not nil. The comments behind the
// former last item stay behind it.
func (f *spliced) room(last *hujson.Value, end *hujson.Extra, depth int) (lead, comma hujson.Extra) {
	space := strings.TrimRight(string(*end), " \t\r\n")
	closing := string(*end)[len(space):]
	line := f.line + strings.Repeat(f.unit, depth)
	switch {
	case strings.Contains(closing, "\n"):
	case last == nil:
		closing = f.line + strings.Repeat(f.unit, depth-1)
	default:
		line = " "
	}
	*end = hujson.Extra(closing)
	if last != nil && last.AfterExtra != nil {
		comma = hujson.Extra{}
	}
	return hujson.Extra(space + line), comma
}

// encode writes a value over lines, or in one where its neighbours are in one.
func (f *spliced) encode(value json.RawMessage, depth int, lines bool) (hujson.Value, error) {
	if !lines {
		return hujson.Parse(value)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, value, strings.Repeat(f.unit, depth), f.unit); err != nil {
		return hujson.Value{}, err
	}
	v, err := hujson.Parse(bytes.ReplaceAll(text.Bytes(), []byte("\n"), []byte(f.line)))
	v.BeforeExtra = hujson.Extra(" ")
	return v, err
}

// removeMember takes a member out with the comma that it needed.
func removeMember(o *hujson.Object, name string) {
	i := slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return nameOf(m) == name })
	gone := o.Members[i]
	o.Members = slices.Delete(o.Members, i, i+1)
	if i < len(o.Members) {
		next := &o.Members[i].Name.BeforeExtra
		*next = append(trimmed(gone.Name.BeforeExtra), *next...)
		return
	}
	var last *hujson.Value
	if i > 0 {
		last = &o.Members[i-1].Value
	}
	closeGap(last, &o.AfterExtra, gone.Name.BeforeExtra, gone.Value.AfterExtra)
}

// removeElement takes an element out with the comma that it needed.
func removeElement(a *hujson.Array, i int) {
	gone := a.Elements[i]
	a.Elements = slices.Delete(a.Elements, i, i+1)
	if i < len(a.Elements) {
		next := &a.Elements[i].BeforeExtra
		*next = append(trimmed(gone.BeforeExtra), *next...)
		return
	}
	var last *hujson.Value
	if i > 0 {
		last = &a.Elements[i-1]
	}
	closeGap(last, &a.AfterExtra, gone.BeforeExtra, gone.AfterExtra)
}

// closeGap mends the end of a list whose last item is gone: the comments that stood before it
// stay, and the item before it has a trailing comma if the one that is gone had one.
func closeGap(last *hujson.Value, end *hujson.Extra, lead, comma hujson.Extra) {
	kept := string(trimmed(lead))
	if last != nil && comma == nil {
		kept = string(last.AfterExtra) + kept
		last.AfterExtra = nil
	}
	if last != nil && comma != nil && last.AfterExtra == nil {
		last.AfterExtra = hujson.Extra{}
	}
	*end = hujson.Extra(kept + string(*end))
}

// trimmed returns the comments of what stands before an item, without the space behind them.
func trimmed(lead hujson.Extra) hujson.Extra {
	return hujson.Extra(strings.TrimRight(string(lead), " \t\r\n"))
}

func nameOf(m hujson.ObjectMember) string {
	name, _ := m.Name.Value.(hujson.Literal)
	return name.String()
}

// member returns the value of a key, nil without one. A key that stands twice is refused:
// readers differ in which of the two they take.
func member(o *hujson.Object, name string) (*hujson.Value, error) {
	var found *hujson.Value
	for i, m := range o.Members {
		if nameOf(m) != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the key %q stands twice in it", name)
		}
		found = &o.Members[i].Value
	}
	return found, nil
}

func objectOf(v *hujson.Value, what string) (*hujson.Object, error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New(what + " is no JSON object")
	}
	return object, nil
}

// onlyVersion reports whether nothing but the form's own version is left.
func onlyVersion(o *hujson.Object) bool {
	return !slices.ContainsFunc(o.Members, func(m hujson.ObjectMember) bool { return nameOf(m) != "version" })
}

var firstIndent = regexp.MustCompile(`\n([ \t]+)["\[{/]`)

// indentation returns what one level is indented by, two blanks where nothing shows it.
func indentation(text []byte) string {
	if is := firstIndent.FindSubmatch(text); is != nil {
		return string(is[1])
	}
	return "  "
}

func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
