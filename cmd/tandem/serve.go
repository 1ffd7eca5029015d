package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"tandem/cmd/tandem/config"
	"tandem/lsp"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/state"

	"github.com/spf13/cobra"
)

func serveCommand(g *globals) *cobra.Command {
	var log, record string
	var recordText bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve an editor: LSP on stdin and stdout",
		Args:  takes(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return serve(c.Context(), g, log, record, recordText) },
	}
	c.Flags().Bool("stdio", true, "the only transport there is")
	c.Flags().StringVar(&log, "log", "", "write a log to `FILE`")
	c.Flags().StringVar(&record, "record", "", "record the session to `FILE`, without source text and keys")
	c.Flags().BoolVar(&recordText, "record-text", false, "keep source text in the recording, so that tandem replay can run it whole")
	return c
}

// serve runs the language server on stdin and stdout. Nothing else may write to
// stdout, so the rest of the program gets stderr in its place.
func serve(ctx context.Context, g *globals, logFile, recordFile string, recordText bool) error {
	limitMemory()
	out, err := claimStdout()
	if err != nil {
		return fmt.Errorf("take over stdout: %w", err)
	}
	log, closeLog, err := openLog(logFile)
	if err != nil {
		return err
	}
	defer closeLog()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if policy := config.ReadPolicy(g.options()); recordFile != "" && policy.Feature(config.Recording) != nil {
		return exit(exitRefused, policy.Feature(config.Recording))
	}
	in, sink, recorder, closeRecord, err := recorded(os.Stdin, out, recordFile, recordText)
	if err != nil {
		return err
	}
	defer closeRecord()
	s := &server{globals: g, log: log, recorder: recorder, wrap: recordingOf(recorder), life: state.NewLife()}
	if recorder != nil {
		s.life = recorder.Life()
	}
	defer s.close()
	deps := lsp.Deps{Version: version(), Log: log, Open: s.open, Alive: processAlive, SelectProfile: s.selectProfile, Settings: s.settings, LastPayload: s.lastPayload, Askers: s.askers, Window: s.window, Preview: s.preview}
	if code := lsp.Run(ctx, deps, in, sink); code != 0 {
		return exit(code, errors.New(""))
	}
	return nil
}

// A server connects the layers for one editor, after the editor has sent the
// workspace folders.
type server struct {
	globals *globals
	log     *slog.Logger
	app     *app
	live    *config.Live
	wrap    wrapClient             // nil does not wrap clients
	mistake atomic.Pointer[string] // the configuration's error; nil while it has none

	recorder  *state.Recorder // nil records nothing
	life      string          // see assist.Deps
	stateless bool            // keeps nothing in the state folder
}

// open implements lsp.Deps.Open. An invalid configuration does not stop the
// server: the error is reported, and the built-in engine serves until the
// configuration is corrected.
func (s *server) open(_ context.Context, setup lsp.Setup) (*workspace.Session, lsp.UseCases, error) {
	notify := func(sentence string) {
		s.log.Warn(sentence)
		setup.OnEngine(core.Notice(sentence))
	}
	options := s.globals.options()
	options.Editor = setup.Settings
	if setup.Profile != "" {
		options.Profile = setup.Profile
	}
	s.live = config.NewLive(options, config.Watch{
		Changed: func(c *config.Config) { s.mistake.Store(nil); s.reconfigured(c) },
		Failed:  func(err error) { message := err.Error(); s.mistake.Store(&message); notify(message) },
	})
	s.recordSettings(setup.Trusted)
	a, err := newApp(setup.Group, s.live.Config, host{
		folders: setup.Folders, trusted: setup.Trusted, clientWatches: setup.ClientWatches,
		onWorkspace: setup.OnWorkspace, onEngine: setup.OnEngine, onNotice: notify, wrap: s.wrap, stateless: s.stateless, mistake: s.misconfigured, life: s.life, asker: func() string { return setup.Client },
	})
	if err != nil {
		return nil, lsp.UseCases{}, err
	}
	s.app = a
	setup.Group.Go("watch the configuration", s.live.Watch)
	setup.Group.Go("return memory in pauses", releaseWhenIdle)
	setup.Group.Go("read dependencies ahead", func(ctx context.Context) {
		if a.indexed(ctx) == nil {
			a.warmDependencies()
		}
	})
	return a.session, lsp.Of(a.engine), nil
}

// misconfigured returns the current error in the configuration, "" if there is
// none. While an older, valid configuration is in use, an error was reported
// but does not explain a missing suggestion, so it is not returned.
func (s *server) misconfigured() string {
	if message := s.mistake.Load(); message != nil && s.live != nil && s.live.Config().Fast == config.Local {
		return *message
	}
	return ""
}

// settings implements lsp.Deps.Settings: the editor's settings changed.
func (s *server) settings(values map[string]any) error {
	if s.live == nil {
		return nil
	}
	return s.live.SetEditor(values)
}

// reconfigured applies a configuration that was read again.
func (s *server) reconfigured(c *config.Config) {
	if s.app != nil {
		s.app.lanes.Reconfigure(laneSetup(c))
	}
}

func (s *server) close() {
	if s.app == nil {
		return
	}
	if err := s.app.Close(); err != nil {
		s.log.Warn("closing", "reason", err.Error())
	}
}

// openLog opens the log file; without one, warnings go to stderr, where
// editors keep them.
func openLog(name string) (*slog.Logger, func(), error) {
	if name == "" {
		return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})), func() {}, nil
	}
	f, err := state.OpenPrivate(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return nil, nil, exit(exitUsage, fmt.Errorf("the log cannot be written: %w", err))
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug})), func() { _ = f.Close() }, nil
}
