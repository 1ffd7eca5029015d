package provider

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"tandem/model"
)

// upgrades counts the upgrades and the posts that a server with sockets gets.
type upgrades struct {
	mu             sync.Mutex
	sockets, posts int
}

func (u *upgrades) count(ws bool) (n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if ws {
		u.sockets++
		return u.sockets
	}
	u.posts++
	return u.posts
}

func (u *upgrades) seen() (sockets, posts int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.sockets, u.posts
}

func withSockets(p *model.ProviderConfig, _ *model.ModelConfig, _ *Options) {
	p.SupportsWebsockets = true
}

// TestUpgradeRefused holds that after a failed upgrade there is none for ten
// minutes, and that it causes no error.
func TestUpgradeRefused(t *testing.T) {
	for name, refuse := range map[string]func(http.ResponseWriter, *http.Request){
		"426":   func(w http.ResponseWriter, _ *http.Request) { fail(w, 426, "{}") },
		"403":   func(w http.ResponseWriter, _ *http.Request) { fail(w, 403, "{}") },
		"407":   func(w http.ResponseWriter, _ *http.Request) { fail(w, 407, "{}") },
		"404":   func(w http.ResponseWriter, _ *http.Request) { fail(w, 404, "{}") },
		"503":   func(w http.ResponseWriter, _ *http.Request) { fail(w, 503, "{}") },
		"cut":   func(w http.ResponseWriter, _ *http.Request) { cut(w) },
		"hangs": func(_ http.ResponseWriter, r *http.Request) { hangs(r) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, u := newFakeNet(t), &upgrades{}
				stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodGet {
						u.count(true)
						refuse(w, r)
						return
					}
					u.count(false)
					ok(w)
				}))
				defer stop()
				client, _ := newTestClient(t, n, withSockets)
				defer client.Close()
				for i := range 3 {
					if o := ask(t, t.Context(), client, hello()); o.text != "one two" {
						t.Errorf("request %d gives %q, %v", i, o.text, o.err)
					}
				}
				if s, p := u.seen(); s != 1 || p != 3 {
					t.Errorf("%d upgrades and %d posts, want 1 and 3", s, p)
				}
				time.Sleep(noSocketFor + time.Second)
				ask(t, t.Context(), client, hello())
				synctest.Wait()
				if s, p := u.seen(); s != 2 || p != 4 {
					t.Errorf("after ten minutes %d upgrades and %d posts, want 2 and 4", s, p)
				}
			})
		})
	}
}

// TestCloseCodes holds which close codes are followed by another attempt.
func TestCloseCodes(t *testing.T) {
	for code, retry := range map[websocket.StatusCode]bool{1000: true, 1001: true, 1011: true, 1012: true, 1013: true, 0: true,
		1002: false, 1003: false, 1007: false, 1008: false, 1009: false, 1010: false} {
		t.Run(fmt.Sprint(int(code)), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, u := newFakeNet(t), &upgrades{}
				stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					conn := accept(w, r)
					defer conn.CloseNow()
					if u.count(true) > 1 {
						serveSocket(conn, func(int, string) []string { return whole })
						return
					}
					_, _, _ = conn.Read(r.Context())
					_ = conn.Write(context.Background(), websocket.MessageText, []byte(whole[0]))
					if code != 0 {
						_ = conn.Close(code, "")
					}
				}))
				defer stop()
				client, obs := newTestClient(t, n, withSockets)
				defer client.Close()
				got := ask(t, t.Context(), client, hello())
				if retry != (got.text == "one two") || retry != (obs.requests() == 2) {
					t.Errorf("close code %d: text %q, %v after %d requests, want retry %v", code, got.text, got.err, obs.requests(), retry)
				}
			})
		})
	}
}

// serveSocket answers each message with events until the socket ends.
func serveSocket(conn *websocket.Conn, answer func(n int, body string) []string) {
	for n := 1; ; n++ {
		_, body, err := conn.Read(context.Background())
		if err != nil {
			return
		}
		for _, e := range answer(n, string(body)) {
			if conn.Write(context.Background(), websocket.MessageText, []byte(e)) != nil {
				return
			}
		}
	}
}
