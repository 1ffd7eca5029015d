package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Source is the kind of place that an effective value came from.
type Source int

// The sources, from the weakest to the one that wins.
const (
	FromDefault Source = iota
	FromPreset
	FromManaged
	FromFile
	FromProfile
	FromEditor
	FromFlag
	FromLocked
)

// String is the source in a word.
func (s Source) String() string {
	return [...]string{"default", "built-in provider", "managed.toml", "config.toml", "profile", "editor", "flag", "managed.toml (locked)"}[s]
}

// An Origin is a value's source and, for a value from a file, its place in the file.
type Origin struct {
	Source  Source
	File    string
	Line    int
	Profile string // FromProfile
	Flag    string // FromFlag
}

func (o Origin) String() string {
	place := fmt.Sprintf("%s:%d", o.File, o.Line)
	switch o.Source {
	case FromDefault:
		return "default"
	case FromPreset:
		return "built-in provider"
	case FromProfile:
		return fmt.Sprintf("%s (profile %s)", place, o.Profile)
	case FromEditor:
		return "editor"
	case FromFlag:
		return o.Flag
	case FromLocked:
		return place + " (locked)"
	}
	return place
}

// An item is one effective value.
type item struct {
	path    []string
	setting *Setting // nil for a table
	value   any
	origin  Origin
}

// A layer holds the values of one source by dotted path. It contains tables
// too, so that a named table without a key is known.
type layer map[string]item

// A file is a configuration file in layers.
type file struct {
	name     string
	base     layer
	profiles map[string]layer
	locked   layer
	whole    bool // there was no syntax error
}

// readFile sorts a file's entries into layers and reports every error of form:
// unknown keys, wrong types, values out of range, keys set twice.
func readFile(name string, source []byte, managed bool, ps *problems) *file {
	f := &file{name: name, base: layer{}, profiles: map[string]layer{}, locked: layer{}}
	var entries []entry
	entries, f.whole = parse(name, source, ps)
	reported := map[string]bool{}
	for _, e := range entries {
		into, origin, path := f.place(e.path, managed)
		origin.File, origin.Line = name, e.line
		if len(path) == 0 {
			if !e.table {
				ps.at(origin, "%s must be a table, not %s", dotted(e.path), describe(e.value))
			}
			continue
		}
		into.put(path, e, origin, reported, ps)
	}
	return f
}

// place returns the layer of a path, and the path inside it.
func (f *file) place(path []string, managed bool) (layer, Origin, []string) {
	switch {
	case path[0] == "profiles" && !managed:
		if len(path) == 1 {
			return nil, Origin{}, nil
		}
		name := path[1]
		if f.profiles[name] == nil {
			f.profiles[name] = layer{}
		}
		return f.profiles[name], Origin{Source: FromProfile, Profile: name}, path[2:]
	case path[0] == "locked" && managed:
		return f.locked, Origin{Source: FromLocked}, path[1:]
	case managed:
		return f.base, Origin{Source: FromManaged}, path
	}
	return f.base, Origin{Source: FromFile}, path
}

func (l layer) put(path []string, e entry, origin Origin, reported map[string]bool, ps *problems) {
	if insideReported(e.path, reported) {
		return
	}
	setting, table := lookup(path)
	key := dotted(path)
	gone, length := removedSetting(path)
	switch {
	case gone != nil:
		reported[dotted(e.path[:len(e.path)-len(path)+length])] = true
		ps.note(origin, gone.Said())
	case path[0] == "policy" && origin.Source != FromManaged:
		reported[dotted(e.path[:len(e.path)-len(path)+1])] = true
		ps.at(origin, "unknown key \"policy\"; [policy] belongs to the administrator's managed.toml")
	case setting == nil && !table:
		message, length := unknownKey(path, origin.Source == FromFile, ps.here())
		reported[dotted(e.path[:len(e.path)-len(path)+length])] = true
		if near := nearest(path[0], []string{"policy", "locked"}); origin.Source == FromManaged && length == 1 && near != "" {
			ps.at(origin, "unknown key %q%s; write [%s]", path[0], ps.here(), near) // it may be a rule
			return
		}
		ps.unknown(origin, dotted(path[:length]), message)
	case table && !e.table:
		reported[dotted(e.path)] = true
		ps.at(origin, "%s must be a table, not %s", key, describe(e.value))
	case setting != nil && e.table:
		reported[dotted(e.path)] = true
		ps.at(origin, "%s must be %s, not a table", key, article(string(setting.Kind)))
	case table:
		if before, ok := l[key]; ok {
			ps.at(origin, "[%s] stands twice, on line %d and here", key, before.origin.Line)
		}
		l[key] = item{path: path, origin: origin}
	default:
		l.set(path, setting, e.value, origin, ps)
	}
}

// insideReported reports whether path is inside a table that is already reported.
func insideReported(path []string, reported map[string]bool) bool {
	for n := 1; n <= len(path); n++ {
		if reported[dotted(path[:n])] {
			return true
		}
	}
	return false
}

func (l layer) set(path []string, setting *Setting, value any, origin Origin, ps *problems) {
	key := dotted(path)
	if before, ok := l[key]; ok {
		ps.at(origin, "%s is set twice, on line %d and here", key, before.origin.Line)
		return
	}
	if word, ok := value.(string); ok && !setting.takes(word) && ps.unknownWord(origin, key, setting, word) {
		return
	}
	converted, err := setting.convert(value)
	if err != nil {
		ps.at(origin, "%s %v", key, err)
	}
	// A wrong value stays in the layer, so that its key is not reported as missing too.
	l[key] = item{path, setting, converted, origin}
}

// EditorSettings is the file of problems in an editor's settings.
const EditorSettings = "editor settings"

// editorLayer holds an editor's user-level settings. JSON numbers are float64.
func editorLayer(settings map[string]any, ps *problems) layer {
	out := layer{}
	origin := Origin{Source: FromEditor, File: EditorSettings}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		path := strings.Split(name, ".")
		if clientsOwn(name) || settings[name] == nil { // an editor has null where nothing is set
			continue
		}
		setting, table := lookup(path)
		gone, _ := removedSetting(path)
		switch {
		case gone != nil:
			ps.note(origin, gone.Said())
			continue
		case setting == nil && !table && path[0] == "editor": // of an extension that is newer
			message, _ := unknownKey(path, false, ps.here())
			ps.unknown(origin, name, message)
			continue
		case setting == nil, !setting.sent():
			ps.at(origin, "%s cannot be set in an editor, only in tandem's own configuration file", name)
			continue
		}
		value := settings[name]
		if f, ok := value.(float64); ok && f == float64(int64(f)) {
			value = int64(f)
		}
		out.set(path, setting, value, origin, ps)
	}
	return out
}

// clientsOwn reports whether a setting defines how an editor starts tandem; it
// has no effect after the start.
func clientsOwn(name string) bool {
	return slices.ContainsFunc(Settings, func(s Setting) bool { return s.Place == inEditor && s.Name == name })
}

// merge merges the layers; a later one overrides an earlier one.
func merge(layers ...layer) layer {
	out := layer{}
	for _, l := range layers {
		for key, it := range l {
			if it.setting != nil || out[key].setting == nil {
				out[key] = it
			}
		}
	}
	return out
}

// names lists the names that stand for the * after table: the models, the providers.
func (l layer) names(table string) []string {
	found := map[string]bool{}
	for _, it := range l {
		if len(it.path) > 1 && it.path[0] == table {
			found[it.path[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// has reports whether a path was set, to a valid value or not.
func (l layer) has(path ...string) bool {
	it, ok := l[dotted(path)]
	return ok && it.setting != nil
}

// origin returns where a path was set, or where the nearest table around it was.
func (l layer) origin(path ...string) Origin {
	for n := len(path); n > 0; n-- {
		if it, ok := l[dotted(path[:n])]; ok {
			return it.origin
		}
	}
	// Dotted keys name no table: take the first line that mentions it.
	best := Origin{}
	for _, it := range l {
		if len(it.path) >= len(path) && slices.Equal(it.path[:len(path)], path) && it.origin.Line > 0 && (best.Line == 0 || it.origin.Line < best.Line) {
			best = it.origin
		}
	}
	return best
}

// value returns the effective value of a path, or the setting's default.
func value[T any](l layer, path ...string) (v T, set bool) {
	if it, ok := l[dotted(path)]; ok {
		v, set = it.value.(T)
		return v, set
	}
	if s, _ := lookup(path); s != nil && s.Default != nil {
		v, _ = s.Default.(T)
	}
	return v, false
}

// get is value without set.
func get[T any](l layer, path ...string) T {
	v, _ := value[T](l, path...)
	return v
}
