//go:build reliability && linux

package reliability

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// secretKey contains every character that some encoding writes differently.
const secretKey = "sk-CANARY+x7/Qz&9=Kd%w<Vb>5"

// spellings are the encodings in which output could contain the key.
func spellings(key string) []string {
	quoted, err := json.Marshal(key)
	if err != nil {
		panic(err)
	}
	out := []string{key, strings.Trim(string(quoted), `"`), url.QueryEscape(key), url.PathEscape(key), hex.EncodeToString([]byte(key)), "CANARY"}
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 { // for every length of the text before it
			text := e.EncodeToString([]byte(strings.Repeat("x", shift) + key))
			out = append(out, text[4:len(text)-4])
		}
	}
	return out
}

// TestA26KeyIsNeverPrinted uses a key in every way, with every log enabled,
// against servers that return it in their answers, until a crash, and searches
// all output.
func TestA26KeyIsNeverPrinted(t *testing.T) {
	body := fmt.Sprintf(`{"error":{"message":"Incorrect API key provided: %s. Authorization: Bearer %s","type":"invalid_request_error","code":"invalid_api_key"}}`, secretKey, secretKey)
	scripts := map[string]string{
		"answers":  "",
		"401":      fmt.Sprintf("[[rules]]\n[rules.fault]\nstatus = 401\nbody = %q\n", body),
		"500 page": fmt.Sprintf("[[rules]]\n[rules.fault]\nstatus = 500\ncontent_type = \"text/html\"\nbody = %q\n", "<html><pre>GET / Authorization: Bearer "+secretKey+"</pre></html>"),
		"stalls":   "[[rules]]\nanswer = \"one two three four\"\n[rules.fault]\nstall_events = 4\n",
	}
	for name, script := range scripts {
		m := serveModels(t, script)
		h := newHome(t)
		h.env = []string{"CANARY_KEY=" + secretKey}
		h.twoModels(m.address, "env_key = \"CANARY_KEY\"\nsupports_websockets = true\nrequest_max_retries = 0\nstream_max_retries = 0\n")
		file := h.write("work.go", goSource(3))
		var output strings.Builder
		commands := [][]string{{"config"}, {"config", "--json"}, {"key", "list"}, {"ledger", "--json"}, {"complete", file + ":4:1"}, {"ask", "what is add1?"}, {"doctor"}, {"doctor", "--json"}, {"edit", "work.go:1-4", "document it", "--deep"}}
		if name == "stalls" {
			commands = commands[:4] // the others wait for the model without a short limit
		}
		for _, args := range commands {
			_, out := h.run("", args...)
			output.WriteString(out)
		}
		output.WriteString(h.crash(name))
		h.read(name, output.String())
		if !strings.Contains(m.sent(), "CANARY") {
			t.Errorf("%s: the key was never sent: the row measures nothing", name)
		}
	}
}

// crash runs an editor session with every log enabled, which ends in a crash
// dump. It returns all output of the server.
func (h *home) crash(name string) string {
	var frames []string
	s := h.launch(func(m reply, _ int) {
		raw, _ := json.Marshal(m)
		frames = append(frames, string(raw))
	}, "--log", filepath.Join(h.dir, "trace.log"), "--log-texts")
	params := allOfTandem()
	params["trace"] = "verbose"
	s.handshake(params, h.workspace)
	s.openText(h.uri("work.go"), goSource(3))
	s.send(completion(1, h.uri("work.go"), 3, 0))
	s.wait("1", patience)
	s.send(request(2, "tandem/ask", object{"question": "what is add1?"}))
	s.send(request(3, "workspace/executeCommand", object{"command": "tandem.status"}))
	s.wait("3", patience)
	if name != "stalls" {
		s.wait("2", patience)
	}
	s.send(request(4, "tandem/lastPayload", object{"n": 5}))
	s.wait("4", patience)
	s.signal(syscall.SIGQUIT)
	s.ends(patience)
	if !strings.Contains(s.stderr.String(), "goroutine ") {
		h.t.Errorf("%s: there was no crash dump", name)
	}
	return strings.Join(frames, "\n") + s.stderr.String()
}

// read searches for the key in the output and in every file of the user.
func (h *home) read(name, output string) {
	h.t.Helper()
	texts := map[string]string{"output": output}
	err := filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if len(texts["output"]) < 1000 || len(texts[filepath.Join(h.dir, "trace.log")]) == 0 {
		h.t.Errorf("%s: there is too little output: the row measures nothing", name)
	}
	for where, text := range texts {
		if where == h.configFile() {
			continue // names CANARY_KEY
		}
		text = strings.ReplaceAll(text, "CANARY_KEY", "")
		for _, spelling := range spellings(secretKey) {
			if at := strings.Index(text, spelling); at >= 0 {
				h.t.Errorf("%s: the key is in %s: …%s…", name, where, text[max(0, at-80):min(len(text), at+80)])
			}
		}
	}
}

const batchFiles = 30

// TestA29KilledWriters kills the program 100 times while it writes a batch of
// files: each file has its complete old or its complete new text.
func TestA29KilledWriters(t *testing.T) {
	h := newHome(t)
	h.write(".git/HEAD", "ref: refs/heads/main\n")
	content := func(generation int) string {
		return fmt.Sprintf("generation %d begins\n%sgeneration %d ends\n", generation, strings.Repeat("a line between them that is the same\n", 4000), generation)
	}
	name := func(i int) string { return fmt.Sprintf("f%d.txt", i) }
	var patch strings.Builder
	patch.WriteString("*** Begin Patch\n")
	for i := range batchFiles {
		fmt.Fprintf(&patch, "*** Update File: %s\n@@\n-generation 0 begins\n+generation 1 begins\n@@\n-generation 0 ends\n+generation 1 ends\n", name(i))
	}
	patch.WriteString("*** End Patch\n")
	reset := func() {
		for i := range batchFiles {
			h.write(name(i), content(0))
		}
	}
	reset()
	between := 0
	for range 100 {
		reset()
		c := h.command("apply", "--write")
		c.Stdin = strings.NewReader(patch.String())
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		h.afterWriting(name(rand.IntN(batchFiles)), ended)
		_ = c.Process.Kill()
		<-ended
		written := 0
		for i := range batchFiles {
			text, err := os.ReadFile(filepath.Join(h.workspace, name(i)))
			switch {
			case err != nil:
				t.Fatal(err)
			case string(text) == content(1):
				written++
			case string(text) != content(0):
				t.Fatalf("%s is neither its old nor its new self: %d bytes", name(i), len(text))
			}
		}
		if written > 0 && written < batchFiles {
			between++
		}
	}
	t.Logf("%d of 100 kills came between two files of a batch", between)
	if between == 0 {
		t.Error("no kill came in time: the row measures nothing")
	}
}

// afterWriting waits until a file has been replaced, or the program has ended.
func (h *home) afterWriting(name string, ended chan error) {
	h.t.Helper()
	path := filepath.Join(h.workspace, name)
	was, err := os.Stat(path)
	if err != nil {
		h.t.Fatal(err)
	}
	for over := false; ; {
		if now, err := os.Stat(path); err == nil && !os.SameFile(was, now) {
			return
		}
		if over {
			h.t.Fatalf("%s was never written", name)
		}
		select {
		case err := <-ended:
			ended <- err
			over = true // it may have been written just before
		default:
		}
	}
}

// TestA29KilledServer kills the server while a task runs: the next one, and
// the command line, list the task as interrupted.
func TestA29KilledServer(t *testing.T) {
	m := serveModels(t, "[[rules]]\nanswer = \"[DEEP] think, in work.go\\n\"\n[rules.fault]\nstall_events = 3\n")
	h := newHome(t)
	h.twoModels(m.address, "")
	h.write("work.go", goSource(3))
	s := h.launch(nil)
	s.handshake(allOfTandem(), h.workspace)
	s.openText(h.uri("work.go"), goSource(3))
	s.send(request(1, "workspace/executeCommand", object{"command": "tandem.escalate", "arguments": []object{{"uri": h.uri("work.go"), "position": object{"line": 3, "character": 0}, "instruction": "rethink it all"}}}))
	s.wait("1", patience)
	s.until("the model is asked", func(int) bool { return strings.Contains(m.sent(), "rethink it all") })
	_, running := h.run("", "tasks", "--json")
	_ = s.cmd.Process.Kill()
	s.ends(patience)
	start := time.Now()
	code, after := h.run("", "tasks", "--json")
	within(t, "listing the tasks of a killed server", time.Since(start), time.Second)
	if strings.Contains(running, "interrupted") || code != 0 || !strings.Contains(after, `"interrupted"`) || !strings.Contains(after, "rethink it all") {
		t.Errorf("before: %s\nafter: %d %s", running, code, after)
	}
	next := h.launch(nil)
	next.handshake(allOfTandem(), h.workspace)
	next.send(request(1, "workspace/executeCommand", object{"command": "tandem.tasks"}))
	if listed := string(next.wait("1", patience).Result); !strings.Contains(listed, `"interrupted"`) {
		t.Errorf("the next server lists %s", listed)
	}
	err := filepath.WalkDir(filepath.Join(h.dir, "state", "tandem", "tasks"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "return a + b") {
			t.Errorf("%s holds source text", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPanicked: what a server prints when it panics is recognized, and the dump
// that was asked for is not.
func TestPanicked(t *testing.T) {
	for output, want := range map[string]bool{
		"SIGQUIT: quit\n\ngoroutine 5 [running]:\nruntime.deferreturn()\n\truntime/panic.go:658 +0x77\n": false,
		"time=1 level=INFO msg=ready\n":                                       false,
		"ready\npanic: runtime error: index out of range [3] with length 3\n": true,
		"fatal error: concurrent map writes\n":                                true,
		"level=ERROR msg=\"internal error\" in=hover\n":                       true,
	} {
		if got := panicked(output); got != want {
			t.Errorf("panicked(%q) = %v", output, got)
		}
	}
}
