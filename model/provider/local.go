package provider

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"tandem/model"
	"tandem/workspace/run"
)

// A LocalServer is a model server found on this machine.
type LocalServer struct {
	Kind     string // ollama, llama.cpp, lmstudio, vllm
	Provider model.ProviderConfig
	Models   []string // that it offers
}

// A localProbe is the address where a kind of server usually listens, and how to
// use that server.
type localProbe struct {
	kind, address string
	list          string // path of the list of models
	wire, base    string // wire API and base path for completions
}

// localProbes are the usual ports of the usual servers.
var localProbes = []localProbe{
	{kind: "ollama", address: "127.0.0.1:11434", list: "/api/tags", wire: "ollama"},
	{kind: "llama.cpp", address: "127.0.0.1:8080", list: "/v1/models", wire: "infill"},
	{kind: "llama.cpp", address: "127.0.0.1:9931", list: "/v1/models", wire: "infill"},
	{kind: "lmstudio", address: "127.0.0.1:1234", list: "/v1/models", wire: "chat", base: "/v1"},
	{kind: "vllm", address: "127.0.0.1:8000", list: "/v1/models", wire: "chat", base: "/v1"},
}

// probeWithin bounds the query of the ports; they are on this machine.
const probeWithin = time.Second

// FindLocal searches this machine's usual ports for model servers. It is only
// called because the user asked for it. It carries no key and contacts only the
// loopback interface.
func FindLocal(ctx context.Context, allow Allow) []LocalServer {
	return findLocal(ctx, localProbes, allow)
}

func findLocal(ctx context.Context, probes []localProbe, allow Allow) []LocalServer {
	ctx, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	web := &http.Client{Transport: Guard(transport, allow), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	found := make([]*LocalServer, len(probes))
	g := run.NewGroup(ctx, nil)
	for i, p := range probes {
		g.Go("looking for "+p.kind, func(ctx context.Context) { found[i] = p.query(ctx, web) })
	}
	g.Wait()
	g.Close()
	var out []LocalServer
	for _, s := range found {
		if s != nil {
			out = append(out, *s)
		}
	}
	return out
}

// query asks one port for its models. It returns nil if no such server answers.
func (p localProbe) query(ctx context.Context, web *http.Client) *LocalServer {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+p.list, nil)
	if err != nil {
		return nil
	}
	resp, err := web.Do(req)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil
	}
	models, ok := modelNames(body)
	if !ok {
		return nil
	}
	return &LocalServer{Kind: p.kind, Models: models, Provider: model.ProviderConfig{
		Name: strings.ReplaceAll(p.kind, ".", ""), BaseURLs: []string{"http://" + p.address + p.base}, WireAPI: p.wire}}
}

// modelNames reads the lists of Ollama and of OpenAI-compatible servers.
func modelNames(body []byte) ([]string, bool) {
	var list struct {
		Models []struct{ Name string }
		Data   []struct{ ID string }
	}
	if json.Unmarshal(body, &list) != nil || list.Models == nil && list.Data == nil {
		return nil, false
	}
	names := []string{}
	for _, m := range list.Models {
		names = append(names, m.Name)
	}
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	slices.Sort(names)
	return slices.Compact(names), true
}
