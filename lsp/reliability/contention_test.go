//go:build reliability && linux

package reliability

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience ends a test that waits for what never happens; it is no bound of a row.
const patience = 2 * time.Minute

// How often the probe looks at the machine, and how much processor time it uses for it on
// each processor: enough to wait for its turn as a busy program does.
const (
	probeEvery = 200 * time.Millisecond
	probeWork  = 15 * time.Millisecond
	probeMost  = 2 * time.Second // by the clock
)

// A moment is what the probe has summed up by then.
type moment struct {
	at          time.Time
	clock, used time.Duration // of the probe's own work: by the clock, and of processors
	busy, own   time.Duration // of processors: of all programs, and of this test's with its children
}

// A probe measures all the time how much slower than on an idle machine programs run, so that
// a row whose bound was missed is judged by what the machine did meanwhile.
type probe struct {
	mu      sync.Mutex // guards all below, and that one measures at a time
	moments []moment
}

var machine probe

// watch measures until the tests end.
func (p *probe) watch() {
	for {
		p.measure()
		time.Sleep(probeEvery)
	}
}

// measure works on every processor at once, and notes how long that took.
func (p *probe) measure() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var next moment
	if n := len(p.moments); n > 0 {
		next = p.moments[n-1]
	}
	var mu sync.Mutex // guards next
	var all sync.WaitGroup
	for range runtime.NumCPU() {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			before, start := threadTime(), time.Now()
			sum := [sha256.Size]byte{}
			for threadTime()-before < probeWork && time.Since(start) < probeMost {
				for range 500 {
					sum = sha256.Sum256(sum[:])
				}
			}
			clock, used := time.Since(start), threadTime()-before
			mu.Lock()
			defer mu.Unlock()
			next.clock, next.used = next.clock+clock, next.used+used
		})
	}
	all.Wait()
	next.at, next.busy, next.own = time.Now(), busyTime(), ownTime()
	p.moments = append(p.moments, next)
}

// slower is how many times slower than on an idle machine a program has run since a time:
// the clock's time of the probe's work over the processors', and no more than what other
// programs took explains, since a row may keep all processors busy itself.
func (p *probe) slower(since time.Time) float64 {
	p.measure()
	p.mu.Lock()
	defer p.mu.Unlock()
	last := p.moments[len(p.moments)-1]
	first := p.moments[0]
	for _, m := range p.moments {
		if m.at.After(since) {
			break
		}
		first = m
	}
	return slowness(first, last)
}

// slowness is how many times slower programs ran from one moment to another; at least 1.
func slowness(first, last moment) float64 {
	used, took := last.used-first.used, last.at.Sub(first.at)
	if used <= 0 || took <= 0 {
		return 1
	}
	others := float64(last.busy-first.busy-(last.own-first.own)) / (float64(took) * float64(runtime.NumCPU()))
	left := max(1-others, 0.01)
	return max(1, min(float64(last.clock-first.clock)/float64(used), 1/left))
}

// fairly is a time that ended now as it would have been on an idle machine, if it exceeds a
// bar.
func fairly(took, bar time.Duration) time.Duration {
	if took <= bar {
		return took
	}
	return time.Duration(float64(took) / machine.slower(time.Now().Add(-took)))
}

// threadTime is the processor time that this thread has used.
func threadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	return usage(thread)
}

func usage(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// tick is the unit of processor times in /proc.
const tick = 10 * time.Millisecond

// busyTime is the processor time of all programs, but for those that give way to others.
func busyTime() time.Duration {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	f := append(strings.Fields(line), make([]string, 10)...)
	priority, _ := syscall.Getpriority(syscall.PRIO_PROCESS, 0) // 20 minus the nice value
	n := 0
	for i, column := range f[1:9] { // user, nice, system, idle, iowait, irq, softirq, steal
		yields := i == 1 && priority >= 20
		if ticks, err := strconv.Atoi(column); err == nil && i != 3 && i != 4 && !yields {
			n += ticks
		}
	}
	return time.Duration(n) * tick
}

// ownTime is the processor time of this process, and of its children that have ended or run.
func ownTime() time.Duration {
	out := usage(syscall.RUSAGE_SELF) + usage(syscall.RUSAGE_CHILDREN)
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		pids, _ := os.ReadFile(list) // of a thread that has ended: none
		for pid := range strings.FieldsSeq(string(pids)) {
			text, err := os.ReadFile("/proc/" + pid + "/stat")
			if err != nil {
				continue
			}
			f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
			for _, column := range f[11:15] { // of it and of its children that have ended
				ticks, _ := strconv.Atoi(column)
				out += time.Duration(ticks) * tick
			}
		}
	}
	return out
}

// TestSlowness: what other programs take makes the machine slower, what the row itself takes does
// not.
func TestSlowness(t *testing.T) {
	all := time.Duration(runtime.NumCPU()) * time.Second
	at := time.Unix(1000, 0)
	for _, c := range []struct {
		name                   string
		clock, used, busy, own time.Duration
		want                   float64
	}{
		{"nothing else runs", 100, 100, 0, 0, 1}, {"the row keeps all busy", 300, 100, all, all, 1}, {"another program takes a half", 200, 100, all, all / 2, 2}, {"the probe waited less", 150, 100, all, all / 4, 1.5},
		{"others take three quarters", 900, 100, all, all / 4, 4}, {"nothing was measured", 100, 0, all, 0, 1},
	} {
		if got := slowness(moment{at: at}, moment{at.Add(time.Second), c.clock, c.used, c.busy, c.own}); got != c.want {
			t.Errorf("%s: %v times slower, want %v", c.name, got, c.want)
		}
	}
	if got := fairly(time.Second, 2*time.Second); got != time.Second {
		t.Errorf("what keeps to its bar is %v", got)
	}
}
