package provider

import (
	"context"
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
	Models   []Offer
}

// A probe is one way to ask an address whether a kind of server is there.
type probe struct {
	kind, address string // address without a path, for the usual ports
	wire, base    string // wire API and base path
}

// localProbes are the usual ports of the usual servers.
var localProbes = []probe{
	{kind: "ollama", address: "http://127.0.0.1:11434", wire: "ollama"},
	{kind: "llama.cpp", address: "http://127.0.0.1:8080", wire: "infill"},
	{kind: "llama.cpp", address: "http://127.0.0.1:9931", wire: "infill"},
	{kind: "lmstudio", address: "http://127.0.0.1:1234", wire: "chat", base: "/v1"},
	{kind: "vllm", address: "http://127.0.0.1:8000", wire: "chat", base: "/v1"},
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
	found := make([]*Server, len(probes))
	g := run.NewGroup(ctx, nil)
	for i, p := range probes {
		g.Go("looking for "+p.kind, func(ctx context.Context) {
			if models, err := Offers(ctx, p.provider(), Options{Allow: allow, Group: g}); err == nil {
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
	at := func(address, wire string) model.ProviderConfig {
		q := p
		q.BaseURLs, q.WireAPI = []string{address}, wire
		return q
	}
	ways := []Server{{Provider: at(given, "chat")}}
	if address == given { // one with a path is a gateway
		ways = []Server{{Kind: "ollama", Provider: at(given, "ollama")}, {Provider: at(given, "chat")}, {Provider: at(given+"/v1", "chat")}}
		if body, err := get(ctx, at(given, "infill"), "/props", o); err == nil && readProps(body, nil) != (model.Server{}) {
			ways = []Server{{Kind: "llama.cpp", Provider: at(given, "infill")}}
		}
	}
	var failed error
	for _, way := range ways {
		models, err := Offers(ctx, way.Provider, o)
		if err == nil {
			way.Models = models
			return way, nil
		}
		failed = err
		if code := model.AsError(err).Code; code != model.CodeNotFound && code != model.CodeProtocol {
			break // no other path of this address would answer
		}
	}
	return Server{}, failed
}
