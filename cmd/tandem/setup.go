package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/cmd/tandem/keys"
	"tandem/model"
	"tandem/model/format"
	"tandem/model/provider"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

func setupCommand(g *globals) *cobra.Command {
	var asJSON bool
	var key string
	c := &cobra.Command{
		Use:   "setup",
		Short: "Choose who answers: finds servers, asks for address, model and key, tests them, then writes the configuration",
		Args:  takes(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return setUp(c, g, newPerson(c, asJSON), key) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one step a line as JSON, and read answers such as {\"answer\":\"…\"}")
	c.Flags().StringVar(&key, "key", "", "ask only for the key of this `PROVIDER` of the configuration")
	return c
}

// A setup leads from nothing to a model that answers.
type setup struct {
	globals *globals
	person  person
	used    *config.Config // before
	ring    *keys.Ring
	store   *state.Store // nil where there is none
	group   *run.Group

	key   model.Secret // given, and not stored yet
	under string       // the name to store it under
}

func setUp(c *cobra.Command, g *globals, p person, key string) error {
	if g.offline {
		return exit(exitUsage, errors.New("setting up a model needs the network: take --offline, or the editor's setting for it, away"))
	}
	used, err := g.settings()
	if err != nil {
		return err
	}
	s := &setup{globals: g, person: p, used: used, ring: keyRing()}
	s.store, _ = openStore() // without one, tests are not in the ledger, which doctor reports
	s.group = run.NewGroup(c.Context(), nil)
	defer s.group.Close()
	if key != "" {
		err = s.newKey(c.Context(), key)
	} else {
		err = s.run(c.Context())
	}
	if errors.Is(err, errStopped) {
		return exit(exitFailed, err)
	}
	return err
}

// The answers that are no model's, server's or provider's name.
const (
	answerBuiltIn = "built-in"
	answerGateway = "gateway"
	answerOther   = "other"
	answerKeep    = "keep"
	answerModel   = "model"
	answerKey     = "key"
	answerAgain   = "again"
)

// run asks until a model answers, and writes what it was asked with.
func (s *setup) run(ctx context.Context) error {
	problem := ""
	for {
		server, err := s.server(ctx, problem)
		switch failed := (*model.Error)(nil); {
		case errors.As(err, &failed):
			problem = failed.Error()
			continue
		case err != nil:
			return err
		case server == nil:
			return s.builtIn()
		}
		if again, err := s.choose(ctx, *server); err != nil || !again {
			return err
		}
		problem = ""
	}
}

func (s *setup) working(format string, args ...any) error {
	return s.person.see(step{Step: stepWorking, Title: fmt.Sprintf(format, args...)})
}

// server asks who answers and what it offers; nil is the built-in engine.
func (s *setup) server(ctx context.Context, problem string) (*provider.Server, error) {
	s.key, s.under = model.Secret{}, ""
	if err := s.working("Looking for model servers on this machine…"); err != nil {
		return nil, err
	}
	var local []provider.Server
	for _, found := range provider.FindLocal(ctx, s.allow()) {
		if len(found.Models) > 0 {
			local = append(local, found)
		}
	}
	who := step{Step: stepChoose, ID: "who", Title: "Who answers?", Problem: problem}
	for i, l := range local {
		who.Options = append(who.Options, option{fmt.Sprint("local-", i), config.Title(l.Provider.Name) + " on this machine", l.Provider.BaseURLs[0] + ": " + strings.Join(modelIDs(l), ", ")})
	}
	who.Options = append(who.Options,
		option{answerBuiltIn, "No model", "The built-in engine learns from your workspace. No key, no network."},
		option{answerGateway, "A gateway or another server", "Asks for its address: a company's gateway, or a server on another machine or port."})
	for _, name := range config.Presets() {
		if p := config.Preset(name); p.EnvKey != "" && len(p.BaseURLs) > 0 {
			who.Options = append(who.Options, option{name, config.Title(name), p.BaseURLs[0]})
		}
	}
	answer, err := asked(s.person, who)
	if err != nil {
		return nil, err
	}
	for i, l := range local {
		if answer == fmt.Sprint("local-", i) {
			return &l, nil
		}
	}
	switch answer {
	case answerBuiltIn:
		return nil, nil
	case answerGateway:
		return s.gateway(ctx)
	}
	return s.vendor(ctx, config.Preset(answer))
}

// gateway asks for an address and finds out what is there.
func (s *setup) gateway(ctx context.Context) (*provider.Server, error) {
	address := step{Step: stepAsk, ID: "address", Title: "The address of the gateway or server", Hint: "https://models.example.com/v1"}
	for {
		given, err := asked(s.person, address)
		if err != nil {
			return nil, err
		}
		if err := config.CheckAddress(given); err != nil {
			address.Problem = err.Error() + "."
			continue
		}
		p := model.ProviderConfig{BaseURLs: []string{given}, WireAPI: "chat"}
		p.Name = unusedName(answerGateway, s.used.Providers, func(q model.ProviderConfig) bool { return strings.HasPrefix(q.BaseURLs[0], given) })
		found, err := s.listed(ctx, p, provider.Find)
		if failed := (*model.Error)(nil); !errors.As(err, &failed) {
			if found != nil && found.Kind != "" {
				found.Provider.Name = strings.ReplaceAll(found.Kind, ".", "")
			}
			return found, err
		}
		address.Problem = err.Error()
	}
}

// vendor lists the models of a built-in provider, with the key that there is or one that the
// person gives.
func (s *setup) vendor(ctx context.Context, p model.ProviderConfig) (*provider.Server, error) {
	p.Name = providerName(p, s.used)
	if _, err := s.ring.Source(p, "").Key(ctx); err != nil {
		if err := s.askKey(&p, ""); err != nil {
			return nil, err
		}
	}
	return s.listed(ctx, p, func(ctx context.Context, p model.ProviderConfig, o provider.Options) (provider.Server, error) {
		models, err := provider.Offers(ctx, p, o)
		return provider.Server{Provider: p, Models: models}, err
	})
}

// listed asks a server for its models; where that needs another key, it asks for one. A
// server without a list has no models.
func (s *setup) listed(ctx context.Context, p model.ProviderConfig, list func(context.Context, model.ProviderConfig, provider.Options) (provider.Server, error)) (*provider.Server, error) {
	for {
		if err := s.working("Asking %s for its models…", p.BaseURLs[0]); err != nil {
			return nil, err
		}
		source := s.keys().Source(p, "")
		found, err := list(ctx, p, provider.Options{Key: source.Key, Allow: s.allow(), Group: s.group})
		switch failed := model.AsError(err); {
		case err == nil:
			return &found, nil
		case wantsKey(failed):
			if err := s.askKey(&p, s.refusal(failed)); err != nil {
				return nil, err
			}
		case failed.Code == model.CodeNotFound && p.EnvKey+p.Keyring != "":
			return &provider.Server{Provider: p}, nil
		default:
			return nil, failed
		}
	}
}

// wantsKey reports whether another key may help.
func wantsKey(failed *model.Error) bool {
	return failed != nil && (failed.Code == model.CodeAuth || failed.Code == model.CodeForbidden || errors.Is(failed, keys.ErrNone))
}

// refusal is why a key is asked for: nothing where none was sent.
func (s *setup) refusal(failed *model.Error) string {
	switch {
	case s.under == "":
		return ""
	case failed.Code == model.CodeAuth:
		return "This key was not accepted."
	}
	return failed.Error()
}

// askKey asks for a provider's key. It is stored only when a model has answered with it.
func (s *setup) askKey(p *model.ProviderConfig, problem string) error {
	wanted := step{Step: stepAsk, ID: "key", Title: "The key for " + config.Title(p.Name), Secret: true, Problem: problem,
		Hint: "It is put away where tandem key set puts it, and never into the configuration."}
	for {
		given, err := asked(s.person, wanted)
		if err != nil {
			return err
		}
		if s.key, err = keys.Read(strings.NewReader(given)); err == nil {
			break
		}
		wanted.Problem = strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "."
	}
	s.under = cmp.Or(p.Keyring, p.Name)
	if p.EnvKey == "" || os.Getenv(p.EnvKey) != "" { // what is in the environment would win
		p.EnvKey, p.Keyring = "", s.under
	}
	return nil
}

// keys are the stored ones, and the given one.
func (s *setup) keys() *keys.Ring {
	if s.under == "" {
		return s.ring
	}
	return s.ring.Holding(s.under, s.key)
}

func (s *setup) allow() provider.Allow { return allowHost(func() *config.Config { return s.used }) }

// choose asks which model of a server answers, tests it and writes it; again is true
// where the person wants another server.
func (s *setup) choose(ctx context.Context, server provider.Server) (again bool, err error) {
	id := ""
	for {
		if id == "" {
			if id, err = s.model(server); err != nil {
				return false, err
			}
		}
		values := selection(server, id, s.used)
		text, settings, err := s.configuration(values)
		if err != nil {
			return false, err
		}
		if err := s.working("Testing %s with one request…", id); err != nil {
			return false, err
		}
		measured, slow, failed := s.test(ctx, settings, values)
		switch {
		case failed != nil && failed.Status == http.StatusNotFound && server.Kind == "" && nextWire(&server.Provider):
			continue
		case failed == nil && !slow:
			return false, s.write(text, id+" answers from now on: "+measured)
		}
		answer, err := asked(s.person, verdict(id, measured, failed, len(server.Models) != 1))
		switch {
		case err != nil:
			return false, err
		case answer == answerKeep:
			return false, s.write(text, id+" answers from now on")
		case answer == answerKey:
			err = s.askKey(&server.Provider, s.refusal(failed))
		case answer == answerModel:
			id = ""
		case answer == answerOther:
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// verdict is the step after a test that did not go well.
func verdict(id, measured string, failed *model.Error, several bool) step {
	out := step{Step: stepChoose, ID: "tested", Title: id + " answers, but slowly: " + measured}
	if failed == nil {
		out.Options = []option{{answerKeep, "Use " + id, "Writes the configuration."}}
	} else {
		out.Title, out.Problem = id+" did not answer", failed.Error()
		if wantsKey(failed) {
			out.Options = []option{{answerKey, "Give another key", ""}}
		}
		out.Options = append(out.Options, option{answerAgain, "Try again", ""})
	}
	if several {
		out.Options = append(out.Options, option{answerModel, "Choose another model", ""})
	}
	out.Options = append(out.Options, option{answerOther, "Choose another server", ""})
	return out
}

// gatewayWires are the wire APIs that a gateway may have, in the order in which they are tried.
var gatewayWires = []string{"chat", "responses", "messages", "completions"}

// nextWire goes on to the next of gatewayWires, for a server whose kind nobody knows.
func nextWire(p *model.ProviderConfig) bool {
	i := slices.Index(gatewayWires, p.WireAPI)
	if config.PresetAddress(p.Name) != "" || i < 0 || i+1 == len(gatewayWires) {
		return false
	}
	p.WireAPI = gatewayWires[i+1]
	return true
}

// noText are models that write no text.
var noText = regexp.MustCompile(`(?i)embed|whisper|tts|rerank|dall-e|moderation|image|audio|realtime|transcribe|sora|ocr`)

// model asks for one of a server's models.
func (s *setup) model(server provider.Server) (string, error) {
	choice := step{Step: stepChoose, ID: "model", Title: "Which model?"}
	for _, code := range []bool{true, false} {
		for _, m := range server.Models {
			if coding(m.ID) == code && !noText.MatchString(m.ID) && format.Unsupported(m.ID) == "" {
				choice.Options = append(choice.Options, option{m.ID, m.ID, whatItDoes(m, server.Provider.WireAPI)})
			}
		}
	}
	if len(server.Models) == 1 && len(choice.Options) == 1 {
		return choice.Options[0].ID, nil
	}
	if len(choice.Options) > 0 {
		choice.Options = append(choice.Options, option{answerOther, "Another one, by its name", ""})
		if id, err := asked(s.person, choice); err != nil || id != answerOther {
			return id, err
		}
	}
	named := step{Step: stepAsk, ID: "name", Title: "The name of the model, as " + config.Title(server.Provider.Name) + " calls it"}
	for {
		if id, err := asked(s.person, named); err != nil || id != "" {
			return id, err
		}
		named.Problem = "The name is empty."
	}
}

// whatItDoes says what a model's name tells of it, and what its server says.
func whatItDoes(m provider.Offer, wire string) string {
	cfg := model.ModelConfig{Model: m.ID}
	var parts []string
	switch {
	case format.NextEdits(format.Infer(m.ID)):
		parts = append(parts, "next edits alone")
	case model.FillsOnly(cfg, wire) || wire == "mistral-fim":
		parts = append(parts, "fills in code; no edits, no answers")
	case model.FIMOf(cfg) != nil:
		parts = append(parts, "fills in code, edits and answers")
	default:
		parts = append(parts, "chats: edits and answers, fills in when asked in words")
	}
	if m.ContextWindow > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", m.ContextWindow))
	}
	if m.InputPrice >= 0 && m.OutputPrice >= 0 {
		parts = append(parts, fmt.Sprintf("$%.2f in, $%.2f out per million", m.InputPrice, m.OutputPrice))
	}
	return strings.Join(parts, " · ")
}
