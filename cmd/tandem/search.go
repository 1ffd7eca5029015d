package main

import (
	"fmt"

	"tandem/cmd/tandem/config"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/zoekt"
)

// newSearch returns a client of the configured search server. It returns nil if
// none is configured or its address is invalid; the latter is reported once.
func newSearch(c config.Search, group *run.Group, notify func(string)) workspace.Search {
	if c.URL == "" {
		return nil
	}
	client, err := zoekt.New(zoekt.Options{URL: c.URL, Query: c.Query, Timeout: c.Timeout})
	if err != nil {
		notify(fmt.Sprintf("Windows hold no search hits: %v.", err))
		return nil
	}
	return zoekt.NewFinder(client, group, func(err error) { notify(err.Error() + ".") })
}
