package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/disk"
	"tandem/workspace/git"
	"tandem/workspace/judge"
	"tandem/workspace/state"
)

// The agents whose hooks are answered.
var agents = []string{"claude", "codex", "cursor", "copilot"}

// A hookEvent is an agent's event, whatever its form.
type hookEvent struct {
	agent   string
	session string
	root    string // the folder that the agent works in
	stop    bool
	again   bool // the agent goes on because it was stopped before
	silent  bool // the agent reads no answer to this event
	files   []editedFile
}

// An editedFile is a file that an event says was edited, and what was replaced in it.
type editedFile struct {
	path     string
	old, new string // "" where the event does not tell
	all      bool
}

const (
	maxEvent = 32 << 20
	// maxAnswer is what every agent takes of an answer, in bytes.
	maxAnswer = 9000
)

// text is the first of some fields of an object that is a string.
func text(object map[string]json.RawMessage, fields ...string) string {
	for _, field := range fields {
		var s string
		if json.Unmarshal(object[field], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// editing are the names of tools that change files.
var editing = regexp.MustCompile(`(?i)edit|write|create|replace|insert|patch`)

// patched are the headers of a patch that name files.
var patched = regexp.MustCompile(`(?m)^\*\*\* (?:Add File|Update File|Move to): (.+)$`)

// readEvent reads an agent's event. What other agents send to the same hook tells which it is.
func readEvent(agent string, data []byte) (hookEvent, error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(data, &o); err != nil {
		return hookEvent{}, fmt.Errorf("the agent's event is no JSON object: %w", err)
	}
	switch {
	case o["cursor_version"] != nil:
		agent = "cursor"
	case o["turn_id"] != nil:
		agent = "codex"
	case agent == "claude" && (o["toolName"] != nil || o["timestamp"] != nil):
		agent = "copilot"
	}
	e := hookEvent{agent: agent, session: text(o, "session_id", "sessionId", "conversation_id"), root: text(o, "cwd")}
	var roots []string
	if _ = json.Unmarshal(o["workspace_roots"], &roots); len(roots) > 0 {
		e.root = roots[0]
	}
	var loops int
	_ = json.Unmarshal(o["loop_count"], &loops) // absent: none
	_ = json.Unmarshal(o["stop_hook_active"], &e.again)
	e.again = e.again || loops > 0
	switch strings.ToLower(text(o, "hook_event_name", "hookEventName")) {
	case "stop", "agentstop", "subagentstop":
		e.stop = true
		status := text(o, "status")
		e.silent = status == "aborted" || status == "error"
	case "afterfileedit":
		e.silent, e.files = true, editedIn(o)
	case "posttooluse":
		e.files = toolFiles(o)
	case "":
		if o["toolName"] != nil {
			e.files = toolFiles(o)
		}
	}
	for i, f := range e.files {
		if !filepath.IsAbs(f.path) {
			e.files[i].path = filepath.Join(e.root, f.path)
		}
	}
	if e.root == "" && len(e.files) > 0 {
		e.root = filepath.Dir(e.files[0].path)
	}
	if !filepath.IsAbs(e.root) || e.session == "" {
		return e, errors.New("the agent's event names no session or no folder")
	}
	return e, nil
}

// toolFiles are the files that a tool has changed.
func toolFiles(o map[string]json.RawMessage) []editedFile {
	if !editing.MatchString(text(o, "tool_name", "toolName")) {
		return nil
	}
	input := o["tool_input"]
	if input == nil {
		input = o["toolArgs"]
	}
	var inside string // toolArgs may be an object in a string
	if json.Unmarshal(input, &inside) == nil {
		input = json.RawMessage(inside)
	}
	var in map[string]json.RawMessage
	if json.Unmarshal(input, &in) != nil {
		return patchFiles(inside)
	}
	if found := patchFiles(text(in, "command", "input", "patch")); len(found) > 0 {
		return found
	}
	return editedIn(in)
}

func patchFiles(patch string) (out []editedFile) {
	for _, m := range patched.FindAllStringSubmatch(patch, -1) {
		out = append(out, editedFile{path: strings.TrimSpace(m[1])})
	}
	return out
}

// editedIn are the files that an object names, with its replacements.
func editedIn(o map[string]json.RawMessage) (out []editedFile) {
	path := text(o, "file_path", "filePath", "notebook_path", "path", "target_file")
	var list []map[string]json.RawMessage
	for _, field := range []string{"edits", "replacements"} {
		_ = json.Unmarshal(o[field], &list) // absent: none
	}
	if len(list) == 0 {
		list = []map[string]json.RawMessage{o}
	}
	for _, one := range list {
		f := editedFile{path: cmp.Or(text(one, "file_path", "filePath"), path), old: text(one, "old_string", "oldString", "old_str"), new: text(one, "new_string", "newString", "new_str")}
		_ = json.Unmarshal(one["replace_all"], &f.all)
		if f.path != "" {
			out = append(out, f)
		}
	}
	return out
}

// answer is what an agent is told: something to know after an edit, or why it is not done.
func (e hookEvent) answer(said string) any {
	nested := map[string]any{"hookEventName": "PostToolUse", "additionalContext": said}
	switch {
	case e.agent == "cursor" && e.stop:
		return map[string]any{"followup_message": said}
	case e.agent == "cursor":
		return map[string]any{"additional_context": said}
	case e.agent == "copilot" && e.stop:
		return map[string]any{"decision": "block", "reason": said, "hookSpecificOutput": map[string]any{"hookEventName": "Stop", "decision": "block", "reason": said}}
	case e.agent == "copilot":
		return map[string]any{"additionalContext": said, "hookSpecificOutput": nested}
	case e.stop:
		return map[string]any{"decision": "block", "reason": said}
	}
	return map[string]any{"hookSpecificOutput": nested}
}

// checkHook answers an agent's event. What goes wrong here never stops an agent: no exit code
// of it is 2, which agents take for a refusal.
func checkHook(c *cobra.Command, g *globals, agent string) error {
	if !slices.Contains(agents, agent) {
		return exit(exitUsage, fmt.Errorf("--hook is one of %s, not %q", strings.Join(agents, ", "), agent))
	}
	data, err := disk.All(c.InOrStdin(), maxEvent)
	if err != nil {
		return failed(fmt.Errorf("the agent's event cannot be read: %w", err))
	}
	e, err := readEvent(agent, data)
	if err != nil {
		return failed(err)
	}
	if g.workspace == "" {
		if g.workspace, err = repositoryAround(e.root); err != nil {
			return failed(err)
		}
	}
	err = withApp(c, g, "", func(a *app, _ place) error { return (&agentEvent{a, e}).judged(c.Context(), c.OutOrStdout()) })
	if err != nil && err.Error() != "" {
		return failed(err)
	}
	return nil
}

// An agentEvent is an event with the workspace that it is about.
type agentEvent struct {
	app   *app
	event hookEvent
}

// judged judges what an event tells of, and prints what the agent is told, if anything.
func (a *agentEvent) judged(ctx context.Context, out io.Writer) error {
	e := a.event
	if a.app.store == nil {
		return errors.New("nothing is judged: there is no state folder to know the session by")
	}
	root := a.app.session.Snapshot().Views()[0].Root
	session, known := a.app.store.AgentSession(root, e.session)
	if !known {
		var err error
		if session, err = a.firstEvent(ctx); err == nil {
			err = a.app.store.KeepAgentSession(root, e.session, session, true)
		}
		if errors.Is(err, fs.ErrExist) {
			session, _ = a.app.store.AgentSession(root, e.session)
		} else if err != nil {
			return err
		}
	}
	if e.silent || !e.stop && len(e.files) == 0 {
		return nil
	}
	changes, r := a.edited(session), newCheckReport()
	if e.stop {
		var err error
		if changes, err = a.changedSince(ctx, session); err != nil {
			return err
		}
	}
	changes = slices.DeleteFunc(changes, func(f edits.FileChange) bool { return r.leavesOut(f.Path, f.After) })
	// A model reads the answer: it tells of what models may be shown alone.
	snap := a.app.session.Snapshot()
	changes = r.readable(r.shown(snap, changes))
	r.take(snap, changes, a.app.judge.Report(ctx, snap, changes, judge.Users))
	r.forModels(snap)
	if r.found = slices.DeleteFunc(r.found, func(f edits.Finding) bool {
		id := fmt.Sprint(e.stop, f.Path, f.Kind, f.Name, f.Message)
		reported := session.Reported[id] && (!e.stop || e.again)
		if session.Reported == nil {
			session.Reported = map[string]bool{}
		}
		skip := f.Severity != severityError || reported || !e.stop && !f.Library
		session.Reported[id] = session.Reported[id] || !skip
		return skip
	}); len(r.found) == 0 {
		return nil
	}
	if err := a.app.store.KeepAgentSession(root, e.session, session, false); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(e.answer(r.forAgent(e.stop)))
}

// forAgent is what an agent reads: facts, and what can be done about them.
func (r *checkReport) forAgent(stop bool) string {
	var s strings.Builder
	s.WriteString("tandem check: names that the installed libraries do not have:\n")
	if stop {
		s.Reset()
		s.WriteString("tandem check found errors in what changed in this session:\n")
	}
	for i, f := range r.found {
		var line strings.Builder
		_ = r.printFinding(&line, f, formatText) // a Builder takes everything
		if s.Len()+line.Len() > maxAnswer-300 {
			fmt.Fprintf(&s, "and %d more; `tandem check --diff HEAD` lists them\n", len(r.found)-i)
			break
		}
		s.WriteString(line.String())
	}
	if stop {
		s.WriteString("Each of them is a name, a package or a call that does not exist as it is written. The usual repair is the nearest name, an import, or a dependency that is declared and installed.\n")
	}
	return s.String()
}

// firstEvent is how the workspace was when a session began, as far as its first event shows
// it: what the event itself has changed is undone.
func (a *agentEvent) firstEvent(ctx context.Context) (state.AgentSession, error) {
	s := state.AgentSession{Files: map[string]string{}, Gone: map[string]bool{}, Reported: map[string]bool{}}
	snap := a.app.session.Snapshot()
	dirty, head, err := a.dirty(ctx, "")
	if err != nil && !errors.Is(err, git.ErrNone) {
		return s, err
	}
	s.Head = head
	edited := map[string][]editedFile{}
	for _, f := range a.event.files {
		edited[snap.Name(f.path)] = append(edited[snap.Name(f.path)], f)
	}
	for _, c := range dirty {
		if len(edited[c.Path]) == 0 && c.Unread == nil {
			s.Files[c.Path] = c.After
		}
	}
	for path, list := range edited {
		now, err := readForCheck(snap, list[0].path)
		if err != nil {
			continue
		}
		before := undone(now, list)
		committed := slices.IndexFunc(dirty, func(c git.Change) bool { return c.Path == path })
		switch {
		case before != now:
			s.Files[path] = before
		case s.Head == "" && err == nil && len(dirty) == 0, committed >= 0 && dirty[committed].AbsentBefore:
			s.Gone[path] = true // it was written as a whole
		}
	}
	return s, nil
}

// undone is a text without some replacements, as it is where one cannot be found.
func undone(now string, list []editedFile) string {
	for _, f := range slices.Backward(list) {
		switch {
		case f.new == "" || !strings.Contains(now, f.new):
			return now
		case f.all:
			now = strings.ReplaceAll(now, f.new, f.old)
		default:
			now = strings.Replace(now, f.new, f.old, 1)
		}
	}
	return now
}

// dirty are the files that differ from a commit, the one that is checked out if none is given.
func (a *agentEvent) dirty(ctx context.Context, commit string) (changes []git.Change, head string, err error) {
	repo, err := git.Open(ctx, a.app.session.Snapshot().Views()[0].Root)
	if err != nil {
		return nil, "", err
	}
	if head = commit; head == "" {
		if head, err = repo.Head(ctx); err != nil {
			head = "" // a repository without a commit
		}
	}
	repo.Close()
	if head == "" {
		return nil, "", git.ErrNone
	}
	changes, err = a.app.since(ctx, head, (*workspace.Snapshot).File, func(string, error) {})
	return changes, head, err
}

// before is how a file was at a session's first event: ok is false where that is not known.
func before(s state.AgentSession, path string, committed *git.Change) (f edits.FileChange, ok bool) {
	f.Path = path
	if text, dirty := s.Files[path]; dirty {
		f.Before = text
		return f, true
	}
	if s.Gone[path] {
		f.AbsentBefore = true
		return f, true
	}
	if committed != nil {
		f.Before, f.AbsentBefore = committed.Before, committed.AbsentBefore
	}
	return f, committed != nil
}

// edited are the changes of an event's files since the session's first event, or by the event
// alone where that is not known.
func (a *agentEvent) edited(s state.AgentSession) (out []edits.FileChange) {
	snap := a.app.session.Snapshot()
	byPath := map[string][]editedFile{}
	for _, f := range a.event.files {
		byPath[snap.Name(f.path)] = append(byPath[snap.Name(f.path)], f)
	}
	for path, list := range byPath {
		now, err := readForCheck(snap, list[0].path)
		if err != nil {
			continue
		}
		f, known := before(s, path, nil)
		if !known {
			if f.Before = undone(now, list); f.Before == now {
				f.Before, f.AbsentBefore = "", true // written as a whole: what a library lacks, it lacks in old lines too
			}
		}
		f.After = now
		out = append(out, f)
	}
	return out
}

// changedSince are the changes since a session's first event.
func (a *agentEvent) changedSince(ctx context.Context, s state.AgentSession) (out []edits.FileChange, err error) {
	snap := a.app.session.Snapshot()
	seen := map[string]bool{}
	add := func(path string, committed *git.Change) {
		f, known := before(s, path, committed)
		abs, err := filepath.Abs(filepath.Join(snap.Views()[0].Root, filepath.FromSlash(path)))
		if seen[path] || !known || err != nil {
			return
		}
		seen[path] = true
		now, err := readForCheck(snap, abs)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
		f.After, f.AbsentAfter = now, err != nil
		if f.Before != f.After || f.AbsentBefore != f.AbsentAfter {
			out = append(out, f)
		}
	}
	if s.Head != "" {
		changes, _, err := a.dirty(ctx, s.Head)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			if c.Unread == nil {
				add(c.Path, &c)
			}
		}
	}
	for path := range s.Files {
		add(path, nil)
	}
	for path := range s.Gone {
		add(path, nil)
	}
	return out, nil
}

// repositoryAround is the top of the repository around a folder, or the folder.
func repositoryAround(dir string) (string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("the agent's folder %s is not there", dir)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return dir, nil
		}
	}
}
