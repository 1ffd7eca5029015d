package language

import "strings"

// A row is one language that editors have an id for.
type row struct {
	id       string
	endings  string    // of its files' names, space-separated
	names    string    // whole names of its files
	commands string    // what the first line of a script contains after #!
	read     *language // nil: files are recognised, and nothing is found in them
}

// table is every language. To add one, see docs/adding-a-language.md.
var table = []row{
	{id: "go", endings: ".go", read: golang},
	{id: "python", endings: ".py .pyi .pyw", names: "BUILD BUILD.bazel WORKSPACE SConstruct", commands: "python", read: python},
	{id: "typescript", endings: ".ts .mts .cts", read: script},
	{id: "typescriptreact", endings: ".tsx", read: script},
	{id: "javascript", endings: ".js .mjs .cjs", commands: "node", read: script},
	{id: "javascriptreact", endings: ".jsx", read: script},
	{id: "java", endings: ".java", read: java},
	{id: "rust", endings: ".rs", read: rust},
	{id: "c", endings: ".c .h", read: clang},
	{id: "cpp", endings: ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .inl .ipp .tcc .cu .cuh", read: cpp},
	{id: "csharp", endings: ".cs", read: csharp},
	{id: "markdown", endings: ".md .markdown .mdx", read: markdown},
	{id: "go.mod", endings: ".mod", names: "go.mod", read: goMod},

	{id: "ruby", endings: ".rb .rake .gemspec", names: "Rakefile Gemfile Vagrantfile", commands: "ruby",
		read: simple{line: "#", ends: true, quotes: "\"'`", words: kinds(KindFunc, "def", KindClass, "class", KindNamespace, "module")}.language()},
	{id: "lua", endings: ".lua", commands: "lua",
		read: simple{line: "--", ends: true, quotes: "\"'", words: kinds(KindFunc, "function")}.language()},
	{id: "elixir", endings: ".ex .exs",
		read: simple{line: "#", ends: true, quotes: "\"", words: kinds(KindFunc, "def defp defmacro", KindNamespace, "defmodule", KindInterface, "defprotocol")}.language()},
	{id: "julia", endings: ".jl",
		read: simple{line: "#", ends: true, quotes: "\"", words: kinds(KindFunc, "function macro", KindStruct, "struct", KindNamespace, "module")}.language()},
	{id: "vim", endings: ".vim",
		read: simple{line: "\"", ends: true, quotes: "'", words: kinds(KindFunc, "function function!")}.language()},
	{id: "php", endings: ".php",
		read: simple{line: "// #", block: true, last: true, letters: "$", quotes: "\"'",
			words: kinds(KindFunc, "function fn", KindClass, "class", KindInterface, "interface trait", KindEnum, "enum", KindNamespace, "namespace", KindConst, "const")}.language()},
	{id: "kotlin", endings: ".kt .kts",
		read: simple{line: "//", block: true, nested: true, exact: true, quotes: "\"'`",
			words: kinds(KindFunc, "fun", KindClass, "class object", KindInterface, "interface", KindType, "typealias", KindVar, "val var")}.language()},
	{id: "swift", endings: ".swift",
		read: simple{line: "//", block: true, nested: true, exact: true, quotes: "\"",
			words: kinds(KindFunc, "func", KindClass, "class actor", KindStruct, "struct", KindEnum, "enum", KindInterface, "protocol",
				KindNamespace, "extension", KindType, "typealias associatedtype", KindVar, "let var")}.language()},
	{id: "scala", endings: ".scala .sc",
		read: simple{line: "//", block: true, nested: true, exact: true, tick: true, quotes: "\"'`",
			words: kinds(KindFunc, "def", KindClass, "class object", KindInterface, "trait", KindEnum, "enum", KindType, "type", KindVar, "val var")}.language()},
	{id: "dart", endings: ".dart", read: classes(true)},
	{id: "groovy", endings: ".groovy .gradle", names: "Jenkinsfile", read: classes(false)},
	{id: "objective-c", endings: ".m", read: objectiveC},
	{id: "objective-cpp", endings: ".mm", read: objectiveC},
	{id: "d", endings: ".d", read: objectiveC},
	{id: "zig", endings: ".zig",
		read: simple{line: "//", quotes: "\"'", words: kinds(KindFunc, "fn", KindConst, "const", KindVar, "var")}.language()},
	{id: "perl", endings: ".pl .pm", commands: "perl",
		read: simple{line: "#", quotes: "\"'", words: kinds(KindFunc, "sub", KindNamespace, "package")}.language()},
	{id: "shellscript", endings: ".sh .bash .zsh", commands: "sh",
		read: simple{line: "#", quotes: "\"'`", letters: "-", words: kinds(KindFunc, "function"), bareFunc: true}.language()},
	{id: "powershell", endings: ".ps1 .psm1",
		read: simple{line: "#", quotes: "\"'", letters: "$-", fold: true, words: kinds(KindFunc, "function filter", KindClass, "class", KindEnum, "enum")}.language()},
	{id: "r", endings: ".r", read: simple{line: "#", quotes: "\"'"}.language()},
	{id: "proto", endings: ".proto",
		read: simple{line: "//", block: true, exact: true, quotes: "\"'",
			words: kinds(KindStruct, "message", KindEnum, "enum", KindInterface, "service", KindFunc, "rpc")}.language()},
	{id: "thrift", endings: ".thrift", read: schema},
	{id: "graphql", endings: ".graphql .gql", read: schema},
	{id: "sql", endings: ".sql", read: simple{line: "--", block: true, quotes: "'", fold: true}.language()},
	{id: "terraform", endings: ".tf .hcl", read: simple{line: "# //", block: true, quotes: "\""}.language()},
	{id: "cmake", endings: ".cmake", names: "CMakeLists.txt",
		read: simple{line: "#", quotes: "\"", fold: true, words: kinds(KindFunc, "function macro")}.language()},
	{id: "fsharp", endings: ".fs", read: functional},
	{id: "ocaml", endings: ".ml .mli", read: functional},
	{id: "haskell", endings: ".hs", read: functional},
	{id: "nim", endings: ".nim", read: functional},
	{id: "erlang", endings: ".erl", read: functional},
	{id: "yaml", endings: ".yaml .yml", read: commented},
	{id: "dockerfile", names: "Dockerfile", read: commented},
	{id: "makefile", endings: ".mk", names: "Makefile GNUmakefile makefile", read: commented},
	{id: "css", endings: ".css", read: style},
	{id: "scss", endings: ".scss", read: style},
	{id: "less", endings: ".less", read: style},
	{id: "vue", endings: ".vue", read: component},
	{id: "svelte", endings: ".svelte", read: component},

	{id: "restructuredtext", endings: ".rst"},
	{id: "html", endings: ".html .htm"},
	{id: "xml", endings: ".xml"},
	{id: "json", endings: ".json .jsonc"},
	{id: "toml", endings: ".toml", names: "Cargo.lock"},
	{id: "ini", endings: ".ini"},
	{id: "plaintext", endings: ".txt"},
}

// The descriptions that several languages share.
var (
	objectiveC = simple{line: "//", block: true, last: true, quotes: "\"'", bareFunc: true,
		words: kinds(KindClass, "class interface implementation", KindStruct, "struct", KindInterface, "protocol", KindEnum, "enum")}.language()
	schema = simple{line: "// #", block: true, quotes: "\"'",
		words: kinds(KindStruct, "struct type input union exception", KindEnum, "enum", KindInterface, "service interface", KindType, "typedef scalar")}.language()
	functional = simple{line: "// -- # %", quotes: "\"", words: kinds(KindFunc, "let proc func", KindType, "type", KindNamespace, "module")}.language()
	commented  = simple{line: "#", quotes: "\""}.language()
	style      = simple{block: true, quotes: "\"'", letters: "-"}.language()
	component  = simple{line: "//", block: true, quotes: "\"'`", letters: "$", words: kinds(KindFunc, "function", KindClass, "class", KindInterface, "interface")}.language()
)

// classes is Dart and Groovy.
func classes(exact bool) *language {
	return simple{line: "//", block: true, exact: exact, last: true, quotes: "\"'", bareFunc: true,
		words: kinds(KindClass, "class mixin", KindInterface, "interface", KindEnum, "enum", KindNamespace, "extension", KindType, "typedef", KindFunc, "def")}.language()
}

// plain is for files that nothing is found in.
var plain = &language{scan: func(*scan) {}}

// known is the table by what a file is recognised by. It is read only.
var known = indexed()

type lookup struct{ byID, byEnding, byName map[string]*row }

func indexed() lookup {
	k := lookup{map[string]*row{}, map[string]*row{}, map[string]*row{}}
	for i := range table {
		r := &table[i]
		k.byID[r.id] = r
		for _, ending := range strings.Fields(r.endings) {
			k.byEnding[ending] = r
		}
		for _, name := range strings.Fields(r.names) {
			k.byName[name] = r
		}
		if r.read != nil {
			r.read.prepare()
		}
	}
	return k
}

// languageOf is what reads a language, by its id.
func languageOf(id string) *language {
	if r, ok := known.byID[id]; ok && r.read != nil {
		return r.read
	}
	return plain
}
