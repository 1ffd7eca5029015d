package ask

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/redact"
)

// maxCommitDiff bounds the diff for a commit message, in bytes. Beyond it the model
// gets only the names of the files.
const maxCommitDiff = 256 << 10

// earlierMessages bounds how many earlier messages show a repository's style.
const earlierMessages = 8

// CommitMessage writes a message for what is staged in the repository around a
// document or folder, in the style of the earlier ones. A file that may not be shown
// to a model appears only by its name; the document need not be one that may.
func (a *Asker) CommitMessage(ctx context.Context, snap *workspace.Snapshot, uri string, piece func(string)) (model.Answer, error) {
	s, err := stagedAround(ctx, snap, uri)
	if err != nil {
		return nil, err
	}
	if len(s.changes) == 0 {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: "Nothing is staged; stage what the commit should hold (git add) and ask again."}
	}
	decision := a.Prompts.Route(snap, model.Commit, "", "", "", edits.Span{})
	lane := decision.Lane
	if _, ok := a.Prompts.Models.Config(lane); !ok {
		return nil, a.Prompts.NeedsModel("write a commit message")
	}
	secrets := &redact.Redactor{}
	var earlier []redact.Text
	for _, subject := range s.earlier {
		earlier = append(earlier, secrets.Redact(subject))
	}
	ask, err := a.Prompts.Prompt(ctx, snap, prompt.Question{Kind: model.KindCommit, Lane: lane, URI: s.place, Span: s.at(snap), Record: conversation.Record{Secrets: secrets}, Diff: describe(secrets, s.changes), Earlier: earlier})
	if err != nil {
		return nil, err
	}
	answer, err := a.Prompts.Stream(ctx, lane, ask.Request, piece)
	if err != nil {
		return nil, err
	}
	text, end := model.Came(answer)
	return model.Answered(strings.TrimSpace(core.Unfence(text)), end), nil
}

// What is staged in a repository.
type stagedChanges struct {
	changes []git.Change
	place   string   // URI of the text that is changed most; "" if none may be shown
	first   int      // where its first change begins
	earlier []string // subjects of the last commits, newest first
}

// stagedAround reads what is staged around a document or folder.
func stagedAround(ctx context.Context, snap *workspace.Snapshot, uri string) (*stagedChanges, error) {
	folders := snap.Around(uri)
	if snap.View(uri) != nil {
		folders = folders[:1]
	}
	err := error(&model.Error{Code: model.CodeBadRequest, Message: "No folder is open, so there is no repository; open one and ask again."})
	var s *stagedChanges
	for _, view := range folders { // without a place, of the first folder that has something
		one, fault := stagedIn(ctx, snap, view)
		switch {
		case fault != nil && s == nil:
			err = fault
		case fault == nil && (s == nil || len(one.changes) > 0):
			s, err = one, nil
		}
		if s != nil && len(s.changes) > 0 {
			break
		}
	}
	return s, err
}

func stagedIn(ctx context.Context, snap *workspace.Snapshot, view *workspace.View) (*stagedChanges, error) {
	repo, err := git.Open(ctx, view.Root)
	if errors.Is(err, git.ErrNone) {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("%s is in no git repository; nothing can be committed there.", view.Root), Err: err}
	}
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	changes, err := repo.Staged(ctx)
	if err != nil {
		return nil, err
	}
	changes = slices.DeleteFunc(changes, func(c git.Change) bool { return c.Outside && c.AbsentAfter }) // even its name is another repository's
	s := &stagedChanges{changes: changes, earlier: repo.Subjects(ctx, earlierMessages)}
	most := 0
	for i := range changes {
		path := filepath.Join(repo.Root, filepath.FromSlash(changes[i].Path))
		if !snap.AllowedFor(path, "") || changes[i].Outside {
			changes[i].Before, changes[i].After, changes[i].Unread = "", "", errKept
			continue
		}
		size, first := changed(changes[i])
		if size <= most || changes[i].AbsentAfter {
			continue
		}
		if _, err := snap.File(path); err == nil { // staged and deleted since, it is no place
			most, s.place, s.first = size, workspace.URIOf(path), first
		}
	}
	return s, nil
}

// changed measures a change in bytes removed and added, and finds where the first begins.
func changed(c git.Change) (size, first int) {
	list := edits.Diff(c.Before, c.After)
	for _, e := range list {
		size += e.End - e.Start + len(e.New)
	}
	if len(list) > 0 {
		first = list[0].Start
	}
	return size, first
}

// at is the place of the first change, in the text as it is now: it may have changed
// since it was staged.
func (s *stagedChanges) at(snap *workspace.Snapshot) edits.Span {
	at := min(s.first, core.TextLen(snap, s.place))
	return edits.Span{Start: at, End: at}
}

// errKept is why the texts of a change are not shown.
var errKept = errors.New("it is kept from models")

// describe prints changes as a unified diff, or as names where it is too long.
func describe(r *redact.Redactor, changes []git.Change) redact.Text {
	var out redact.Text
	for _, c := range changes {
		diff := redact.Text{}
		if c.Unread == nil && out.Len() < maxCommitDiff {
			diff = r.Diff(c.Path, redact.NewSource(c.Before), redact.NewSource(c.After))
		}
		if diff.Len() == 0 || out.Len()+diff.Len() > maxCommitDiff {
			diff = redact.Format("%s %s (not shown)\n", verb(c), r.Redact(c.Path))
		}
		out = redact.Join("", out, diff)
	}
	return out
}

func verb(c git.Change) redact.Text {
	switch {
	case c.AbsentBefore:
		return redact.Const("added")
	case c.AbsentAfter:
		return redact.Const("removed")
	}
	return redact.Const("changed")
}
