package run

import "sync"

// A Job is work that runs once at a time: a request that comes while it runs
// makes it run once more afterwards.
type Job struct {
	mu      sync.Mutex
	wanted  bool
	running bool
}

// Ask requests the job; if it is not running, start must arrange for Run to be
// called, or return false.
func (j *Job) Ask(start func() bool) {
	j.mu.Lock()
	j.wanted = true
	mine := !j.running
	j.running = true
	j.mu.Unlock()
	if mine && !start() {
		j.mu.Lock()
		j.running = false
		j.mu.Unlock()
	}
}

// Run does the job until no request is left. After a panic in the job, it can be
// requested again.
func (j *Job) Run(job func()) {
	done := false
	defer func() {
		if !done {
			j.mu.Lock()
			j.running = false
			j.mu.Unlock()
		}
	}()
	for j.next() {
		job()
	}
	done = true
}

func (j *Job) next() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running = j.wanted
	j.wanted = false
	return j.running
}
