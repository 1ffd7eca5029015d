package provider

import (
	"cmp"
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/model/provider/socket"
)

// deadlines are the request's own, else those of its purpose. They are extended
// for reasoning models, which think before they answer, and by the provider's
// own settings.
func (c *client) deadlines(req *model.Request) model.Deadlines {
	usual := model.DefaultDeadlines(req.Purpose)
	d := model.Deadlines{
		Connect:   cmp.Or(req.Deadline.Connect, usual.Connect),
		FirstByte: cmp.Or(req.Deadline.FirstByte, usual.FirstByte),
		Stall:     cmp.Or(req.Deadline.Stall, usual.Stall),
	}
	if e := c.model.ReasoningEffort; e != "" && e != "none" && e != "minimal" && model.MaxWait(req.Purpose) == time.Minute {
		task := model.DefaultDeadlines(model.Task)
		d.FirstByte, d.Stall = max(d.FirstByte, task.FirstByte), max(d.Stall, task.Stall)
	}
	d.FirstByte, d.Stall = d.FirstByte+req.Deadline.Slack, d.Stall+req.Deadline.Slack
	if idle := c.provider.StreamIdleTimeout; idle > 0 {
		d.FirstByte, d.Stall = idle, idle
	}
	return d
}

// idleDeadline is how long the server may send nothing that counts. Until the
// first text the model may think for as long as a first byte may take, unless
// the provider's own setting bounds both.
func (x *exchange) idleDeadline() time.Duration {
	if !x.answer.timing.first.IsZero() {
		return x.deadlines.Stall
	}
	return max(x.deadlines.Stall, x.deadlines.FirstByte)
}

// A watch cancels a request whose phase takes too long.
type watch struct {
	cancel       context.CancelCauseFunc
	errorContext dialect.ErrorContext
	isConnected  atomic.Bool

	mu    sync.Mutex // guards the rest
	timer *time.Timer
	name  string        // of the phase
	limit time.Duration // of the phase
	end   time.Time     // of the phase; zero: none runs
	late  *dialect.Failure
}

// phase begins the next phase, which may take limit.
func (w *watch) phase(name string, limit time.Duration) { w.resume(name, limit, limit) }

// resume goes on with a phase that may take limit and has d of it left.
func (w *watch) resume(name string, limit, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.name, w.limit, w.end = name, limit, time.Now().Add(d)
	if d <= 0 {
		w.expire()
		return
	}
	if w.timer == nil {
		w.timer = time.AfterFunc(d, w.fire)
		return
	}
	w.timer.Reset(d)
}

// fire ends the request, unless another phase has begun meanwhile.
func (w *watch) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.end.IsZero() && !time.Now().Before(w.end) {
		w.expire()
	}
}

// expire ends the request. w.mu is held.
func (w *watch) expire() {
	if w.late == nil {
		w.late = w.errorContext.TimedOut(w.name, w.limit)
		w.cancel(context.DeadlineExceeded)
	}
}

// stop ends the last phase; its deadline no longer applies.
func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = time.Time{}
	if w.timer != nil {
		w.timer.Stop()
	}
}

// expired is the phase that took too long, or nil.
func (w *watch) expired() *dialect.Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.late
}

// A watchedBody is a body whose reads together may take as long as the idle
// deadline, from one event that counts to the next. While the caller processes
// what was read, no deadline runs.
type watchedBody struct {
	r       io.Reader
	watch   *watch
	idle    func() time.Duration
	reading time.Duration // in reads since the last event that counts
	gather  socket.Gather
}

// gathered is how the answer to a request is gathered.
func gathered(p model.Purpose) socket.Gather { return socket.Gather{On: !typed(p)} }

// typed reports whether a request is made while somebody types.
func typed(p model.Purpose) bool { return p == model.Complete || p == model.NextEdit }

func (b *watchedBody) Read(p []byte) (int, error) {
	b.gather.Wait(context.Background())
	limit := b.idle()
	b.watch.resume("stall", limit, limit-b.reading)
	start := time.Now()
	n, err := b.r.Read(p)
	b.watch.stop()
	took := time.Since(start)
	b.reading += took
	b.gather.Read(took, n)
	return n, err
}

// active notes that an event that counts has been read.
func (b *watchedBody) active() { b.reading = 0 }
