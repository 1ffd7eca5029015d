package provider

import (
	"context"
	"net"
	"time"

	"tandem/model"
	"tandem/workspace/run"
)

// Options are what a client needs from the program around it. The zero value
// sends no key and reports nothing.
type Options struct {
	// Key returns the key or a current token; it is asked once an attempt. Nil
	// means that the server wants none.
	Key func(ctx context.Context) (model.Secret, error)
	// Rejected, when set, is told a key that the server answered 401 to. If Key
	// then returns another one, the request is sent once more with it.
	Rejected func(model.Secret)
	// Observe hears of every request that leaves, of limits and of parameters
	// that were dropped. It may be nil.
	Observe model.Observer
	// Clock is the wall clock, compared with the monotonic one to notice that
	// the machine was suspended. Nil is time.Now.
	Clock func() time.Time
	// Dial opens TCP connections. Nil is a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Group runs the readers of sockets. Nil is a group of the client's own.
	Group *run.Group
	// Shared is what clients of one program remember together. Nil is nothing.
	Shared *Shared
	// UserAgent is sent with every request; "" is "tandem".
	UserAgent string
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext
	}
	if o.Shared == nil {
		o.Shared = NewShared()
	}
	if o.Observe == nil {
		o.Observe = silent{}
	}
	if o.UserAgent == "" {
		o.UserAgent = "tandem"
	}
	return o
}

// silent is an observer that does not listen.
type silent struct{}

func (silent) Sent(model.Sent)        {}
func (silent) Limits(model.Limits)    {}
func (silent) Dropped(string, string) {}
