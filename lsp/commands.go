package lsp

import (
	"context"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tandem/model"
	"tandem/workspace"
)

type executeParams struct {
	Command       string            `json:"command"`
	Arguments     []protocol.LSPAny `json:"arguments"`
	WorkDoneToken token             `json:"workDoneToken"`
}

// commandArgs are the arguments of every command: one object, of which each
// command reads what it needs. A string argument may be the id, or a text such
// as the instruction or the question.
type commandArgs struct {
	URI          string           `json:"uri"`
	TextDocument *versionedID     `json:"textDocument"`
	Range        *wireRange       `json:"range"`
	Position     *position        `json:"position"`
	Instruction  string           `json:"instruction"`
	Question     string           `json:"question"`
	Text         string           `json:"text"`
	Thread       string           `json:"thread"`
	ID           string           `json:"id"`
	Hunk         *int             `json:"hunk"`
	Lane         string           `json:"lane"`
	Alternatives int              `json:"alternatives"`
	Diagnostics  []wireDiagnostic `json:"diagnostics"`
	All          bool             `json:"all"`
	Tests        bool             `json:"tests"`
	Force        bool             `json:"force"` // accept what failed its checks
	Profile      string           `json:"profile"`
	Minutes      *float64         `json:"minutes"`
	Budget       int              `json:"budget"`
	Purpose      string           `json:"purpose"`
	Diff         string           `json:"diff"`
	Base         string           `json:"base"`
	Action       string           `json:"action"`
	Quick        bool             `json:"quick"`

	stringArgs []string // arguments that were strings
}

// An invocation is one command to run.
type invocation struct {
	commandArgs
	snap  *workspace.Snapshot
	token token
}

// commandTable is every command, with what it does.
var commandTable map[string]func(context.Context, *Server, *invocation) (any, error)

func init() {
	commandTable = map[string]func(context.Context, *Server, *invocation) (any, error){
		"tandem.edit":     editCommand(model.KindEdit),
		"tandem.fix":      editCommand(model.KindFix),
		"tandem.debug":    editCommand(model.KindDebug),
		"tandem.document": editCommand(model.KindDocument),
		"tandem.test":     editCommand(model.KindTest),
		"tandem.explain":  explainCommand,
		"tandem.ask":      askCommand,
		"tandem.review":   reviewCommand,
		"tandem.changes":  changesCommand,
		"tandem.escalate": escalateCommand,

		"tandem.nextEditAll":  nextEditAllCommand,
		"tandem.accept":       acceptCommand,
		"tandem.acceptHunk":   acceptHunkCommand,
		"tandem.reject":       rejectCommand,
		"tandem.steer":        steerCommand,
		"tandem.cancel":       cancelCommand,
		"tandem.resume":       resumeCommand,
		"tandem.alternatives": alternativesCommand,

		"tandem.showWindow":     showWindowCommand,
		"tandem.tasks":          tasksCommand,
		"tandem.status":         statusCommand,
		"tandem.showSuggestion": showSuggestionCommand,
		"tandem.selectProfile":  selectProfileCommand,
		"tandem.snooze":         snoozeCommand,
		"tandem.commitMessage":  commitMessageCommand,

		"github.copilot.finishDeviceFlow":                nothingCommand,
		acceptedItem:                                     acceptedCommand,
		"github.copilot.didAcceptNextEditSuggestionItem": acceptedCommand,
		"github.copilot.didRejectNextEditSuggestionItem": refusedCommand,
		"github.copilot.didIgnoreNextEditSuggestionItem": refusedCommand,
		"github.copilot.didAcceptPanelCompletionItem":    acceptedCommand,
	}
}

func commandNames() []string { return slices.Sorted(maps.Keys(commandTable)) }

func executeCommand(s *Server, p *executeParams) (any, work, error) {
	f, ok := commandTable[p.Command]
	if !ok {
		return nil, nil, invalid("tandem has no command %q; its commands are %s.", printable(p.Command), strings.Join(commandNames(), ", "))
	}
	inv := &invocation{snap: s.session.Snapshot(), token: p.WorkDoneToken}
	if err := inv.parse(p.Arguments); err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) { return f(ctx, s, inv) }, nil
}

// parse reads the arguments of a command.
func (inv *invocation) parse(args []protocol.LSPAny) error {
	for _, arg := range args {
		switch {
		case len(arg) > 0 && arg[0] == '{':
			if err := protocol.Unmarshal(arg, &inv.commandArgs); err != nil {
				return invalid("The command's arguments have the wrong shape%s.", shapeText(err))
			}
		case len(arg) > 0 && arg[0] == '"':
			var stringArg string
			if err := protocol.Unmarshal(arg, &stringArg); err != nil {
				return invalid("The command's arguments have the wrong shape%s.", shapeText(err))
			}
			inv.stringArgs = append(inv.stringArgs, stringArg)
		case string(arg) == "null":
		default:
			return invalid("The command takes one object, such as {\"uri\": …, \"range\": …}, not %.40s.", arg)
		}
	}
	if inv.TextDocument != nil && inv.URI == "" {
		inv.URI = inv.TextDocument.URI
	}
	return nil
}

// stringArg is the n-th string argument, or "".
func (inv *invocation) stringArg(n int) string {
	if n < len(inv.stringArgs) {
		return inv.stringArgs[n]
	}
	return ""
}

// id is the id of the suggestion, proposal or task that the command names.
func (inv *invocation) id() (string, error) {
	if inv.ID != "" {
		return inv.ID, nil
	}
	if id := inv.stringArg(0); id != "" {
		return id, nil
	}
	return "", invalid("The command needs the id of a suggestion or task, as {\"id\": …}.")
}

func nothingCommand(context.Context, *Server, *invocation) (any, error) { return nil, nil }

func acceptedCommand(ctx context.Context, s *Server, inv *invocation) (any, error) {
	id, err := inv.id()
	if err != nil {
		return nil, err
	}
	if imports := s.use.Engine.Accepted(s.session.Snapshot(), id); imports != nil {
		return nil, s.proposals.applyOne(ctx, *imports)
	}
	return nil, nil
}

func refusedCommand(_ context.Context, s *Server, inv *invocation) (any, error) {
	id, err := inv.id()
	if err != nil {
		return nil, err
	}
	s.use.Engine.Rejected(id)
	return nil, nil
}
