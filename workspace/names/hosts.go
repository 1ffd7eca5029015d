package names

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/terms"
)

// A host is a program that gives files names or modules which no file of the workspace has. An
// error needs a closed world: what a host may give is not judged.
type host struct {
	name    string
	file    *regexp.Regexp  // the path of files that it runs, below their folder; nil: any
	text    *regexp.Regexp  // in their text; nil: any
	beside  string          // patterns of files in a folder around them, one of which is there; "": none
	names   map[string]bool // that it gives; nil: any
	modules *regexp.Regexp  // that it gives
}

// The hosts of each family. A host without names gives any; one without modules gives none.
var (
	none = map[string]bool{}

	hosts = map[string][]host{
		"python": {
			{name: "Databricks", text: regexp.MustCompile(`(?m)^# Databricks notebook source`)},
			{name: "Databricks", beside: "databricks.yml databricks.yaml", names: terms.Set("spark dbutils display displayHTML sc sqlContext")},
			{name: "a notebook", text: regexp.MustCompile(`(?m)^# (?:In\[|%%|METADATA|CELL)`), names: terms.Set("get_ipython display spark sc sqlContext mssparkutils notebookutils")},
			{name: "IPython", names: terms.Set("get_ipython")},
			{name: "Snakemake", text: regexp.MustCompile(`\bsnakemake\.(?:input|output|params|wildcards|log|config|threads|resources|rule|scriptdir)`), names: terms.Set("snakemake")},
			{name: "Snakemake", beside: "Snakefile *.smk", names: terms.Set("snakemake")},
			{name: "a profiler", text: regexp.MustCompile(`@profile\b`), names: terms.Set("profile")},
			{name: "Sphinx", file: regexp.MustCompile(`(?:^|/)conf\.py$`), names: terms.Set("tags")},
			{name: "PlatformIO or SCons", text: regexp.MustCompile(`(?m)^\s*Import\(`)},
			{name: "Zope", text: regexp.MustCompile(`(?m)^## ?(?:Script \(Python\)|parameters=)`)},
			{name: "Home Assistant", file: regexp.MustCompile(`(?:^|/)python_scripts/`), names: terms.Set("hass data logger output dt_util")},
			{name: "QGIS", text: regexp.MustCompile(`\bqgis\b`), names: terms.Set("iface")},
			{name: "PyInstaller", file: regexp.MustCompile(`(?:^|/)(?:hook|pyi_rth_?)[^/]*\.py$|\.spec$`), names: none, modules: regexp.MustCompile(`^PyInstaller$`)},
			{name: "LibreOffice", names: terms.Set("XSCRIPTCONTEXT")},
			{name: "Houdini", text: regexp.MustCompile(`\bhou\.`), names: terms.Set("hou kwargs")},
			{name: "a program that runs Python", names: none, modules: regexp.MustCompile(`^(?:bpy\w*|bmesh|mathutils|bgl|blf|maya|pymel|hou|nuke|unreal|c4d|sublime|sublime_plugin|vim|gdb|lldb|idaapi|idc|idautils|ida_\w+|ghidra|binaryninja|gimp|gimpfu|FreeCAD|FreeCADGui|arcpy|qgis|xbmc\w*|js|pyodide\w*|micropython|machine|utime|ujson|uos|uasyncio|ubinascii|rp2|pyb|esp\w*|board|busio|digitalio|analogio|microcontroller|usb_hid|weechat|hexchat|uwsgi\w*|clr|Autodesk|Rhino|rhinoscriptsyntax|scriptcontext|pyrevit|adsk|slicer|krita|renpy|dbutils|snakemake)$`)},
		},
		"script": {
			{name: "an address", names: none, modules: regexp.MustCompile(`^[a-z][a-z0-9+.-]+:|!`)},
			{name: "k6", names: none, modules: regexp.MustCompile(`^k6(?:/|$)`)},
			{name: "k6", text: regexp.MustCompile(`['"]k6(?:/|['"])`), names: terms.Set("__ENV __VU __ITER open")},
			{name: "Meteor", names: none, modules: regexp.MustCompile(`^meteor/`)},
			{name: "Meteor", beside: ".meteor"},
			{name: "Salesforce", beside: "sfdx-project.json", names: none, modules: regexp.MustCompile(`^(?:lwc|aura|c/|lightning/|@salesforce/|@lwc/)`)},
			{name: "Salesforce", file: regexp.MustCompile(`(?:^|/)lwc/`), names: none, modules: regexp.MustCompile(`^(?:lwc|aura|c/|lightning/|@salesforce/|@lwc/)`)},
			{name: "GNOME", text: regexp.MustCompile(`['"](?:gi|resource)://|\bimports\.(?:gi|ui|misc)\b`), names: terms.Set("imports log logError print printerr ARGV global"), modules: regexp.MustCompile(`^(?:cairo|gettext|system|console)$`)},
			{name: "an editor or desktop", names: none, modules: regexp.MustCompile(`^(?:vscode|electron|uxp|photoshop|indesign|illustrator|sketch|obsidian|atom|figma)(?:/|$)`)},
			{name: "Docusaurus", names: none, modules: regexp.MustCompile(`^@(?:theme|theme-original|theme-init|site|generated|docusaurus)/`)},
			{name: "SvelteKit", names: none, modules: regexp.MustCompile(`^\$(?:app|env|lib|service-worker)(?:/|$)`)},
			{name: "Nuxt", names: none, modules: regexp.MustCompile(`^#(?:imports|app|components|build|internal|head)(?:/|$)`)},
			{name: "Ember", beside: "ember-cli-build.js", names: none, modules: regexp.MustCompile(`^@(?:ember|glimmer)/`)},
			{name: "Bun", names: none, modules: regexp.MustCompile(`^bun$`)},
			{name: "Apps Script", beside: "appsscript.json .clasp.json"},
			{name: "a user script", text: regexp.MustCompile(`==UserScript==`)},
		},
	}
	// loaded are names that whoever loads a file sets, as Salt's __salt__.
	loaded = regexp.MustCompile(`^__\w+__$`)
	// made is the name of a module that a compiler of interfaces writes.
	made = regexp.MustCompile(`_pb2(?:_grpc)?$`)
	// platform is the part of a file's name by which a bundler chooses it.
	platform = terms.Set("ios android native web windows macos tvos visionos desktop mobile electron server client harmony h5 weapp rn")
)

// A hostKey is a name in a file.
type hostKey struct {
	file *change
	name string
}

// hostName is the host that may give a file a name, "" if none may. It is found out once: hosts are
// looked for in whole texts, and a text may use a name without end.
func (r *dynamicCheck) hostName(f *change, name string) string {
	key := hostKey{f, name}
	host, known := r.once.hosts[key]
	if !known {
		host = r.hostOf(f, name)
		r.once.hosts[key] = host
	}
	return host
}

func (r *dynamicCheck) hostOf(f *change, name string) string {
	if r.family == "python" && (loaded.MatchString(name) || r.setsBuiltin(f, name)) {
		return "whoever loads it"
	}
	return r.hostThat(f, func(h host) bool { return h.names == nil && h.modules == nil || h.names[name] })
}

// hostModule is the host that may give a file a module, "" if none may.
func (r *dynamicCheck) hostModule(f *change, module string) string {
	return r.hostThat(f, func(h host) bool { return h.modules != nil && h.modules.MatchString(module) })
}

func (r *dynamicCheck) hostThat(f *change, gives func(host) bool) string {
	for _, h := range hosts[r.family] {
		if gives(h) && r.runs(h, f) {
			return h.name
		}
	}
	return ""
}

// runs reports whether a host may run a file, by the file's path, its text and what is beside it.
func (r *dynamicCheck) runs(h host, f *change) bool {
	_, root, rel := r.ws.Index(f.abs)
	if h.file != nil && !h.file.MatchString(rel) {
		return false
	}
	if h.text != nil && !h.text.MatchString(f.Text) {
		return false
	}
	return h.beside == "" || r.around(root, f.abs, strings.Fields(h.beside)) != ""
}

// around is the nearest file whose name matches a pattern, in a folder around a file up to a root;
// "" if there is none.
func (r *dynamicCheck) around(root, file string, patterns []string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		for _, e := range r.deps.Entries(dir) {
			if slices.ContainsFunc(patterns, func(p string) bool { ok, _ := path.Match(p, e.Name()); return ok }) {
				return filepath.Join(dir, e.Name())
			}
		}
		if dir == root || dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// setsBuiltin reports whether a file of the workspace makes a name one of builtins.
func (r *dynamicCheck) setsBuiltin(f *change, name string) bool {
	set := regexp.MustCompile(`builtins?(?:__)?(?:\.` + regexp.QuoteMeta(name) + `\s*=[^=]|(?:\.__dict__)?\[["']` + regexp.QuoteMeta(name) + `["']\]\s*=|,\s*["']` + regexp.QuoteMeta(name) + `["'])`)
	sets := func(m *module) bool { return set.MatchString(m.text) }
	if r.anyUser(f, "builtins", sets) || r.anyUser(f, "__builtin__", sets) || r.anyUser(f, "__builtins__", sets) {
		return true
	}
	for _, f := range r.proposal.files {
		if f.stage == Standing {
			break // the index has it
		}
		if set.MatchString(f.Text) {
			return true
		}
	}
	return false
}

// builds are the files that say what a build makes.
var builds = []string{"pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "meson.build", "CMakeLists.txt", "BUILD", "BUILD.bazel"}

// makes reports whether a build may make a module of the workspace: git ignores its file, or a
// build's file names it.
func (r *dynamicCheck) makes(file, module string, paths []string) bool {
	last := module[strings.LastIndexByte(module, '.')+1:]
	if made.MatchString(last) || generated(r.deps, paths, pythonEndings...) {
		return true
	}
	_, root, _ := r.ws.Index(file)
	for dir := filepath.Dir(file); last != ""; dir = filepath.Dir(dir) {
		for _, name := range builds {
			data, err := r.deps.ReadFile(filepath.Join(dir, name), maxModule)
			if err == nil && namedIn(string(data), last) {
				return true
			}
		}
		if dir == root || dir == filepath.Dir(dir) {
			break
		}
	}
	return false
}

// namedIn reports whether a build's file has a name in quotes, by itself or as the end of a path.
func namedIn(text, name string) bool {
	return anyWord(text, name, func(before, after string) bool { return endsIn(before, `."'/`) && beginsWith(after, `"'.`) })
}

// chosen reports whether a bundler may choose a script's module by a part of its file's name, as
// b.ios.ts for ./b, or as tsconfig.json lists them.
func (r *dynamicCheck) chosen(fromFile, at string) bool {
	_, root, _ := r.ws.Index(fromFile)
	return slices.ContainsFunc(r.deps.Variants(at), func(file string) bool {
		part, ending, more := strings.Cut(strings.TrimPrefix(file, at+"."), ".")
		if !more || !strings.Contains(" ts tsx js jsx mjs cjs ", " "+ending+" ") {
			return false
		}
		if platform[part] {
			return true
		}
		data, err := r.deps.ReadFile(r.around(root, fromFile, []string{"tsconfig.json"}), maxModule)
		return err == nil && strings.Contains(string(data), "moduleSuffixes")
	})
}

// generates reports whether go generate makes files of a package that are not there: one of its
// files asks for it, and none was made.
func (k *cachedLoader) generates(dir string) bool {
	asks := false
	for _, file := range k.loader.source.Files(dir) {
		text, ok := k.loader.source.Read(file)
		if ok && madeByGo.MatchString(text) {
			return false
		}
		asks = asks || ok && strings.Contains(text, "//go:generate ")
	}
	return asks
}

var madeByGo = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
