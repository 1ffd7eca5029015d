package provider

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tandem/model"
	"tandem/workspace/run"
)

// A Server is a model server that has answered which models it offers.
type Server struct {
	Kind     string // ollama, llama.cpp, lmstudio, vllm; "" where only its protocol is known
	Provider model.ProviderConfig
	Models   []Offered
}

// A probe is one way to ask an address whether a kind of server is there.
type probe struct {
	kind, address string // address without a path, for the usual ports
	list          string // path of the list of models
	wire, base    string // wire API and base path for completions
}

// localProbes are the usual ports of the usual servers.
var localProbes = []probe{
	{kind: "ollama", address: "http://127.0.0.1:11434", list: "/api/tags", wire: "ollama"},
	{kind: "llama.cpp", address: "http://127.0.0.1:8080", list: "/v1/models", wire: "infill"},
	{kind: "llama.cpp", address: "http://127.0.0.1:9931", list: "/v1/models", wire: "infill"},
	{kind: "lmstudio", address: "http://127.0.0.1:1234", list: "/v1/models", wire: "chat", base: "/v1"},
	{kind: "vllm", address: "http://127.0.0.1:8000", list: "/v1/models", wire: "chat", base: "/v1"},
}

// probeWithin bounds the query of the ports; they are on this machine.
const probeWithin = time.Second

// FindLocal searches this machine's usual ports for model servers. It is only
// called because the user asked for it. It carries no key and contacts only the
// loopback interface.
func FindLocal(ctx context.Context, allow Allow) []Server {
	return findLocal(ctx, localProbes, allow)
}

func findLocal(ctx context.Context, probes []probe, allow Allow) []Server {
	ctx, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	web := &http.Client{Transport: Guard(transport, allow), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	found := make([]*Server, len(probes))
	g := run.NewGroup(ctx, nil)
	for i, p := range probes {
		g.Go("looking for "+p.kind, func(ctx context.Context) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address+p.list, nil)
			if err != nil {
				return
			}
			if models, err := fetchModels(web, req); err == nil {
				found[i] = &Server{p.kind, p.provider(), models}
			}
		})
	}
	g.Wait()
	g.Close()
	var out []Server
	for _, s := range found {
		if s != nil {
			out = append(out, *s)
		}
	}
	return out
}

func (p probe) provider() model.ProviderConfig {
	return model.ProviderConfig{Name: strings.ReplaceAll(p.kind, ".", ""), BaseURLs: []string{p.address + p.base}, WireAPI: p.wire}
}

// Find asks an address that the user has given which kind of server is there and which
// models it offers. The provider's other settings and options are those of a client.
func Find(ctx context.Context, p model.ProviderConfig, o Options) (Server, error) {
	given := strings.TrimRight(strings.TrimSpace(p.BaseURLs[0]), "/")
	address := given
	if u, err := url.Parse(given); err == nil && u.Host != "" {
		u.Path, u.RawPath, u.RawQuery = "", "", ""
		address = u.String()
	}
	probes := []probe{
		{kind: "ollama", address: address, list: "/api/tags", wire: "ollama"},
		{kind: "llama.cpp", address: address, list: "/props", wire: "infill"},
		{address: given, list: "/models", wire: "chat"},
	}
	if address == given {
		probes = append(probes, probe{address: address, list: "/v1/models", wire: "chat", base: "/v1"})
	} else {
		probes = probes[2:] // a server with a path is a gateway
	}
	var first error
	for _, way := range probes {
		asked := p
		asked.BaseURLs, asked.WireAPI = []string{way.address + way.base}, way.wire
		at := way.address + way.list
		models, err := Models(ctx, asked, at, o)
		if err == nil && way.kind == "llama.cpp" { // its properties name no model
			models, err = Models(ctx, asked, way.address+"/v1/models", o)
		}
		if err == nil {
			return Server{way.kind, asked, models}, nil
		}
		if failed := model.AsError(err); failed.Code != model.CodeNotFound && failed.Code != model.CodeProtocol {
			return Server{Provider: asked}, err // no other path of this address would answer
		}
		if way.kind == "" {
			first = err
		}
	}
	return Server{}, first
}
