package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRemoteWork: on a machine without a keyring and a desktop, a key is kept in a file, and a
// model is asked at a loopback port, which is where SSH leads to a laptop.
func TestRemoteWork(t *testing.T) {
	h := newHome(t) // it has no session bus
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, "")
	}
	h.write("a.go", "package a\n\nfunc F() {}\n")
	h.write(h.config, oneModel(chatServer(t, 200, "text/event-stream", "")))
	h.setKey()
	file := filepath.Join(filepath.Dir(h.config), "keys", "p")
	if data, err := os.ReadFile(file); runtime.GOOS != "windows" && (err != nil || strings.TrimSpace(string(data)) != canary) { // Windows always has a keyring
		t.Errorf("the key's file: %v", err)
	}
	if code, out, problems := h.run("ask", "what is F?"); code != exitDone || !strings.Contains(out, "ready") {
		t.Errorf("%d: %s%s", code, out, problems)
	}
	if _, out, _ := h.run("doctor"); !strings.Contains(out, "answered") {
		t.Errorf("the doctor says %s", out)
	}
}
