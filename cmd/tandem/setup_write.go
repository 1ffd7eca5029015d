package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/model"
	"tandem/workspace/disk"
	"tandem/workspace/lock"
)

// configuration returns the file's text with other values, and what it means: what is tested
// is what will be written.
func (s *setup) configuration(values []config.Assignment) ([]byte, *config.Config, error) {
	before, err := disk.ReadFile(s.used.File, disk.MaxSettings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	text := config.Assign(before, values)
	dir, err := os.MkdirTemp("", "tandem-setup-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	o := s.globals.options()
	o.File, o.Offline = filepath.Join(dir, "config.toml"), false
	if err := os.WriteFile(o.File, text, 0o600); err != nil {
		return nil, nil, err
	}
	settings, err := config.Load(o)
	if err != nil {
		return nil, nil, exit(exitConfig, errors.New(strings.ReplaceAll(err.Error(), o.File, s.used.File)))
	}
	for _, v := range values {
		if lane := map[string]string{"fast": settings.Fast, "deep": settings.Deep, "next_edit": settings.NextEdit}; len(v.Path) == 1 && lane[v.Path[0]] != v.Value {
			return nil, nil, exit(exitConfig, fmt.Errorf("%s cannot be changed in %s: a profile, or your administrator's file, says %q", v.Path[0], s.used.File, lane[v.Path[0]]))
		}
	}
	return text, settings, nil
}

// slowMs is a first text, in milliseconds, for which nobody waits while typing: three times
// what a model may take by default (first_text_ms), since the first request also connects.
const slowMs = 2000

// test sends one request to each model that the values name, and says how fast they were.
func (s *setup) test(ctx context.Context, settings *config.Config, values []config.Assignment) (measured string, slow bool, failed *model.Error) {
	var said []string
	var tried []any
	for _, v := range values {
		if len(v.Path) != 1 || slices.Contains(tried, v.Value) {
			continue
		}
		tried = append(tried, v.Value)
		lane, m := model.Fast, settings.Models[v.Value.(string)]
		if v.Path[0] == "deep" {
			lane = model.Deep
		}
		used, ended, failed := s.try(ctx, settings, lane, m)
		if failed != nil {
			return "", false, failed
		}
		slow = slow || lane == model.Fast && used.FirstTokenMs > slowMs
		measured := speedOf(used)
		if ended != "" {
			measured += "; " + strings.TrimSuffix(ended, ".")
		}
		said = append(said, m.Model+": "+measured)
	}
	if len(said) == 1 {
		_, measured, _ = strings.Cut(said[0], ": ")
		return measured, slow, nil
	}
	return strings.Join(said, "; "), slow, nil
}

// try sends one request, and says if its answer ends in a way that nobody knew.
func (s *setup) try(ctx context.Context, settings *config.Config, lane model.Lane, m model.ModelConfig) (used edits.Provenance, ended string, failed *model.Error) {
	lanes := lanesWith(s.keys(), func() *config.Config { return settings }, s.store, nil, s.group, nil, nil)
	defer func() { _ = lanes.Close() }()
	ctx, cancel := context.WithTimeout(ctx, modelTimeout)
	defer cancel()
	lanes.Warm(ctx, lane)
	req := tinyRequest(lane, m)
	answer, err := tried(ctx, lanes, lane, m, req)
	if err != nil {
		return edits.Provenance{}, "", model.AsError(err)
	}
	used, _ = lanes.Usage(req.ID)
	return used, answer.said(m.Name), nil
}

// leastTimed is the shortest answer, in tokens, by which a server's speed is told.
const leastTimed = 24

func speedOf(u edits.Provenance) string {
	said := fmt.Sprintf("first text after %.0f ms", u.FirstTokenMs)
	if u.OutputTokens >= leastTimed && u.TokensPerSecond > 0 {
		said += fmt.Sprintf(", %.0f tokens a second", u.TokensPerSecond)
	}
	return said
}

// builtIn makes the built-in engine answer everything.
func (s *setup) builtIn() error {
	const said = "The built-in engine answers: it sends nothing"
	var values []config.Assignment
	for lane, name := range map[string]string{"fast": s.used.Fast, "deep": s.used.Deep, "next_edit": s.used.NextEdit, "complete": s.used.Complete} {
		if name != "" && name != config.Local {
			values = append(values, config.Assignment{Path: []string{lane}, Value: config.Local})
		}
	}
	if len(values) == 0 {
		return s.person.see(step{Step: stepDone, Title: said + "."})
	}
	text, _, err := s.configuration(values)
	if err != nil {
		return err
	}
	return s.write(text, said)
}

// write puts away the key and the configuration, which was tested.
func (s *setup) write(text []byte, said string) error {
	if s.under != "" {
		if _, err := s.ring.Set(s.under, s.key); err != nil {
			return err
		}
	}
	file := s.used.File
	if err := writeNamed(file, text, 0o600); err != nil {
		return fmt.Errorf("the configuration cannot be written: %w", err)
	}
	return s.person.see(step{Step: stepDone, Title: said + ".", File: s.used.File})
}

// writeNamed writes a file that a person named, whole or not at all, and where a link leads.
func writeNamed(file string, text []byte, mode fs.FileMode) error {
	switch info, err := os.Stat(file); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return cause(err)
	case !info.Mode().IsRegular():
		return disk.ErrNotRegular
	default:
		if file, err = filepath.EvalSymlinks(file); err != nil {
			return cause(err)
		}
	}
	return replaceFile(file, text, mode)
}

// replaceFile writes a file whole or not at all, and its folder for whom the file is for.
func replaceFile(file string, text []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(file), mode|mode&0o444>>2|0o100); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close()); err == nil {
		err = lock.Replace(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// newKey asks for the key of a provider that is configured, until its server takes it.
func (s *setup) newKey(ctx context.Context, name string) error {
	p, ok := s.used.Providers[name]
	switch {
	case !ok:
		return exit(exitUsage, fmt.Errorf("the configuration has no provider %q", name))
	case len(p.AuthCommand) > 0:
		return exit(exitRefused, fmt.Errorf("the key for %s comes from the program %s: run it by hand to see what it prints", name, p.AuthCommand[0]))
	case p.EnvKey != "" && os.Getenv(p.EnvKey) != "":
		return exit(exitRefused, fmt.Errorf("the key for %s comes from %s in the environment: correct it there, and start the editor again", name, p.EnvKey))
	}
	var probe *model.ModelConfig
	lane := model.Fast
	for _, used := range []struct {
		lane model.Lane
		name string
	}{{model.Fast, s.used.Fast}, {model.Fast, s.used.Complete}, {model.Fast, s.used.NextEdit}, {model.Deep, s.used.Deep}} {
		if m, ok := s.used.Models[used.name]; ok && m.Provider == name && probe == nil {
			probe, lane = &m, used.lane
		}
	}
	problem := ""
	for {
		if err := s.askKey(&p, problem); err != nil {
			return err
		}
		said := "The key for " + config.Title(name) + " is stored"
		if probe != nil {
			if err := s.working("Testing %s with one request…", probe.Model); err != nil {
				return err
			}
			used, _, failed := s.try(ctx, s.used, lane, *probe)
			switch {
			case wantsKey(failed):
				problem = s.refusal(failed)
				continue
			case failed != nil:
				said += ". " + failed.Error()
			default:
				said += ". " + probe.Model + " answers: " + speedOf(used)
			}
		}
		if _, err := s.ring.Set(s.under, s.key); err != nil {
			return err
		}
		return s.person.see(step{Step: stepDone, Title: strings.TrimRight(said, ".") + "."})
	}
}
