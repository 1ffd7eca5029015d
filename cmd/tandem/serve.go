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

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/lsp"
	"tandem/model/assist"
	"tandem/workspace"
	"tandem/workspace/state"
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

// serve runs the language server on the standard streams. Nothing else may
// write to stdout, so what remains of the program gets stderr for it.
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
	in, sink, recorder, closeRecord, err := recorded(os.Stdin, out, recordFile, recordText)
	if err != nil {
		return err
	}
	defer closeRecord()
	s := &server{globals: g, log: log, recorder: recorder, wrap: recordingOf(recorder)}
	defer s.close()
	deps := lsp.Deps{Version: version(), Log: log, Open: s.open, Alive: processAlive, SelectProfile: s.selectProfile, Settings: s.settings, LastPayload: s.lastPayload, Window: s.window, Preview: s.preview}
	if code := lsp.Run(ctx, deps, in, sink); code != 0 {
		return exit(code, errors.New(""))
	}
	return nil
}

// A server joins the rooms for one editor, once the editor has said what the
// workspace is.
type server struct {
	globals *globals
	log     *slog.Logger
	app     *app
	live    *config.Live
	wrap    wrapClient             // nil leaves clients as they are
	mistake atomic.Pointer[string] // of the configuration; nil while it is right

	recorder  *state.Recorder // nil records nothing
	forgetful bool            // keeps nothing in the state folder
}

// open implements lsp.Deps.Open. A configuration with mistakes does not stop
// the server: it is said, and the built-in engine serves until it is mended.
func (s *server) open(_ context.Context, setup lsp.Setup) (*workspace.Session, lsp.Engine, error) {
	tell := func(sentence string) {
		s.log.Warn(sentence)
		setup.OnEngine(assist.Event{Notice: sentence})
	}
	options := s.globals.options()
	options.Editor = setup.Settings
	if setup.Profile != "" {
		options.Profile = setup.Profile
	}
	s.live = config.NewLive(options, config.Watch{
		Changed: func(c *config.Config) { s.mistake.Store(nil); s.reconfigured(c) },
		Failed:  func(err error) { said := err.Error(); s.mistake.Store(&said); tell(said) },
	})
	s.recordSettings(setup.Trusted)
	a, err := newApp(setup.Group, s.live.Config, host{
		folders: setup.Folders, trusted: setup.Trusted, clientWatches: setup.ClientWatches,
		onWorkspace: setup.OnWorkspace, onEngine: setup.OnEngine, onNotice: tell, wrap: s.wrap, forgetful: s.forgetful, mistake: s.misconfigured,
	})
	if err != nil {
		return nil, nil, err
	}
	s.app = a
	setup.Group.Go("watch the configuration", s.live.Watch)
	setup.Group.Go("read dependencies ahead", func(ctx context.Context) {
		if a.indexed(ctx) == nil {
			a.warmDependencies()
		}
	})
	return a.session, a.engine, nil
}

// misconfigured is what is wrong with the configuration now, "" if nothing. A
// mistake made while an older configuration serves is said, and is no reason.
func (s *server) misconfigured() string {
	if said := s.mistake.Load(); said != nil && s.live != nil && s.live.Config().Fast == config.Local {
		return *said
	}
	return ""
}

// settings implements lsp.Deps.Settings: the editor's own settings changed.
func (s *server) settings(values map[string]any) error {
	if s.live == nil {
		return nil
	}
	return s.live.SetEditor(values)
}

// reconfigured takes in a configuration that was read again.
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
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, exit(exitUsage, fmt.Errorf("the log cannot be written: %w", err))
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug})), func() { _ = f.Close() }, nil
}
