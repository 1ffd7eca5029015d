package lsp

import (
	"go.lsp.dev/protocol"

	"tandem/model"
)

// features are what serves the methods and the commands, each with what it needs.
type features struct {
	lifecycle *lifecycle
	documents *documents
	inlines   *inlines
	nextEdits *nextEdits
	proposals *proposals
	editing   *editing
	tasks     *tasks
	questions *questions
	reviews   *reviews
	changes   *changes
	actions   *actions
	statuses  *statuses
	windows   *windows
	commands  *commands
}

func newFeatures(d *Deps, on *scope) *features {
	statuses := &statuses{scope: on, askers: d.Askers, sent: map[string]string{}, warned: map[string]model.LaneState{}}
	proposals := &proposals{scope: on}
	reviews := &reviews{scope: on}
	questions := &questions{scope: on}
	f := &features{
		documents: &documents{scope: on, reviews: reviews, questions: questions},
		inlines:   &inlines{scope: on, proposals: proposals},
		nextEdits: &nextEdits{scope: on, statuses: statuses},
		proposals: proposals,
		editing:   &editing{scope: on, proposals: proposals},
		tasks:     &tasks{scope: on, proposals: proposals},
		questions: questions,
		reviews:   reviews,
		changes:   &changes{scope: on, deps: d, proposals: proposals},
		actions:   &actions{scope: on},
		statuses:  statuses,
		windows:   &windows{scope: on, deps: d},
	}
	f.lifecycle = &lifecycle{scope: on, deps: d, features: f}
	f.commands = &commands{scope: on, byName: f.commandTable(), begun: answeredAfter}
	return f
}

// methods is the table of all methods.
func (f *features) methods() map[string]method {
	return map[string]method{
		protocol.MethodInitialize:  early(inOrder(f.lifecycle.initialize)),
		protocol.MethodInitialized: notification(f.lifecycle.initialized),
		protocol.MethodShutdown:    inOrder(f.lifecycle.shutdown),
		protocol.MethodExit:        early(notification(f.lifecycle.exit)),
		protocol.MethodSetTrace:    notification(ignored),

		protocol.MethodTextDocumentDidOpen:   notification(f.documents.didOpen),
		protocol.MethodTextDocumentDidChange: notification(f.documents.didChange),
		protocol.MethodTextDocumentDidSave:   notification(f.documents.didSave),
		protocol.MethodTextDocumentDidClose:  notification(f.documents.didClose),

		protocol.MethodNotebookDocumentDidOpen:   notification(f.documents.didOpenNotebook),
		protocol.MethodNotebookDocumentDidChange: notification(f.documents.didChangeNotebook),
		protocol.MethodNotebookDocumentDidSave:   notification(ignored),
		protocol.MethodNotebookDocumentDidClose:  notification(f.documents.didCloseNotebook),

		protocol.MethodWorkspaceDidChangeWatchedFiles:     notification(f.documents.didChangeWatchedFiles),
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: notification(f.lifecycle.didChangeWorkspaceFolders),
		protocol.MethodWorkspaceDidChangeConfiguration:    notification(f.lifecycle.didChangeConfiguration),
		"tandem/didChangeTrust":                           notification(f.lifecycle.didChangeTrust),
		"tandem/didChangeDiagnostics":                     notification(f.documents.didChangeDiagnostics),
		"tandem/didChangeOtherInline":                     notification(f.statuses.didChangeOtherInline),
		"tandem/references":                               notification(f.nextEdits.references),

		protocol.MethodTextDocumentInlineCompletion: async(f.inlines.inlineCompletion),
		protocol.MethodTextDocumentHover:            async(f.questions.hover),
		protocol.MethodTextDocumentCodeAction:       inOrder(f.actions.codeActions),
		protocol.MethodCodeActionResolve:            async(f.actions.resolveAction),
		protocol.MethodTextDocumentCodeLens:         inOrder(f.actions.codeLenses),
		protocol.MethodWorkspaceExecuteCommand:      async(f.commands.execute),
		protocol.MethodWorkspaceTextDocumentContent: inOrder(f.windows.virtual.content),
		protocol.MethodWindowWorkDoneProgressCancel: notification(f.windows.progresses.cancel),

		"textDocument/copilotInlineEdit":            async(f.nextEdits.nextEdit),
		"textDocument/didShowInlineEdit":            notification(f.inlines.didShow),
		"textDocument/didShowCompletion":            notification(f.inlines.didShow),
		"textDocument/didPartiallyAcceptCompletion": notification(f.inlines.didPartiallyAccept),
		"textDocument/didFocus":                     notification(f.statuses.didFocus),
		"notifyAccepted":                            inOrder(f.inlines.notifyAccepted),
		"notifyRejected":                            inOrder(f.inlines.notifyRejected),
		"notifyShown":                               inOrder(f.inlines.notifyShown),
		"notifyNextEditRejected":                    inOrder(f.inlines.notifyRejected),
		"tandem/declarations":                       async(f.nextEdits.declarations),

		"tandem/edit":        async(f.editing.tandemEdit),
		"tandem/estimate":    async(f.editing.estimate),
		"tandem/ask":         async(f.questions.askQuestion),
		"tandem/resolve":     async(f.proposals.resolve),
		"tandem/steer":       async(f.proposals.steer),
		"tandem/tasks":       inOrder(f.tasks.list),
		"tandem/resume":      inOrder(f.tasks.resume),
		"tandem/plan":        inOrder(f.tasks.setPlan),
		"tandem/cancel":      inOrder(f.tasks.cancel),
		"tandem/window":      async(f.windows.window),
		"tandem/lastPayload": inOrder(f.windows.lastPayload),
	}
}

// commandTable is every command, with what it does.
func (f *features) commandTable() map[string]commandFunc {
	return map[string]commandFunc{
		"tandem.edit":     f.goesOn(withArgs(f.editing.command(model.KindEdit))),
		"tandem.fix":      f.goesOn(withArgs(f.editing.command(model.KindFix))),
		"tandem.debug":    f.goesOn(withArgs(f.editing.command(model.KindDebug))),
		"tandem.document": f.goesOn(withArgs(f.editing.command(model.KindDocument))),
		"tandem.test":     f.goesOn(withArgs(f.editing.command(model.KindTest))),
		"tandem.explain":  f.goesOn(withArgs(f.questions.explainCommand)),
		"tandem.ask":      f.goesOn(withArgs(f.questions.askCommand)),
		"tandem.review":   f.goesOn(withArgs(f.reviews.reviewCommand)),
		"tandem.changes":  withArgs(f.changes.changesCommand),
		"tandem.escalate": f.goesOn(withArgs(f.tasks.escalateCommand)),

		"tandem.nextEditAll":    f.goesOn(withArgs(f.editing.nextEditAllCommand)),
		"tandem.accept":         f.goesOn(withArgs(f.proposals.acceptCommand(false))),
		"tandem.acceptHunk":     f.goesOn(withArgs(f.proposals.acceptCommand(true))),
		"tandem.reject":         withID(f.proposals.rejectCommand),
		"tandem.takeBack":       f.goesOn(withArgs(f.proposals.takeBackCommand)),
		"tandem.show":           f.goesOn(withID(f.proposals.showCommand)),
		"tandem.steer":          f.goesOn(withArgs(f.proposals.steerCommand)),
		"tandem.completeChange": f.goesOn(withArgs(f.proposals.completeCommand)),
		"tandem.cancel":         withID(f.tasks.cancelCommand),
		"tandem.resume":         withID(f.tasks.resumeCommand),
		"tandem.alternatives":   f.goesOn(withID(f.proposals.alternativesCommand)),

		"tandem.showWindow":     withArgs(f.windows.showWindowCommand),
		"tandem.tasks":          withArgs(f.tasks.tasksCommand),
		"tandem.status":         withArgs(f.statuses.statusCommand),
		"tandem.showSuggestion": withArgs(f.inlines.showSuggestionCommand),
		"tandem.selectProfile":  withArgs(f.lifecycle.selectProfileCommand),
		"tandem.snooze":         withArgs(f.inlines.snoozeCommand),
		"tandem.commitMessage":  withArgs(f.questions.commitMessageCommand),

		"github.copilot.finishDeviceFlow":                nothingCommand,
		acceptedItem:                                     withID(f.inlines.acceptedCommand),
		"github.copilot.didAcceptNextEditSuggestionItem": withID(f.inlines.acceptedCommand),
		"github.copilot.didRejectNextEditSuggestionItem": withID(f.inlines.rejectedCommand),
		"github.copilot.didIgnoreNextEditSuggestionItem": withID(f.inlines.ignoredCommand),
		"github.copilot.didAcceptPanelCompletionItem":    withID(f.inlines.acceptedCommand),
	}
}

// early marks a method that may come before initialize and after shutdown.
func early(m method) method {
	m.early = true
	return m
}

// ignored handles notifications that need no action.
func ignored(*none) error { return nil }
