package core

import (
	"errors"
	"strings"

	"tandem/edits"
	"tandem/model"
)

// TakesLess reports whether a request has failed because the lane's server takes less than was
// known: a smaller one fits.
func TakesLess(m Models, lane model.Lane, known model.ModelConfig, err error) bool {
	now, _ := m.Config(lane)
	return err != nil && model.AsError(err).Code == model.CodeContextLength && now.ContextWindow < known.ContextWindow
}

// Unfence removes a markdown fence around the whole answer.
func Unfence(text string) string {
	trimmed := strings.TrimLeft(text, "\n")
	if !strings.HasPrefix(trimmed, "```") {
		return text
	}
	_, body, ok := strings.Cut(trimmed, "\n")
	if !ok {
		return ""
	}
	if end := strings.Index("\n"+body, "\n```"); end >= 0 {
		return body[:max(end-1, 0)]
	}
	return body
}

// Unusable returns an error message for a person: the answer changes nothing because
// of err.
func Unusable(err error) error {
	var refused *edits.Error
	if !errors.As(err, &refused) {
		return err
	}
	what := "Ask again, or the deep model: nothing was changed, since the answer could not be used: "
	switch refused.Code {
	case edits.CodeUnchanged:
		return &model.Error{Code: model.CodeEmpty, Message: "The model sees nothing to change.", Err: err}
	case edits.CodeProtected, edits.CodeOutside, edits.CodeUnsafe:
		what = "Ask for something else: nothing was changed, since the edit was refused: "
	}
	return &model.Error{Code: model.CodeRefused, Message: what + refused.Message + ".", Err: err}
}
