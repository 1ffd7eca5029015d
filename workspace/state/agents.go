package state

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// An AgentSession is what is kept of an agent's session in a workspace: how the workspace was
// at its first event, and what the agent was told.
type AgentSession struct {
	Head     string            `json:"head"`     // the commit that was checked out; "" where there is none
	Files    map[string]string `json:"files"`    // the texts, at the first event, of the files that differed from it
	Gone     map[string]bool   `json:"gone"`     // those that were not there
	Reported map[string]bool   `json:"reported"` // the findings
}

// agentSessionAge is how long a session is kept.
const agentSessionAge = 7 * 24 * time.Hour

func (s *Store) agentFile(root, id string) string {
	sum := sha256.Sum256([]byte(root + "\x00" + id))
	return filepath.Join(s.Dir, "agents", hex.EncodeToString(sum[:16])+".json")
}

// AgentSession returns what is kept of a session, false where nothing is.
func (s *Store) AgentSession(root, id string) (AgentSession, bool) {
	var out AgentSession
	data, err := readWhole(s.agentFile(root, id))
	return out, err == nil && json.Unmarshal(data, &out) == nil && out.Files != nil
}

// KeepAgentSession keeps a session. The first event decides how the workspace was: first is
// whether this is it, and fails where another one was faster.
func (s *Store) KeepAgentSession(root, id string, one AgentSession, first bool) error {
	file := s.agentFile(root, id)
	if err := private(filepath.Dir(file)); err != nil {
		return err
	}
	if first {
		s.cleanAgents()
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			return fs.ErrExist
		}
	}
	data, err := json.Marshal(one)
	if err != nil {
		return fmt.Errorf("the agent's session cannot be kept: %w", err)
	}
	return writeWhole(file, data)
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
