package lsp

import (
	"tandem/edits"
	"tandem/lsp/client"
	"tandem/model/assist/core"
)

// announced is a client that asked for notifications of CONTRACTS and announced nothing else.
func announced(wants client.Extensions) client.Client {
	var can client.Capabilities
	can.Experimental.Tandem = wants
	return client.Of("", can)
}

func documentEditOf(uri, base string, list ...edits.Edit) core.DocumentEdit {
	return core.DocumentEdit{URI: uri, Version: 1, Base: edits.NewText(base), Edits: list}
}
