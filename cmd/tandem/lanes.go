package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"sync"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/cmd/tandem/keys"
	"tandem/model"
	"tandem/model/provider"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// options returns the flags and the environment that select the settings.
func (g *globals) options() config.Options {
	return config.Options{File: g.config, Profile: g.profile, Offline: g.offline, Floor: g.noChecker, Managed: g.managed, Getenv: os.Getenv, Version: version()}
}

// settings reads the configuration. An error in it ends the program with a
// separate exit code.
func (g *globals) settings() (*config.Config, error) {
	c, err := config.Load(g.options())
	var mistakes *config.Error
	if errors.As(err, &mistakes) {
		n := len(mistakes.Problems)
		if n == 1 {
			return nil, exit(exitConfig, fmt.Errorf("the configuration has a mistake: %w", err))
		}
		return nil, exit(exitConfig, fmt.Errorf("the configuration has %d mistakes:\n%w", n, err))
	}
	return c, err
}

// usable is settings for what goes on with the built-in engine alone while the
// administrator's file has a mistake. The mistake is "" if there is none.
func (g *globals) usable() (c *config.Config, mistake string, err error) {
	c, err = g.settings()
	var mistakes *config.Error
	if errors.As(err, &mistakes) && mistakes.Managed {
		return config.Fallback(g.options()), mistakes.Error(), nil
	}
	return c, "", err
}

// keyRing returns the store of the user's keys.
func keyRing() *keys.Ring { return keys.New(config.Dir(os.Getenv), os.Getenv) }

// openStore opens the user's state folder.
func openStore() (*state.Store, error) { return state.Open(state.DefaultDir(os.Getenv)) }

// laneSetup returns the lanes' part of the configuration.
func laneSetup(c *config.Config) model.Setup {
	deep := c.Deep
	if c.Policy.Feature(config.Escalate) != nil {
		deep = "" // so that nothing is routed to it
	}
	models := maps.Clone(c.Models)
	for _, a := range c.Agents {
		m := agentModel(c, a)
		models[m.Name] = m
	}
	return model.Setup{Fast: c.Fast, Deep: deep, NextEdit: c.NextEdit, Complete: c.Complete, Models: models, Providers: c.Providers, DailyLimit: c.DailyLimit,
		DayNotice: c.Day.Notice, Budgets: budgets(c)}
}

func budgets(c *config.Config) model.Budgets {
	return model.Budgets{Complete: c.Budgets["complete"], Edit: c.Budgets["edit"], Ask: c.Budgets["ask"], CompletionsUSD: c.Day.Completions}
}

// paid is how many tokens of context a completion gets at its model's prices; 0 where the
// configured number is paid for.
func paid(c *config.Config) int {
	return budgets(c).Paid(c.Models[model.Setup{Fast: c.Fast, Complete: c.Complete}.For(model.Complete)])
}

// agentModel is the model of an agent: under a name of its own if it differs from the
// configured one.
func agentModel(c *config.Config, a config.Agent) model.ModelConfig {
	m := c.Models[a.Model]
	if a.ServiceTier != "" && a.ServiceTier != m.ServiceTier {
		m.Name, m.ServiceTier = a.Model+" as "+a.Name, a.ServiceTier
	}
	return m
}

// opener opens clients of configured models. It reads the configuration for
// each client, so that a reload applies to the next client.
type opener struct {
	config func() *config.Config
	ring   *keys.Ring
	group  *run.Group
	shared *provider.Shared
}

func (o *opener) open(m model.ModelConfig, observe model.Observer) (model.Client, error) {
	c := o.config()
	p, ok := c.Providers[m.Provider]
	if !ok {
		return nil, fmt.Errorf("the model %s names the provider %s, which is not configured", m.Name, m.Provider)
	}
	source := o.ring.Source(p, c.KeyHints[p.Name])
	return provider.New(p, m, provider.Options{
		Key: source.Key, Rejected: source.Rejected, Observe: observe,
		Group: o.group, Shared: o.shared, Allow: allowHost(o.config),
	})
}

// newLanes creates the lanes of the configured models with their limits. live
// returns the current configuration, notice receives each notice once; store
// and asker may be nil. unkept is why there is no store, nil where none is wanted.
func newLanes(live func() *config.Config, store *state.Store, unkept error, group *run.Group, notice func(model.Notice), asker func() string) *model.Lanes {
	return lanesWith(keyRing(), live, store, unkept, group, notice, asker)
}

// lanesWith is newLanes with other keys than the stored ones.
func lanesWith(ring *keys.Ring, live func() *config.Config, store *state.Store, unkept error, group *run.Group, notice func(model.Notice), asker func() string) *model.Lanes {
	o := &opener{config: live, ring: ring, group: group, shared: provider.NewShared()}
	parts := model.Parts{Open: o.open, Allow: allowModel(live), Notice: notice}
	if store != nil {
		kept := state.TableOf[model.Rate](store, "rates")
		if rates, err := kept.All(); err == nil { // else they are measured again
			parts.Rates = &model.Rates{}
			parts.Rates.Restore(rates)
		}
		parts.StoreRate = func(key string, r model.Rate) {
			group.Go("keep a server's speed", func(context.Context) { _ = kept.Change(func(all map[string]model.Rate) { all[key] = r }) })
		}
		ends := state.TableOf[[]string](store, "ends")
		parts.Ends = &model.Ends{
			Load: func() map[string][]string { all, _ := ends.All(); return all }, // else nothing is known
			Store: func(address, word string) {
				group.Go("keep a server's word", func(context.Context) {
					_ = ends.Change(func(all map[string][]string) { all[address] = append(all[address], word) })
				})
			},
		}
		refused := state.TableOf[map[string]time.Time](store, "refused")
		o.shared.Load = func() map[string]map[string]time.Time { all, _ := refused.All(); return all } // else nothing is known
		o.shared.Store = func(served, param string) {
			group.Go("keep a refused parameter", func(context.Context) {
				_ = refused.Change(func(all map[string]map[string]time.Time) {
					if all[served] == nil {
						all[served] = map[string]time.Time{}
					}
					all[served][param] = time.Now()
				})
			})
		}
		parts.Ledger = &ledger{Ledger: store.Ledger(), run: rand.Text()[:6], asker: asker, live: live, sent: map[string]state.Entry{}}
	} else if unkept != nil {
		parts.Ledger = noLedger{unkept}
	}
	return model.NewLanes(laneSetup(live()), parts)
}

// A ledger writes the lanes' records into the user's ledger. Several processes
// write to it, and each numbers its requests from one; run distinguishes the
// processes.
type ledger struct {
	*state.Ledger
	run   string
	asker func() string
	live  func() *config.Config

	mu   sync.Mutex             // guards sent
	sent map[string]state.Entry // requests that have not ended, by their ids
}

// Sent implements model.Ledger.
func (l *ledger) Sent(lane model.Lane, p model.Purpose, s model.Sent) error {
	by := ""
	if l.asker != nil {
		by = l.asker()
	}
	e := state.Entry{Time: s.Time, Event: state.EventSent, ID: l.run + "-" + s.RequestID, Lane: string(lane), Purpose: string(p), By: by,
		Model: s.Model, Host: s.Host, Bytes: s.Bytes, Body: s.BodyHash}
	l.mu.Lock()
	l.sent[s.RequestID] = e
	l.mu.Unlock()
	return l.Append(e)
}

// Done implements model.Ledger.
func (l *ledger) Done(d model.Done) error {
	l.mu.Lock()
	sent := l.sent[d.RequestID]
	delete(l.sent, d.RequestID)
	l.mu.Unlock()
	err := l.export(d, sent)
	return errors.Join(err, l.Append(state.Entry{Time: d.Time, Event: state.EventDone, ID: l.run + "-" + d.RequestID, Lane: string(d.Lane), Model: d.Model, Served: d.Served,
		Input: d.Usage.Input, Cached: d.Usage.Cached, Output: d.Usage.Output, Estimated: !d.Usage.Known, CostUSD: d.CostUSD, Error: string(d.Code)}))
}

// noLedger takes the place of a ledger that cannot be opened, which was reported already.
// Nobody knows what other processes spend.
type noLedger struct{ err error }

// Spent implements model.Spend.
func (l noLedger) Spent(time.Time) (float64, error) { return 0, l.err }

// Sent implements model.Ledger.
func (noLedger) Sent(model.Lane, model.Purpose, model.Sent) error { return nil }

// Done implements model.Ledger.
func (noLedger) Done(model.Done) error { return nil }
