package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/model"
	"tandem/model/provider"
	"tandem/workspace/run"
)

func modelsCommand(g *globals) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "models [PROVIDER]",
		Short: "List what a provider really offers to your key, with window and price where it says them, and lines for your configuration",
		Long:  "List what a provider offers to your key. Without PROVIDER: those of your configuration, else the model servers on this machine.",
		Args:  takes(0, 1),
		RunE:  func(c *cobra.Command, args []string) error { return listModels(c, g, args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// offered is what one provider offers.
type offered struct {
	Provider string           `json:"provider"`
	URL      string           `json:"url"`
	Models   []provider.Offer `json:"models"`
	Lines    string           `json:"lines,omitempty"` // for the configuration
	Error    string           `json:"error,omitempty"`
}

// offersWithin bounds how long a provider may take to list its models.
const offersWithin = 20 * time.Second

func listModels(c *cobra.Command, g *globals, args []string, asJSON bool) error {
	settings, mistake, err := g.usable()
	switch {
	case err != nil:
		return err
	case mistake != "":
		return exit(exitConfig, errors.New(mistake))
	case g.offline:
		return exit(exitUsage, errors.New("--offline asks no server; leave it out to list what providers offer"))
	}
	group := run.NewGroup(c.Context(), nil)
	defer group.Close()
	live := func() *config.Config { return settings }
	names := args
	if len(args) == 0 {
		names = slices.Sorted(maps.Keys(settings.Providers))
	}
	var ask []model.ProviderConfig
	for _, name := range names {
		p, ok := settings.Provider(name)
		if !ok {
			return exit(exitUsage, fmt.Errorf("there is no provider %q: it is a table [providers.%s] of your configuration, or one of %s", name, name, strings.Join(config.Presets(), ", ")))
		}
		ask = append(ask, p)
	}
	if len(names) == 0 {
		for _, s := range provider.FindLocal(c.Context(), allowHost(live)) {
			ask = append(ask, s.Provider)
		}
	}
	if len(ask) == 0 {
		return exit(exitNoModel, fmt.Errorf("no provider is configured and no model server runs on this machine; name one: tandem models %s", strings.Join(config.Presets(), "|")))
	}
	var all []offered
	var failure error
	for _, p := range ask {
		o := offersOf(c.Context(), p, provider.Options{Key: keyRing().Source(p, settings.KeyHints[p.Name]).Key, Group: group, Allow: allowHost(live)})
		if o.Error != "" {
			failure = errors.Join(failure, fmt.Errorf("%s: %s", p.Name, o.Error))
		}
		all = append(all, o)
	}
	if asJSON {
		err = printJSON(c, all)
	} else {
		err = printOffers(c, all)
	}
	if failure != nil {
		return exit(exitNoModel, failure)
	}
	return err
}

func offersOf(ctx context.Context, p model.ProviderConfig, o provider.Options) offered {
	ctx, cancel := context.WithTimeout(ctx, offersWithin)
	defer cancel()
	out := offered{Provider: p.Name, Models: []provider.Offer{}}
	if len(p.BaseURLs) > 0 {
		out.URL = p.BaseURLs[0]
	}
	list, err := provider.Offers(ctx, p, o)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Models = list
	found := provider.Server{Kind: p.Name, Models: list, Provider: p}
	values := slices.DeleteFunc(selection(found, "", config.Fallback(config.Options{})), func(a config.Assignment) bool {
		return a.Path[0] == "providers" && a.Path[2] != "base_url" // the provider is configured
	})
	out.Lines = strings.TrimSpace(string(config.Assign(nil, values)))
	return out
}

// printOffers prints a table a provider, and the lines that select its first models for code.
func printOffers(c *cobra.Command, all []offered) error {
	for _, o := range all {
		if o.Error != "" {
			continue
		}
		rows := [][]string{{"MODEL", "WINDOW", "USD IN", "USD OUT", "NAME"}}
		for _, m := range o.Models {
			rows = append(rows, []string{m.ID, number(float64(m.ContextWindow), m.ContextWindow > 0), number(m.InputPrice, m.InputPrice >= 0), number(m.OutputPrice, m.OutputPrice >= 0), m.Name})
		}
		fmt.Fprintf(c.OutOrStdout(), "%s (%s) offers %d; prices are for a million tokens, - is what it does not say\n", edits.OneLine(o.Provider), edits.OneLine(o.URL), len(o.Models))
		if err := printTable(c, rows); err != nil {
			return err
		}
		if o.Lines != "" {
			fmt.Fprintf(c.OutOrStdout(), "\nTo use some of them, write at the top of your configuration:\n\n%s\n\n", o.Lines)
		}
	}
	return nil
}

func number(n float64, is bool) string {
	if !is {
		return "-"
	}
	return fmt.Sprintf("%.6g", n)
}
