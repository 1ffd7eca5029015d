package main

import (
	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/model/task"
)

// taskSettings is the configuration of deep tasks, as the use cases take it.
func taskSettings(c *config.Config, unattended bool) task.Settings {
	s := task.Settings{
		Running: c.Tasks.Running, MaxSteps: c.Tasks.MaxSteps, LimitUSD: c.Tasks.LimitUSD, Quiet: c.Tasks.Quiet, ConfirmUSD: c.Tasks.ConfirmUSD,
		ShowPlan: c.Tasks.ShowPlan, Review: c.Tasks.Review, Unattended: unattended, Test: testRunner(c),
	}
	for _, a := range c.Agents {
		lane := model.Deep
		if a.Model == c.Fast {
			lane = model.Fast
		}
		s.Agents = append(s.Agents, task.Agent{Name: a.Name, Lane: lane, Model: agentModel(c, a), Instructions: a.Instructions})
	}
	return s
}
