package provider

import (
	"context"
	"net"
	"time"

	"tandem/model"
	"tandem/workspace/run"
)

// Options are what a client needs from its program. The zero value
// sends no key and reports nothing.
type Options struct {
	// Key returns the key or a current token; it is called once per attempt. Nil
	// means that the server needs none.
	Key func(ctx context.Context) (model.Secret, error)
	// Rejected, if set, receives a key that the server answered with 401. If Key
	// then returns another one, the request is sent once more with it.
	Rejected func(model.Secret)
	// Observe receives every request that is sent, limits and dropped
	// parameters. It may be nil.
	Observe model.Observer
	// Clock is the wall clock, compared with the monotonic one to notice that
	// the machine was suspended. Nil is time.Now.
	Clock func() time.Time
	// Allow is asked about every host before anything is sent to it. Nil allows all.
	Allow Allow
	// Dial opens TCP connections. Nil is a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Group runs the readers of sockets. If nil, the client creates one.
	Group *run.Group
	// Shared is the state that the clients of one program share. If nil, the
	// client shares nothing.
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
		o.Observe = discardObserver{}
	}
	if o.UserAgent == "" {
		o.UserAgent = "tandem"
	}
	return o
}

// discardObserver is an observer that discards every report.
type discardObserver struct{}

func (discardObserver) Sent(model.Sent)                 {}
func (discardObserver) Limits(model.Limits)             {}
func (discardObserver) ParameterRefused(string, string) {}

// Server discards a report.
func (discardObserver) Server(string, model.Server) {}

// Measured discards a report.
func (discardObserver) Measured(string, model.Speed) {}

// Failing discards a report.
func (discardObserver) Failing(string, *model.Error) {}
