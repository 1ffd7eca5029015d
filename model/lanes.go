package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace/redact"
)

// A Ledger keeps a record of every request that was sent and of how it ended.
// workspace/state stores the records; the program connects the two.
type Ledger interface {
	Spend
	Sent(lane Lane, p Purpose, s Sent) error
	Done(d Done) error
}

// Done is how a request ended.
type Done struct {
	RequestID string
	Lane      Lane
	Model     string // configured name
	Served    string // the model that answered, as the server named it
	Usage     Usage  // Known is false where it is an estimate
	CostUSD   float64
	Code      Code // "" when it ended well
	Time      time.Time
}

// Setup describes the lanes; it comes from the configuration.
type Setup struct {
	Fast, Deep string // configured model names; "" and "local" mean none of its own
	// NextEdit and Complete answer these requests of the fast lane; "" leaves them to Fast.
	NextEdit, Complete string
	Models             map[string]ModelConfig
	Providers          map[string]ProviderConfig
	DailyLimit         *float64 // USD; nil: none
	DayNotice          float64  // USD: a fast model whose normal day costs more is said before it is asked; 0: never
	Budgets            Budgets
}

// Name returns the model of a lane, or "" if it has none of its own.
func (s Setup) Name(lane Lane) string {
	name := s.Fast
	if lane == Deep {
		name = s.Deep
	}
	if name == "local" {
		return ""
	}
	return name
}

// For returns the model of the fast lane that answers requests of a purpose, or "" if
// there is none of its own.
func (s Setup) For(p Purpose) string {
	name := ""
	switch p {
	case NextEdit:
		name = s.NextEdit
	case Complete:
		name = s.Complete
	}
	switch name {
	case "":
		return s.Name(Fast)
	case "local":
		return ""
	}
	return name
}

// prepared are the models to prepare for a lane: with the fast lane also the deep one, where
// it is on this machine and to prepare it loads no second model, as it does with Ollama.
func (s Setup) prepared(lane Lane) []string {
	names := []string{s.Name(lane)}
	if lane == Fast {
		names = append(names, s.For(Complete), s.For(NextEdit))
		if p := s.Providers[s.Models[s.Name(Deep)].Provider]; p.Plain() && p.WireAPI != "ollama" {
			names = append(names, s.Name(Deep))
		}
	}
	return names
}

// Parts are the dependencies of Lanes.
type Parts struct {
	// Open makes the client of a model; it reports to the observer.
	Open func(ModelConfig, Observer) (Client, error)
	// Allow reports why a lane's model may not be asked, nil if it may: the
	// administrator's policy as it is now. The zero ModelConfig is a lane
	// without a model. Its error is a sentence for the user. Nil allows all.
	Allow     func(Lane, ModelConfig) error
	Ledger    Ledger       // nil keeps none
	Notice    func(Notice) // called once for each subject, from any goroutine; nil drops notices
	Now       func() time.Time
	Rates     *Rates             // how fast servers are; nil begins with nothing
	Ends      *Ends              // words with which servers end whole answers; nil begins with nothing
	StoreRate func(string, Rate) // stores one of Rates for the next start, from any goroutine; nil stores none
}

// Lanes is the configured models with their limiters. It limits, prices and
// accounts for every request, and reports which model really answered. Nothing is
// ever sent to another model than the one that was asked for.
type Lanes struct {
	parts  Parts
	once   once
	budget budget

	payloads payloads

	mu       sync.Mutex // guards all below
	setup    Setup
	channels map[string]*channel // by configured model
	unopened map[string]*Error   // why a model's client could not be made, until it can
	calls    map[string]*call    // by request, while they run
	recent   map[string]edits.Provenance
	order    []string // keys of recent, oldest first
	serial   int
}

// maxRecent bounds how many ended requests Usage remembers.
const maxRecent = 256

// NewLanes returns lanes for a setup. Clients are opened when first needed.
func NewLanes(s Setup, p Parts) *Lanes {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Rates == nil {
		p.Rates = &Rates{}
	}
	if p.Ends == nil {
		p.Ends = &Ends{}
	}
	l := &Lanes{parts: p, channels: map[string]*channel{}, unopened: map[string]*Error{}, calls: map[string]*call{}, recent: map[string]edits.Provenance{}}
	l.once.notify = p.Notice
	if p.Ledger != nil {
		l.budget.spend = p.Ledger
	}
	l.Reconfigure(s)
	return l
}

// Reconfigure replaces the setup: after a change of profile or of the file.
// Models that do not change keep their connection and their limiter. Running
// requests end on the client that they began with. What is wrong with a model that changes is
// reported anew.
func (l *Lanes) Reconfigure(s Setup) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setup = s
	clear(l.unopened)
	l.budget.mu.Lock()
	l.budget.limit = s.DailyLimit
	l.budget.mu.Unlock()
	for name, ch := range l.channels {
		if !s.has(ch) {
			delete(l.channels, name)
			ch.retire()
			l.once.forget(func(t topic) bool { return t.model == name }) // it was about another server
		}
	}
}

// has reports whether the setup describes a channel's model and its provider
// as they were when it was opened.
func (s Setup) has(ch *channel) bool {
	cfg, ok := s.Models[ch.config.Name]
	return ok && reflect.DeepEqual(cfg, ch.config) && reflect.DeepEqual(s.Providers[cfg.Provider], ch.provider)
}

// Config describes the lane's model; false where the lane has none of its own.
func (l *Lanes) Config(lane Lane) (ModelConfig, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.described(l.setup.Name(lane))
}

// ConfigFor describes the fast lane's model for a purpose; false where it has none of
// its own.
func (l *Lanes) ConfigFor(p Purpose) (ModelConfig, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.described(l.setup.For(p))
}

// described is a model as it is configured, with what its server's reports have
// shown. The caller holds l.mu.
func (l *Lanes) described(name string) (ModelConfig, bool) {
	cfg, ok := l.setup.Models[name]
	own := l.setup.Providers[cfg.Provider].Plain() && !Paid(cfg) // one on this machine with a price passes on to others
	if ch := l.channels[name]; ch != nil {
		ch.mu.Lock()
		cfg.LearnedMargin, cfg.Server = ch.margin.value, ch.server
		ch.mu.Unlock()
		if own { // elsewhere the network takes most of the time
			cfg.Rate, cfg.Server.Measured = l.parts.Rates.Of(ch.rateKey())
		}
	}
	cfg.Server.Own = own
	return cfg.fitting(), ok
}

// outputShare is the divisor of the part of a server's context that an answer may have,
// where that context is smaller than what is configured.
const outputShare = 4

// fitting is a model with no more context than its server has.
func (m ModelConfig) fitting() ModelConfig {
	if has := m.Server.ContextWindow; has > 0 && has < m.ContextWindow {
		m.ContextWindow, m.MaxOutputTokens = has, min(m.MaxOutputTokens, has/outputShare)
	}
	return m
}

// channel returns the channel of a model and opens it if needed. An empty name
// means the lane's own model.
func (l *Lanes) channel(lane Lane, name string) (*channel, *Error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name = cmp.Or(name, l.setup.Name(lane))
	cfg, ok := l.setup.Models[name]
	if err := l.disallowed(lane, cfg); err != nil {
		return nil, err
	}
	if ch := l.channels[name]; ch != nil {
		return ch, nil
	}
	if !ok {
		return nil, &Error{Code: CodeNotConfigured, Message: fmt.Sprintf(
			"Set up a model (tandem setup), or name one in %s =: the %s lane has none.", lane, lane)}
	}
	client, err := l.parts.Open(cfg, l)
	if err != nil {
		l.unopened[name] = AsError(err)
		return nil, l.unopened[name]
	}
	delete(l.unopened, name)
	ch := &channel{config: cfg, provider: l.setup.Providers[cfg.Provider], client: client, slots: make(chan struct{}, slots(lane))}
	l.channels[name] = ch
	return ch, nil
}

// disallowed is the administrator's refusal of a lane's model, or nil.
func (l *Lanes) disallowed(lane Lane, cfg ModelConfig) *Error {
	if l.parts.Allow == nil {
		return nil
	}
	err := l.parts.Allow(lane, cfg)
	if err == nil {
		return nil
	}
	return &Error{Code: CodePolicy, Provider: cfg.Provider, Model: cfg.Name, Message: err.Error(), Err: err}
}

// slots bounds how many requests of a lane run at once; the others wait.
func slots(lane Lane) int {
	if lane == Deep {
		return 4
	}
	return 16 // the maximum of one Responses socket
}

// Warm prepares the lane's connections, so that the next request does not have to. What
// is in its way, a missing key for example, is then in the status.
func (l *Lanes) Warm(ctx context.Context, lane Lane) {
	names := l.current().prepared(lane)
	for i, name := range names {
		if name != "" && !slices.Contains(names[:i], name) {
			l.warm(ctx, lane, name)
		}
	}
}

// current is the setup in use.
func (l *Lanes) current() Setup {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.setup
}

// opened is the channel of a model, nil where it has none yet.
func (l *Lanes) opened(model string) *channel {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.channels[model]
}

func (l *Lanes) warm(ctx context.Context, lane Lane, name string) {
	ch, err := l.channel(lane, name)
	if err != nil {
		return
	}
	blocked, _ := ch.limiter.blocked(l.parts.Now())
	if blocked != nil && blocked.Code != CodeNotConfigured {
		return
	}
	switch failed := AsError(ch.client.Warm(ctx)); {
	case failed == nil && blocked != nil:
		ch.limiter.done(l.parts.Now(), nil) // there is a key now
	case failed != nil && serverFault(failed) != nil:
		ch.limiter.done(l.parts.Now(), failed)
		l.announce(ch.config.Name, failed)
	case failed == nil:
		l.mu.Lock()
		m, _ := l.described(name)
		l.mu.Unlock()
		if m.Server.Own && m.Rate.Evaluated == 0 && FIMOf(m) != nil {
			for range l.Stream(ctx, lane, Measuring(name)) { // its speed decides what it is shown
			}
		}
	}
}

// Measuring is a request that shows how fast a server is: that it has nothing of, and so short
// that a slow one has done it when the first suggestion is due.
func Measuring(name string) *Request {
	prefix := redact.Format("# %s\n", redact.Int(int(time.Now().UnixNano())))
	for i := range 8 {
		prefix = redact.Format("%sdef add%[2]s(a, b):\n    return a + b + %[2]s\n\n", prefix, redact.Int(i))
	}
	return &Request{Model: name, Purpose: Complete, MaxOutputTokens: 8,
		Fill: &Infill{Path: redact.Const("ready.py"), Prefix: redact.Format("%sdef add8(a, b):\n", prefix), Suffix: redact.Const("\n")}}
}

// BackoffFor returns the factor by which an automatic request of a purpose waits longer
// than usual: 1, or 2 when more than 80 % of the plan or of the daily limit is used.
// Above 95 % it is 0: only explicit requests may be sent. That the daily limit is reached is
// announced here too, since then no automatic request meets it.
func (l *Lanes) BackoffFor(p Purpose) float64 {
	name := l.current().For(p)
	factor, err := l.backoff(name)
	if err != nil {
		l.announce(name, err)
	}
	return factor
}

// backoff is BackoffFor of a model, with the error of a daily limit that is reached.
func (l *Lanes) backoff(name string) (float64, *Error) {
	ch := l.opened(name)
	if ch == nil {
		return 1, nil
	}
	now := l.parts.Now()
	used, _ := ch.limiter.usage(now)
	var reached *Error
	if Paid(ch.config) {
		var spent float64
		if spent, reached = l.budget.percent(now); reached != nil {
			reached.Provider, reached.Model = ch.config.Provider, ch.config.Name
		}
		used = max(used, spent)
	}
	switch {
	case used > explicitAt:
		return 0, reached
	case used > backoffAt:
		return 2, reached
	}
	return 1, reached
}

// Usage returns what an ended request used, if it was one of the last few hundred.
func (l *Lanes) Usage(requestID string) (edits.Provenance, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok := l.recent[requestID]
	return p, ok
}

func (l *Lanes) remember(id string, p edits.Provenance) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, exists := l.recent[id]; !exists {
		l.order = append(l.order, id)
	}
	l.recent[id] = p
	if len(l.order) > maxRecent {
		delete(l.recent, l.order[0])
		l.order = l.order[1:]
	}
}

// Close releases every connection.
func (l *Lanes) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, ch := range l.channels {
		delete(l.channels, name)
		ch.retire()
	}
	return nil
}

// A channel is one model: its client, its limiter and its usage.
type channel struct {
	config   ModelConfig
	provider ProviderConfig
	client   Client
	limiter  limiter
	slots    chan struct{} // one for each running request

	mu       sync.Mutex // guards all below
	served   string
	queued   int
	running  int
	retired  bool
	total    Totals
	unshared int // requests that could have been cached, and none was
	margin   learnedMargin
	server   Server
}

// address is that of the model's server.
func (c *channel) address() string {
	if len(c.provider.BaseURLs) > 0 {
		return c.provider.BaseURLs[0]
	}
	return ""
}

// LearnEnd records that a model's server ended a whole answer so, and returns its word if it is
// one that nobody knew.
func (l *Lanes) LearnEnd(model string, end End) (word string) {
	ch := l.opened(model)
	if ch == nil || !end.Unclear() {
		return ""
	}
	l.parts.Ends.learn(ch.address(), end.word)
	return end.word
}

// rateKey names the server and the model that a rate is of.
func (c *channel) rateKey() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.address() + " " + bare(cmp.Or(c.server.Loaded, c.config.Model))
}

// Totals are the tokens of a model's prompts, and the price of its answers, since tandem
// started.
type Totals struct {
	Input, Cached int
	CostUSD       float64
}

// retire closes the client once nothing runs on it.
func (c *channel) retire() {
	c.mu.Lock()
	c.retired = true
	idle := c.running+c.queued == 0
	c.mu.Unlock()
	if idle {
		_ = c.client.Close()
	}
}

// acquire waits for a slot; release frees it.
func (c *channel) acquire(ctx context.Context) error {
	c.mu.Lock()
	c.queued++
	c.mu.Unlock()
	var err error
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		err = ctx.Err()
	}
	c.mu.Lock()
	c.queued--
	if err == nil {
		c.running++
	}
	c.mu.Unlock()
	return err
}

func (c *channel) release() {
	c.mu.Lock()
	c.running--
	idle := c.retired && c.running+c.queued == 0
	c.mu.Unlock()
	<-c.slots
	if idle {
		_ = c.client.Close()
	}
}

// AsError returns err as an *Error. Another error is a bug in tandem, or the caller
// has stopped the request.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &Error{Code: CodeCancelled, Message: "The request was cancelled.", Err: err}
	}
	return &Error{Code: CodeInternal, Message: "tandem failed inside: " + err.Error() + "; please report it.", Err: err}
}
