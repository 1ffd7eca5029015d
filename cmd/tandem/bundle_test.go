package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace"
)

// TestBundleHasNothingOfTheUsers: a bundle after a session in which 30 canaries are keys, names,
// addresses, paths, texts and answers has none of them, nor a folder of the user's, and it has
// what support needs.
func TestBundleHasNothingOfTheUsers(t *testing.T) {
	h := newHome(t)
	var canaries []string
	planted := func() string {
		canaries = append(canaries, fmt.Sprintf("canary%02dx", len(canaries)+1))
		return canaries[len(canaries)-1]
	}
	answer := planted()
	bad := chatServer(t, 401, "application/json", fmt.Sprintf(`{"error":{"message":"bad key %s for %s"}}`, planted(), planted()))
	h.setKey()
	h.write(h.config, fmt.Sprintf(`fast = %[1]q
[models.%[1]s]
provider = %[2]q
model = %[3]q
input_price = 1.0
output_price = 10.0
[models.%[4]s]
provider = %[2]q
model = %[5]q
[providers.%[2]s]
name = %[6]q
base_url = "%[7]s/%[8]s"
wire_api = "chat"
env_key = %[9]q
http_headers = { %[10]s = %[11]q }
query_params = { api = %[12]q }
[editor]
disabled_globs = [%[13]q]
[profiles.%[14]s]
fast = %[4]q
`, planted(), planted(), planted(), planted(), planted(), planted(), bad, planted(), planted(), "X-"+planted(), planted(), planted(), "**/"+planted(), planted()))
	env := canaries[10]
	for _, c := range canaries { // the variable's name is one of them
		t.Setenv(c, "sk-"+env)
	}
	h.managed = filepath.Join(t.TempDir(), "managed.toml")
	h.write(h.managed, fmt.Sprintf("[policy]\ndeny_globs = [%q]\nmessage = %q\nallow_models = [%q, \"*\"]\nledger_file = %q\n", "**/"+planted(), planted(), planted(), filepath.Join(t.TempDir(), planted())))
	dir := filepath.Join(h.workspace, planted())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, planted()+".go")
	text := fmt.Sprintf("package a\n\n// %s\nfunc %s() string {\n\treturn %q\n}\n", planted(), planted(), planted())
	h.write(file, text)
	h.session(`"capabilities":{},"clientInfo":{"name":"`+planted()+`"},"initializationOptions":{"trusted":true}`, nil, nil, func(e *editor) {
		uri := workspace.URIOf(file)
		e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":%q}}}`, uri, text)
		e.send(`{"jsonrpc":"2.0","id":2,"method":"tandem/ask","params":{"question":%q,"textDocument":{"uri":%q},"position":{"line":3,"character":2}}}`, planted()+"?", uri)
		e.answer(2)
		e.send(`{"jsonrpc":"2.0","id":3,"method":"tandem/edit","params":{"textDocument":{"uri":%q,"version":1},"range":{"start":{"line":3,"character":0},"end":{"line":5,"character":1}},"instruction":%q}}`, uri, planted()+" "+answer)
		e.answer(3)
	})
	foreign := filepath.Join(h.store().Dir, planted())
	h.write(foreign, planted())
	out := filepath.Join(t.TempDir(), "bundle.json")
	if _, said := h.runManaged(h.managed, "doctor", "--bundle", out); !strings.Contains(said, "can be read before you send it") {
		t.Errorf("the doctor says %s", said)
	}
	got := readFile(t, filepath.Dir(out), filepath.Base(out))
	if len(canaries) != 30 {
		t.Errorf("%d canaries", len(canaries))
	}
	leaked := 0
	for _, secret := range append(canaries, canary, h.workspace, filepath.Dir(h.config), os.TempDir(), strings.TrimPrefix(bad, "http://")) {
		if strings.Contains(got, secret) {
			t.Errorf("%s is in it", secret)
			leaked++
		}
	}
	t.Logf("%d of %d canaries and paths are in the bundle", leaked, len(canaries)+5)
	for _, want := range []string{`"version"`, `"platform"`, `"name": "providers.`, `"value": "chat"`, `"purpose": "ask"`, `"error": "auth"`, `"kind": "key"`, `"status": "problem"`, `"gopls"`, `"ledger"`} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %s: %s", want, got)
		}
	}
}
