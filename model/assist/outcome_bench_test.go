package assist

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/language"
)

// What BenchmarkOutcomes replays.
const (
	replayedCommits = 300
	learnedCommits  = 200
	linesPerCommit  = 8
	placesPerLine   = 2
)

// A pausedAt is a pause in the typing of a commit's line.
type pausedAt struct {
	name, before, after string
	want                string // the rest of the line
	answer              string // what the model says
	right               bool
	likely              float64 // probability that it is right
}

// BenchmarkOutcomes replays the commits of the repositories under $REPOS as typing,
// against a model that is right, half right or wrong by a seed: often right where a
// short rest of a line uses known words, seldom in prose and in new declarations, as
// models are. What is used of the first commits is learned; the last ones are measured
// beside a user for whom nothing is held back.
func BenchmarkOutcomes(b *testing.B) {
	if os.Getenv("REPOS") == "" {
		b.Skip("REPOS names no folder with git clones")
	}
	commits := replayedHistory(b, os.Getenv("REPOS"))
	var learned, all figures
	ran := testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "replay", F: func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { learned = replayed(t, commits, false) })
		synctest.Test(t, func(t *testing.T) { all = replayed(t, commits, true) })
	}}})
	if !ran || all.shown == 0 {
		b.Fatal("the replay failed")
	}
	b.ReportMetric(0, "ns/op")
	bars := func(ok bool) string {
		if ok {
			return "pass"
		}
		return "MISS"
	}
	fewer := 100 - 100*float64(learned.requests)/float64(all.requests)
	precision, before := 100*float64(learned.right)/float64(max(learned.shown, 1)), 100*float64(all.right)/float64(all.shown)
	still := 100 * float64(learned.right) / float64(max(all.right, 1))
	fmt.Printf("%d commits, %d pauses; the last %d commits: %d pauses\n", len(commits), all.pauses, replayedCommits-learnedCommits, all.measured)
	fmt.Printf("requests %d -> %d: %.0f %% fewer (bar 30 %%) %s\n", all.requests, learned.requests, fewer, bars(fewer >= 30))
	fmt.Printf("precision of what is shown %.1f %% -> %.1f %%: %+.1f points (bar +15) %s\n", before, precision, precision-before, bars(precision-before >= 15))
	fmt.Printf("if the seeded probability of each answer were known beforehand: %.0f %% fewer at 5 %% of the right ones missed\n", mostHeldBack(commits[learnedCommits:]))
	fmt.Printf("right ones still shown: %d of %d, %.1f %% (bar 95 %%) %s\n", learned.right, all.right, still, bars(still >= 95))
}

// replaySeed is what the pauses and the model's answers are drawn by: SEED, or 7.
func replaySeed() uint64 {
	if seed, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		return seed
	}
	return 7
}

// mostHeldBack is the share of pauses that need not ask if one in twenty of the right
// answers may be missed and the probability of each is known, in per cent.
func mostHeldBack(commits [][]pausedAt) float64 {
	var all []float64
	total := 0.0
	for _, commit := range commits {
		for _, p := range commit {
			all = append(all, p.likely)
			total += p.likely
		}
	}
	slices.Sort(all)
	held, missed := 0, 0.0
	for _, p := range all {
		if missed += p; missed > total/20 {
			break
		}
		held++
	}
	return 100 * float64(held) / float64(len(all))
}

// figures are what is counted in the last commits.
type figures struct{ pauses, measured, requests, shown, right int }

// replayedHistory draws pauses from the newest commits of each repository, oldest first.
func replayedHistory(b *testing.B, dir string) [][]pausedAt {
	entries, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(replaySeed(), 7))
	var byRepo [][][]pausedAt
	for _, e := range entries {
		clone := filepath.Join(b.TempDir(), e.Name()) // a bare one has no work tree
		if exec.Command("git", "clone", "-q", "--shared", "--no-checkout", filepath.Join(dir, e.Name()), clone).Run() != nil {
			continue
		}
		repo, err := git.Open(context.Background(), clone)
		if err != nil {
			continue
		}
		log, err := repo.Log(context.Background(), replayedCommits)
		_ = repo.Close()
		if err != nil {
			continue
		}
		var commits [][]pausedAt
		var foreign []string
		for _, c := range slices.Backward(log) {
			if places := pausesOf(r, c, &foreign); len(places) > 0 {
				commits = append(commits, places)
			}
		}
		byRepo = append(byRepo, commits)
	}
	var out [][]pausedAt
	for i := 0; len(out) < replayedCommits; i++ {
		found := false
		for _, commits := range byRepo {
			if i < len(commits) && len(out) < replayedCommits {
				out, found = append(out, commits[i]), true
			}
		}
		if !found {
			b.Fatalf("%s has %d commits with text; %d are needed", dir, len(out), replayedCommits)
		}
	}
	return out
}

// pausesOf draws pauses in the lines that a commit adds.
func pausesOf(r *rand.Rand, c git.Commit, foreign *[]string) (out []pausedAt) {
	for _, change := range c.Changes {
		if change.Unread != nil || change.AbsentAfter || len(change.After) > 200<<10 {
			continue
		}
		was := map[string]bool{}
		for line := range strings.Lines(change.Before) {
			was[strings.TrimSpace(line)] = true
		}
		at := 0
		for line := range strings.Lines(change.After) {
			start := at
			at += len(line)
			text := strings.TrimRight(line, "\r\n")
			body := strings.TrimLeft(text, " \t")
			if len(body) < 4 || was[strings.TrimSpace(line)] || len(out) >= linesPerCommit*placesPerLine || r.IntN(3) > 0 {
				continue
			}
			for range placesPerLine {
				cut := len(text) - len(body)
				if r.IntN(3) > 0 {
					cut += r.IntN(len(body) - 2)
				}
				p := pausedAt{name: path.Base(change.Path), before: change.After[:start+cut], after: "\n" + change.After[at:], want: text[cut:]}
				p.says(r, body, foreign)
				out = append(out, p)
			}
			*foreign = append(*foreign, body)
		}
	}
	return out
}

// says draws the model's answer.
func (p *pausedAt) says(r *rand.Rand, line string, foreign *[]string) {
	words := strings.FieldsFunc(p.want, func(r rune) bool { return !isWordRune(r) })
	known := 0
	for _, w := range words {
		if strings.Contains(p.before, w) || strings.Contains(p.after, w) {
			known++
		}
	}
	share := float64(known) / float64(max(len(words), 1))
	likely := 0.12
	switch {
	case commented(line) || strings.HasSuffix(p.name, ".md") || strings.HasSuffix(p.name, ".txt") || strings.HasSuffix(p.name, ".rst"):
		likely = 0.02
	case strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "def ") || strings.HasPrefix(line, "class ") || strings.HasPrefix(line, "fn ") || strings.HasPrefix(line, "pub "):
		likely = 0.05
	case share > 0.7 && len(p.want) < 25:
		likely = 0.85
	case share > 0.7:
		likely = 0.6
	}
	other := "return nil"
	if n := len(*foreign); n > 0 {
		other = (*foreign)[r.IntN(n)]
	}
	switch draw := r.Float64(); {
	case draw < likely:
		p.answer, p.right = p.want, true
	case draw < likely+0.15*(1-likely):
		p.answer = p.want[:len(p.want)/2] + other
	default:
		p.answer = other
	}
	p.right = p.answer == p.want
	p.likely = likely
}

// replayed types all commits, each pause in a document of its own.
func replayed(t *testing.T, commits [][]pausedAt, showAll bool) (f figures) {
	var place *pausedAt
	fast := &script{first: 200 * time.Millisecond}
	fast.answer = func(*model.Request) ([]string, error) { return []string{place.answer + "\n"}, nil }
	b := newBench(t, lanes{model.Fast: fast}, "\n", nil)
	b.engine.Preferences = func(string) Preferences {
		return Preferences{Enabled: true, Automatic: true, ShowAll: showAll, Timeout: time.Hour}
	}
	b.engine.Outcomes = &keptOutcomes{}
	for i, commit := range commits {
		for j := range commit {
			place = &commit[j]
			fast.mu.Lock()
			fast.asked = nil
			fast.mu.Unlock()
			item, ok := b.pauseAt(place, i*100+j)
			f.pauses++
			if i < learnedCommits {
				continue
			}
			f.measured++
			f.requests += len(fast.requests())
			if ok {
				f.shown++
				if first, _, _ := strings.Cut(item.Text, "\n"); first == strings.TrimRight(place.want, " \t") {
					f.right++
				}
			}
		}
	}
	return f
}

// pause opens the text at a pause, asks, and does what a user does with the answer.
func (b *bench) pauseAt(p *pausedAt, n int) (item Completion, ok bool) {
	b.uri = workspace.URIOf(filepath.Join(b.root, fmt.Sprint(n), p.name))
	b.version = 1
	snap := b.session.Update(workspace.CauseEditor, workspace.Opened{URI: b.uri, Language: language.OfFile(p.name), Version: 1, Text: edits.NewText(p.before + p.after)})
	b.engine.Opened(snap, b.uri)
	defer b.close()
	at := len(p.before)
	got, err := b.engine.Completer.Complete(context.Background(), snap, CompleteRequest{Place: Place{URI: b.uri, Offset: at}})
	if err != nil {
		b.t.Fatal(err)
	}
	time.Sleep(400 * time.Millisecond)
	if ok = len(got.Items) > 0; ok {
		item = got.Items[0]
	}
	if ok && strings.TrimRight(item.Text, " \t\n") == strings.TrimRight(p.want, " \t") {
		b.edit(item.Replace.Start, item.Replace.End, item.Text)
		b.engine.Completer.Accepted(b.session.Snapshot(), item.ID)
		b.edit(0, 0, " ") // what was asked ahead ends
	} else {
		for i := range min(6, len(p.want)) {
			b.edit(at+i, at+i, p.want[i:i+1])
		}
		b.edit(0, 0, " ")
	}
	synctest.Wait()
	return item, ok
}
