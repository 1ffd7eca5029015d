package index

// languages are the languages with a scanner, by editor's language id.
var languages = byID(append(simpleLanguages(),
	&language{id: "go", class: baseClass("/\"'`", ""), words: wordSet(goWords), special: goSpecial, scan: scanGo},
	&language{id: "python", class: baseClass("#\"'\\", ""), words: wordSet(pythonWords), special: pythonSpecial, scan: scanPython},
	&language{id: "java", class: baseClass("/\"'", "$"), words: wordSet(javaWords), special: javaSpecial, scan: scanJava},
	&language{id: "csharp", class: baseClass("/\"'#$@", ""), words: wordSet(csharpWords), special: csharpSpecial, scan: scanCSharp},
	&language{id: "rust", class: baseClass("/\"'#", ""), words: wordSet(rustWords), special: rustSpecial, scan: scanRust},
	&language{id: "c", class: baseClass("/\"'#\\", "$"), words: wordSet(cWords), special: lexC, digitQuote: true, scan: scanC},
	&language{id: "cpp", class: baseClass("/\"'#\\", "$"), words: wordSet(cWords), special: lexC, digitQuote: true, scan: scanCPP},
	script("typescript"), script("typescriptreact"), script("javascript"), script("javascriptreact"),
	&language{id: "markdown", prose: true, scan: scanMarkdown},
	&language{id: "go.mod", prose: true, scan: scanGoMod},
)...)

// plain is for files without a scanner: nothing is found in them.
var plain = &language{id: "plaintext", prose: true, scan: func(*scan) {}}

func byID(list ...*language) map[string]*language {
	out := map[string]*language{}
	for _, l := range list {
		out[l.id] = l
	}
	return out
}

func languageOf(id string) *language {
	if l, ok := languages[id]; ok {
		return l
	}
	return plain
}

func script(id string) *language {
	return &language{id: id, class: baseClass("/\"'`}#", "$"), words: wordSet(scriptWords), special: scriptSpecial, scan: scanScript}
}
