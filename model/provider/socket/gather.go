package socket

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"tandem/workspace/run"
)

// A Gather waits a little before more of a fast answer is read that nobody waits for while
// typing: a thousand tokens a second are not a thousand reads. What shows them gathers them for
// longer. A server is fast after so many quick reads of little. The zero value never waits.
type Gather struct {
	On    bool
	quick int // reads in a row that were quick
}

const (
	gatherWithin = 4 * time.Millisecond
	quickReads   = 16
	littleRead   = 4 << 10
)

// Wait waits before a read, if the server is fast.
func (g *Gather) Wait(ctx context.Context) {
	if g.On && g.quick >= quickReads {
		run.Sleep(ctx, gatherWithin)
	}
}

// Read notes that a read took so long and gave n bytes.
func (g *Gather) Read(took time.Duration, n int) {
	if g.quick++; took >= gatherWithin || n > littleRead {
		g.quick = 0
	}
}

// A gathered transport gathers what is read of the connection to which a request is upgraded.
type gathered struct {
	http.RoundTripper
	typing *atomic.Bool // somebody types, and waits for the newest request
}

// RoundTrip implements http.RoundTripper.
func (t gathered) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		return resp, err
	}
	if conn, ok := resp.Body.(io.ReadWriteCloser); ok {
		resp.Body = &gatheredConn{ReadWriteCloser: conn, typing: t.typing}
	}
	return resp, nil
}

type gatheredConn struct {
	io.ReadWriteCloser
	typing *atomic.Bool
	gather Gather // of the one reader
}

// Read implements io.Reader.
func (c *gatheredConn) Read(p []byte) (int, error) {
	c.gather.On = !c.typing.Load()
	c.gather.Wait(context.Background())
	began := time.Now()
	n, err := c.ReadWriteCloser.Read(p)
	c.gather.Read(time.Since(began), n)
	return n, err
}
