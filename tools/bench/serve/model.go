package main

import (
	"fmt"
	"tandem/tools/client"
)

// withModel starts the scripted model server and makes it the fast model of the user whose
// home is a folder. The caller calls stop.
func withModel(scripted, home string) (stop func(), err error) {
	address, stop, err := client.StartScripted(scripted)
	if err != nil {
		return nil, err
	}
	config := fmt.Sprintf("fast = \"m\"\n\n[models.m]\nprovider = \"p\"\nmodel = \"scripted-fast\"\ntokenizer = \"o200k_base\"\ncontext_window = 128000\nmax_output_tokens = 256\n"+
		"[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\n", address)
	if err = client.Configure(home, config); err != nil {
		stop()
	}
	return stop, err
}
