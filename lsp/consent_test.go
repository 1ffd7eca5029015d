package lsp

import (
	"slices"
	"testing"

	"tandem/model/assist/ask"
	"tandem/workspace"
)

// TestSecretsInWordsAreAskedAbout: the user is asked once whether a secret in a question is
// sent, and it is only if the user says so.
func TestSecretsInWordsAreAskedAbout(t *testing.T) {
	for answer, want := range map[string]bool{"": false, "Send without it": false, "Send it": true} {
		c := &consulted{answer: ask.Answer{Text: "yes"}}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { c.Asker = use.Asker; use.Asker = c })
		o.initialize(fullClient())
		o.answer = answer
		for _, question := range []string{"why?", `why is password = "hunter22xyz9" refused?`, `is password = "hunter22xyz9" too short?`} {
			if _, err := o.command("tandem.ask", "", object{"question": question}); err != nil {
				t.Fatal(err)
			}
		}
		if got := c.requests; len(got) != 3 || got[0].SendSecrets || got[1].SendSecrets != want || got[2].SendSecrets != want {
			t.Errorf("%q: %+v", answer, got)
		}
		questions := 0
		o.mu.Lock()
		for _, m := range o.asked {
			if m.Method == "window/showMessageRequest" {
				questions++
			}
		}
		o.mu.Unlock()
		if questions != 1 {
			t.Errorf("%q: asked %d times", answer, questions)
		}
	}
}

// steeredTasks notes whether secrets in the words that steer a task are to be sent.
type steeredTasks struct {
	Tasks
	sent []bool
}

func (s *steeredTasks) Steer(_ *workspace.Snapshot, _, _ string, sendSecrets bool) (bool, error) {
	s.sent = append(s.sent, sendSecrets)
	return true, nil
}

// TestWordsThatSteerATaskAreAskedAbout: words that steer a task have a consent of their
// own, whatever the task began with.
func TestWordsThatSteerATaskAreAskedAbout(t *testing.T) {
	for answer, want := range map[string]bool{"Send without it": false, "Send it": true} {
		s := &steeredTasks{}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { s.Tasks = use.Tasks; use.Tasks = s })
		o.initialize(fullClient())
		o.answer = answer
		for _, text := range []string{"faster", `with password = "hunter22xyz9"`} {
			if _, err := o.call("tandem/steer", object{"id": "t1", "text": text}); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(s.sent, []bool{false, want}) {
			t.Errorf("%q: %v", answer, s.sent)
		}
	}
}
