package provider

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
)

// canary is a key with characters that every encoding writes differently.
const canary = "sk-canary/+Aé&=Zq9-7f3a1c"

// TestKeyIsNeverPrinted lets servers echo the key in every place and form that
// they can, and searches for it in every error.
func TestKeyIsNeverPrinted(t *testing.T) {
	b64 := base64.StdEncoding
	echoes := []string{canary, url.QueryEscape(canary), url.PathEscape(canary), b64.EncodeToString([]byte(canary)),
		b64.EncodeToString([]byte("user:" + canary)), b64.EncodeToString([]byte("Bearer " + canary)), base64.URLEncoding.EncodeToString([]byte(canary)), hex.EncodeToString([]byte(canary))}
	for _, status := range []int{200, 307, 400, 401, 403, 404, 429, 500} {
		for _, ws := range []bool{false, true} {
			for _, echo := range echoes {
				synctest.Test(t, func(t *testing.T) { keyEcho(t, status, ws, echo, echoes) })
			}
		}
	}
}

func keyEcho(t *testing.T, status int, ws bool, echo string, forbidden []string) {
	n := newFakeNet(t)
	stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message := quoted("refused for " + echo + " now")
		w.Header().Set("Location", "https://x.test/"+echo)
		if status == 200 {
			stream(w, []string{whole[0], `{"type":"error","error":{"type":"` + "t" + `","message":` + message + `}}`})
			return
		}
		fail(w, status, `{"error":{"message":`+message+`,"param":`+message+`}}`)
	}))
	defer stop()
	zero := 0
	client, _ := newTestClient(t, n, func(p *model.ProviderConfig, _ *model.ModelConfig, o *Options) {
		p.SupportsWebsockets, p.RequestMaxRetries = ws, &zero
		o.Key = func(context.Context) (model.Secret, error) { return model.NewSecret(canary), nil }
	})
	defer client.Close()
	got := ask(t, t.Context(), client, hello())
	if got.err == nil {
		t.Fatalf("status %d gives no error", status)
	}
	out := fmt.Sprintf("%v %+v %#v %s %v %#v", got.err, got.err, got.err, got.err.Message, got.err.Err, got.err.Err)
	for _, form := range forbidden {
		if strings.Contains(out, form) {
			t.Errorf("status %d, echo %q: the key is in %s", status, echo, out)
		}
	}
}

// An authority signs certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tpl := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "lab"}, NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, tpl, tpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key, file: filepath.Join(t.TempDir(), "ca.pem")}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// serve answers with TLS under a certificate for a name.
func (a *authority) serve(t testing.TB, name string, expired bool, h http.Handler) *httptest.Server {
	t.Helper()
	end := time.Now().Add(time.Hour)
	if expired {
		end = time.Now().Add(-time.Hour)
	}
	tpl := &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: end, DNSNames: []string{name}}
	if ip := net.ParseIP(name); ip != nil {
		tpl.DNSNames, tpl.IPAddresses = nil, []net.IP{ip}
	}
	der, err := x509.CreateCertificate(rand.Reader, tpl, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = discardLog()
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: a.key}}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// askAt asks a server over a real network.
func askAt(t *testing.T, base string, change func(*model.ProviderConfig)) outcome {
	t.Helper()
	zero := 0
	p := model.ProviderConfig{Name: "lab", BaseURLs: []string{base + "/v1"}, WireAPI: "responses", SupportsWebsockets: true, RequestMaxRetries: &zero}
	if change != nil {
		change(&p)
	}
	client, err := New(p, model.ModelConfig{Name: "fast", Model: "m-1"}, Options{Key: func(context.Context) (model.Secret, error) { return model.NewSecret(canary), nil }})
	if err != nil {
		return outcome{err: err.(*model.Error)}
	}
	defer client.Close()
	return ask(t, t.Context(), client, hello())
}

// either serves answers over sockets and over HTTP, and counts both.
func (u *upgrades) either() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			u.count(true)
			conn := accept(w, r)
			defer conn.CloseNow()
			serveSocket(conn, func(int, string) []string { return whole })
			return
		}
		u.count(false)
		ok(w)
	})
}

// TestCertificates holds that TLS faults are distinguished on both transports,
// and that an authority that the user names is trusted.
func TestCertificates(t *testing.T) {
	a := newAuthority(t)
	named := func(p *model.ProviderConfig) { p.CAFile = a.file }
	over := func(ws bool, change func(*model.ProviderConfig)) func(*model.ProviderConfig) {
		return func(p *model.ProviderConfig) {
			p.SupportsWebsockets = ws
			if change != nil {
				change(p)
			}
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.pem")
	if err := os.WriteFile(broken, []byte("not a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ws := range []bool{true, false} {
		u := &upgrades{}
		good := a.serve(t, "127.0.0.1", false, u.either())
		plain := httptest.NewServer(u.either())
		t.Cleanup(plain.Close)
		for _, c := range []struct {
			name, base, message string
			change              func(*model.ProviderConfig)
			code                model.Code
		}{
			{"unknown authority", good.URL, "authority", nil, model.CodeTLS},
			{"authority in ca_file", good.URL, "", named, ""},
			{"expired", a.serve(t, "127.0.0.1", true, u.either()).URL, "clock", named, model.CodeTLS},
			{"other name", a.serve(t, "other.test", false, u.either()).URL, "another name", named, model.CodeTLS},
			{"no TLS", strings.Replace(plain.URL, "http:", "https:", 1), "does not speak TLS", nil, model.CodeTLS},
			{"no PEM", good.URL, "BEGIN CERTIFICATE", func(p *model.ProviderConfig) { p.CAFile = broken }, model.CodeNotConfigured},
			{"no file", good.URL, "cannot read", func(p *model.ProviderConfig) { p.CAFile = broken + "x" }, model.CodeNotConfigured},
		} {
			got := askAt(t, c.base, over(ws, c.change))
			if c.code == "" {
				wantText(t, got)
			} else if got.err == nil || got.err.Code != c.code || !strings.Contains(got.err.Message, c.message) {
				t.Errorf("%s, sockets %v: %v, want %s with %q", c.name, ws, got.err, c.code, c.message)
			}
		}
		if s, p := u.seen(); ws != (s == 1) || ws != (p == 0) {
			t.Errorf("sockets %v: %d sockets and %d posts reached a server", ws, s, p)
		}
	}
}

func TestCertificatesFromTheEnvironment(t *testing.T) {
	a, u := newAuthority(t), &upgrades{}
	good := a.serve(t, "127.0.0.1", false, u.either())
	t.Setenv("SSL_CERT_FILE", a.file)
	wantText(t, askAt(t, good.URL, nil))
}

// A connectProxy is a proxy for CONNECT that records what it receives.
type connectProxy struct {
	mu     sync.Mutex
	heads  []string
	answer string // to CONNECT; "" lets it through
}

func (c *connectProxy) start(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { c.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
	return "http://" + l.Addr().String()
}

func (c *connectProxy) serve(conn net.Conn) {
	defer conn.Close()
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	var head strings.Builder
	_ = req.Header.Write(&head)
	c.mu.Lock()
	c.heads = append(c.heads, req.Method+" "+req.Host+"\n"+head.String())
	c.mu.Unlock()
	if c.answer != "" {
		_, _ = io.WriteString(conn, "HTTP/1.1 "+c.answer+"\r\nContent-Length: 0\r\n\r\n")
		return
	}
	up, err := net.Dial("tcp", req.Host)
	if err != nil {
		return
	}
	defer up.Close()
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	var wg sync.WaitGroup
	wg.Go(func() {
		_, _ = io.Copy(up, conn)
		_ = up.(*net.TCPConn).CloseWrite()
	})
	_, _ = io.Copy(conn, up)
	_ = conn.Close()
	wg.Wait()
}

// TestProxies holds that a proxy is used if one is named, that the key never
// reaches it, and that its refusals are reported as proxy errors.
func TestProxies(t *testing.T) {
	a, u := newAuthority(t), &upgrades{}
	server := a.serve(t, "127.0.0.1", false, u.either())
	for _, c := range []struct {
		name, answer, message string
		code                  model.Code
	}{
		{"lets through", "", "", ""},
		{"wants a password", "407 Proxy Authentication Required", "(407)", model.CodeProxy},
		{"refuses", "403 Forbidden", "does not let requests through", model.CodeProxy},
	} {
		for _, ws := range []bool{true, false} {
			proxy := &connectProxy{answer: c.answer}
			address := proxy.start(t)
			got := askAt(t, server.URL, func(p *model.ProviderConfig) { p.Proxy, p.CAFile, p.SupportsWebsockets = address, a.file, ws })
			if c.code == "" {
				wantText(t, got)
			} else if got.err == nil || got.err.Code != c.code || !strings.Contains(got.err.Message, c.message) {
				t.Errorf("%s: %v, want %s with %q", c.name, got.err, c.code, c.message)
			}
			if len(proxy.heads) == 0 || strings.Contains(strings.Join(proxy.heads, "\n"), "canary") {
				t.Errorf("%s: the proxy was sent %q", c.name, proxy.heads)
			}
		}
	}
	if got := askAt(t, server.URL, func(p *model.ProviderConfig) { p.Proxy, p.CAFile = "http://127.0.0.1:1", a.file }); got.err == nil || got.err.Code != model.CodeProxy {
		t.Errorf("a proxy that is not there gives %v", got.err)
	}
}

// TestProxyFromTheEnvironment holds that the variables count in both cases of
// letters, as they are at the time of each connection, and that NO_PROXY does.
func TestProxyFromTheEnvironment(t *testing.T) {
	choose, err := proxyFor("")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ variable, value, no, target, want string }{
		{"HTTPS_PROXY", "http://one.test:1", "", "https://api.example.com", "http://one.test:1"},
		{"https_proxy", "http://two.test:2", "", "https://api.example.com", "http://two.test:2"},
		{"HTTPS_PROXY", "http://one.test:1", ".example.com", "https://api.example.com", ""},
		{"HTTPS_PROXY", "http://one.test:1", "10.0.0.0/8", "https://10.1.2.3", ""},
		{"HTTPS_PROXY", "http://one.test:1", "10.0.0.0/8", "https://11.1.2.3", "http://one.test:1"},
		{"HTTPS_PROXY", "http://one.test:1", "", "http://127.0.0.1:8080", ""},
	} {
		t.Run(c.variable, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			t.Setenv("NO_PROXY", c.no)
			target, _ := url.Parse(c.target)
			got, err := choose(&http.Request{URL: target})
			if err != nil || got == nil && c.want != "" || got != nil && got.String() != c.want {
				t.Errorf("%s=%s NO_PROXY=%s: %s goes through %v (%v), want %q", c.variable, c.value, c.no, c.target, got, err, c.want)
			}
		})
	}
}

// TestRedirectsAreNotFollowed holds that no other host ever sees the request.
func TestRedirectsAreNotFollowed(t *testing.T) {
	u := &upgrades{}
	other := httptest.NewServer(u.either())
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, status)
		}))
		got := askAt(t, here.URL, nil)
		here.Close()
		if got.err == nil || got.err.Code != model.CodeProtocol {
			t.Errorf("%d gives %v", status, got.err)
		}
	}
	if s, p := u.seen(); s+p != 0 {
		t.Errorf("the other host was asked %d times", s+p)
	}
}

// TestConfigurationIsChecked holds that a configuration mistake is reported before
// anything is sent.
func TestConfigurationIsChecked(t *testing.T) {
	for _, c := range []struct {
		message  string
		provider model.ProviderConfig
		model    model.ModelConfig
	}{
		{"allow_http", model.ProviderConfig{BaseURLs: []string{"http://far.example/v1"}}, model.ModelConfig{}},
		{"not an address", model.ProviderConfig{BaseURLs: []string{"far.example"}}, model.ModelConfig{}},
		{"no base_url", model.ProviderConfig{}, model.ModelConfig{}},
		{"wire_api", model.ProviderConfig{BaseURLs: []string{"https://x"}, WireAPI: "telepathy"}, model.ModelConfig{}},
		{"fim", model.ProviderConfig{BaseURLs: []string{"https://x"}}, model.ModelConfig{FIM: "unknown"}},
		{"proxy", model.ProviderConfig{BaseURLs: []string{"https://x"}, Proxy: "http://"}, model.ModelConfig{}},
	} {
		_, err := New(c.provider, c.model, Options{})
		if known := model.AsError(err); known == nil || known.Code != model.CodeNotConfigured || !strings.Contains(known.Message, c.message) {
			t.Errorf("%+v gives %v, want a message with %q", c.provider, err, c.message)
		}
	}
}
