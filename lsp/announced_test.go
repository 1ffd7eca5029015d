package lsp

import (
	"tandem/edits"
	"tandem/model/assist/core"
)

// announced is a client that asked for notifications of CONTRACTS and announced nothing else.
func announced(wants extensions) Client {
	var c Client
	c.can.Experimental.Tandem = wants
	return c
}

func documentEditOf(uri, base string, list ...edits.Edit) core.DocumentEdit {
	return core.DocumentEdit{URI: uri, Version: 1, Base: edits.NewText(base), Edits: list}
}
