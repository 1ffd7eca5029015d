package names

import (
	"tandem/workspace/deps"
)

type dynamicChecker struct {
	deps *deps.Resolver
}

func (d *dynamicChecker) check(ws Workspace, family string, list []*change) verdict { return verdict{} }
