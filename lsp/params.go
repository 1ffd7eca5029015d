package lsp

// What clients send about documents. URIs stay strings, exactly as the client
// wrote them: an editor that receives a canonical form of file:///a/[id].tsx
// takes it for another document.

type documentID struct {
	URI string `json:"uri"`
}

type versionedID struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

// A placeParams is a document and a position in it.
type placeParams struct {
	TextDocument versionedID `json:"textDocument"`
	Position     *position   `json:"position"`
}

// An openedDocument is a document, or a cell of a notebook, when the editor opens it.
type openedDocument struct {
	URI        string `json:"uri"`
	LanguageID string `json:"languageId"`
	Version    int32  `json:"version"`
	Text       string `json:"text"`
}

type didOpenParams struct {
	TextDocument openedDocument `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument   versionedID     `json:"textDocument"`
	ContentChanges []contentChange `json:"contentChanges"`
}

// A contentChange replaces a range, or the whole text when Range is nil.
type contentChange struct {
	Range *wireRange `json:"range"`
	Text  string     `json:"text"`
}

type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

type inlineParams struct {
	placeParams
	Context struct {
		TriggerKind            int `json:"triggerKind"`
		SelectedCompletionInfo *struct {
			Range wireRange `json:"range"`
			Text  string    `json:"text"`
		} `json:"selectedCompletionInfo"`
	} `json:"context"`
}

type inlineItem struct {
	InsertText string     `json:"insertText"`
	Range      *wireRange `json:"range,omitzero"`
	Command    *command   `json:"command,omitzero"`
}

type inlineList struct {
	Items []inlineItem `json:"items"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitzero"`
}
