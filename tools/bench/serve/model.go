package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// withModel starts the scripted model server and makes it the fast model of the user whose
// home is a folder. The caller calls stop.
func withModel(scripted, home string) (stop func(), err error) {
	cmd := exec.Command(scripted)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return nil, fmt.Errorf("%s has not started: %w", scripted, err)
	}
	config := fmt.Sprintf("fast = \"m\"\n\n[models.m]\nprovider = \"p\"\nmodel = \"scripted-fast\"\ntokenizer = \"o200k_base\"\ncontext_window = 128000\nmax_output_tokens = 256\n"+
		"[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\n", strings.TrimSpace(strings.TrimPrefix(line, "listening ")))
	dir := filepath.Join(home, "config", "tandem")
	if err = os.MkdirAll(dir, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(dir, "config.toml"), []byte(config), 0o600)
	}
	if err != nil {
		stop()
	}
	return stop, err
}
