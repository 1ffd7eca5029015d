package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace/disk"
	"tandem/workspace/git"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
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
	created  bool    // it was not there
	original *string // its text before all of it, where the event tells
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
var patched = regexp.MustCompile(`^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$`)

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
	out := editedIn(in)
	var done struct {
		OriginalFile *string `json:"originalFile"`
	}
	if json.Unmarshal(o["tool_response"], &done) == nil {
		for i := range out {
			out[i].original = done.OriginalFile
		}
	}
	return out
}

// patchFiles are the files that a patch changes, with what each hunk replaces.
func patchFiles(patch string) (out []editedFile) {
	var f editedFile
	add := func() {
		if f.path != "" {
			out = append(out, f)
		}
		f.old, f.new = "", ""
	}
	for line := range strings.Lines(patch) {
		m := patched.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case m != nil && m[1] == "Move to":
			out = append(out, editedFile{path: f.path})
			f = editedFile{path: strings.TrimSpace(m[2]), created: true}
			add()
		case m != nil:
			if f.new != "" {
				add()
			}
			f = editedFile{path: strings.TrimSpace(m[2]), created: m[1] == "Add File"}
			if m[1] != "Update File" {
				add()
				f.path = ""
			}
		case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "*** "):
			if f.new != "" || f.old != "" {
				add()
			}
		case strings.HasPrefix(line, "-"):
			f.old += line[1:]
		case strings.HasPrefix(line, "+"):
			f.new += line[1:]
		default:
			line = strings.TrimPrefix(line, " ")
			f.old, f.new = f.old+line, f.new+line
		}
	}
	if f.new != "" || f.old != "" {
		add()
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
	say := func(problem string) { tell(c.ErrOrStderr(), problem) }
	if answer, problems, ok := askJudge(c.Context(), e.root, hookRequest{agent, data}); ok {
		for _, problem := range problems {
			say(problem)
		}
		_, err := io.WriteString(c.OutOrStdout(), answer)
		return err
	}
	store, err := openStore()
	if err != nil {
		return failed(fmt.Errorf("nothing is judged: there is no state folder to know the session by: %w", err))
	}
	h := hookJudge{store: store, say: say}
	h.open = func(root string, do func(*app) error) error {
		there := *g
		there.workspace = root
		return withApp(c, &there, "", func(a *app, _ place) error { return do(a) })
	}
	if err := h.answer(c.Context(), e, c.OutOrStdout()); err != nil && err.Error() != "" {
		return failed(err)
	}
	return nil
}

// A hookJudge judges what agents write, by the events that tell of it. What others change
// meanwhile is context: an agent is never held for it.
type hookJudge struct {
	store *state.Store
	open  func(root string, do func(*app) error) error // the workspace of a repository
	say   func(problem string)
}

// answer judges what an event tells of, and writes what the agent is told, if anything. After an
// edit that is what an installed library lacks, which no later edit adds; when the agent stops,
// each error that an edit of it made and that is still there.
func (h *hookJudge) answer(ctx context.Context, e hookEvent, out io.Writer) error {
	session := h.store.Agent(e.session)
	roots := map[string][]editedFile{}
	if e.stop {
		known, err := session.All()
		if err != nil {
			return err
		}
		for path, f := range known[state.AgentKey].Files {
			roots[f.Root] = append(roots[f.Root], editedFile{path: path})
		}
	}
	for _, f := range e.files {
		root := e.rootOf(f.path)
		roots[root] = append(roots[root], f)
	}
	var told []string
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		if _, err := os.Stat(root); err != nil {
			h.say(fmt.Sprintf("%s is not there any more, and what was edited in it is not judged", root))
			continue
		}
		err := h.open(root, func(a *app) error {
			r, err := h.judged(ctx, a, session, e, root, roots[root])
			if err == nil && len(r.found) > 0 {
				told = append(told, r.forAgent(e.within(root)))
			}
			for _, f := range r.unchecked {
				h.say(fmt.Sprintf("%s was not checked: %v", f.path, f.err))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(told) == 0 || e.silent {
		return nil
	}
	return json.NewEncoder(out).Encode(e.answer(e.introduced(told)))
}

// rootOf is the folder whose workspace a file belongs to: its own repository, or where there is
// none the agent's folder, or its own.
func (e hookEvent) rootOf(path string) string {
	root, err := repositoryAround(filepath.Dir(path))
	if _, inside := disk.Below(e.root, path); err != nil || inside && root == filepath.Dir(path) && !hasRepository(root) {
		return e.root
	}
	return root
}

// judged judges the files of an event in one workspace.
func (h *hookJudge) judged(ctx context.Context, a *app, session *state.Table[state.AgentSession], e hookEvent, root string, files []editedFile) (*checkReport, error) {
	r := newCheckReport()
	byPath := map[string][]editedFile{}
	for _, f := range files {
		byPath[f.path] = append(byPath[f.path], f)
	}
	a.session.Reread(ctx, slices.Collect(maps.Keys(byPath))...)
	snap := a.session.Snapshot()
	var changes []edits.FileChange
	err := session.Change(func(all map[string]state.AgentSession) {
		kept := all[state.AgentKey]
		for path, list := range byPath {
			c := edits.FileChange{Path: snap.Name(path)}
			now, err := readForCheck(snap, path)
			if c.After, c.AbsentAfter = now, errors.Is(err, fs.ErrNotExist); err != nil && !c.AbsentAfter {
				r.fail(c.Path, err)
				continue
			}
			f, known := kept.File(path, now)
			if e.stop {
				c.Before, c.AbsentBefore = f.First.Text, f.First.Absent
			} else {
				before := a.before(ctx, path, now, list, f, known)
				c.Before, c.AbsentBefore = before.Text, before.Absent
				if !known {
					f = state.AgentFile{Root: root, First: before}
				}
				f.Before, f.After = before, state.AgentText{Text: now, Absent: c.AbsentAfter}
				kept.Edited(path, f)
			}
			if c.Before != c.After || c.AbsentBefore != c.AbsentAfter {
				changes = append(changes, c)
			}
		}
		all[state.AgentKey] = kept
	})
	if err != nil {
		return r, err
	}
	changes = slices.DeleteFunc(changes, func(f edits.FileChange) bool { return r.leavesOut(f.Path, f.After) })
	changes = r.readable(r.shown(snap, changes)) // a model reads the answer
	slices.SortFunc(changes, func(a, b edits.FileChange) int { return strings.Compare(a.Path, b.Path) })
	a.checkerHost.beBrief(!e.stop)
	r.take(snap, changes, a.judge.Report(ctx, snap, changes, judge.Users))
	a.checkerHost.beBrief(false)
	r.forModels(snap)
	return r, session.Change(func(all map[string]state.AgentSession) {
		kept := all[state.AgentKey]
		r.found = slices.DeleteFunc(r.found, func(f edits.Finding) bool { return !e.tells(&kept, snap.Resolve(f.Path), f) })
		all[state.AgentKey] = kept
	})
}

// tells reports whether the agent is told of a finding: of an error once after an edit, and again
// when it stops, if one of its edits has made it.
func (e hookEvent) tells(kept *state.AgentSession, path string, f edits.Finding) bool {
	if f.Severity != severityError {
		return false
	}
	if made := path + "\x00" + f.Name; !e.stop {
		kept.Made[made] = true
	} else if !kept.Made[made] {
		return false
	}
	id := redact.Kept(fmt.Sprint(e.stop, path, f.Kind, f.Name, f.Message))
	told := kept.Reported[id] && (!e.stop || e.again)
	waits := !e.stop && !f.Library // until the agent stops
	if told || waits || e.silent {
		return false
	}
	kept.Reported[id] = true
	return true
}

// before is a file as it was before an edit: as the event says, or without what it says was
// written, or as the agent left it, or as it is committed. An event that comes again tells of the
// same edit.
func (a *app) before(ctx context.Context, path, now string, list []editedFile, f state.AgentFile, known bool) state.AgentText {
	switch {
	case list[0].created && !known:
		return state.AgentText{Absent: true}
	case list[0].original != nil:
		return state.AgentText{Text: *list[0].original}
	}
	last := f.After
	if !known {
		last = committed(ctx, path)
	}
	if text, ok := undone(now, last.Text, list); ok {
		return state.AgentText{Text: text}
	}
	if known && last.Text == now {
		return f.Before
	}
	return last
}

// committed is a file as it is committed.
func committed(ctx context.Context, path string) state.AgentText {
	repo, err := git.Open(ctx, filepath.Dir(path))
	if err != nil {
		return state.AgentText{Absent: true}
	}
	defer repo.Close()
	rel, inside := disk.Below(repo.Root, path)
	if !inside {
		rel, _ = disk.Below(repo.Root, disk.Real(path))
	}
	text, ok := repo.Committed(ctx, filepath.ToSlash(rel))
	return state.AgentText{Text: text, Absent: !ok}
}

// undone is a text without some replacements, of which what was deleted is put back where it stood
// in the last text that is known. It is not where one of them cannot be found, even in another
// layout, as a formatter makes it.
func undone(now, last string, list []editedFile) (string, bool) {
	for _, f := range slices.Backward(list) {
		if f.all && f.new != "" && strings.Contains(now, f.new) {
			now = strings.ReplaceAll(now, f.new, f.old)
			continue
		}
		at, ok := spaced(now, f.new)
		if f.new == "" {
			at, ok = placeOf(last, f.old, now)
		}
		if ok {
			now = now[:at.Start] + f.old + now[at.End:]
		} else if now, ok = unwoven(now, f); !ok {
			return now, false
		}
	}
	return now, true
}

// unwoven is a text without the lines of a replacement, between which others may have written theirs.
// It is not where one of the lines is not there any more, or the first one more than once.
func unwoven(now string, f editedFile) (string, bool) {
	wanted := slices.DeleteFunc(strings.Split(f.new, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
	if len(wanted) == 0 || strings.Count(now, strings.TrimSpace(wanted[0])) != 1 {
		return now, false
	}
	var out strings.Builder
	first := true
	for line := range strings.Lines(now) {
		if len(wanted) == 0 || strings.TrimSpace(line) != strings.TrimSpace(wanted[0]) {
			out.WriteString(line)
			continue
		}
		if first {
			out.WriteString(line[:len(line)-len(strings.TrimLeft(line, " \t"))] + strings.TrimSpace(f.old) + "\n")
		}
		wanted, first = wanted[1:], false
	}
	return out.String(), len(wanted) == 0
}

// placeOf is where a part of a text stood that another text has no more.
func placeOf(text, part, now string) (at edits.Span, ok bool) {
	start := strings.Index(text, part)
	if start < 0 || part == "" {
		return at, false
	}
	place := start
	for _, e := range edits.Diff(text, now) {
		if e.End > start {
			place -= max(start-e.Start, 0)
			break
		}
		place += e.Delta()
	}
	return edits.Span{Start: place, End: place}, true
}

// spaced is where a text has another one, whatever the white space in both.
func spaced(text, part string) (at edits.Span, ok bool) {
	if i := strings.Index(text, part); i >= 0 {
		return edits.Span{Start: i, End: i + len(part)}, true
	}
	var solid []byte
	var from []int
	for i := range len(text) {
		if !strings.ContainsRune(" \t\r\n", rune(text[i])) {
			solid, from = append(solid, text[i]), append(from, i)
		}
	}
	wanted := strings.Join(strings.Fields(part), "")
	i := strings.Index(string(solid), wanted)
	if i < 0 || wanted == "" {
		return at, false
	}
	return edits.Span{Start: from[i], End: from[i+len(wanted)-1] + 1}, true
}

// introduced is what an agent reads: facts, and what can be done about them.
func (e hookEvent) introduced(lists []string) string {
	var s strings.Builder
	s.WriteString("tandem check: names that the installed libraries do not have:\n")
	if e.stop {
		s.Reset()
		s.WriteString("tandem check found errors that edits of this session made:\n")
	}
	s.WriteString(strings.Join(lists, ""))
	if e.stop {
		s.WriteString("Each of them is a name, a package or a call that does not exist as it is written. The usual repair is the nearest name, an import, or a dependency that is declared and installed.\n")
	}
	return s.String()
}

// within is what leads from the agent's folder to another repository, before a path in it.
func (e hookEvent) within(root string) string {
	switch rel, below := disk.Below(e.root, root); {
	case below && rel == ".", disk.Real(root) == disk.Real(e.root):
		return ""
	case below:
		return filepath.ToSlash(rel) + "/"
	}
	if _, inside := disk.Below(root, e.root); inside {
		return "" // the agent works in a folder of it
	}
	return filepath.ToSlash(root) + "/"
}

// forAgent are the findings as an agent reads them.
func (r *checkReport) forAgent(within string) string {
	var s strings.Builder
	for i, f := range r.found {
		var line strings.Builder
		_ = r.printFinding(&line, f, formatText) // a Builder takes everything
		if s.Len()+line.Len() > maxAnswer-700 {
			fmt.Fprintf(&s, "and %d more; `tandem check --diff HEAD` lists them\n", len(r.found)-i)
			break
		}
		s.WriteString(edits.OneLine(within) + line.String())
	}
	return s.String()
}

// repositoryAround is the top of the repository around a folder, or the folder.
func repositoryAround(dir string) (string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("the agent's folder %s is not there", dir)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if hasRepository(at) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return dir, nil
		}
	}
}

func hasRepository(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}
