package lsp

import (
	"context"
	"slices"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/inline"
	"tandem/model/task"
	"tandem/workspace"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// parentTick is how often the server checks that the client's process exists.
const parentTick = time.Second

type initializeParams struct {
	ProcessID  *int `json:"processId"`
	ClientInfo struct {
		Name string `json:"name"`
	} `json:"clientInfo"`
	RootPath              *string      `json:"rootPath"`
	RootURI               *string      `json:"rootUri"`
	WorkspaceFolders      []folder     `json:"workspaceFolders"`
	Capabilities          capabilities `json:"capabilities"`
	InitializationOptions *struct {
		Trusted  *bool          `json:"trusted"`
		Profile  string         `json:"profile"`
		Settings map[string]any `json:"settings"`
	} `json:"initializationOptions"`
}

type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

func initialize(_ context.Context, s *Server, p *initializeParams) (any, error) {
	if s.phase.Load() != phaseNew {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "The server is initialized already.")
	}
	s.client = clientOf(p)
	s.enc = utf16Units
	if slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8") {
		s.enc = utf8Bytes
	}
	if err := s.openWorkspace(s.setup(p)); err != nil {
		return nil, err
	}
	s.watchParent(p.ProcessID)
	s.phase.Store(phaseRunning)
	s.log.Info("initialized", "client", printable(p.ClientInfo.Name), "folders", len(p.folders()), "encoding", s.enc.String())
	return s.capabilities(), nil
}

// openWorkspace opens the folders that the client named. A folder that cannot
// be opened is reported to the user and skipped; the others are served.
func (s *Server) openWorkspace(setup Setup) (err error) {
	s.session, s.use, err = s.deps.Open(s.group.Context(), setup)
	if err == nil || len(setup.Folders) == 0 {
		return err
	}
	folders := setup.Folders
	setup.Folders = nil
	if s.session, s.use, err = s.deps.Open(s.group.Context(), setup); err != nil {
		return err
	}
	if bad := s.session.AddFolders(folders...); bad != nil {
		s.report(protocol.MessageTypeWarning, sentence(bad.Error()))
	}
	return nil
}

// setup is the workspace as the client describes it. A client that sends no
// trust setting is an editor without workspace trust: its user opened the
// folder deliberately, so the workspace is trusted.
func (s *Server) setup(p *initializeParams) Setup {
	out := Setup{
		Folders: p.folders(), Trusted: true, ClientWatches: s.client.watches, Client: printable(p.ClientInfo.Name), Group: s.group,
		OnWorkspace: s.onWorkspace, OnEngine: s.onEngine,
	}
	if o := p.InitializationOptions; o != nil {
		out.Profile, out.Settings = o.Profile, o.Settings
		if o.Trusted != nil {
			out.Trusted = *o.Trusted
		}
	}
	return out
}

// folders lists the absolute paths of the workspace's folders.
func (p *initializeParams) folders() []string {
	var out []string
	for _, f := range p.WorkspaceFolders {
		if path, ok := workspace.PathOf(f.URI); ok {
			out = append(out, path)
		}
	}
	if p.WorkspaceFolders != nil {
		return out
	}
	if p.RootURI != nil {
		if path, ok := workspace.PathOf(*p.RootURI); ok {
			return []string{path}
		}
	}
	if p.RootPath != nil && *p.RootPath != "" {
		return []string{*p.RootPath}
	}
	return nil
}

func clientOf(p *initializeParams) client {
	c := &p.Capabilities
	return client{
		watches:       c.Workspace.DidChangeWatchedFiles.DynamicRegistration,
		configuration: c.Workspace.DidChangeConfig.DynamicRegistration,
		progress:      c.Window.WorkDoneProgress,
		showDocument:  c.Window.ShowDocument.Support,
		content:       c.Workspace.TextDocumentContent != nil && p.ClientInfo.Name != "Neovim",
		lenses:        c.TextDocument.CodeLens != nil,
		lensRefresh:   c.Workspace.CodeLens.RefreshSupport,
		markdown:      slices.Contains(c.TextDocument.Hover.ContentFormat, "markdown"),
		applyEdit:     c.Workspace.ApplyEdit,

		documentChanges: c.Workspace.WorkspaceEdit.DocumentChanges,

		actionLiteral: c.TextDocument.CodeAction.CodeActionLiteralSupport != nil,
		tandem:        c.Experimental.Tandem,
	}
}

// capabilities is what the server offers.
func (s *Server) capabilities() any {
	type m = map[string]any
	return m{
		"serverInfo": m{"name": "tandem", "version": s.deps.Version},
		"capabilities": m{
			"positionEncoding":         s.enc.String(),
			"textDocumentSync":         m{"openClose": true, "change": 2, "save": m{"includeText": false}},
			"notebookDocumentSync":     m{"notebookSelector": []m{{"notebook": "*", "cells": []m{{"language": "*"}}}}, "save": true},
			"inlineCompletionProvider": m{},
			"codeActionProvider":       m{"codeActionKinds": actionKinds, "resolveProvider": true},
			"codeLensProvider":         m{"resolveProvider": false},
			"hoverProvider":            true,
			"executeCommandProvider":   m{"commands": commandNames(), "workDoneProgress": true},
			"workspace": m{
				"workspaceFolders":    m{"supported": true, "changeNotifications": true},
				"textDocumentContent": m{"schemes": []string{"tandem"}},
			},
		},
	}
}

func initialized(s *Server, _ *none) error {
	s.spawn("register with the client", s.register)
	s.statuses.statusChanged()
	return nil
}

// register asks the client for file events.
func (s *Server) register(ctx context.Context) {
	type m = map[string]any
	var list []m
	if s.client.watches {
		list = append(list, m{"id": "tandem-files", "method": protocol.MethodWorkspaceDidChangeWatchedFiles,
			"registerOptions": m{"watchers": []m{{"globPattern": "**/*"}}}})
	}
	if s.client.configuration {
		list = append(list, m{"id": "tandem-settings", "method": protocol.MethodWorkspaceDidChangeConfiguration,
			"registerOptions": m{"section": "tandem"}})
	}
	if len(list) == 0 {
		return
	}
	if err := s.call(ctx, protocol.MethodClientRegisterCapability, m{"registrations": list}, nil); err != nil && ctx.Err() == nil {
		s.log.Warn("the client refused to report file changes", "reason", err.Error())
	}
}

func shutdown(_ context.Context, s *Server, _ *none) (any, error) {
	s.phase.Store(phaseShutDown)
	return nil, nil
}

func exit(s *Server, _ *none) error {
	if s.phase.Load() == phaseShutDown {
		s.end(0)
	} else {
		s.end(1)
	}
	return nil
}

// watchParent ends the server when the client's process is gone. A process
// that was never visible, as when the client is in another container, is not
// watched.
func (s *Server) watchParent(pid *int) {
	if pid == nil || *pid <= 0 || s.deps.Alive == nil || !s.deps.Alive(*pid) {
		return
	}
	s.spawn("watch the client's process", func(ctx context.Context) {
		tick := time.Tick(parentTick)
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick:
				if !s.deps.Alive(*pid) {
					s.log.Info("the editor's process is gone; tandem ends")
					s.end(1)
					return
				}
			}
		}
	})
}

// onWorkspace handles the session's events.
func (s *Server) onWorkspace(e workspace.Event) {
	if e.Problem != "" {
		s.log.Warn(e.Problem)
		s.report(protocol.MessageTypeWarning, e.Problem)
	}
	if e.Indexed {
		s.statuses.statusChanged() // the index is ready
	}
}

// onEngine handles the events of the use cases.
func (s *Server) onEngine(e core.Event) {
	defer s.statuses.statusChanged()
	switch e := e.(type) {
	case core.Notice:
		s.report(protocol.MessageTypeWarning, string(e))
	case core.Trouble:
		s.reportTrouble(e)
	case *edit.Proposal:
		s.proposals.proposalChanged(e)
	case *task.Task:
		s.proposals.taskChanged(*e)
	case inline.Ready:
		if s.client.tandem.Inline {
			ready := map[string]any{"uri": e.URI, "version": e.Version}
			s.notifications.put("ready "+e.URI, "tandem/inlineReady", func() any { return ready })
		}
	}
}
