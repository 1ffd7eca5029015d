// Package queue holds jobs until somebody takes them.
package queue

import (
	"sort"
	"strings"
	"sync"
	"time"
)

// A Job is something to do.
type Job struct {
	ID       string
	Priority int
	Tags     []string
	Due      time.Time
}

// A Queue holds jobs. It may be used by several goroutines.
type Queue struct {
	mu   sync.Mutex
	jobs []Job
	done map[string]bool
}

// New returns an empty queue.
func New() *Queue {
	return &Queue{done: map[string]bool{}}
}

// Push adds a job.
func (q *Queue) Push(j Job) {
	q.jobs = append(q.jobs, j)
}

// Pop takes the first job.
func (q *Queue) Pop() (Job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) == 0 {
		return Job{}, false
	}
	first := q.jobs[0]
	q.jobs = q.jobs[1:]
	return first, true
}

// Finish marks a job as done.
func (q *Queue) Finish(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done[id] = true
}

// Sort puts urgent jobs first.
func (q *Queue) Sort() {
	q.mu.Lock()
	defer q.mu.Unlock()
	sort.Slice(q.jobs, func(i, k int) bool { return q.jobs[i].Priority > q.jobs[k].Priority })
}

// Overdue lists the jobs that should have been done before now.
func (q *Queue) Overdue(now time.Time) []Job {
	var out []Job
	for _, j := range q.jobs {
		if j.Due.Before(now) {
			out = append(out, j)
		}
	}
	return out
}

// HasTag reports whether a job has a tag.
func (j Job) HasTag(tag string) bool {
	for _, t := range j.Tags {
		if t == tag {
			return true
		}
	}
	return false
}

// Label is what people read.
func (j Job) Label() string {
	return j.ID + " " + strings.Join(j.Tags, ",")
}
