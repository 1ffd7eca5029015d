package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/workspace/state"
)

// bundleLines is how many of the last ends of requests and troubles a bundle has.
const bundleLines = 200

// A bundle is what a user gives to support. It is made of numbers and of words that this
// program or its settings define: no text, name, address or path of the user's can be in it.
type bundle struct {
	Version       string           `json:"version"`
	Go            string           `json:"go"`
	Platform      string           `json:"platform"`
	Configuration []config.Value   `json:"configuration"`
	Mistakes      int              `json:"configuration_mistakes"`
	Doctor        []bundledFinding `json:"doctor"`
	Requests      []bundledRequest `json:"requests"`
	Troubles      []trouble        `json:"troubles"`
	State         []bundledPart    `json:"state"`
	Checkers      map[string]bool  `json:"checkers"`
}

// A bundledFinding is a finding of the doctor without its sentence, which names paths.
type bundledFinding struct {
	Check  string `json:"check"`
	Status string `json:"status"`
}

// A bundledRequest is a request that left, without its model and host.
type bundledRequest struct {
	Time    time.Time `json:"time"`
	Lane    string    `json:"lane"`
	Purpose string    `json:"purpose"`
	State   string    `json:"state"`
	Error   string    `json:"error,omitempty"`
	Bytes   int       `json:"bytes"`
	Input   int       `json:"input_tokens"`
	Output  int       `json:"output_tokens"`
}

type bundledPart struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// A trouble is a sentence that a user was shown in an editor, without the sentence.
type trouble struct {
	Time time.Time        `json:"time"`
	Kind model.NoticeKind `json:"kind"`
	Code model.Code       `json:"code,omitempty"`
	HTTP int              `json:"http,omitempty"`
}

// troubles is the table of the last troubles, under one name.
func troubles(s *state.Store) *state.Table[[]trouble] { return state.TableOf[[]trouble](s, "troubles") }

// noteTrouble stores that a user was shown something about a model.
func noteTrouble(s *state.Store, n model.Notice) error {
	t := trouble{Time: time.Now().UTC().Truncate(time.Second), Kind: n.Kind}
	if n.Err != nil {
		t.Code, t.HTTP = n.Err.Code, n.Err.Status
	}
	return troubles(s).Change(func(all map[string][]trouble) { all["last"] = lastOf(append(all["last"], t)) })
}

// lastOf returns the last items that a bundle has.
func lastOf[T any](list []T) []T { return list[max(0, len(list)-bundleLines):] }

// writeBundle writes what the doctor found, and what happened before, to a file.
func (d *doctor) writeBundle(file string) error {
	b := bundle{Version: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Checkers: map[string]bool{}}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Go = info.GoVersion
	}
	if d.settings != nil {
		b.Configuration = d.settings.Plain()
	}
	for _, f := range d.findings {
		b.Doctor = append(b.Doctor, bundledFinding{f.Check, f.Status})
		if f.code == exitConfig {
			b.Mistakes++
		}
	}
	for _, name := range []string{"go", "gopls", "ty", "tsc", "pyright"} {
		_, err := exec.LookPath(name)
		b.Checkers[name] = err == nil
	}
	if d.store != nil {
		if err := b.fill(d.store); err != nil {
			return fmt.Errorf("the state folder cannot be read: %w", err)
		}
	}
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return writeNamed(file, append(data, '\n'), 0o600)
}

// fill adds what the state folder has: requests, troubles and sizes.
func (b *bundle) fill(s *state.Store) error {
	var joined requests
	if _, err := s.Ledger().Read(joined.add); err != nil {
		return err
	}
	for _, r := range lastOf(joined.list) {
		b.Requests = append(b.Requests, bundledRequest{r.Time, r.Lane, r.Purpose, r.State, r.Error, r.Bytes, r.Input, r.Output})
	}
	all, err := troubles(s).All()
	if err != nil {
		return err
	}
	b.Troubles = all["last"]
	parts, err := s.Sizes()
	for _, p := range parts {
		if !slices.Contains([]string{"ledger", "tasks", "index"}, p.Name) {
			p.Name = "other"
		}
		b.State = append(b.State, bundledPart{p.Name, p.Files, p.Bytes})
	}
	return err
}
