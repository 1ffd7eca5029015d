package lsp

type didOpenNotebookParams struct {
	CellTextDocuments []openedDocument `json:"cellTextDocuments"`
}

// Every cell of a notebook is a document of its own.
func (d *documents) didOpenNotebook(p *didOpenNotebookParams) error {
	for _, c := range p.CellTextDocuments {
		d.open(c)
	}
	return nil
}

type didChangeNotebookParams struct {
	Change struct {
		Cells *struct {
			Structure *struct {
				DidOpen  []openedDocument `json:"didOpen"`
				DidClose []documentID     `json:"didClose"`
			} `json:"structure"`
			TextContent []struct {
				Document versionedID     `json:"document"`
				Changes  []contentChange `json:"changes"`
			} `json:"textContent"`
		} `json:"cells"`
	} `json:"change"`
}

func (d *documents) didChangeNotebook(p *didChangeNotebookParams) error {
	cells := p.Change.Cells
	if cells == nil {
		return nil
	}
	if cells.Structure != nil {
		for _, c := range cells.Structure.DidOpen {
			d.open(c)
		}
		for _, c := range cells.Structure.DidClose {
			d.close(c.URI)
		}
	}
	for _, c := range cells.TextContent {
		if err := d.didChange(&didChangeParams{TextDocument: c.Document, ContentChanges: c.Changes}); err != nil {
			return err
		}
	}
	return nil
}

type didCloseNotebookParams struct {
	CellTextDocuments []documentID `json:"cellTextDocuments"`
}

func (d *documents) didCloseNotebook(p *didCloseNotebookParams) error {
	for _, c := range p.CellTextDocuments {
		d.close(c.URI)
	}
	return nil
}
