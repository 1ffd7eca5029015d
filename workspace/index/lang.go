package index

import (
	"path"
	"strings"
)

var languageByExt = map[string]string{
	".go": "go", ".py": "python", ".pyi": "python", ".pyw": "python",
	".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescriptreact",
	".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascriptreact",
	".java": "java", ".rs": "rust",
	".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".c++": "cpp", ".hh": "cpp", ".hpp": "cpp",
	".hxx": "cpp", ".h++": "cpp", ".inl": "cpp", ".ipp": "cpp", ".tcc": "cpp", ".cu": "cpp", ".cuh": "cpp",
	".cs": "csharp", ".rb": "ruby", ".rake": "ruby", ".gemspec": "ruby", ".php": "php",
	".kt": "kotlin", ".kts": "kotlin", ".swift": "swift", ".scala": "scala", ".sc": "scala", ".dart": "dart",
	".groovy": "groovy", ".gradle": "groovy", ".lua": "lua", ".sh": "shellscript", ".bash": "shellscript", ".zsh": "shellscript",
	".pl": "perl", ".pm": "perl", ".r": "r", ".jl": "julia", ".ex": "elixir", ".exs": "elixir", ".erl": "erlang",
	".hs": "haskell", ".ml": "ocaml", ".mli": "ocaml", ".fs": "fsharp", ".zig": "zig", ".nim": "nim", ".d": "d",
	".m": "objective-c", ".mm": "objective-cpp", ".sql": "sql", ".proto": "proto", ".thrift": "thrift",
	".graphql": "graphql", ".gql": "graphql", ".vue": "vue", ".svelte": "svelte", ".ps1": "powershell", ".psm1": "powershell",
	".tf": "terraform", ".hcl": "terraform", ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown", ".rst": "restructuredtext",
	".css": "css", ".scss": "scss", ".less": "less", ".html": "html", ".htm": "html", ".xml": "xml",
	".json": "json", ".jsonc": "json", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".ini": "ini",
	".vim": "vim", ".mk": "makefile", ".cmake": "cmake", ".mod": "go.mod", ".txt": "plaintext",
}

var languageByName = map[string]string{
	"Makefile": "makefile", "GNUmakefile": "makefile", "makefile": "makefile", "Dockerfile": "dockerfile",
	"CMakeLists.txt": "cmake", "Rakefile": "ruby", "Gemfile": "ruby", "Vagrantfile": "ruby", "BUILD": "python",
	"BUILD.bazel": "python", "WORKSPACE": "python", "SConstruct": "python", "Jenkinsfile": "groovy",
	"go.mod": "go.mod", "Cargo.lock": "toml",
}

// Language is the language id (as editors name them) of a file, derived from
// its name; "plaintext" when the name does not determine it.
func Language(file string) string {
	base := path.Base(file)
	if lang, ok := languageByName[base]; ok {
		return lang
	}
	if lang, ok := languageByExt[strings.ToLower(path.Ext(base))]; ok {
		return lang
	}
	return "plaintext"
}

// languageOfText is Language, but reads a script's first line when the name
// does not determine the language.
func languageOfText(file, text string) string {
	lang := Language(file)
	if lang != "plaintext" || !strings.HasPrefix(text, "#!") {
		return lang
	}
	line, _, _ := strings.Cut(text[:min(len(text), 200)], "\n")
	for _, shell := range []struct{ mark, lang string }{
		{"python", "python"}, {"node", "javascript"}, {"ruby", "ruby"}, {"perl", "perl"}, {"lua", "lua"}, {"sh", "shellscript"}} {
		if strings.Contains(line, shell.mark) {
			return shell.lang
		}
	}
	return lang
}

// languageFor is the language to scan a file as: the editor's language id,
// unless that is unknown.
func languageFor(lang, file, text string) string {
	if _, known := languages[lang]; known {
		return lang
	}
	if detected := languageOfText(file, text); detected != "plaintext" || lang == "" {
		return detected
	}
	return lang
}

func lastPart(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }
