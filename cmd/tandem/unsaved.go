package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/mcp"
	"tandem/workspace"
	"tandem/workspace/disk"
	"tandem/workspace/state"
)

const (
	unsavedWait = 2 * time.Second  // for one transfer between programs of this machine
	socketRetry = 10 * time.Second // while another server serves the same repository
)

// unsavedJSON is what an editor's server tells about its documents.
type unsavedJSON struct {
	Overlays []mcp.Unsaved `json:"overlays"`
}

// socketOf is the path of a socket of the repository around a folder, in a folder that only this
// user can enter.
func socketOf(folder, ending string) (string, error) {
	root, err := repositoryAround(folder)
	if err != nil {
		return "", err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	base := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(base) {
		base = state.DefaultDir(os.Getenv)
	}
	if base == "" {
		return "", errors.New("there is no folder for a socket: set XDG_RUNTIME_DIR")
	}
	dir := filepath.Join(base, "tandem")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	hash := sha256.Sum256([]byte(root))
	return filepath.Join(dir, hex.EncodeToString(hash[:8])+ending), os.Chmod(dir, 0o700) // fails in a folder of another user
}

// giveUnsaved gives the documents that the editor has not saved to programs of the same user,
// until ctx ends.
func (s *server) giveUnsaved(ctx context.Context, folder string) error {
	path, err := socketOf(folder, ".sock")
	if err != nil {
		return err
	}
	return serveSocket(ctx, path, s.tellUnsaved)
}

// tellUnsaved answers one program, if both may.
func (s *server) tellUnsaved(c *net.UnixConn) {
	settings := s.live.Config()
	if !settings.MCP.Socket || allowFeature(s.live.Config)(config.MCP) != nil {
		return
	}
	snap := s.app.session.Snapshot()
	all := unsavedJSON{Overlays: []mcp.Unsaved{}}
	for _, o := range snap.Overlays() {
		path, isFile := workspace.PathOf(snap.Resolve(o.URI))
		if ok, _ := snap.Allowed(o.URI); ok && isFile && !o.Saved {
			all.Overlays = append(all.Overlays, mcp.Unsaved{Path: path, Version: o.Version, Text: o.Content()})
		}
	}
	_ = c.SetDeadline(time.Now().Add(unsavedWait))
	_ = json.NewEncoder(c).Encode(all) // the program that asked says what it did not get
}

// askUnsaved returns the documents that an editor in this repository has not saved; none where
// no editor's server gives them.
func askUnsaved(ctx context.Context, root string) ([]mcp.Unsaved, error) {
	path, err := socketOf(root, ".sock")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, unsavedWait)
	defer cancel()
	all, err := unsavedAt(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("the editor's unsaved documents cannot be read, those on disk are used: %w", err)
	}
	return all.Overlays, nil
}

// unsavedAt reads what a socket gives; nothing if nobody listens there.
func unsavedAt(ctx context.Context, path string) (all unsavedJSON, err error) {
	c, err := dialOwn(ctx, path)
	if err != nil || c == nil {
		return all, err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	line, err := disk.All(bufio.NewReader(c), disk.MaxNamed)
	if err != nil {
		return all, err
	}
	return all, json.Unmarshal(line, &all)
}

// peerIsUser reports whether this user's program is at the other end of a connection.
func peerIsUser(c *net.UnixConn) bool {
	own := false
	raw, err := c.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) {
			uid, err := peerUID(fd)
			own = err == nil && uid == os.Getuid()
		})
	}
	return err == nil && own
}
