package main

import (
	"fmt"

	"tandem/cmd/tandem/config"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/zoekt"
)

// newSearch returns what asks the search server of the configuration, or nil
// where none is named or its address is of no use, which is told once.
func newSearch(c config.Search, group *run.Group, tell func(string)) workspace.Search {
	if c.URL == "" {
		return nil
	}
	client, err := zoekt.New(zoekt.Options{URL: c.URL, Query: c.Query, Timeout: c.Timeout})
	if err != nil {
		tell(fmt.Sprintf("Windows hold no search hits: %v.", err))
		return nil
	}
	return zoekt.NewFinder(client, group, func(err error) { tell(err.Error() + ".") })
}
