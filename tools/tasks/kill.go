package tasks

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"
)

// killedFiles are the files that the task of killed changes, a step each.
const killedFiles = 4

// killed kills the server at n random moments of a task, and the command line while it
// writes the result. Each time the next process goes on: no file is half-written, no step
// that was done is done again, and nothing is applied twice.
func killed(p programs, dir string, n int, seed uint64) (string, error) {
	random := rand.New(rand.NewPCG(seed, 1))
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n", "go.mod": "module w\n"}
	script, plan := "[server]\nshow_only = true\n", ""
	for i := 1; i <= killedFiles; i++ {
		name := fmt.Sprintf("f%d.go", i)
		files[name] = fmt.Sprintf("package w\n\nfunc F%d() int {\n\treturn %d\n}\n", i, i)
		script += rule(fmt.Sprintf("contains = \"Do step %d now\"", i), "delay_ms = 100",
			fmt.Sprintf("[[rule.edit]]\npath = '%s'\nold = '''\treturn %d\n'''\nnew = '''\treturn %d%d\n\t// step %d\n'''", name, i, i, i, i))
		plan += fmt.Sprintf("%d. [FAST] change F%d | write: %s\n", i, i, name)
		if i > 2 {
			plan = strings.TrimSuffix(plan, "\n") + fmt.Sprintf(" | after: %d\n", i-2)
		}
	}
	script += rule("contains = \"Plan the requested work\"", "delay_ms = 40", "plan = '''\n"+plan+"'''")
	h, err := newHome(p, dir, setup{files: files, script: script, tables: "[tasks]\nreview = \"never\"\nshow_plan = 0\n"})
	if err != nil {
		return "", err
	}
	defer h.close()
	kills, writes, kept := 0, 0, 0
	for kills+writes < n {
		for name, text := range files {
			if err := h.write(name, text); err != nil {
				return "", err
			}
		}
		id, k, done, err := h.killTask(random, min(3, n-kills-writes))
		kills, kept = kills+k, kept+done
		if err != nil {
			return "", fmt.Errorf("after %d kills: %w", kills+writes, err)
		}
		w, err := h.killApply(random, id, files, n-kills-writes)
		writes += w
		if err != nil {
			return "", fmt.Errorf("after %d kills: %w", kills+writes, err)
		}
	}
	return fmt.Sprintf("%d kills of a running task and %d of one that writes its result: %d finished steps kept, none lost, no file half-written, nothing applied twice: pass", kills, writes, kept), nil
}

// killTask runs a task to its end, killing the server at random moments on the way. It
// checks that what was done stays done, and that no file of the workspace changes.
func (h *home) killTask(random *rand.Rand, most int) (id string, kills, kept int, err error) {
	done := map[int]bool{}
	for attempt := 0; ; attempt++ {
		e, err := h.edit()
		if err != nil {
			return id, kills, kept, err
		}
		if id == "" {
			id, err = e.escalate("", "change all", false)
		} else {
			err = h.checkKept(e, id, done)
			if err == nil {
				_, err = e.Call("tandem/resume", map[string]any{"id": id})
				if err != nil && strings.Contains(err.Error(), "is done") {
					e.Kill()
					return id, kills, kept, nil
				}
			}
		}
		if err != nil {
			e.Kill()
			return id, kills, kept, err
		}
		stop := time.After(time.Duration(random.IntN(500)) * time.Millisecond)
		if kills >= most || attempt > 12 {
			stop = nil
		}
		over := make(chan bool, 1)
		go func() {
			_, ok := e.await(id, func(t taskNote) bool { return t.State == "done" || t.State == "failed" })
			over <- ok
		}()
		select {
		case <-over:
			t, _ := e.await(id, func(taskNote) bool { return true })
			e.Kill()
			if t.State != "done" {
				return id, kills, kept, fmt.Errorf("the task ends as %s: %s", t.State, t.Error)
			}
			return id, kills, kept, nil
		case <-stop:
			e.Kill()
			kills++
		}
		e.mu.Lock()
		for i, s := range e.tasks[id].Steps {
			if s.State == "done" && !done[i] {
				done[i] = true
				kept++
			}
		}
		e.mu.Unlock()
	}
}

// checkKept fails if a step that was seen done is not listed as done.
func (h *home) checkKept(e *editor, id string, done map[int]bool) error {
	raw, err := e.Call("tandem/tasks", map[string]any{})
	if err != nil {
		return err
	}
	var list struct{ Tasks []taskNote }
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	for _, t := range list.Tasks {
		if t.ID != id {
			continue
		}
		for i := range done {
			if i >= len(t.Steps) || t.Steps[i].State != "done" {
				return fmt.Errorf("step %d was done and is not after the kill: %+v", i+1, t)
			}
		}
		return nil
	}
	return fmt.Errorf("the task %s is not listed after the kill", id)
}

// killApply writes the result to disk, killing the program at random moments, until it
// is written; each file holds its old or its new text at every moment.
func (h *home) killApply(random *rand.Rand, id string, old map[string]string, most int) (kills int, err error) {
	for attempt := 0; ; attempt++ {
		c := h.command("tasks", "apply", id)
		var says strings.Builder
		c.Stderr = &says
		if err := c.Start(); err != nil {
			return kills, err
		}
		if attempt < 2 && kills < most {
			time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
			if c.Process.Kill() == nil {
				kills++
			}
		}
		failed := c.Wait()
		whole := 0
		for i := 1; i <= killedFiles; i++ {
			name := fmt.Sprintf("f%d.go", i)
			now, was := h.read(name), old[name]
			next := strings.Replace(was, fmt.Sprintf("return %d\n", i), fmt.Sprintf("return %d%d\n\t// step %d\n", i, i, i), 1)
			switch now {
			case next:
				whole++
			case was:
			default:
				return kills, fmt.Errorf("%s is neither old nor new:\n%s", name, now)
			}
		}
		if failed == nil {
			if left, _ := filepath.Glob(filepath.Join(h.workspace, ".tandem-*")); len(left) > 0 {
				return kills, fmt.Errorf("kills left %v beside the files", left)
			}
			if whole != killedFiles {
				return kills, fmt.Errorf("apply ended well and %d of %d files are new", whole, killedFiles)
			}
			return kills, nil
		}
		if attempt > 4 {
			return kills, fmt.Errorf("apply fails, %d of %d files are new: %w: %s", whole, killedFiles, failed, says.String())
		}
	}
}
