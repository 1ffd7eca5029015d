package socket

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"tandem/model"
	"tandem/workspace/redact"
)

// poolWith returns a pool that has one open socket to a server.
func poolWith(server string, streamIDs bool) (*Pool, *socket) {
	p := NewPool(Config{Provider: &model.ProviderConfig{StreamIDs: streamIDs}, Model: &model.ModelConfig{}})
	base, _ := url.Parse(server)
	k := &socket{pool: p, base: base, born: time.Now()}
	p.sockets = []*socket{k}
	return p, k
}

func messages(texts ...string) (out []model.Message) {
	for _, t := range texts {
		out = append(out, model.Message{Text: redact.Said(t)})
	}
	return out
}

func TestRequestContinuesTheLongestChainItBeginsWith(t *testing.T) {
	for _, c := range []struct {
		name      string
		streamIDs bool
		sig       string
		request   Request
		want      string // id of the chain
	}{
		{"the longest", true, "s", Request{Input: messages("a", "b", "c", "d")}, "long"},
		{"only part of it is the same", true, "s", Request{Input: messages("a", "b", "x", "d")}, "short"},
		{"nothing new", true, "s", Request{Input: messages("a", "b", "c")}, "short"},
		{"other settings", true, "other", Request{Input: messages("a", "b", "c", "d")}, ""},
		{"a fresh conversation", true, "s", Request{Input: messages("a", "b", "c", "d"), Fresh: true}, ""},
		{"a server without stream ids has the stream's own chain alone", false, "s", Request{Input: messages("a", "b", "c", "d")}, "short"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, k := poolWith("https://example.com", c.streamIDs)
			own, other := p.newLogicalStream(k, ""), p.newLogicalStream(k, "lane-b")
			own.chain = chain{"short", "s", messages("a", "b")}
			other.chain = chain{"long", "s", messages("a", "b", "c")}
			if got := p.parent(own, c.sig, &c.request); got.id != c.want {
				t.Errorf("continues %q, want %q", got.id, c.want)
			}
			other.busy = true
			if got := p.parent(own, c.sig, &c.request); got.id == "long" {
				t.Error("continues a chain whose stream is busy")
			}
		})
	}
}

func TestStreamIsChosenOnALiveSocketOfTheServer(t *testing.T) {
	p, k := poolWith("https://example.com", false)
	here, _ := url.Parse("https://example.com")
	elsewhere, _ := url.Parse("https://example.org")
	if l, _ := p.choose(here, "s", &Request{}); l == nil || l.socket != k {
		t.Fatal("the open socket is not used")
	}
	if l, _ := p.choose(elsewhere, "s", &Request{}); l != nil {
		t.Error("a socket to another server is used")
	}
	k.streams[0].busy = true
	if l, _ := p.choose(here, "s", &Request{}); l != nil {
		t.Error("a busy stream is used, or a second one without stream ids")
	}
	p.config.Provider.StreamIDs = true
	for range maxStreamIDs {
		l, _ := p.choose(here, "s", &Request{})
		if l == nil {
			t.Fatal("no further stream on a socket with stream ids")
		}
		l.busy = true
	}
	if l, _ := p.choose(here, "s", &Request{}); l != nil {
		t.Errorf("more than %d stream ids on one socket", maxStreamIDs)
	}
	k.streams[0].busy = false
	k.born = time.Now().Add(-socketLife)
	if l, _ := p.choose(here, "s", &Request{}); l != nil {
		t.Error("a socket that the server is about to close is used")
	}
	k.born, k.dead = time.Now(), true
	if l, _ := p.choose(here, "s", &Request{}); l != nil {
		t.Error("a dead socket is used")
	}
}

func TestWhatRequestsShareIsKeptOnAStreamOfItsOwn(t *testing.T) {
	large := strings.Repeat("x", baseBytes)
	last := messages(large, "b", "c")
	for _, c := range []struct {
		name    string
		request Request
		sig     string
		known   int
		want    int
	}{
		{"the common start", Request{Input: messages(large, "b", "d")}, "s", 0, 2},
		{"never the whole input", Request{Input: messages(large, "b")}, "s", 0, 1},
		{"too small", Request{Input: messages("b", "c")}, "s", 0, 0},
		{"known already", Request{Input: messages(large, "b", "d")}, "s", 1, 0},
		{"other settings", Request{Input: messages(large, "b", "d")}, "other", 0, 0},
		{"a fresh conversation", Request{Input: messages(large, "b", "d"), Fresh: true}, "s", 0, 0},
	} {
		p, k := poolWith("https://example.com", true)
		p.last, p.lastSig = last, "s"
		if got := p.sharedPrefix(p.newLogicalStream(k, ""), c.sig, &c.request, c.known); got != c.want {
			t.Errorf("%s: %d messages, want %d", c.name, got, c.want)
		}
		p.config.Provider.StreamIDs = false
		if got := p.sharedPrefix(k.streams[0], c.sig, &c.request, c.known); got != 0 {
			t.Errorf("%s: kept on a server without stream ids", c.name)
		}
	}
}

func TestSocketNobodyReadsIsStale(t *testing.T) {
	p, k := poolWith("https://example.com", false)
	l := p.newLogicalStream(k, "")
	resp := newResponse(l, "s", nil, 0)
	l.active, l.busy = resp, true
	if p.stale() != nil {
		t.Error("a socket whose response is read is stale")
	}
	if !p.alone(resp) {
		t.Error("the only response is not alone")
	}
	resp.skip = true
	if p.stale() != k {
		t.Error("a socket whose only response was abandoned is not stale")
	}
	p.released(l, chain{id: "r"})
	if l.busy || l.active != nil || l.chain.id != "r" {
		t.Errorf("a released stream: %+v", l)
	}
}
