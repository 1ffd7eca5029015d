package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/lsp"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

func serveCommand(g *globals) *cobra.Command {
	var log string
	var texts bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve an editor: LSP on stdin and stdout",
		Args:  takes(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return serve(c.Context(), g, log, texts) },
	}
	c.Flags().Bool("stdio", true, "the only transport there is")
	c.Flags().StringVar(&log, "log", "", "write each message to `FILE`, in the lines that VS Code's LSP inspector reads, without texts")
	c.Flags().BoolVar(&texts, "log-texts", false, "keep texts in the log: source code, instructions, answers; secrets that are recognized are not written")
	return c
}

// serve runs the language server on stdin and stdout. Nothing else may write to
// stdout, so the rest of the program gets stderr in its place.
func serve(ctx context.Context, g *globals, logFile string, texts bool) error {
	limitMemory()
	out, err := claimStdout()
	if err != nil {
		return fmt.Errorf("take over stdout: %w", err)
	}
	var t *trace
	if logFile != "" {
		if t, err = openTrace(logFile, texts); err != nil {
			return exit(exitUsage, err)
		}
		defer t.close()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := &server{globals: g, log: t.log()}
	defer s.close()
	deps := s.deps()
	if t != nil {
		deps.Trace = t.message
	}
	if code := lsp.Run(ctx, deps, os.Stdin, out); code != 0 {
		return exit(code, errors.New(""))
	}
	return nil
}

// deps are what an editor's session is served with.
func (s *server) deps() lsp.Deps {
	return lsp.Deps{Version: version(), Log: s.log, Open: s.open, Alive: processAlive, SelectProfile: s.selectProfile, Settings: s.settings, LastPayload: s.lastPayload, Askers: s.askers, Window: s.window, Preview: s.preview,
		Changes: s.changes, Marks: s.marks, Mark: s.mark, MarkMoment: s.markMoment}
}

// A server connects the layers for one editor, after the editor has sent the
// workspace folders.
type server struct {
	globals *globals
	log     *slog.Logger
	app     *app
	live    *config.Live
	changed func()                 // lets the status be sent again
	mistake atomic.Pointer[string] // the configuration's error; nil while it has none
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
		Changed: func(c *config.Config) {
			s.mistake.Store(nil)
			s.reconfigured(c)
			setup.OnEngine(core.StatusChanged{})
		},
		Failed: func(err error) {
			message := err.Error()
			s.mistake.Store(&message)
			s.log.Warn(message)
			setup.OnEngine(invalidConfiguration(err))
		},
	})
	for _, n := range s.live.Config().Notes {
		if n.File == config.EditorSettings { // an extension of another version, which no doctor sees
			notify("Update the extension or tandem: " + n.Message + ".")
		}
	}
	s.changed = func() { setup.OnEngine(core.StatusChanged{}) }
	a, err := newApp(setup.Group, s.live.Config, host{
		folders: setup.Folders, trusted: setup.Trusted, clientWatches: setup.ClientWatches,
		onWorkspace: setup.OnWorkspace, onEngine: setup.OnEngine, onNotice: notify, onModel: func(n model.Notice) {
			s.noteTrouble(n)
			setup.OnEngine(ofModel(n, s.live.Config().File))
		}, mistake: s.misconfigured, life: strings.ToLower(rand.Text()[:6]) + "-", asker: func() string { return setup.Client },
	})
	if err != nil {
		return nil, lsp.UseCases{}, err
	}
	s.app = a
	setup.Group.Go("watch the configuration", s.live.Watch)
	setup.Group.Go("return memory in pauses", releaseWhenIdle)
	if len(setup.Folders) > 0 {
		setup.Group.Go("judge the hooks of agents", func(ctx context.Context) {
			a.judgeHooks(ctx, setup.Folders[0], func(problem string) { s.log.Warn(problem) })
		})
	}
	if s.live.Config().MCP.Socket && len(setup.Folders) > 0 {
		setup.Group.Go("give agents what is unsaved", func(ctx context.Context) {
			if err := s.giveUnsaved(ctx, setup.Folders[0]); err != nil && ctx.Err() == nil {
				notify(fmt.Sprintf("Agents do not see unsaved documents (mcp.socket): %v.", err))
			}
		})
	}
	return a.session, lsp.Of(a.engine), nil
}

// noteTrouble stores that the user is shown something about a model, for a bundle.
func (s *server) noteTrouble(n model.Notice) {
	if store, err := openStore(); err == nil {
		_ = noteTrouble(store, n) // a lost line costs nothing
	}
}

// misconfigured returns the current error in the configuration, "" if there is none.
func (s *server) misconfigured() string {
	if message := s.mistake.Load(); message != nil {
		return *message
	}
	return ""
}

// invalidConfiguration is a configuration that cannot be used, with the line to correct.
func invalidConfiguration(err error) core.Trouble {
	var mistakes *config.Error
	if !errors.As(err, &mistakes) || len(mistakes.Problems) == 0 {
		return core.Trouble{Text: err.Error()}
	}
	first := mistakes.Problems[0]
	said := fmt.Sprintf("Correct line %d of %s: %s", max(first.Line, 1), filepath.Base(first.File), first.Message)
	if more := len(mistakes.Problems) - 1; more > 0 {
		said += fmt.Sprintf(" (and %d more)", more)
	}
	return core.Trouble{Text: said + ". Until then the configuration from before is in use.", File: first.File, Line: first.Line}
}

// ofModel is a model that cannot be asked or not well, with what mends it: a key, another
// model, or a line of the configuration.
func ofModel(n model.Notice, configuration string) core.Trouble {
	t := core.Trouble{Text: n.Text}
	var code model.Code
	if n.Err != nil {
		code = n.Err.Code
	}
	switch {
	case n.Kind == model.NoticeKey && code != model.CodeNotFound && n.Err.Provider != "":
		t.Provider = n.Err.Provider
	case n.Kind == model.NoticeKey, n.Kind == model.NoticeQuota, code == model.CodeTimeout:
		t.SetUp = true
	case n.Kind == model.NoticeLedger, n.Kind == model.NoticePolicy, code == model.CodeOverloaded, code == model.CodeServer:
	default:
		t.File = configuration
	}
	return t
}

// settings implements lsp.Deps.Settings: the editor's settings changed, and maybe the keys.
func (s *server) settings(values map[string]any) error {
	if s.app == nil {
		return nil
	}
	s.app.lanes.KeysChanged()
	s.changed()
	if values == nil {
		return nil
	}
	return s.live.SetEditor(values)
}

// reconfigured applies a configuration that was read again.
func (s *server) reconfigured(c *config.Config) {
	if s.app != nil {
		s.app.lanes.Reconfigure(laneSetup(c))
		s.app.engine.Reconfigured(s.app.session.Snapshot())
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
