package lsp

import (
	"cmp"
	"context"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tandem/lsp/client"
	"tandem/lsp/inert"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/inline"
	"tandem/model/task"
	"tandem/workspace"
)

// lifecycle begins and ends the connection, and passes on what the session and the use
// cases report.
type lifecycle struct {
	*scope
	deps     *Deps
	features *features
}

// parentTick is how often the server checks that the client's process exists.
const parentTick = time.Second

type initializeParams struct {
	ProcessID  *int `json:"processId"`
	ClientInfo struct {
		Name string `json:"name"`
	} `json:"clientInfo"`
	RootPath              *string             `json:"rootPath"`
	RootURI               *string             `json:"rootUri"`
	WorkspaceFolders      []folder            `json:"workspaceFolders"`
	Capabilities          client.Capabilities `json:"capabilities"`
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

func (l *lifecycle) initialize(_ context.Context, p *initializeParams) (any, error) {
	if l.life.phase.Load() != phaseNew {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "The server is initialized already.")
	}
	l.client = client.Of(p.ClientInfo.Name, p.Capabilities)
	l.enc = utf16Units
	if l.client.CountsBytes() {
		l.enc = utf8Bytes
	}
	if err := l.openWorkspace(l.setup(p)); err != nil {
		return nil, err
	}
	l.watchParent(p.ProcessID)
	l.life.phase.Store(phaseRunning)
	l.log.Info("initialized", "client", printable(p.ClientInfo.Name), "folders", len(p.folders()), "encoding", l.enc.String())
	return l.capabilities(), nil
}

// openWorkspace opens the folders that the client named. A folder that cannot
// be opened is reported to the user and skipped; the others are served.
func (l *lifecycle) openWorkspace(setup Setup) (err error) {
	l.session, l.use, err = l.deps.Open(l.group.Context(), setup)
	if err == nil || len(setup.Folders) == 0 {
		return err
	}
	folders := setup.Folders
	setup.Folders = nil
	if l.session, l.use, err = l.deps.Open(l.group.Context(), setup); err != nil {
		return err
	}
	if bad := l.session.AddFolders(folders...); bad != nil {
		l.report(protocol.MessageTypeWarning, sentence(bad.Error()))
	}
	return nil
}

// setup is the workspace as the client describes it. A client that sends no
// trust setting is an editor without workspace trust: its user opened the
// folder deliberately, so the workspace is trusted.
func (l *lifecycle) setup(p *initializeParams) Setup {
	out := Setup{
		Folders: p.folders(), Trusted: true, ClientWatches: l.client.WatchesFiles(), Client: printable(p.ClientInfo.Name), Group: l.group,
		OnWorkspace: l.onWorkspace, OnEngine: l.onEngine,
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

// capabilities is what the server offers.
func (l *lifecycle) capabilities() any {
	type m = map[string]any
	var actions any = true
	if l.client.HasActionLiterals() {
		actions = m{"codeActionKinds": actionKinds(&l.client), "resolveProvider": l.client.AcceptsByAction() && l.client.ResolvesEdits()}
	}
	return m{
		"serverInfo": m{"name": "tandem", "version": l.deps.Version},
		"capabilities": m{
			"positionEncoding":         l.enc.String(),
			"textDocumentSync":         m{"openClose": true, "change": 2, "save": m{"includeText": false}},
			"notebookDocumentSync":     m{"notebookSelector": []m{{"notebook": "*", "cells": []m{{"language": "*"}}}}, "save": true},
			"inlineCompletionProvider": m{},
			"codeActionProvider":       actions,
			"codeLensProvider":         m{"resolveProvider": false},
			"hoverProvider":            true,
			"executeCommandProvider":   m{"commands": l.features.commands.names(), "workDoneProgress": true},
			"workspace": m{
				"workspaceFolders":    m{"supported": true, "changeNotifications": true},
				"textDocumentContent": m{"schemes": []string{"tandem"}},
			},
		},
	}
}

func (l *lifecycle) initialized(_ *none) error {
	l.group.Go("register with the client", l.register)
	l.features.statuses.statusChanged()
	return nil
}

// register asks the client for file events.
func (l *lifecycle) register(ctx context.Context) {
	type m = map[string]any
	var list []m
	if l.client.WatchesFiles() {
		list = append(list, m{"id": "tandem-files", "method": protocol.MethodWorkspaceDidChangeWatchedFiles,
			"registerOptions": m{"watchers": []m{{"globPattern": "**/*"}}}})
	}
	if l.client.WatchesSettings() {
		list = append(list, m{"id": "tandem-settings", "method": protocol.MethodWorkspaceDidChangeConfiguration,
			"registerOptions": m{"section": "tandem"}})
	}
	if len(list) == 0 {
		return
	}
	if err := l.call(ctx, protocol.MethodClientRegisterCapability, m{"registrations": list}, nil); err != nil && ctx.Err() == nil {
		l.log.Warn("the client refused to report file changes", "reason", err.Error())
	}
}

func (l *lifecycle) shutdown(_ context.Context, _ *none) (any, error) {
	l.life.phase.Store(phaseShutDown)
	return nil, nil
}

func (l *lifecycle) exit(_ *none) error {
	if l.life.phase.Load() == phaseShutDown {
		l.life.end(0)
	} else {
		l.life.end(1)
	}
	return nil
}

// watchParent ends the server when the client's process is gone. A process
// that was never visible, as when the client is in another container, is not
// watched.
func (l *lifecycle) watchParent(pid *int) {
	if pid == nil || *pid <= 0 || l.deps.Alive == nil || !l.deps.Alive(*pid) {
		return
	}
	l.group.Go("watch the client's process", func(ctx context.Context) {
		tick := time.Tick(parentTick)
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick:
				if !l.deps.Alive(*pid) {
					l.log.Info("the editor's process is gone; tandem ends")
					l.life.end(1)
					return
				}
			}
		}
	})
}

// onWorkspace handles the session's events.
func (l *lifecycle) onWorkspace(e workspace.Event) {
	if e.Problem != "" {
		l.log.Warn(e.Problem)
		l.report(protocol.MessageTypeWarning, e.Problem)
	}
	if e.Indexed && l.life.phase.Load() == phaseRunning { // else the folder was indexed before the session was known
		l.features.statuses.statusChanged()
		l.use.Editor.Indexed(l.session.Snapshot())
	}
}

// onEngine handles the events of the use cases.
func (l *lifecycle) onEngine(e core.Event) {
	defer l.features.statuses.statusChanged()
	switch e := e.(type) {
	case core.Notice:
		l.report(protocol.MessageTypeWarning, string(e))
	case core.Trouble:
		l.reportTrouble(e)
	case core.Reason:
		l.features.statuses.reason.set(string(e))
	case *edit.Proposal:
		l.features.proposals.proposalChanged(e)
	case *task.Task:
		l.features.tasks.taskChanged(*e)
	case inline.Ready:
		if l.client.Wants().Inline {
			ready := map[string]any{"uri": e.URI, "version": e.Version}
			l.notifications.put("ready "+e.URI, "tandem/inlineReady", func() any { return ready })
		}
	}
}

type didChangeFoldersParams struct {
	Event struct {
		Added   []folder `json:"added"`
		Removed []folder `json:"removed"`
	} `json:"event"`
}

func (l *lifecycle) didChangeWorkspaceFolders(p *didChangeFoldersParams) error {
	l.session.RemoveFolders(folderPaths(p.Event.Removed)...)
	if err := l.session.AddFolders(folderPaths(p.Event.Added)...); err != nil {
		l.report(protocol.MessageTypeWarning, err.Error())
	}
	return nil
}

func folderPaths(list []folder) []string {
	var out []string
	for _, f := range list {
		if p, ok := workspace.PathOf(f.URI); ok {
			out = append(out, p)
		}
	}
	return out
}

type didChangeTrustParams struct {
	Trusted bool `json:"trusted"`
}

func (l *lifecycle) didChangeTrust(p *didChangeTrustParams) error {
	l.session.SetTrusted(p.Trusted)
	return nil
}

type didChangeConfigurationParams struct {
	Settings struct {
		Tandem map[string]any `json:"tandem"`
	} `json:"settings"`
}

// didChangeConfiguration takes the editor's own settings. Without any (null, or other servers')
// these stay, and what else may have changed is looked at again.
func (l *lifecycle) didChangeConfiguration(p *didChangeConfigurationParams) error {
	if l.deps.Settings == nil {
		return nil
	}
	var values map[string]any
	if p.Settings.Tandem != nil {
		values = dotted("", p.Settings.Tandem, map[string]any{})
	}
	if err := l.deps.Settings(values); err != nil {
		l.report(protocol.MessageTypeError, err.Error())
	}
	return nil
}

// dotted flattens settings that came as nested objects to their dotted names.
func dotted(prefix string, values, out map[string]any) map[string]any {
	for name, value := range values {
		if inner, ok := value.(map[string]any); ok {
			dotted(prefix+name+".", inner, out)
			continue
		}
		out[prefix+name] = value
	}
	return out
}

type selectProfileArgs struct {
	Profile string `json:"profile"`
}

func (l *lifecycle) selectProfileCommand(_ context.Context, inv *invocation, a *selectProfileArgs) (any, error) {
	if l.deps.SelectProfile == nil {
		return nil, invalid("This server has no configuration to choose a profile from.")
	}
	return nil, l.deps.SelectProfile(cmp.Or(a.Profile, inv.stringArg(0)))
}

// reportTrouble shows a message with what mends it, to a client that can offer that.
func (l *lifecycle) reportTrouble(t core.Trouble) {
	t.Text = sentence(t.Text)
	if !l.client.Wants().Notices {
		l.report(protocol.MessageTypeWarning, t.Text)
		return
	}
	if l.reports.first(t.Text) {
		note := map[string]any{"message": inert.Message(t.Text), "setUp": t.SetUp, "provider": t.Provider}
		if t.File != "" {
			note["uri"], note["line"] = workspace.URIOf(t.File), t.Line
		}
		l.reports.noticed(t.Text)
		l.notify("tandem/notice", note)
	}
}
