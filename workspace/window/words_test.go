package window

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// codeTree is a workspace in several languages, in which names are defined more
// than once.
var codeTree = map[string]string{
	"go.mod":              "module example.com/code\n\ngo 1.26\n",
	"store/store.go":      "package store\n\nimport \"fmt\"\n\n// Store keeps values.\ntype Store struct {\n\tvalues map[string]int\n}\n\n// Load reads a value.\nfunc (s *Store) Load(key string) (int, error) {\n\tvalue, ok := s.values[key]\n\n\tif !ok {\n\t\treturn 0, fmt.Errorf(\"no value is stored under %q, store one first\", key)\n\t}\n\treturn value, nil\n}\n\nfunc hidden() int {\n\treturn len(\"hidden body\")\n}\n",
	"cache/cache.go":      "package cache\n\n// Cache forgets.\ntype Cache struct{ size int }\n\n// Load reads what was not forgotten.\nfunc (c *Cache) Load(key string) (int, error) {\n\tcacheBody := c.size\n\treturn cacheBody, nil\n}\n",
	"disk/disk.go":        "package disk\n\ntype Disk struct{}\n\nfunc (d Disk) Load(key string) (int, error) {\n\tdiskBody := 1\n\treturn diskBody, nil\n}\n",
	"use/use.go":          "package use\n\nimport \"example.com/code/store\"\n\nfunc Use(s *store.Store) int {\n\tvalue, _ := s.Load(\"useBody\")\n\treturn value\n}\n",
	"use/other.go":        "package use\n\nfunc other() int {\n\n}\n",
	"store/store_test.go": "package store\n\nimport \"testing\"\n\nfunc TestLoad(t *testing.T) {\n\ttestBody := &Store{}\n\ttestBody.Load(\"x\")\n}\n\nfunc onlyForTests() {}\n",
	"py/handlers.py":      "class Handler:\n    def dispatch(self, request):\n        answer = self.find(request)\n        return answer\n\n\ndef append(list, item):\n    return list + [item]\n",
	"js/client.ts":        "export function connect(address: string) {\n  const socket = open(address)\n  return socket\n}\n",
	"js/plugin.ts":        "export function plugin(options: Options) {\n  const readAll = async (id: string) => {\n    const arrowBody = id\n    return arrowBody\n  }\n  function merge(a: string) {\n    const nestedBody = a\n    return nestedBody\n  }\n  return {\n    readAll,\n    merge,\n  }\n}\n",
	"rs/src/queue.rs":     "pub struct Queue;\n\nimpl Queue {\n    pub fn push(&mut self, item: u8) -> usize {\n        let pushed = item as usize;\n        pushed\n    }\n}\n",
	"java/Parser.java":    "package com.example;\n\npublic class Parser {\n    public int parseAll(String text) {\n        int javaBody = text.length();\n        return javaBody;\n    }\n}\n",
	"docs/guide.md":       "# Guide\n\n## Loading\n\nValues are loaded by key.\n",
	"error.sh":            "error() {\n  echo shell\n}\nappend() {\n  echo shell\n}\n",
}

func TestWordsShowWhatTheyNameWhole(t *testing.T) {
	s := openWindows(t, codeTree, true)
	for _, c := range []struct{ words, body, reason string }{
		{"what does Store.Load return?", "value, ok := s.values[key]", "defines Load, named in your words"},
		{"what does store.Load do", "value, ok := s.values[key]", "defines Load, named in your words"},
		{"why is hidden slow?", `return len("hidden body")`, "defines hidden, named in your words"},
		{"why does it fail at store/store.go:15?", "return value, nil", "defines Load, at store/store.go:15 in your words"},
		{"panic: boom\n\ngoroutine 1 [running]:\nexample.com/code/cache.(*Cache).Load(...)\n\t/build/cache/cache.go:8 +0x1d", "cacheBody := c.size", "defines Load, at cache/cache.go:8 in your words"},
		{"Traceback (most recent call last):\n  File \"/srv/py/handlers.py\", line 3, in dispatch\nValueError: bad", "answer = self.find(request)", "defines dispatch, at py/handlers.py:3 in your words"},
		{"TypeError: x\n    at connect (/app/js/client.ts:2:5)", "const socket = open(address)", "defines connect, at js/client.ts:2 in your words"},
		{"thread 'main' panicked at rs/src/queue.rs:5:9:\nboom", "let pushed = item as usize;", "defines push, at rs/src/queue.rs:5 in your words"},
		{"what does readAll do?", "const arrowBody = id", "defines readAll, named in your words"},
		{"what does plugin.merge do?", "const nestedBody = a", "defines merge, named in your words"},
		{"what does merge do?", "const nestedBody = a", "defines merge, named in your words"},
		{"what does Queue::push do?", "let pushed = item as usize;", "defines push, named in your words"},
		{"java.lang.IllegalStateException: bad\n\tat com.example.Parser.parseAll(Parser.java:5)", "int javaBody = text.length();", "defines parseAll, at java/Parser.java:5 in your words"},
		{"where are requests dispatching?", "answer = self.find(request)", "similar to your words: "},
		{"are addresses of sockets connectable?", "const socket = open(address)", "similar to your words: "},
		{`it says "no value is stored under \"x\", store one first", why?`, "value, ok := s.values[key]", `has "no value is stored under`},
	} {
		w, err := Build(t.Context(), s.Snapshot(), Request{Purpose: "ask", Words: c.words})
		if err != nil {
			t.Fatalf("%s: %v", c.words, err)
		}
		checkWindow(t, w)
		found := false
		for _, f := range w.Fragments {
			found = found || strings.HasPrefix(f.Reason, c.reason) && strings.Contains(f.Text.String(), c.body)
		}
		if !found {
			t.Errorf("%q: no fragment has %q because it %q:\n%s", c.words, c.body, c.reason, describeWindow(w))
		}
	}
}

// TestQuestionsShowTheirFunctionWhole: the function that has most of a question's words comes
// whole although it is long, before lines of files that repeat one of the words, and before
// those of tests.
func TestQuestionsShowTheirFunctionWhole(t *testing.T) {
	long := "package retry\n\n// next says when a failed upload is tried again.\nfunc next(attempt int) int {\n" + strings.Repeat("\tattempt++\n", 100) + "\tpause := attempt // the retry of an upload\n\treturn pause\n}\n"
	short := strings.Repeat("\n// A retry is a retry, and each retry is one more retry.\nfunc retry() int {\n\tretry := 1\n\treturn retry\n}\n", 6)
	tree := map[string]string{"go.mod": "module m\n", "retry/retry.go": long + short, "retry/retry_test.go": strings.ReplaceAll(long, "func next", "func testNext")}
	for _, name := range strings.Fields("a b c d e f g h") {
		tree[name+"/"+name+".go"] = "package " + name + "\n\n" + strings.Repeat("// An upload is an upload, and a file of an upload.\nfunc "+name+"() int {\n\tupload := 1\n\treturn upload\n}\n\n", 12)
	}
	s := openWindows(t, tree, true)
	w, err := Build(t.Context(), s.Snapshot(), Request{Purpose: "ask", Words: "when does the retry of a failed upload come?", Budget: 4000})
	if err != nil {
		t.Fatal(err)
	}
	checkWindow(t, w)
	for _, f := range w.Fragments {
		if f.Path == "retry/retry.go" && f.StartLine <= 4 && f.EndLine >= strings.Count(long, "\n") {
			return
		}
	}
	t.Errorf("the function is not whole:\n%s", describeWindow(w))
}

func TestQuestionsGrowOnlyForWhatTheirWordsName(t *testing.T) {
	tree := map[string]string{"big.go": "package big\n\nfunc Big() {\n" + strings.Repeat("\tcallSomething(1, 2, 3)\n", 400) + "}\n"}
	s := openWindows(t, tree, true)
	for words, grows := range map[string]bool{"what does big.Big do?": true, "what is wrong here?": false} {
		w, err := Build(t.Context(), s.Snapshot(), Request{Purpose: "ask", Words: words, Budget: 2000, Most: 16_000})
		if err != nil {
			t.Fatal(err)
		}
		checkWindow(t, w)
		if (w.Budget > 2000) != grows || w.Budget > 16_000 {
			t.Errorf("%q: a budget of %d", words, w.Budget)
		}
		if shown := strings.Count(w.Text().String(), "callSomething(1, 2, 3)") == 400; shown != grows {
			t.Errorf("%q: the whole body is shown: %v", words, shown)
		}
	}
}

func TestStepsSeeTheirFilesWhole(t *testing.T) {
	s := openWindows(t, codeTree, true)
	w, err := Build(t.Context(), s.Snapshot(), Request{URI: "use/use.go", Purpose: "step", Words: "Rename Load in store/store.go."})
	if err != nil {
		t.Fatal(err)
	}
	checkWindow(t, w)
	for line := range strings.SplitSeq(codeTree["store/store.go"], "\n") {
		if !strings.Contains(w.Text().String(), line) {
			t.Errorf("the step's file lacks %q:\n%s", line, describeWindow(w))
		}
	}
}

// TestNamesMeanOnlyWhatTheLanguageAllows: what is shown because a name may mean it
// can be meant there.
func TestNamesMeanOnlyWhatTheLanguageAllows(t *testing.T) {
	s := openWindows(t, codeTree, true)
	text := "package use\n\nfunc other() error {\n\tlist = append(list, hidden())\n\tonlyForTests()\n\tconnect()\n\tLoad()\n\t\n}\n"
	w := buildAt(t, s, "use/other.go", text, strings.LastIndex(text, "\t\n")+1, Request{Budget: 4000})
	checkWindow(t, w)
	loads := 0
	for _, f := range w.Fragments {
		name, defines := strings.CutPrefix(f.Reason, "defines ")
		if !defines {
			continue
		}
		name, _, _ = strings.Cut(name, ",")
		if f.Path == "error.sh" || f.Path == "py/handlers.py" || f.Path == "js/client.ts" || name == "hidden" || name == "onlyForTests" {
			t.Errorf("%s of %s cannot be meant: %s", name, f.Path, f.Reason)
		}
		if name == "Load" {
			loads++
		}
	}
	if loads > sameNameMost {
		t.Errorf("%d definitions of Load are shown:\n%s", loads, describeWindow(w))
	}
}

func TestEditsSeeCallersCalleesAndTests(t *testing.T) {
	s := openWindows(t, codeTree, true)
	text := codeTree["store/store.go"]
	at := strings.Index(text, "func (s *Store) Load")
	w, err := Build(t.Context(), s.Snapshot(), Request{URI: "store/store.go", Purpose: "edit", Words: "make it faster",
		Span: edits.Span{Start: at, End: at + strings.Index(text[at:], "\n}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	checkWindow(t, w)
	for _, want := range []struct{ kind, path, reason string }{
		{"caller", "use/use.go", "calls Load"}, {"test", "store/store_test.go", "test of Load"}} {
		if !hasFragment(w, want.kind, want.path, want.reason) {
			t.Errorf("no %s of %s: %s\n%s", want.kind, want.path, want.reason, describeWindow(w))
		}
	}
}

// TestSelectionsAreShownWholeOrNotAtAll: an answer may replace the selection, so
// the model has to see all of it.
func TestSelectionsAreShownWholeOrNotAtAll(t *testing.T) {
	s := openWindows(t, codeTree, true)
	body := strings.Repeat("\tcallSomething(1, 2, 3)\n", 200)
	text := "package use\n\nfunc other() {\n" + body + "}\n" + strings.Repeat("\nfunc more() {}\n", 300)
	at := strings.Index(text, body)
	snap := s.Snapshot().Supposing(map[string]edits.Text{"use/other.go": edits.NewText(text)})
	for _, purpose := range []string{"edit", "fix", "document", "test"} {
		for _, c := range []struct {
			budget int
			whole  bool
		}{{8000, true}, {2500, true}, {1000, false}} {
			w, err := Build(t.Context(), snap, Request{URI: "use/other.go", Purpose: purpose, Budget: c.budget, Span: edits.Span{Start: at, End: at + len(body)}})
			switch {
			case c.whole && err != nil:
				t.Errorf("%s, %d tokens: %v", purpose, c.budget, err)
			case c.whole:
				if checkWindow(t, w); w.Selected.String() != body {
					t.Errorf("%s, %d tokens: %d of %d bytes of the selection are shown", purpose, c.budget, len(w.Selected.String()), len(body))
				}
			case err == nil || !strings.Contains(err.Error(), "there is room for"):
				t.Errorf("%s, %d tokens: %v", purpose, c.budget, err)
			}
		}
	}
}

// TestWordsInADocumentOutsideEveryFolder: what they name is in no index.
func TestWordsInADocumentOutsideEveryFolder(t *testing.T) {
	s := openWindows(t, nil, true)
	s.Update(workspace.Opened{URI: "untitled:x", Version: 1, Text: edits.NewText("l1\nl2\n")})
	for _, purpose := range Purposes() {
		w, err := Build(t.Context(), s.Snapshot(), Request{URI: "untitled:x", Purpose: purpose, Words: "what does shop/cart.go:3 do with Cart?"})
		if err != nil {
			t.Fatal(purpose, err)
		}
		checkWindow(t, w)
	}
}

// TestWordsOfQuestionsNameNothing: a word that questions consist of names no definition, unless
// there is nothing else that it may be.
func TestWordsOfQuestionsNameNothing(t *testing.T) {
	for w := range questionWords {
		if !plainWords[w] {
			t.Errorf("%s is a word of questions, and not a plain one", w)
		}
	}
	s := openWindows(t, map[string]string{"a.py": "def did(x):\n    return x\n\n\ndef pay(x):\n    return x\n"}, true)
	w, err := Build(t.Context(), s.Snapshot(), Request{Purpose: "ask", Words: "what did pay return?"})
	if err != nil {
		t.Fatal(err)
	}
	if hasFragment(w, "definition", "a.py", "defines did, named in your words") {
		t.Errorf("did is taken for a name:\n%s", describeWindow(w))
	}
}
