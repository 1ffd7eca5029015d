package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/model/provider/socket"
	"tandem/workspace/run"
)

// A client sends requests to one configured model.
type client struct {
	provider model.ProviderConfig
	model    model.ModelConfig
	options  Options
	dialect  *dialect.Dialect
	bases    []*url.URL
	headers  map[string]string // env_http_headers, looked up
	http     *http.Client
	pool     *socket.Pool // of sockets; nil where the provider has none
	group    *run.Group
	own      bool // the client created the group and closes it
	drift    drift
	load     load

	mu     sync.Mutex   // guards all below
	server model.Server // what the server has said of itself
	halved bool         // the context was guessed once
	body   []byte       // of the last request
}

// New returns a client for one model of a provider. It contacts no server. The
// error is a sentence about the configuration.
func New(p model.ProviderConfig, m model.ModelConfig, o Options) (model.Client, error) {
	c := &client{provider: p, model: m, options: o.withDefaults()}
	if c.provider.WireAPI == "" {
		c.provider.WireAPI = "responses"
	}
	if err := c.configure(); err != nil {
		if _, disallowed := errors.AsType[*refusedError](err); disallowed {
			return nil, &model.Error{Code: model.CodePolicy, Provider: p.Name, Model: m.Name, Message: err.Error(), Err: err}
		}
		return nil, &model.Error{Code: model.CodeNotConfigured, Provider: p.Name, Model: m.Name, Message: err.Error()}
	}
	if c.group = o.Group; c.group == nil {
		c.group, c.own = run.NewGroup(context.Background(), nil), true
	}
	if p.SupportsWebsockets && c.provider.WireAPI == "responses" {
		c.pool = socket.NewPool(socket.Config{
			Provider: &c.provider, Model: &c.model, Path: c.dialect.Path, HTTP: c.http, Group: c.group, Clock: c.options.Clock, Observe: c.options.Observe,
			Header: func(base *url.URL, key model.Secret) http.Header {
				h := http.Header{}
				dialect.SetHeaders(h, &c.provider, base.Hostname(), key, c.headers, c.options.UserAgent)
				return h
			},
			Key: c.key, ErrorContext: c.errorContext, Dialed: dialed,
		})
	}
	c.drift.wall, c.drift.mono = c.options.Clock().Round(0), time.Now()
	return c, nil
}

func (c *client) configure() error {
	name := c.provider.Name
	if c.dialect = dialect.All[c.provider.WireAPI]; c.dialect == nil {
		return fmt.Errorf("wire_api = %q of [providers.%s] is not known; it is one of %s", c.provider.WireAPI, name, strings.Join(dialect.WireAPIs(), ", "))
	}
	if c.model.FIM != "" && !slices.Contains(model.FIMNames(), c.model.FIM) {
		return fmt.Errorf("fim = %q of [models.%s] is not known; it is one of %s", c.model.FIM, c.model.Name, strings.Join(model.FIMNames(), ", "))
	}
	if len(c.provider.BaseURLs) == 0 {
		return fmt.Errorf("[providers.%s] has no base_url; write the server's address there", name)
	}
	for _, base := range c.provider.BaseURLs {
		u, err := checkBase(base, &c.provider)
		if err != nil {
			return err
		}
		if err := c.options.Allow.refuses(hostPort(u)); err != nil {
			return err
		}
		c.bases = append(c.bases, u)
	}
	c.headers = map[string]string{}
	for header, variable := range c.provider.EnvHTTPHeaders {
		if v := os.Getenv(variable); v != "" {
			c.headers[header] = v
		}
	}
	transport, err := newTransport(&c.provider, c.options)
	if err != nil {
		return err
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return nil
}

// config is the model as it is configured, with what its server has said about it.
func (c *client) config() *model.ModelConfig {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model
	m.Server = c.server
	return &m
}

// checkBase reads a base URL and refuses to send keys and code in the clear.
func checkBase(base string, p *model.ProviderConfig) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("base_url of [providers.%s] is not an address such as https://host/v1", p.Name)
	}
	if u.Scheme == "http" && !p.AllowHTTP && !model.Loopback(u.Hostname()) {
		return nil, fmt.Errorf("base_url of [providers.%s] would send your code to %s unencrypted; use https://, or set allow_http = true", p.Name, u.Host)
	}
	return u, nil
}

// Close releases connections.
func (c *client) Close() error {
	if c.pool != nil {
		c.pool.Close()
	}
	c.http.CloseIdleConnections()
	if c.own {
		c.group.Close()
	}
	return nil
}

// Warm looks up the key and opens the connection that the next request will use.
func (c *client) Warm(ctx context.Context) error {
	c.checkDrift()
	base := c.base(c.options.Shared.endpoint(c.provider.Name, c.provider.BaseURLs, nil))
	key, f := c.key(ctx, base)
	if f != nil {
		return f.Error
	}
	if ours, f := c.describe(ctx, base, key); ours {
		if f != nil {
			return f.Error
		}
		return nil
	}
	if c.pool != nil && c.options.Shared.sockets(base.String()) == socketsUntried {
		f := c.pool.Warm(ctx, base)
		if f == nil {
			return nil
		}
		if f.Kind != dialect.KindNoSocket {
			return f.Error
		}
		c.options.Shared.setSockets(base.String(), false)
	}
	return c.warmHTTP(ctx, base)
}

// warmHTTP opens a connection and keeps it open. The request asks for nothing
// and carries no key, so the server's answer does not matter.
func (c *client) warmHTTP(ctx context.Context, base *url.URL) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, base.String(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", c.options.UserAgent)
	resp, err := c.http.Do(req)
	if err != nil {
		return dialed(c.errorContext(base, model.Secret{}), err).Error
	}
	return resp.Body.Close()
}

func (c *client) base(raw string) *url.URL {
	return c.bases[max(slices.Index(c.provider.BaseURLs, raw), 0)]
}

// served names the model at its server, for what is remembered of it.
func (c *client) served() string { return c.bases[0].String() + " " + c.model.Model }

func (c *client) errorContext(base *url.URL, key model.Secret) dialect.ErrorContext {
	return dialect.ErrorContext{Provider: c.provider.Name, Model: c.model.Name, Host: base.Host, Path: base.Path, Asked: c.model.Model, Wire: c.provider.WireAPI, Own: c.provider.Plain(), Key: key, EnvKey: c.provider.EnvKey}
}

// key returns the key; for a provider without one the key is empty.
func (c *client) key(ctx context.Context, base *url.URL) (model.Secret, *dialect.Failure) {
	if c.options.Key == nil {
		return model.Secret{}, nil
	}
	key, err := run.Await(ctx, c.group, "getting a key", func() (model.Secret, error) { return c.options.Key(ctx) })
	if err != nil && ctx.Err() != nil {
		return key, c.errorContext(base, key).Stopped(ctx)
	}
	if err != nil {
		if failed, ok := errors.AsType[*model.Error](err); ok {
			return key, &dialect.Failure{Error: failed}
		}
		return key, c.errorContext(base, key).Fail(model.CodeNotConfigured, dialect.KindOther, err, "give a key for %s: there is none (%v).", c.provider.Name, err)
	}
	return key, nil
}

// observeHeaders reports the limits in response headers.
func (c *client) observeHeaders(h http.Header, now time.Time) {
	if l, ok := dialect.HeaderLimits(h, now); ok {
		l.Model = c.model.Name
		c.options.Observe.Limits(l)
	}
}

// checkDrift closes every connection after the machine was suspended: the
// server no longer has them.
func (c *client) checkDrift() {
	if !c.drift.slept(c.options.Clock()) {
		return
	}
	c.http.CloseIdleConnections()
	if c.pool != nil {
		c.pool.CloseAll()
	}
}

// maxDrift is the largest normal difference between the wall clock and the
// monotonic one. A larger one means that the machine was suspended or its clock
// was set.
const maxDrift = time.Minute

// A drift compares the two clocks.
type drift struct {
	mu   sync.Mutex // guards the rest
	wall time.Time
	mono time.Time
}

// slept reports whether the clocks have drifted apart since the last call.
func (d *drift) slept(wall time.Time) bool {
	wall = wall.Round(0)
	d.mu.Lock()
	defer d.mu.Unlock()
	jump := wall.Sub(d.wall) - time.Since(d.mono)
	d.wall, d.mono = wall, time.Now()
	return jump > maxDrift || jump < -maxDrift
}
