package main

import (
	"fmt"
	"net/http"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/model/provider"
	"tandem/workspace/run"
	"tandem/workspace/window"
	"tandem/workspace/zoekt"
)

// newSearch returns a client of the configured search server. It returns nil if
// none is configured or its address is invalid; the latter is reported once.
func newSearch(live func() *config.Config, group *run.Group, notify func(string)) window.Search {
	c := live().Search
	if c.URL == "" {
		return nil
	}
	allow := allowHost(live)
	err := allowFeature(live)(config.CodeSearch)
	if err == nil {
		err = provider.AllowURL(allow, c.URL)
	}
	if err != nil {
		notify(err.Error())
		return nil
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second}
	client, err := zoekt.New(zoekt.Options{URL: c.URL, Query: c.Query, Timeout: c.Timeout, Transport: provider.Guard(transport, allow)})
	if err != nil {
		notify(fmt.Sprintf("Windows hold no search hits: %v.", err))
		return nil
	}
	return zoekt.NewFinder(client, group, func(err error) { notify(err.Error() + ".") })
}
