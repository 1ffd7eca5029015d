package state

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"tandem/workspace/redact"
)

// An AgentSession is what is kept of an agent's session: the files that its events have told of,
// the errors that its edits have made, and which of them it was told of.
type AgentSession struct {
	Files    map[string]AgentFile `json:"files"` // by absolute path
	Made     map[string]bool      `json:"made"`
	Reported map[string]bool      `json:"reported"`
}

// An AgentFile is a file that an agent has edited.
type AgentFile struct {
	Root   string    `json:"root"`   // of its repository
	First  AgentText `json:"first"`  // before the first edit
	Before AgentText `json:"before"` // before the last edit
	After  AgentText `json:"after"`  // as the last event found it
}

// An AgentText is a text, if there was a file. It is stored without its secrets.
type AgentText struct {
	Text   string `json:"text"`
	Absent bool   `json:"absent,omitzero"`
}

// MarshalJSON leaves the secrets out.
func (t AgentText) MarshalJSON() ([]byte, error) {
	type plain AgentText
	return json.Marshal(plain{redact.Kept(t.Text), t.Absent})
}

// File returns what is known of a file, with the secrets of the text that it has now.
func (s *AgentSession) File(path, now string) (f AgentFile, known bool) {
	f, known = s.Files[path]
	for _, t := range []*AgentText{&f.First, &f.Before, &f.After} {
		t.Text = redact.Completed(t.Text, now)
	}
	return f, known
}

// Edited adds an edit of a file.
func (s *AgentSession) Edited(path string, f AgentFile) {
	if s.Files == nil {
		*s = AgentSession{map[string]AgentFile{}, map[string]bool{}, map[string]bool{}}
	}
	s.Files[path] = f
}

// AgentKey is the key of the session in its table.
const AgentKey = "session"

// agentSessionAge is how long a session is kept.
const agentSessionAge = 7 * 24 * time.Hour

// Agent is the table of an agent's session.
func (s *Store) Agent(id string) *Table[AgentSession] {
	s.cleanAgents()
	_ = private(filepath.Join(s.Dir, "agents")) // to change the table says why it cannot be made
	sum := sha256.Sum256([]byte(id))
	return TableOf[AgentSession](s, filepath.Join("agents", hex.EncodeToString(sum[:16])))
}

// cleanAgents removes old sessions; one that cannot be removed only takes disk space.
func (s *Store) cleanAgents() {
	dir := filepath.Join(s.Dir, "agents")
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > agentSessionAge {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
