package lsp

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/run"
)

// commands run what the client asks for by workspace/executeCommand.
type commands struct {
	*scope
	byName map[string]commandFunc
	begun  time.Duration // after which a command that goes on is answered
}

// answeredAfter is when a command that goes on is answered: some editors wait for the answer, and
// take no keys meanwhile.
const answeredAfter = time.Second

// A commandFunc runs a command.
type commandFunc func(ctx context.Context, inv *invocation) (any, error)

// goesOn is a command that ends in an edit or an explanation. It is answered with its result or,
// where that takes long, with what has begun; it goes on then, and what fails is told.
func (f *features) goesOn(command commandFunc) commandFunc {
	return func(ctx context.Context, inv *invocation) (any, error) { return f.commands.begin(ctx, inv, command) }
}

func (c *commands) begin(asked context.Context, inv *invocation, command commandFunc) (any, error) {
	ctx, stop := context.WithCancelCause(c.group.Context())
	detach := context.AfterFunc(asked, func() { stop(context.Cause(asked)) })
	var state atomic.Int32 // of the command: commandRuns, then one of the others
	result := run.Begin(c.group, inv.name, func() (any, error) {
		defer stop(nil)
		result, err := command(ctx, inv)
		if !state.CompareAndSwap(commandRuns, commandEnded) {
			c.failed(ctx, err)
		}
		return result, err
	})
	wait, cancel := context.WithTimeout(asked, c.begun)
	defer cancel()
	got, err := result(wait)
	switch {
	case wait.Err() == nil:
		return got, err
	case asked.Err() != nil: // cancelled: its token ends with the answer, however long it takes to stop
		inv.stop()
		return got, err
	case !state.CompareAndSwap(commandRuns, commandAnswered):
		return result(asked)
	}
	detach()
	return map[string]any{"begun": inv.moveOn()}, nil
}

// States of a command that goes on.
const (
	commandRuns int32 = iota
	commandEnded
	commandAnswered // before it has ended
)

// failed tells the user what became of a command that was answered before it had failed.
func (c *commands) failed(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	stopped, ok := errors.AsType[*model.Error](err)
	if errors.Is(err, context.Canceled) || ok && stopped.Code == model.CodeCancelled {
		return // the user stopped it
	}
	if told := wireError(ctx, err).Message; !c.reports.asNotice(told) {
		c.showMessage(protocol.MessageTypeError, inert.Message(told))
	}
}

// An invocation is one command to run. Its arguments are one object, of which each command
// decodes what it needs, and strings: the id, or a text such as the question.
type invocation struct {
	name    string // of the command
	snap    *workspace.Snapshot
	objects []protocol.LSPAny
	strings []string

	mu       sync.Mutex // guards all below
	token    token      // the client's, until it is answered
	title    string
	progress *progress
}

// begin shows the command's work.
func (inv *invocation) begin(ctx context.Context, to *peer, title string) (context.Context, *progress) {
	inv.mu.Lock()
	defer inv.mu.Unlock()
	inv.title = title
	ctx, inv.progress = to.begin(ctx, inv.token, title)
	return ctx, inv.progress
}

// stop shows the command's work no more.
func (inv *invocation) stop() {
	inv.mu.Lock()
	defer inv.mu.Unlock()
	inv.token = ""
	if inv.progress != nil {
		inv.progress.done("stopped")
	}
}

// moveOn ends what is shown under the client's token, which ends with the answer, and shows it
// under one of the server's. It returns the title.
func (inv *invocation) moveOn() string {
	inv.mu.Lock()
	defer inv.mu.Unlock()
	inv.token = ""
	if inv.progress != nil {
		inv.progress.moveOn()
	}
	return cmp.Or(inv.title, inv.name)
}

// withArgs is a command that takes the object as an A.
func withArgs[A any](f func(context.Context, *invocation, *A) (any, error)) commandFunc {
	return func(ctx context.Context, inv *invocation) (any, error) {
		args := new(A)
		for _, object := range inv.objects {
			if err := protocol.Unmarshal(object, args); err != nil {
				return nil, invalid("The command's arguments have the wrong shape%s.", shapeText(err))
			}
		}
		return f(ctx, inv, args)
	}
}

// idArgs name a suggestion, a proposal or a task.
type idArgs struct {
	ID string `json:"id"`
}

// withID is a command that takes an id alone.
func withID(f func(ctx context.Context, id string) (any, error)) commandFunc {
	return withArgs(func(ctx context.Context, inv *invocation, a *idArgs) (any, error) {
		id, err := inv.id(a.ID)
		if err != nil {
			return nil, err
		}
		return f(ctx, id)
	})
}

// placeArgs name a document, and a place in it.
type placeArgs struct {
	URI          string       `json:"uri"`
	TextDocument *versionedID `json:"textDocument"`
	Range        *wireRange   `json:"range"`
	Position     *position    `json:"position"`
}

// uri is the document's, or "".
func (a *placeArgs) uri() string {
	if a.URI == "" && a.TextDocument != nil {
		return a.TextDocument.URI
	}
	return a.URI
}

type executeParams struct {
	Command       string            `json:"command"`
	Arguments     []protocol.LSPAny `json:"arguments"`
	WorkDoneToken token             `json:"workDoneToken"`
}

func (c *commands) names() []string { return slices.Sorted(maps.Keys(c.byName)) }

func (c *commands) execute(p *executeParams) (any, work, error) {
	f, ok := c.byName[p.Command]
	if !ok {
		return nil, nil, invalid("tandem %s has no command %q; its commands are %s.", c.version, printable(p.Command), strings.Join(c.names(), ", "))
	}
	inv := &invocation{name: p.Command, snap: c.session.Snapshot(), token: p.WorkDoneToken}
	if err := inv.parse(p.Arguments); err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) { return f(ctx, inv) }, nil
}

// parse tells the arguments of a command apart.
func (inv *invocation) parse(args []protocol.LSPAny) error {
	for _, arg := range args {
		var text string
		switch {
		case len(arg) > 0 && arg[0] == '{':
			inv.objects = append(inv.objects, arg)
		case len(arg) > 0 && arg[0] == '"' && protocol.Unmarshal(arg, &text) == nil:
			inv.strings = append(inv.strings, text)
		case string(arg) == "null":
		default:
			return invalid("The command takes one object, such as {\"uri\": …, \"range\": …}, not %.40s.", arg)
		}
	}
	return nil
}

// stringArg is the n-th string argument, or "".
func (inv *invocation) stringArg(n int) string {
	if n < len(inv.strings) {
		return inv.strings[n]
	}
	return ""
}

// id is the id that the command names in its object, or as its first string.
func (inv *invocation) id(named string) (string, error) {
	if id := cmp.Or(named, inv.stringArg(0)); id != "" {
		return id, nil
	}
	return "", invalid("The command needs the id of a suggestion or task, as {\"id\": …}.")
}

func nothingCommand(context.Context, *invocation) (any, error) { return nil, nil }
