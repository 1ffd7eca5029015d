package config

import (
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"tandem/model"
	"tandem/model/format"
)

// check reports errors in values that are each well-formed: references to
// nothing, addresses that would send code unencrypted, settings that the model
// or the protocol cannot honour.
func check(l layer, ps *problems) {
	checkLanes(l, ps)
	checkFormats(l, ps)
	for _, name := range l.names("models") {
		checkModel(l, name, ps)
	}
	for _, name := range l.names("providers") {
		checkProvider(l, name, ps)
	}
	checkAgents(l, ps)
	checkGlobs(l, ps)
	if address, set := value[string](l, "search", "url"); set && address != "" {
		checkAddress(address, get[bool](l, "search", "allow_http"), "search.allow_http", l.origin("search", "url"), ps)
	}
}

// agentName is what the tag of a plan's step can hold.
var agentName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func checkAgents(l layer, ps *problems) {
	models := l.names("models")
	for _, name := range l.names("agents") {
		label := dotted([]string{name})
		switch used, set := value[string](l, "agents", name, "model"); {
		case !agentName.MatchString(name), strings.EqualFold(name, "fast"), strings.EqualFold(name, "deep"):
			ps.at(l.origin("agents", name), "an agent cannot be called %q: letters, digits, - or _, and neither fast nor deep", name)
		case !set:
			ps.at(l.origin("agents", name), "[agents.%s] has no model: add model = \"…\", the name of a [models.NAME] table", label)
		case !slices.Contains(models, used):
			ps.at(l.origin("agents", name, "model"), "agents.%s names the model %q, which no table describes%s", label, used, didYouMean("model", used, models))
		}
	}
}

func checkGlobs(l layer, ps *problems) {
	for _, glob := range get[[]string](l, "editor", "disabled_globs") {
		if _, err := path.Match(strings.ReplaceAll(glob, "**", "*"), ""); err != nil || glob == "" {
			ps.at(l.origin("editor", "disabled_globs"), "editor.disabled_globs holds %q, which is no pattern: close its brackets, or write it like **/secrets/**", glob)
		}
	}
}

func checkLanes(l layer, ps *problems) {
	models := append(l.names("models"), Local)
	for _, lane := range []string{"fast", "deep", "next_edit", "complete"} {
		name, set := value[string](l, lane)
		if set && !slices.Contains(models, name) {
			ps.at(l.origin(lane), "%s names the model %q, which no [models.%s] table describes%s",
				lane, name, dotted([]string{name}), didYouMean("model", name, models))
		}
	}
}

// checkFormats refuses a model in a place where its format cannot answer.
func checkFormats(l layer, ps *problems) {
	for _, lane := range []string{"fast", "deep"} {
		name, set := value[string](l, lane)
		if !set || !l.has("models", name) && !slices.Contains(l.names("models"), name) {
			continue
		}
		if f := formatOf(l, name); !format.Chats(f) {
			use := "next_edit"
			if f == format.FIM {
				use = "complete"
			}
			ps.at(l.origin(lane), "%s names %q, whose format %s holds no conversation; write %s = %q and %s = \"a model that chats\"", lane, name, f, use, name, lane)
		}
	}
	if name, set := value[string](l, "next_edit"); set && slices.Contains(l.names("models"), name) && formatOf(l, name) == format.FIM {
		ps.at(l.origin("next_edit"), "next_edit names %q, whose format fim only fills in; write complete = %q", name, name)
	}
	if name, set := value[string](l, "complete"); set && slices.Contains(l.names("models"), name) {
		if f := formatOf(l, name); format.NextEdits(f) && f != format.Mercury {
			ps.at(l.origin("complete"), "complete names %q, whose format %s is for next edits; write next_edit = %q", name, f, name)
		}
	}
}

func checkModel(l layer, name string, ps *problems) {
	here := l.origin("models", name)
	if name == Local {
		ps.at(here, "the name %q is the built-in engine's: call this model something else", Local)
		return
	}
	provider, known := value[string](l, "models", name, "provider")
	providers := slices.Compact(slices.Sorted(slices.Values(append(l.names("providers"), slices.Collect(maps.Keys(presets))...))))
	switch {
	case !l.has("models", name, "provider"):
		ps.at(here, "[models.%s] has no provider: add provider = \"…\", one of %s", dotted([]string{name}), strings.Join(providers, ", "))
	case known && !slices.Contains(providers, provider):
		ps.at(l.origin("models", name, "provider"), "there is no provider %q%s%s, or add a [providers.%s] table", provider,
			ps.here(), didYouMean("provider", provider, providers), dotted([]string{provider}))
	case known:
		checkWire(l, name, get[string](l, "providers", provider, "wire_api"), ps)
	}
	if why := format.Unsupported(orElse(get[string](l, "models", name, "model"), name)); why != "" && !l.has("models", name, "format") {
		ps.at(here, "models.%s cannot be used: %s, or set its format", dotted([]string{name}), why)
	}
	checkOmit(l, name, ps)
	checkContextSize(l, name, ps)
}

// parameters are the names that servers and users have for what a setting sends.
var parameters = map[string][]string{
	"reasoning_effort":  {"reasoning_effort", "reasoning.effort", "reasoning"},
	"reasoning_summary": {"reasoning_summary", "reasoning.summary", "reasoning"},
	"verbosity":         {"verbosity", "text.verbosity", "text"},
	"service_tier":      {"service_tier"},
	"temperature":       {"temperature"},
	"prediction":        {"prediction"},
}

func checkOmit(l layer, model string, ps *problems) {
	omit := get[[]string](l, "models", model, "omit")
	for key, names := range parameters {
		if !l.has("models", model, key) {
			continue
		}
		for _, rejected := range omit {
			if slices.Contains(names, rejected) {
				ps.at(l.origin("models", model, key), "models.%s cannot honour %s: its omit says that it rejects %q; take out one of the two",
					dotted([]string{model}), key, rejected)
			}
		}
	}
}

// unsupported are the model settings for which a protocol has no parameter.
var unsupported = map[string][]string{
	"responses":   {"prediction", "fim"},
	"chat":        {"reasoning_summary"},
	"messages":    {"reasoning_effort", "reasoning_summary", "verbosity", "prediction", "fim"},
	"completions": {"reasoning_effort", "reasoning_summary", "verbosity", "service_tier", "prediction"},
	"infill":      {"reasoning_effort", "reasoning_summary", "verbosity", "service_tier", "prediction"},
	"ollama":      {"reasoning_effort", "reasoning_summary", "verbosity", "service_tier", "prediction"},
	"mistral-fim": {"reasoning_effort", "reasoning_summary", "verbosity", "service_tier", "prediction", "fim"},
}

func checkWire(l layer, model, wire string, ps *problems) {
	for _, key := range unsupported[wire] {
		if v, set := value[bool](l, "models", model, key); set && !v || key == "fim" && formatOf(l, model) == format.FIM {
			continue
		}
		if l.has("models", model, key) {
			ps.at(l.origin("models", model, key), "models.%s cannot honour %s: its provider speaks wire_api = %q, which has no such parameter; take the line out",
				dotted([]string{model}), key, wire)
		}
	}
}

// leastWindow is the least context_window, in tokens.
const leastWindow = 1024

// checkContextSize checks that the output limit leaves tokens for context.
func checkContextSize(l layer, model string, ps *problems) {
	window, output := get[int64](l, "models", model, "context_window"), get[int64](l, "models", model, "max_output_tokens")
	if window >= leastWindow && window*95/100-output < 512 { // a smaller one is already reported
		ps.at(l.origin("models", model, "max_output_tokens"), "models.%s leaves no room for context: max_output_tokens is %d of a context_window of %d",
			dotted([]string{model}), output, window)
	}
}

func checkProvider(l layer, name string, ps *problems) {
	at := func(key ...string) []string { return append([]string{"providers", name}, key...) }
	label := dotted(at())
	if !l.has(at("base_url")...) {
		ps.at(l.anyOrigin(name), "[%s] has no base_url: add base_url = %q", label, orElse(exampleAddress[name], "https://HOST/v1"))
	}
	for _, address := range get[[]string](l, at("base_url")...) {
		checkAddress(address, get[bool](l, at("allow_http")...), label+".allow_http", l.origin(at("base_url")...), ps)
	}
	if l.has(at("base_url")...) && len(get[[]string](l, at("base_url")...)) == 0 && l[dotted(at("base_url"))].value != nil {
		ps.at(l.origin(at("base_url")...), "%s.base_url is an empty list", label)
	}
	if wire := get[string](l, at("wire_api")...); get[bool](l, at("supports_websockets")...) && wire != "responses" && l.origin(at("supports_websockets")...).Source > FromPreset {
		ps.at(l.origin(at("supports_websockets")...), "%s.supports_websockets needs wire_api = \"responses\", not %q", label, wire)
	}
	checkKeySource(l, name, ps)
	checkNames(l, name, ps)
	checkHeaders(l, name, ps)
	checkFiles(l, name, ps)
}

var (
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	storedName   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)
)

// checkNames refuses values that cannot be names. Such a value may be the key
// itself, so the message does not repeat it.
func checkNames(l layer, provider string, ps *problems) {
	under := []string{"providers", provider}
	for key, pattern := range map[string]*regexp.Regexp{"env_key": variableName, "keyring": storedName} {
		path := append(slices.Clone(under), key)
		if name, set := value[string](l, path...); set && !pattern.MatchString(name) {
			ps.at(l.origin(path...), "%s is no name; if it is the key itself: %s", dotted(path), keysNotInFile)
		}
	}
}

func checkHeaders(l layer, provider string, ps *problems) {
	for _, it := range l {
		if len(it.path) != 4 || it.path[0] != "providers" || it.path[1] != provider {
			continue
		}
		text, _ := it.value.(string)
		switch it.path[2] {
		case "http_headers":
			if !httpguts.ValidHeaderFieldName(it.path[3]) || !httpguts.ValidHeaderFieldValue(text) {
				ps.at(it.origin, "%s is no header that can be sent: its name or its value has characters that headers cannot have", dotted(it.path))
			}
		case "env_http_headers":
			if !httpguts.ValidHeaderFieldName(it.path[3]) || !variableName.MatchString(text) {
				ps.at(it.origin, "%s has to be a header's name and the name of an environment variable", dotted(it.path))
			}
		}
	}
}

// exampleAddress is an example for providers whose address differs for each user.
var exampleAddress = map[string]string{"azure": "https://RESOURCE.openai.azure.com/openai/v1"}

// anyOrigin returns where a provider is first mentioned: its table, or the model that names it.
func (l layer) anyOrigin(provider string) Origin {
	if o := l.origin("providers", provider); o.Line > 0 {
		return o
	}
	for _, m := range l.names("models") {
		if get[string](l, "models", m, "provider") == provider {
			return l.origin("models", m, "provider")
		}
	}
	return Origin{}
}

// checkAddress refuses invalid addresses, and plain http to another machine.
func checkAddress(address string, allowHTTP bool, allow string, o Origin, ps *problems) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		ps.at(o, "%q is not an address: it has to look like https://HOST/PATH", address)
	case u.User != nil:
		ps.at(o, "the address of %s holds a name or password: %s", u.Host, keysNotInFile)
	case u.Scheme == "https", u.Scheme == "http" && (allowHTTP || model.Loopback(u.Hostname())):
	case u.Scheme == "http":
		ps.at(o, "%q would send code and key in the clear: use https://, or say %s = true", address, allow)
	default:
		ps.at(o, "%q is not an address that tandem can speak to: use https://", address)
	}
}

func checkKeySource(l layer, provider string, ps *problems) {
	first := ""
	for _, key := range keySources {
		path := append([]string{"providers", provider}, strings.Split(key, ".")...)
		if !l.has(path...) || l.origin(path...).Source == FromPreset {
			continue
		}
		if first != "" {
			ps.at(l.origin(path...), "providers.%s has both %s and %s: a key has one source", dotted([]string{provider}), first, key)
		}
		first = key
	}
	command, set := value[[]string](l, "providers", provider, "auth", "command")
	switch {
	case !set:
	case len(command) == 0 || command[0] == "":
		ps.at(l.origin("providers", provider, "auth", "command"), "auth.command is empty: it is a list of the program and its arguments")
	case strings.ContainsAny(command[0], `/\`) && !filepath.IsAbs(command[0]):
		ps.at(l.origin("providers", provider, "auth", "command"), "auth.command names the program %q relative to wherever tandem runs: write its absolute path", command[0])
	}
}

func checkFiles(l layer, provider string, ps *problems) {
	label := dotted([]string{"providers", provider})
	if file := get[string](l, "providers", provider, "ca_file"); file != "" && !filepath.IsAbs(file) {
		ps.at(l.origin("providers", provider, "ca_file"), "%s.ca_file %q is relative to wherever tandem runs: write its absolute path", label, file)
	}
	proxy := get[string](l, "providers", provider, "proxy")
	if proxy == "" || proxy == "none" {
		return
	}
	u, err := url.Parse(proxy)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		ps.at(l.origin("providers", provider, "proxy"), "%s.proxy %q is not a proxy's address: it has to look like http://HOST:PORT, or none", label, proxy)
	}
}
