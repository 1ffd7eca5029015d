package lsp

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tandem/workspace"
)

// commands run what the client asks for by workspace/executeCommand.
type commands struct {
	*scope
	byName map[string]commandFunc
}

// A commandFunc runs a command.
type commandFunc func(ctx context.Context, inv *invocation) (any, error)

// An invocation is one command to run. Its arguments are one object, of which each command
// decodes what it needs, and strings: the id, or a text such as the question.
type invocation struct {
	snap    *workspace.Snapshot
	token   token
	objects []protocol.LSPAny
	strings []string
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
	inv := &invocation{snap: c.session.Snapshot(), token: p.WorkDoneToken}
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
