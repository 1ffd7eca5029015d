package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/http/httpproxy"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/workspace/disk"
)

// errProxyAuth is a proxy that answered 407 to CONNECT.
var errProxyAuth = errors.New("the proxy wants a user name and password")

// proxyError is a proxy that refused a connection in another way.
type proxyError struct{ status int }

func (e *proxyError) Error() string { return fmt.Sprintf("the proxy answered %d", e.status) }

// newTransport returns the only transport to the network: server-sent events and
// upgrades both use it, so that proxies and certificates apply to both.
func newTransport(p *model.ProviderConfig, o Options) (http.RoundTripper, error) {
	roots, err := rootCAs(p)
	if err != nil {
		return nil, err
	}
	proxy, err := proxyFor(p.Proxy)
	if err != nil {
		return nil, fmt.Errorf("proxy of [providers.%s] is not an address such as http://proxy.example:3128", p.Name)
	}
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	return Guard(&http.Transport{
		Proxy:                  proxy,
		DialContext:            o.Dial,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(16)},
		TLSHandshakeTimeout:    10 * time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    8,
		DisableCompression:     true,
		Protocols:              protocols, // measured: HTTP/2 costs more CPU per token and delivers later
		OnProxyConnectResponse: proxyAnswer,
	}, o.Allow), nil
}

func proxyAnswer(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusProxyAuthRequired:
		return errProxyAuth
	}
	return &proxyError{resp.StatusCode}
}

// proxyFor is the proxy that a provider names ("none" for a direct connection),
// else the one that the environment names at the time of the request.
func proxyFor(configured string) (func(*http.Request) (*url.URL, error), error) {
	switch configured {
	case "":
		return func(r *http.Request) (*url.URL, error) {
			return httpproxy.FromEnvironment().ProxyFunc()(r.URL)
		}, nil
	case "none", "direct":
		return nil, nil
	}
	if !strings.Contains(configured, "://") {
		configured = "http://" + configured
	}
	u, err := url.Parse(configured)
	if err != nil || u.Host == "" {
		return nil, errors.New("not an address")
	}
	return http.ProxyURL(u), nil
}

// rootCAs are the system's certificates and those of a file: the provider's,
// else that of SSL_CERT_FILE. Nil is the system's alone: where no address of the provider is
// encrypted, as that of a server on this machine, the environment's file is not read.
func rootCAs(p *model.ProviderConfig) (*x509.CertPool, error) {
	file := p.CAFile
	if file == "" && (strings.HasPrefix(p.Proxy, "https:") || slices.ContainsFunc(p.BaseURLs, func(u string) bool { return !strings.HasPrefix(u, "http:") })) {
		file = os.Getenv("SSL_CERT_FILE")
	}
	if file == "" {
		return nil, nil
	}
	pem, err := disk.ReadFile(file, disk.MaxSettings)
	if err != nil {
		return nil, fmt.Errorf("cannot read the certificates in %s; correct ca_file or SSL_CERT_FILE: %w", file, err)
	}
	if pool, ok := pools.Load(string(pem)); ok {
		return pool.(*x509.CertPool), nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form; it must contain BEGIN CERTIFICATE lines", file)
	}
	pools.Store(string(pem), pool)
	return pool, nil
}

// pools are the certificates by the text of the file that added to the system's: to read them
// takes 10 ms, and each provider of a company names the same file. Nobody changes a pool.
var pools sync.Map

// dialed returns the failure for a failed connection.
func dialed(ec dialect.ErrorContext, err error) *dialect.Failure {
	var dns *net.DNSError
	var op *net.OpError
	var refused *proxyError
	var disallowed *refusedError
	switch {
	case errors.As(err, &disallowed):
		return notAllowed(ec, disallowed)
	case errors.Is(err, context.Canceled):
		return ec.Fail(model.CodeCancelled, dialect.KindOther, err, "the request was stopped.")
	case errors.Is(err, errProxyAuth):
		return ec.Answered(&dialect.APIError{Status: http.StatusProxyAuthRequired}, time.Time{})
	case errors.As(err, &refused):
		return ec.Fail(model.CodeProxy, dialect.KindDial, err, "check proxy of [providers.%s], HTTPS_PROXY and NO_PROXY: the proxy does not let requests through to %s (%d).", ec.Provider, ec.Host, refused.status)
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return ec.Fail(model.CodeProxy, dialect.KindDial, err, "check proxy of [providers.%s], HTTPS_PROXY and NO_PROXY: the proxy in front of %s cannot be reached.", ec.Provider, ec.Host)
	case errors.As(err, &dns):
		return ec.Fail(model.CodeUnreachable, dialect.KindDNS, err, "check base_url of [providers.%s] and the network: the name %s has no address.", ec.Provider, hostOf(ec.Host))
	}
	if f := badCertificate(ec, err); f != nil {
		return f
	}
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, refusedByWindows) {
		return ec.Fail(model.CodeUnreachable, dialect.KindDial, err, "start the server, or correct base_url of [providers.%s]: nothing listens at %s.", ec.Provider, ec.Host)
	}
	return ec.Fail(model.CodeUnreachable, dialect.KindDial, err, "check the network and base_url of [providers.%s]: %s cannot be reached.", ec.Provider, ec.At())
}

// refusedByWindows is the number that Windows has for ECONNREFUSED.
const refusedByWindows = syscall.Errno(10061)

// notAllowed returns the failure for a host that is not allowed.
func notAllowed(ec dialect.ErrorContext, err error) *dialect.Failure {
	return ec.Fail(model.CodePolicy, dialect.KindOther, err, "%s", err.Error())
}

// badCertificate classifies TLS faults; nil means another kind of error.
func badCertificate(ec dialect.ErrorContext, err error) *dialect.Failure {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		alert     tls.AlertError
	)
	tlsFailure := func(format string, args ...any) *dialect.Failure {
		return ec.Fail(model.CodeTLS, dialect.KindOther, err, format, args...)
	}
	switch {
	case errors.As(err, &name):
		return tlsFailure("check base_url of [providers.%s]: the certificate of %s is for another name.", ec.Provider, ec.Host)
	case errors.As(err, &authority):
		return tlsFailure("name the file of your company's authority in ca_file of [providers.%s] or in SSL_CERT_FILE: this machine does not know who signed the certificate of %s.", ec.Provider, ec.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return tlsFailure("check this machine's clock, then ask who runs the server: the certificate of %s has expired or is not valid yet.", ec.Host)
	case errors.As(err, &invalid):
		return tlsFailure("ask who runs %s: its certificate is not valid for a server.", ec.Host)
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return tlsFailure("write http:// in base_url of [providers.%s] if it is a local server: %s does not speak TLS.", ec.Provider, ec.Host)
	case errors.As(err, &alert):
		return tlsFailure("check ca_file and base_url of [providers.%s]: %s refused the TLS connection.", ec.Provider, ec.Host)
	}
	return nil
}
