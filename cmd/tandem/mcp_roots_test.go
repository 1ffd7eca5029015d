package main

//lint:file-ignore SA1019 The protocol of 2026-07-28 deprecates roots; clients have them.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tandem/workspace"
	"tandem/workspace/platformtest"
)

// protocols are the versions of the agents' protocol.
var protocols = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// rooted connects a client with roots, which may change, to a server in the working directory.
func (h *home) rooted(protocol string, roots ...string) (*agent, *sdk.Client) {
	h.t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		ended <- (&globals{}).agent(ctx, fromClient, toClient)
		_ = toClient.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "rooted", Version: "1"}, nil)
	for _, dir := range roots {
		client.AddRoots(&sdk.Root{URI: fileURI(dir)})
	}
	session, err := client.Connect(context.Background(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, &sdk.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = session.Close()
		_ = toServer.Close()
		if err := <-ended; err != nil {
			h.t.Error(err)
		}
		stop()
	})
	return &agent{t: h.t, ClientSession: session}, client
}

func fileURI(dir string) string {
	return workspace.URIOf(dir)
}

// project is a folder with a file that uses a name which does not exist.
func (h *home) project(name, missing string) string {
	h.t.Helper()
	dir := filepath.Join(h.t.TempDir(), name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		h.t.Fatal(err)
	}
	h.write(filepath.Join(dir, "go.mod"), "module example.com/p\n\ngo 1.26\n")
	h.write(filepath.Join(dir, "own_"+strings.ToLower(missing)+".go"), "package p\n\nfunc F() int { return "+missing+"() }\n")
	return dir
}

// TestAgentFollowsRoots: the client's roots are served, wherever it started the program, and
// others once it says that they changed, in every version of the protocol. A name with a blank
// and a percent sign is a folder too.
func TestAgentFollowsRoots(t *testing.T) {
	for _, protocol := range protocols {
		h := newHome(t)
		t.Chdir(t.TempDir())
		one, two := h.project("a b%20c", "CanaryOne"), h.project("two", "CanaryTwo")
		a, client := h.rooted(protocol, one)
		sees := func(file, want string) {
			t.Helper()
			if text, failed := a.use("check", args{"files": []string{file}}); failed || !strings.Contains(text, want) {
				t.Errorf("%s: %s", protocol, text)
			}
		}
		sees("own_canaryone.go", "CanaryOne")
		client.RemoveRoots(fileURI(one))
		client.AddRoots(&sdk.Root{URI: fileURI(two)})
		sees("own_canarytwo.go", "CanaryTwo")
		if text, failed := a.use("check", args{"files": []string{filepath.Join(one, "own_canaryone.go")}}); !failed && !strings.Contains(text, "outside") {
			t.Errorf("%s: a root of before is served: %s", protocol, text)
		}
		client.AddRoots(&sdk.Root{URI: fileURI(one)})
		sees("own_canaryone.go", "CanaryOne")
		sees("own_canarytwo.go", "CanaryTwo")
		if text, failed := a.use("context", args{"words": "CanaryOne CanaryTwo"}); failed || !strings.Contains(text, "return CanaryOne()") || !strings.Contains(text, "return CanaryTwo()") {
			t.Errorf("%s: context of two folders: %s", protocol, text)
		}
		if text, failed := a.use("check", args{"texts": args{"own_canaryone.go": "package p\n\nfunc F() int { return CanaryThree() }\n", filepath.Join(two, "x.go"): "package p\n\nfunc G() int { return CanaryFour() }\n"}}); failed || !strings.Contains(text, "CanaryThree") || !strings.Contains(text, "CanaryFour") {
			t.Errorf("%s: texts of two folders: %s", protocol, text)
		}
		patch := "--- a/own_canarytwo.go\n+++ b/own_canarytwo.go\n@@ -1,3 +1,3 @@\n package p\n \n-func F() int { return CanaryTwo() }\n+func F() int { return CanaryFive() }\n"
		if text, failed := a.use("check", args{"patch": patch}); failed || !strings.Contains(text, "CanaryFive") {
			t.Errorf("%s: a patch of one of two folders: %s", protocol, text)
		}
	}
}

// TestAgentServesNoHome: the home folder, what holds it, and the disk are served to nobody, with
// or without a manifest or repository, as a root, as the working directory or by a flag.
func TestAgentServesNoHome(t *testing.T) {
	h := newHome(t)
	home := filepath.Dir(h.workspace)
	h.write(filepath.Join(home, "go.mod"), "module example.com/home\n")
	h.write(filepath.Join(home, "canary.go"), "package home\n\nfunc Canary() {}\n")
	linked := filepath.Join(t.TempDir(), "linked")
	links := platformtest.Symlinks(t)
	if links {
		platformtest.Symlink(t, home, linked)
	}
	refuses := func(dir, flag, want string, roots ...string) {
		t.Helper()
		t.Chdir(dir)
		for _, protocol := range protocols {
			var a *agent
			if flag != "" {
				a = h.agentOf("", protocol)
			} else {
				a, _ = h.rooted(protocol, roots...)
			}
			for tool, of := range map[string]args{"context": {"words": "Canary"}, "check": {}, "edit": {"instruction": "mend", "files": []string{"canary.go"}}} {
				if text, failed := a.use(tool, of); !failed || !strings.Contains(text, want) {
					t.Errorf("%s in %s of roots %q: failed %v: %s", tool, dir, roots, failed, text)
				}
			}
		}
	}
	for _, repository := range []bool{false, true} {
		if repository {
			if err := os.Mkdir(filepath.Join(home, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		const (
			holds = "holds your home folder"
			whole = "is the whole disk"
			flag  = "--workspace DIR"
		)
		refuses(home, "", holds)
		refuses(home, "", flag)
		refuses(filepath.Dir(home), "", holds)
		refuses(platformtest.Abs("/"), "", whole)
		if links {
			refuses(linked, "", holds)
			refuses(h.workspace, "", holds, linked)
		}
		refuses(h.workspace, "", "no manifest") // the repository around it is the home
		refuses(h.workspace, "", holds, home)
		refuses(h.workspace, "", whole, platformtest.Abs("/"))
		refuses(h.workspace, "", "is no folder", filepath.Join(home, "canary.go"))
		own := h.workspace
		h.workspace = home
		refuses(own, "flag", holds)
		h.workspace = own
	}
	h.write(filepath.Join(h.workspace, "Cargo.toml"), "")
	h.write(filepath.Join(h.workspace, "lib.go"), lib)
	t.Chdir(h.workspace)
	a, _ := h.rooted("")
	if text, failed := a.use("context", args{"words": "Two"}); failed || !strings.Contains(text, "return 2") {
		t.Errorf("a package below a home that is a repository: %s", text)
	}
}

// TestAgentOfAClientThatHasNoAnswer: a client that announces roots and ends its messages, answers
// with an error, with none, or with what is no folder here, is served where it began.
func TestAgentOfAClientThatHasNoAnswer(t *testing.T) {
	h := newHome(t)
	h.write("go.mod", "module example.com/lib\n\ngo 1.26\n")
	h.write("lib.go", strings.Replace(lib, "return 2", "return Canary()", 1))
	for answer, want := range map[string]string{
		"":                                "Canary",
		`"error":{"code":-32601}`:         "Canary",
		`"result":{"roots":[]}`:           "Canary",
		`"result":{}`:                     "Canary",
		`"result":{"roots":[null]}`:       "Canary",
		`"result":{"roots":[{"uri":""}]}`: "is no folder of this machine",
		`"result":{"roots":[{"uri":"https://host/x"}]}`:                                                    "is no folder of this machine",
		fmt.Sprintf(`"result":{"roots":[{"uri":%q},{"uri":"vscode-remote://x/y"}]}`, fileURI(h.workspace)): "Canary",
	} {
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- (&globals{}).agent(t.Context(), fromClient, toClient)
			_ = toClient.Close()
		}()
		send := func(lines ...string) {
			for _, line := range lines {
				if _, err := io.WriteString(toServer, line+"\n"); err != nil {
					t.Error(err)
				}
			}
		}
		go func() {
			send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"x","version":"1"}}}`,
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check","arguments":{"files":["lib.go"]}}}`)
			if answer == "" {
				_ = toServer.Close()
			}
		}()
		asked, said := 0, ""
		for lines := bufio.NewScanner(fromServer); lines.Scan(); {
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
				t.Fatalf("%v: %s", err, lines.Text())
			}
			switch {
			case m.Method == "roots/list":
				asked++
				if answer != "" {
					go send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, answer))
				}
			case string(m.ID) == "2":
				said = lines.Text()
				_ = toServer.Close()
			}
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if asked != 1 && answer != "" || !strings.Contains(said, want) {
			t.Errorf("%s: asked %d times, said %s", answer, asked, said)
		}
	}
}

// TestAgentChecksARootInsideARepository: without arguments it checks what changed in the root,
// and nothing beside it.
func TestAgentChecksARootInsideARepository(t *testing.T) {
	h := newHome(t)
	for _, dir := range []string{"sub", "beside"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		h.write(filepath.Join(dir, "go.mod"), "module example.com/"+dir+"\n\ngo 1.26\n")
		h.write(filepath.Join(dir, "lib.go"), lib)
	}
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-qm", "one")
	h.write("sub/lib.go", strings.Replace(lib, "return 2", "return CanarySub()", 1))
	h.write("beside/lib.go", strings.Replace(lib, "return 2", "return CanaryBeside()", 1))
	a, _ := h.rooted("", filepath.Join(h.workspace, "sub"))
	if text, failed := a.use("check", args{}); failed || !strings.Contains(text, "CanarySub") || strings.Contains(text, "CanaryBeside") {
		t.Errorf("failed %v: %s", failed, text)
	}
}
