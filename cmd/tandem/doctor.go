package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/cmd/tandem/keys"
	"tandem/edits"
	"tandem/model"
	"tandem/model/format"
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

func doctorCommand(g *globals) *cobra.Command {
	var asJSON bool
	var file string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, keys, models and limits, and say what to do about each problem",
		Args:  takes(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return examine(c, g, asJSON, file) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVar(&file, "bundle", "", "write versions, settings and counts without any text, name or path of yours to `FILE`, for who helps you")
	return c
}

// How a check ended.
const (
	healthy = "ok"
	warning = "warning" // works, but not as it could
	problem = "problem"
)

// A finding is the result of one check.
type finding struct {
	Check   string `json:"check"`
	Status  string `json:"status"`
	Message string `json:"message"`        // the result, one sentence
	Todo    string `json:"todo,omitempty"` // what to do about it
	code    int    // exit code of a problem
}

// A doctor runs the checks and collects their findings.
type doctor struct {
	globals  *globals
	settings *config.Config
	ring     *keys.Ring
	store    *state.Store
	group    *run.Group
	findings []finding
}

// diagnosis is the answer of `tandem doctor --json`.
type diagnosis struct {
	OK       bool      `json:"ok"`
	Findings []finding `json:"findings"`
}

func examine(c *cobra.Command, g *globals, asJSON bool, file string) error {
	d := &doctor{globals: g, ring: keyRing()}
	d.group = run.NewGroup(c.Context(), func(p *run.Panic) { d.bad("tandem", p.Error(), "report it") })
	defer d.group.Close()
	d.examine(c.Context())
	if file != "" {
		if err := d.writeBundle(file); err != nil {
			return exit(exitFailed, fmt.Errorf("the bundle %s cannot be written: %w", file, err))
		}
		fmt.Fprintf(c.ErrOrStderr(), "%s can be read before you send it: it has no text, name or path of yours.\n", edits.OneLine(file))
	}
	if err := d.print(c, asJSON); err != nil {
		return err
	}
	if code := d.worst(); code != exitDone {
		return exit(code, errors.New(""))
	}
	return nil
}

func (d *doctor) examine(ctx context.Context) {
	d.configuration()
	d.folders()
	d.keyring()
	d.watchLimits(ctx)
	d.filtered()
	if d.settings != nil {
		d.lanes(ctx)
	}
	if !d.globals.offline {
		d.localServers(ctx)
	}
}

func (d *doctor) good(check, format string, args ...any) {
	d.findings = append(d.findings, finding{Check: check, Status: healthy, Message: fmt.Sprintf(format, args...)})
}

func (d *doctor) warn(check, message, todo string) {
	d.findings = append(d.findings, finding{Check: check, Status: warning, Message: message, Todo: todo})
}

func (d *doctor) bad(check, message, todo string) {
	d.findings = append(d.findings, finding{Check: check, Status: problem, Message: message, Todo: todo, code: exitFailed})
}

// worst returns the exit code, in this order: a configuration that cannot be
// read, a reached daily limit, a model that cannot answer, anything else.
func (d *doctor) worst() int {
	code := exitDone
	for _, f := range d.findings {
		switch {
		case f.code == exitConfig:
			return exitConfig
		case f.code > code:
			code = f.code
		}
	}
	return code
}

func (d *doctor) configuration() {
	settings, err := config.Load(d.globals.options())
	d.policy(config.ReadPolicy(d.globals.options()))
	var mistakes *config.Error
	if errors.As(err, &mistakes) {
		for _, p := range mistakes.Problems {
			d.findings = append(d.findings, finding{Check: "configuration", Status: problem, Message: p.String(), Todo: "mend that line", code: exitConfig})
		}
		return
	}
	d.settings = settings
	for _, n := range settings.Notes {
		d.warn("configuration", n.String()+".", "")
	}
	if _, err := os.Stat(settings.File); err != nil {
		d.good("configuration", "%s is not there, so the built-in engine answers everything; tandem setup leads to a model.", settings.File)
		return
	}
	d.good("configuration", "%s is right.", settings.File)
}

func (d *doctor) folders() {
	store, err := openStore()
	if err != nil {
		d.bad("state", err.Error()+".", "nothing is kept between sessions until then")
		return
	}
	d.store = store
	var bytes int64
	parts, err := store.Sizes()
	for _, p := range parts {
		bytes += p.Bytes
	}
	if err != nil {
		d.warn("state", "the state folder cannot be measured: "+err.Error()+".", "look at its permissions")
		return
	}
	d.good("state", "%s holds %s.", store.Dir, size(bytes))
	if fault, err := store.Ledger().Read(func(state.Entry) error { return nil }); err != nil || fault != nil {
		d.warn("ledger", "the ledger is not as it was written.", "tandem ledger --verify names the line")
	}
}

func (d *doctor) keyring() {
	stored, err := d.ring.List()
	if err != nil {
		d.bad("keys", "the stored keys cannot be listed: "+err.Error()+".", "look at the permissions of "+config.Dir(os.Getenv))
		return
	}
	for _, s := range stored {
		if _, _, err := d.ring.Get(s.Name); err != nil {
			d.bad("keys", fmt.Sprintf("the key %s cannot be used: %v.", s.Name, err), "tandem key set "+s.Name)
		}
	}
	d.good("keys", "%d stored.", len(stored))
}

// filtered reports how many next edits were not shown, by reason.
func (d *doctor) filtered() {
	if d.store == nil {
		return
	}
	counts, err := d.store.Filtered().All()
	if err != nil || len(counts) == 0 {
		return
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[reason], reason))
	}
	d.good("next edits", "not shown as noise so far: %s.", strings.Join(parts, ", "))
}

// lanes sends the model of each lane a tiny request, at each address of its
// provider, and reports which model answered.
func (d *doctor) lanes(ctx context.Context) {
	asked := map[string]bool{}
	setup := laneSetup(d.settings)
	for _, row := range []struct {
		check string
		lane  model.Lane
		name  string
		own   bool // the configuration names a model for it
	}{
		{"fast lane", model.Fast, setup.Name(model.Fast), true},
		{"completion", model.Fast, setup.For(model.Complete), setup.Complete != ""},
		{"next edits", model.Fast, setup.For(model.NextEdit), setup.NextEdit != ""},
		{"deep lane", model.Deep, setup.Name(model.Deep), true},
	} {
		m, ok := d.settings.Models[row.name]
		switch {
		case !row.own:
		case !ok && row.check == "completion", !ok && row.check == "next edits":
			d.good(row.check, "the built-in engine.")
		case !ok:
			d.builtIn(row.lane)
		case asked[row.name]:
			d.good(row.check, "uses %s too.", row.name)
		default:
			asked[row.name] = true
			d.prices(m)
			d.day(setup, row.lane, row.name)
			for _, url := range d.settings.Providers[m.Provider].BaseURLs {
				d.lane(ctx, row.check, row.lane, m, url)
			}
		}
	}
}

// prices reports a model that the daily limit refuses.
func (d *doctor) prices(m model.ModelConfig) {
	if d.settings.DailyLimit == nil || !model.Unpriced(m, d.settings.Providers[m.Provider]) {
		return
	}
	d.bad("daily limit", m.Name+" lacks a price, so it is not asked while daily_limit_usd is set.",
		fmt.Sprintf("add input_price and output_price to [models.%s], 0 where it costs nothing", m.Name))
}

// day reports what a normal day costs with a model of the fast lane.
func (d *doctor) day(setup model.Setup, lane model.Lane, name string) {
	usd, warning := setup.DayCost(name), setup.CostWarning(name)
	switch {
	case lane != model.Fast || usd == 0:
	case warning != "":
		d.warn("cost of a day", warning, "")
	default:
		d.good("cost of a day", "about $%.2f with %s at its prices, for what it answers of 2,800 completions, 60 edits and 40 questions.", usd, name)
	}
	if paid := paid(d.settings); paid > 0 && setup.For(model.Complete) == name {
		d.good("completions", "%s is shown up to %d tokens instead of %d (budgets.complete) at its prices; raise completions_day_usd (%.2f) for more.", name, paid, setup.Budgets.Complete, setup.Budgets.CompletionsUSD)
	}
}

// at returns the configuration with only one address of a provider.
func (d *doctor) at(provider, url string) *config.Config {
	c := *d.settings
	c.Providers = maps.Clone(c.Providers)
	p := c.Providers[provider]
	p.BaseURLs = []string{url}
	c.Providers[provider] = p
	return &c
}

// notice records what no error reports: another model answered, a parameter
// was dropped.
func (d *doctor) notice(n model.Notice) {
	switch n.Kind {
	case model.NoticeServed, model.NoticeParameter, model.NoticeLedger, model.NoticeUsage:
		d.warn("models", n.Text, "")
	case model.NoticeServer:
		if n.Err == nil { // an error is the answer of the request
			d.warn("server", n.Text, "")
		}
	}
}

func (d *doctor) builtIn(lane model.Lane) {
	check := string(lane) + " lane"
	switch {
	case d.globals.offline:
		d.good(check, "the built-in engine, since --offline was given.")
	case lane == model.Fast:
		d.good(check, "the built-in engine; it sends nothing.")
	default:
		d.good(check, "no deep model is configured, so everything stays on the fast lane.")
	}
}

// modelTimeout bounds how long the doctor waits for a model.
const modelTimeout = 60 * time.Second

func (d *doctor) lane(ctx context.Context, check string, lane model.Lane, m model.ModelConfig, url string) {
	settings := d.at(m.Provider, url)
	ctx, slow := context.WithCancelCause(ctx)
	defer slow(nil)
	lanes := newLanes(func() *config.Config { return settings }, d.store, nil, d.group, func(n model.Notice) {
		d.notice(n)
		if n.Err != nil && n.Err.Code == model.CodeTimeout {
			slow(n.Err) // what a person would wait for is not worth it
		}
	}, func() string { return "tandem doctor" })
	defer func() { _ = lanes.Close() }()
	p := settings.Providers[m.Provider]
	source := d.ring.Source(p, d.settings.KeyHints[p.Name])
	if _, err := source.Key(ctx); err != nil {
		d.unanswered(check, err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, modelTimeout)
	defer cancel()
	lanes.Warm(ctx, lane)
	req := tinyRequest(lane, m)
	if p.Plain() && req.Fill != nil {
		long := model.Measuring(m.Name)
		req.Fill, req.MaxOutputTokens = long.Fill, max(long.MaxOutputTokens, req.MaxOutputTokens/2)
	}
	ended, err := tried(ctx, lanes, lane, m, req)
	if err != nil {
		d.unanswered(check, err)
		return
	}
	u, _ := lanes.Usage(req.ID)
	served := u.ServedModel
	if served == "" {
		served = m.Model + " (the server does not say which)"
	}
	cost := ""
	if u.CostUSD > 0 {
		cost = fmt.Sprintf(", $%.4f", u.CostUSD)
	}
	d.good(check, "%s at %s: %s answered after %.0f ms, %d + %d tokens%s; the key comes from %s.", m.Name, url,
		served, u.FirstTokenMs, u.PromptTokens, u.OutputTokens, cost, source.Where())
	switch {
	case ended.learned != "":
		d.good(check, "%s", ended.said(m.Name))
	case !ended.whole:
		d.warn(check, ended.said(m.Name), "edits by it are shown as parts and are written with --force alone; ask who runs the server, or choose another model")
	}
	d.server(lanes, m)
}

// server reports what is known of a model's server besides its answer.
func (d *doctor) server(lanes *model.Lanes, configured model.ModelConfig) {
	m := configured
	for _, p := range []model.Purpose{model.Complete, model.NextEdit} {
		if known, _ := lanes.ConfigFor(p); known.Name == m.Name {
			m = known
		}
	}
	if known, _ := lanes.Config(model.Deep); known.Name == m.Name {
		m = known
	}
	var says []string
	if n := m.Server.ContextWindow; n > 0 {
		says = append(says, fmt.Sprintf("its server takes %d tokens (context_window is %d), of which tandem uses the smaller number", n, configured.ContextWindow))
	}
	if family := model.FIMOf(m); family != nil {
		says = append(says, "it fills in as a model of the family "+family.Name)
	}
	if m.Rate.Evaluated > 0 {
		says = append(says, fmt.Sprintf("it reads %.0f tokens a second", m.Rate.Evaluated))
	}
	if m.Rate.Written > 0 {
		says = append(says, fmt.Sprintf("it writes %.0f tokens a second", m.Rate.Written))
	}
	if configured.Name == laneSetup(d.settings).For(model.Complete) && !model.ReadsOthers(m) {
		says = append(says, "while you type it is shown the document alone, since models of its size write worse lines with code of other files")
	}
	if len(says) > 0 {
		d.good("server", "%s: %s.", m.Name, strings.Join(says, "; "))
	}
	if configured.Name == laneSetup(d.settings).For(model.Complete) && m.Server.Own && m.Rate.Evaluated > 0 {
		d.completions(m)
	}
}

// completions reports what a server of the user's has time for while they type.
func (d *doctor) completions(m model.ModelConfig) {
	wait := d.settings.Editor("").FirstText
	can := m.InTime(wait)
	if !can.Slow {
		d.good("completions", "%s is shown up to %d tokens, of which %d may be new to it at a key; expect a suggestion %v after one (editor.first_text_ms is %d), and %v where the cursor is new.", m.Name,
			min(can.Window, d.settings.Budgets["complete"]), can.Key, can.Wait.Round(10*time.Millisecond), wait.Milliseconds(), (can.Wait + model.ReadingTime).Round(100*time.Millisecond))
		return
	}
	d.warn("completions", fmt.Sprintf("%s reads too slowly: what is new at a key takes it %v, more than editor.first_text_ms (%d), so the built-in engine answers while you type.", m.Name, can.Wait.Round(10*time.Millisecond), wait.Milliseconds()),
		fmt.Sprintf("%s, or set editor.first_text_ms = %d", smaller(m, wait), (can.Wait+99*time.Millisecond).Milliseconds()/100*100))
}

// smaller names the size of a model that would be fast enough: the speed falls as the size grows.
func smaller(m model.ModelConfig, wait time.Duration) string {
	share := m.Rate.Evaluated * wait.Seconds() / model.LeastKey
	if size := model.Parameters(m); !math.IsInf(size, 1) {
		return fmt.Sprintf("load a model of at most %.1fB parameters in place of %gB", size*share, size)
	}
	return fmt.Sprintf("load a model of at most %.0f %% of its size", 100*share)
}

// tinyRequest has a question for chat models whose answer is known, and an infill site for models
// that only fill in the middle. A model for next edits gets the smallest file in its
// format.
func tinyRequest(lane model.Lane, m model.ModelConfig) *model.Request {
	if f := format.For(m.Format); f != nil {
		return tinyNextEdit(f, m)
	}
	return &model.Request{
		ID: "doctor-" + string(lane), Model: m.Name, Purpose: model.Ask, MaxOutputTokens: leastTimed*6 + m.Reasoning(),
		Instructions: redact.Const("Answer with the numbers alone."),
		Input:        []model.Message{{Role: "user", Text: redact.Const("Write the numbers from 1 to 30, with a space after each.")}},
		Fill:         &model.Infill{Path: redact.Const("ready.txt"), Prefix: redact.Const("Say ready: "), Suffix: redact.Const("\n")},
		Deadline:     patient,
	}
}

// patient are deadlines for somebody who waits to see that a model answers at all.
var patient = model.Deadlines{Connect: 10 * time.Second, FirstByte: modelTimeout, Stall: modelTimeout}

// tinyRegion is what a model for next edits has nothing to change in.
const tinyRegion = "ready = True\n"

func tinyNextEdit(f *format.Format, m model.ModelConfig) *model.Request {
	prompt, _ := f.Prompt(format.Input{Path: redact.Const("ready.py"), Region: redact.Const(tinyRegion), Line: 1}) // it holds no marker
	req := model.NextEditRequest(m, f, prompt, redact.Const(tinyRegion), "doctor-"+string(model.NextEdit))
	req.Deadline = patient
	return req
}

// unanswered records a lane that did not answer. The message of a model's error
// already contains what to do.
func (d *doctor) unanswered(check string, err error) {
	failed := model.AsError(err)
	code := exitNoModel
	if failed.Code == model.CodeDailyLimit {
		code = exitDailyLimit
	}
	d.findings = append(d.findings, finding{Check: check, Status: problem, Message: failed.Error(), code: code})
}

func (d *doctor) print(c *cobra.Command, asJSON bool) error {
	failing := slices.ContainsFunc(d.findings, func(f finding) bool { return f.Status == problem })
	if asJSON {
		return printJSON(c, diagnosis{!failing, d.findings})
	}
	marks := map[string]string{healthy: "ok", warning: "!!", problem: "XX"}
	out := c.OutOrStdout()
	for _, f := range d.findings {
		fmt.Fprintf(out, "%s  %-14s %s\n", marks[f.Status], f.Check, edits.OneLine(f.Message))
		if f.Todo != "" {
			fmt.Fprintf(out, "    %-14s -> %s\n", "", edits.OneLine(f.Todo))
		}
	}
	return nil
}
