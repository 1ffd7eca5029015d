package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// A canaryHost counts the connections that are made to it.
type canaryHost struct {
	address string
	mu      sync.Mutex
	dialled int
}

func newCanaryHost(t *testing.T) *canaryHost {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &canaryHost{address: listener.Addr().String()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			c.mu.Lock()
			c.dialled++
			c.mu.Unlock()
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-done
	})
	return c
}

func (c *canaryHost) connections() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialled
}

// runManaged runs the program under an administrator's file.
func (h *home) runManaged(managed string, args ...string) (code int, said string) {
	h.t.Helper()
	var out, problems bytes.Buffer
	root := rootWith(&globals{managed: managed})
	root.SetArgs(args)
	root.SetIn(h.stdin)
	root.SetOut(&out)
	root.SetErr(&problems)
	code = report(root.Execute(), &problems)
	return code, out.String() + problems.String()
}

// away is a configuration whose model is at an address.
func away(url, more string) string {
	return fmt.Sprintf("fast = \"m\"\nmodels.m.provider = \"p\"\n[providers.p]\nbase_url = %q\nwire_api = \"chat\"\n%s\n", url, more)
}

// A detour is a way to a host that the policy does not allow.
type detour struct {
	name   string
	config func(gateway, canary string) string
	env    func(h *home, canary string)
	args   []string
	// run, if set, takes the place of the program with args.
	run func(t *testing.T, h *home, o config.Options, canary string)
	// closed means that there is no such way even without a policy.
	closed bool
}

var question = []string{"ask", "What does HandlePayment do?"}

var detours = []detour{
	{name: "own provider", config: func(_, canary string) string { return away("http://"+canary+"/v1", "") }},
	{name: "list of URLs", config: func(gateway, canary string) string {
		return strings.Replace(away("URLS", ""), `"URLS"`, fmt.Sprintf("[%q, %q]", "http://"+canary+"/v1", gateway+"/v1"), 1)
	}},
	{name: "proxy", config: func(gateway, canary string) string {
		return away(gateway+"/v1", fmt.Sprintf("proxy = %q", "http://"+canary))
	}},
	{name: "socks proxy", config: func(gateway, canary string) string {
		return away(gateway+"/v1", fmt.Sprintf("proxy = %q", "socks5://"+canary))
	}},
	{name: "WebSocket", config: func(_, canary string) string {
		return strings.Replace(away("http://"+canary+"/v1", "supports_websockets = true"), `"chat"`, `"responses"`, 1)
	}},
	{name: "header", closed: true, config: func(gateway, canary string) string {
		return away(gateway+"/v1", fmt.Sprintf("http_headers = { Host = %q, X-Forwarded-Host = %q }", canary, canary))
	}},
	{name: "--config", env: func(h *home, canary string) {
		h.write(filepath.Join(filepath.Dir(h.config), "other.toml"), away("http://"+canary+"/v1", ""))
	}, args: append([]string{"--config", "../config/tandem/other.toml"}, question...)},
	{name: "profile", config: func(gateway, canary string) string {
		return away(gateway+"/v1", fmt.Sprintf("[profiles.out.providers.p]\nbase_url = %q", "http://"+canary+"/v1"))
	}, args: append([]string{"--profile", "out"}, question...)},
	{name: "environment, a proxy", config: func(string, string) string { return away("http://gateway.test/v1", "allow_http = true") },
		env: func(h *home, canary string) { h.t.Setenv("HTTP_PROXY", "http://"+canary) }},
	{name: "environment, a folder", env: func(h *home, canary string) {
		dir := h.t.TempDir()
		h.t.Setenv("HOME", dir)
		h.t.Setenv("AppData", filepath.Join(dir, ".config")) // where Windows has it
		h.t.Setenv("XDG_CONFIG_HOME", "")
		h.write(filepath.Join(mkdirAll(h.t, filepath.Join(dir, ".config", "tandem")), "config.toml"), away("http://"+canary+"/v1", ""))
	}},
	{name: "editor settings", closed: true, config: func(gateway, _ string) string { return away(gateway+"/v1", "") },
		run: func(t *testing.T, h *home, o config.Options, canary string) {
			o.Editor = map[string]any{"providers.p.base_url": "http://" + canary + "/v1", "search.url": "http://" + canary, "providers.p.proxy": "http://" + canary}
			h.asks(t, o)
		}},
	{name: "profile of the editor", config: func(gateway, canary string) string {
		return away(gateway+"/v1", fmt.Sprintf("[profiles.out.providers.p]\nbase_url = %q", "http://"+canary+"/v1"))
	}, run: func(t *testing.T, h *home, o config.Options, _ string) {
		o.Profile = "out"
		h.asks(t, o)
	}},
	{name: "search.url", config: func(gateway, canary string) string {
		return away(gateway+"/v1", fmt.Sprintf("[search]\nurl = %q\ntimeout_ms = 2000", "http://"+canary))
	}, args: append(question, "pay.go:3:6")},
	{name: "redirect of a model", closed: true, config: func(gateway, _ string) string { return away(gateway+"/redirect", "") }},
	{name: "redirect of a search", closed: true, config: func(gateway, _ string) string {
		return away(gateway+"/v1", fmt.Sprintf("[search]\nurl = %q\ntimeout_ms = 2000", gateway+"/redirect"))
	}, args: append(question, "pay.go:3:6")},
	{name: "doctor", config: func(_, canary string) string { return away("http://"+canary+"/v1", "") }, args: []string{"doctor"}},
}

// asks asks the fast model as a server with these options does.
func (h *home) asks(t *testing.T, o config.Options) {
	t.Helper()
	live := config.NewLive(o, config.Watch{Changed: func(*config.Config) {}, Failed: func(error) {}})
	group := run.NewGroup(context.Background(), nil)
	defer group.Close()
	lanes := newLanes(live.Config, nil, nil, group, func(model.Notice) {}, nil)
	defer lanes.Close()
	for range lanes.Stream(t.Context(), model.Fast, tinyRequest(model.Fast, model.ModelConfig{})) {
	}
}

// TestNoWayRoundThePolicy holds that nothing a user can set connects to a host
// that the administrator does not allow; and that each way is one without a
// policy.
func TestNoWayRoundThePolicy(t *testing.T) {
	for _, d := range detours {
		t.Run(d.name, func(t *testing.T) {
			for _, restricted := range []bool{false, true} {
				h, canary := newHome(t), newCanaryHost(t)
				for _, v := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "NO_PROXY"} {
					t.Setenv(v, "")
				}
				gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if strings.HasPrefix(r.URL.Path, "/redirect") {
						http.Redirect(w, r, "http://"+canary.address+"/", http.StatusTemporaryRedirect)
						return
					}
					_, _ = io.Copy(io.Discard, r.Body)
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ready\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
				}))
				defer gateway.Close()
				h.write("pay.go", "package pay\n\nfunc HandlePayment() { ChargeCard(); SendReceipt() }\n")
				managed := filepath.Join(t.TempDir(), "managed.toml")
				if restricted {
					h.write(managed, fmt.Sprintf("[policy]\nallow_hosts = [%q, \"gateway.test\"]\nmessage = \"Ask platform@example.com.\"\n", strings.TrimPrefix(gateway.URL, "http://")))
				}
				if d.config != nil {
					h.write(h.config, d.config(gateway.URL, canary.address))
				}
				if d.env != nil {
					d.env(h, canary.address)
				}
				said := ""
				switch {
				case d.run != nil:
					d.run(t, h, config.Options{Managed: managed}, canary.address)
				case d.args != nil:
					_, said = h.runManaged(managed, d.args...)
				default:
					_, said = h.runManaged(managed, question...)
				}
				got := canary.connections()
				if restricted && got != 0 || !restricted && !d.closed && got == 0 {
					t.Errorf("restricted %v: %d connections to the canary\n%s", restricted, got, said)
				}
				if restricted && !d.closed && d.run == nil && !strings.Contains(said, "Ask platform@example.com.") {
					t.Errorf("the refusal lacks the administrator's words: %s", said)
				}
			}
		})
	}
}

// TestPolicyOfModels holds that a model that is not allowed is not asked, by
// whatever name.
func TestPolicyOfModels(t *testing.T) {
	h := newHome(t)
	gateway := chatServer(t, 200, "text/event-stream", "")
	managed := filepath.Join(t.TempDir(), "managed.toml")
	h.write(managed, "[policy]\nallow_models = [\"good-*\"]\ndisable = [\"escalate\", \"search\"]\nmessage = \"Ask us.\"\n")
	for fast, allowed := range map[string]bool{"m": false, "good-name": false, "fine": true} {
		text := strings.Replace(away(gateway+"/v1", ""), "fast = \"m\"\n", fmt.Sprintf("fast = %q\ndeep = \"fine\"\n", fast), 1)
		text = strings.Replace(text, "models.m.provider", "models.m.model = \"bad\"\nmodels.m.provider", 1)
		h.write(h.config, text+"[models.good-name]\nprovider = \"p\"\nmodel = \"bad\"\n[models.fine]\nprovider = \"p\"\nmodel = \"good-1\"\n")
		code, said := h.runManaged(managed, question...)
		if allowed != (code == exitDone) || allowed == strings.Contains(said, "Ask us.") {
			t.Errorf("%s: %d %s", fast, code, said)
		}
	}
	// With escalate disabled the deep lane is asked nothing, though its model is allowed.
	if code, said := h.runManaged(managed, append([]string{question[0], "--deep"}, question[1:]...)...); code != exitNoModel || !strings.Contains(said, "disables work of the deep model") {
		t.Errorf("%d %s", code, said)
	}
	entries := 0
	if _, err := h.store().Ledger().Read(func(state.Entry) error { entries++; return nil }); err != nil || entries != 2 {
		t.Errorf("%d entries in the ledger, want those of the one allowed request; %v", entries, err)
	}
}

func TestDoctorShowsThePolicy(t *testing.T) {
	h := newHome(t)
	managed := filepath.Join(t.TempDir(), "managed.toml")
	h.write(h.config, "fast = \"local\"\n")
	if code, said := h.runManaged(managed, "--offline", "doctor"); code != exitDone || !strings.Contains(said, "there is no "+managed) {
		t.Errorf("%d %s", code, said)
	}
	h.write(managed, "")
	if code, said := h.runManaged(managed, "--offline", "doctor"); code != exitDone || !strings.Contains(said, "restricts nothing") {
		t.Errorf("%d %s", code, said)
	}
	h.write(managed, "[policy]\nallow_hosts = [\"a.test\"]\nallow_models = []\ndeny_globs = [\"**/payments/**\"]\ndisable = [\"mcp\"]\nmin_version = \"0.9.0\"\nmessage = \"Ask us.\"\n")
	if _, said := h.runManaged(managed, "--offline", "doctor"); !strings.Contains(said, "install 0.9.0 or a later one. It says: Ask us.") {
		t.Errorf("a version that is too old is not named:\n%s", said)
	}
	h.write(managed, "[policy]\nallow_hosts = [\"a.test\"]\nallow_models = []\ndeny_globs = [\"**/payments/**\"]\ndisable = [\"mcp\"]\nmessage = \"Ask us.\"\n")
	code, said := h.runManaged(managed, "--offline", "doctor")
	for _, want := range []string{`allow_hosts = ["a.test"]`, `allow_models = []`, `deny_globs = ["**/payments/**"]`, `disable = ["mcp"]`} {
		if code != exitDone || !strings.Contains(said, want) {
			t.Errorf("%d: %s is not in\n%s", code, want, said)
		}
	}
	h.write(managed, "[policy]\nallow_hosts = \"a.test\"\n")
	if code, said := h.runManaged(managed, "--offline", "doctor"); code != exitConfig || !strings.Contains(said, "no model is asked until it is corrected") {
		t.Errorf("%d %s", code, said)
	}
	h.write(managed, "[policy]\nallow_regions = [\"eu\"]\n[glower]\nspeed = \"fast\"\n")
	if code, said := h.runManaged(managed, "--offline", "doctor"); code != exitFailed || !strings.Contains(said, "("+version()+") is too old for policy.allow_regions") || !strings.Contains(said, "glower is ignored") {
		t.Errorf("%d %s", code, said)
	}
}

// TestBrokenPolicyLeavesTheBuiltInEngine holds that commands go on without a
// model while the administrator's file has a mistake, and say so.
func TestBrokenPolicyLeavesTheBuiltInEngine(t *testing.T) {
	h, canary := newHome(t), newCanaryHost(t)
	managed := filepath.Join(t.TempDir(), "managed.toml")
	h.write(h.config, away("http://"+canary.address+"/v1", ""))
	h.write("pay.go", "package pay\n\nfunc HandlePayment() { ChargeCard() }\n\nfunc Other() { ChargeCard() }\n\nfunc Third() { Char\n")
	for text, says := range map[string]string{"[policy]\nallow_hosts = \"a.test\"\n": "The administrator's configuration has a mistake (tandem " + version() + ")", "[policy]\nallow_regions = [\"eu\"]\n": "This tandem (" + version() + ") is too old for policy.allow_regions"} {
		h.write(managed, text)
		code, said := h.runManaged(managed, "complete", "pay.go:7:20")
		if code != exitDone || !strings.Contains(said, "geCard()") || !strings.Contains(said, says) {
			t.Errorf("complete: %d %s", code, said)
		}
		code, said = h.runManaged(managed, question...) // answered with functions where no model is left, refused where the policy refuses them
		if answered := code == exitDone && strings.Contains(said, "pay.go:"); !answered && code != exitNoModel || !strings.Contains(said, says) {
			t.Errorf("ask: %d %s", code, said)
		}
	}
	if n := canary.connections(); n != 0 {
		t.Errorf("%d connections", n)
	}
}

func mkdirAll(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLedgerFileIsTheAdministrators: a line for each request that has ended, in the names that
// collectors know and without text, where managed.toml names a file, and nowhere else.
func TestLedgerFileIsTheAdministrators(t *testing.T) {
	h := newHome(t)
	h.write("a.go", "package a\n\n// private words\nfunc F() {}\n")
	h.setKey()
	managed, file := filepath.Join(t.TempDir(), "managed.toml"), filepath.Join(t.TempDir(), "company", "ledger.jsonl")
	named := fmt.Sprintf("[policy]\nledger_file = %q\n", file)
	good, bad := chatServer(t, 200, "text/event-stream", ""), chatServer(t, 401, "application/json", `{"error":{"message":"bad key"}}`)
	h.write(h.config, oneModel(good)+named)
	if code, said := h.runManaged(managed, "ask", "--deep", "private question?"); code != exitConfig || !strings.Contains(said, "administrator") {
		t.Errorf("in the user's own file: %d %s", code, said)
	}
	h.write(h.config, oneModel(good))
	h.runManaged(managed, "ask", "private question?")
	h.write(managed, named)
	h.runManaged(managed, "ask", "private question?")
	h.write(h.config, oneModel(bad))
	h.runManaged(managed, "ask", "private question?")
	text := readFile(t, filepath.Dir(file), filepath.Base(file))
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 2 || strings.Contains(text, "private") || strings.Contains(text, canary) {
		t.Fatalf("the file is %s", text)
	}
	for i, want := range []map[string]any{
		{"gen_ai.operation.name": "chat", "gen_ai.provider.name": "p", "gen_ai.request.model": "gpt-9", "gen_ai.response.model": "gpt-9-mini", "gen_ai.usage.input_tokens": 100.0,
			"gen_ai.usage.output_tokens": 10.0, "server.address": strings.TrimPrefix(good, "http://"), "error.type": nil, "tandem.client": "tandem ask", "tandem.cost_usd": 0.0002},
		{"error.type": "auth", "gen_ai.response.model": nil, "server.address": strings.TrimPrefix(bad, "http://")},
	} {
		var got map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
			t.Fatal(err)
		}
		for key, value := range want {
			if got[key] != value {
				t.Errorf("line %d: %s is %v, want %v", i+1, key, got[key], value)
			}
		}
	}
	h.write(managed, "[policy]\nledger_file = \"ledger.jsonl\"\n")
	if code, said := h.runManaged(managed, "doctor"); code != exitConfig && !strings.Contains(said, "no whole path") {
		t.Errorf("%d %s", code, said)
	}
}
