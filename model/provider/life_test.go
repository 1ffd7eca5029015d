package provider

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
)

// opened is how many sockets the server has accepted.
func (s *chainServer) opened() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sockets
}

// TestRotation holds that a socket is replaced before the server ends it, while
// no request waits, and that no request is delayed by it.
func TestRotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &chainServer{}
		client, obs, stop := chainClient(t, s, nil)
		defer stop()
		for range 7 {
			wantText(t, ask(t, t.Context(), client, conversation("x")))
			time.Sleep(9 * time.Minute)
		}
		if s.opened() != 2 || obs.requests() != 7 {
			t.Errorf("in 63 minutes there were %d sockets and %d requests for 7, want 2 and 7", s.opened(), obs.requests())
		}
	})
}

// TestSuspend holds that after a suspension no old connection is used, and that
// the next request needs no second attempt.
func TestSuspend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &chainServer{}
		suspended := time.Duration(0)
		client, obs, stop := chainClient(t, s, func(_ *model.ProviderConfig, _ *model.ModelConfig, o *Options) {
			o.Clock = func() time.Time { return time.Now().Add(suspended) }
		})
		defer stop()
		wantText(t, ask(t, t.Context(), client, conversation("a")))
		suspended += 6 * time.Minute
		wantText(t, ask(t, t.Context(), client, conversation("a", "one two", "b")))
		if c := s.last(); s.opened() != 2 || c.Previous != "" || obs.requests() != 2 {
			t.Errorf("after the sleep: %d sockets, continued %q, %d requests; want a second socket, nothing continued, 2", s.opened(), c.Previous, obs.requests())
		}
	})
}

// TestLostChain holds that a response id that the server has lost costs one more
// request, with the whole input, on a new connection.
func TestLostChain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &chainServer{}
		client, obs, stop := chainClient(t, s, nil)
		defer stop()
		wantText(t, ask(t, t.Context(), client, conversation("a")))
		s.mu.Lock()
		s.lose = true
		s.mu.Unlock()
		wantText(t, ask(t, t.Context(), client, conversation("a", "one two", "b")))
		if c := s.last(); s.opened() != 2 || c.Previous != "" || len(c.Input) != 3 || obs.requests() != 3 {
			t.Errorf("after the loss: %d sockets, continued %q, %d items, %d requests; want 2, nothing, 3, 3", s.opened(), c.Previous, len(c.Input), obs.requests())
		}
	})
}

// TestBusySocketsDelayNoRequest holds that a request goes over HTTP if every
// socket is busy, and that sockets are used again afterwards.
func TestBusySocketsDelayNoRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, u, s := newFakeNet(t), &upgrades{}, &chainServer{life: time.Hour, hold: make(chan struct{})}
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				u.count(true)
				s.ServeHTTP(w, r)
				return
			}
			u.count(false)
			ok(w)
		}))
		defer stop()
		client, _ := newTestClient(t, n, withSockets)
		defer client.Close()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { wantText(t, ask(t, t.Context(), client, conversation("held"))) })
		}
		time.Sleep(time.Second)
		got := ask(t, t.Context(), client, conversation("now"))
		wantText(t, got)
		if sockets, posts := u.seen(); got.took > 0 || sockets != 3 || posts != 1 {
			t.Errorf("with every socket busy a request took %v, %d sockets and %d posts", got.took, sockets, posts)
		}
		close(s.hold)
		s.mu.Lock()
		s.hold = nil
		s.mu.Unlock()
		wg.Wait()
		wantText(t, ask(t, t.Context(), client, conversation("later")))
		if sockets, posts := u.seen(); sockets != 3 || posts != 1 {
			t.Errorf("later there were %d sockets and %d posts, want no more", sockets, posts)
		}
	})
}
