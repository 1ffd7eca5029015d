package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// pooledReport is what the JSON files of earlier runs have together: a large sample may be
// measured clone by clone.
func pooledReport(files string) (*report, error) {
	var all *report
	for _, name := range strings.Split(files, ",") {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read what was measured: %w", err)
		}
		one := &report{}
		if err := json.Unmarshal(data, one); err != nil {
			return nil, fmt.Errorf("%s is no report of this program: %w", name, err)
		}
		if all == nil {
			all = &report{Seed: one.Seed, Budgets: one.Budgets}
		}
		if one.Seed != all.Seed || !slices.Equal(one.Budgets, all.Budgets) {
			return nil, fmt.Errorf("%s was measured with another seed or other budgets", name)
		}
		for _, r := range one.Repositories {
			if slices.ContainsFunc(all.Repositories, func(had *repository) bool { return had.Name == r.Name }) {
				return nil, fmt.Errorf("%s has %s again, which another file has too", name, r.Name)
			}
			all.Seconds += r.Seconds
			all.Repositories = append(all.Repositories, r)
		}
	}
	return all, nil
}
