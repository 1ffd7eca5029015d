package provider

import (
	"context"
	"net"
	"net/http"
	"net/url"
)

// Allow reports why no connection may be made to a host ("host:port"), nil if
// it may. Its error is a sentence for the user.
type Allow func(host string) error

// AllowURL is allow for the host that a URL leads to.
func AllowURL(allow Allow, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	return allow.refuses(hostPort(u))
}

// A refusedError is a connection that is not allowed.
type refusedError struct{ error }

func (e *refusedError) Unwrap() error { return e.error }

// refuses returns a *refusedError if a host is not allowed.
func (a Allow) refuses(host string) error {
	if a == nil {
		return nil
	}
	if err := a(host); err != nil {
		return &refusedError{err}
	}
	return nil
}

// hostPort is the host and port that a URL leads to.
func hostPort(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	port := "80"
	if u.Scheme == "https" || u.Scheme == "wss" {
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Guard returns a transport that asks allow about the host of every request,
// redirects and upgrades included, and about every address that t connects to,
// such as a proxy's. It sets t's DialContext.
func Guard(t *http.Transport, allow Allow) http.RoundTripper {
	dial := t.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := allow.refuses(address); err != nil {
			return nil, err
		}
		return dial(ctx, network, address)
	}
	return &guard{t, allow}
}

// A guard is a transport that makes allowed requests alone.
type guard struct {
	*http.Transport
	allow Allow
}

// RoundTrip implements http.RoundTripper.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.allow.refuses(hostPort(r.URL)); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	return g.Transport.RoundTrip(r)
}
