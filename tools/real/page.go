package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"tandem/tools/bench/figures"
)

const (
	pageBegin = "<!-- figures: written by make real -->\n"
	pageEnd   = "<!-- end of figures -->\n"
)

// writePage writes what has been measured into the page, between its markers, and prints it.
func (r *rig) writePage(context.Context) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s.\n", time.Now().Format(time.DateOnly), machine())
	for _, part := range []func(*strings.Builder) error{r.typingTable, r.placesTable, r.editsTable, r.questionsTable} {
		if err := part(&b); err != nil {
			return err
		}
	}
	fmt.Print(b.String())
	return figures.Insert(r.page, pageBegin, pageEnd, b.String())
}

// of is a share in percent with its interval and number.
func of(hits []float64) string {
	low, high := shareInterval(mean(hits), len(hits))
	return fmt.Sprintf("%.0f %% (%.0f … %.0f)", 100*mean(hits), 100*low, 100*high)
}

func one(hit bool) float64 {
	if hit {
		return 1
	}
	return 0
}

// grouped are values by a key, in the order in which the keys come.
func grouped[T any](all []T, key func(T) string) iter.Seq2[string, []T] {
	return func(yield func(string, []T) bool) {
		seen := map[string]bool{}
		for i, first := range all {
			k := key(first)
			if seen[k] {
				continue
			}
			seen[k] = true
			if !yield(k, slices.DeleteFunc(slices.Clone(all[i:]), func(v T) bool { return key(v) != k })) {
				return
			}
		}
	}
}

// table writes what a log has under a heading, a row for each key; nothing where it has nothing.
func table[T any](b *strings.Builder, log, heading string, key func(T) string, cells func([]T) string) error {
	all, err := figures.ReadLog[T](log)
	if err != nil || len(all) == 0 {
		return err
	}
	b.WriteString(heading)
	for row, list := range grouped(all, key) {
		fmt.Fprintf(b, "| %s | %s |\n", row, cells(list))
	}
	return nil
}

// wait is the time after which a person does not wait for ghost text any more.
const wait = 1000

func (r *rig) typingTable(b *strings.Builder) error {
	heading := "\n### Typing\n\nKeys every 200 ms, rests of 6 s; the model's text in the rest, the median time from the key to it, and whether the rest of the line was on the screen as the commit has it. Prompt tokens: those that the server had nothing of.\n\n" +
		"| client | model | slots | places | keys | rests | within 1 s | at all | right line | p50 | requests | finished | prompt tokens | largest prompt | tokens written | of them shown |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
	name := func(t typedPlace) string { return fmt.Sprintf("%s | %s | %d", t.Client, t.Model, t.Slots) }
	return table(b, r.typingLog(), heading, name, func(places []typedPlace) string {
		var sum typedPlace
		var soon, ever, right, times []float64
		for _, t := range places {
			sum.Keys, sum.Requests, sum.Finished = sum.Keys+t.Keys, sum.Requests+t.Requests, sum.Finished+t.Finished
			sum.Largest = max(sum.Largest, t.Largest)
			sum.Prompt, sum.Tokens, sum.Shown = sum.Prompt+t.Prompt, sum.Tokens+t.Tokens, sum.Shown+t.Shown
			for _, rest := range t.Rests {
				soon = append(soon, one(rest.Model >= 0 && rest.Model <= wait))
				ever, right = append(ever, one(rest.Model >= 0)), append(right, one(rest.Right >= 0))
				if rest.Model >= 0 {
					times = append(times, float64(rest.Model))
				}
			}
		}
		return fmt.Sprintf("%d | %d | %d | %s | %s | %s | %s | %d | %d | %d | %d | %d | %d", len(places), sum.Keys, len(soon), of(soon), of(ever), of(right), milliseconds(times),
			sum.Requests, sum.Finished, sum.Prompt, sum.Largest, sum.Tokens, sum.Shown)
	})
}

// milliseconds is the median of some times.
func milliseconds(times []float64) string {
	if len(times) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f ms", figures.Percentile(times, 50))
}

func (r *rig) placesTable(b *strings.Builder) error {
	all, err := figures.ReadLog[written](r.placesLog())
	if err != nil || len(all) == 0 {
		return err
	}
	b.WriteString("\n### One line at places of real commits\n\nSimilarity of the line (Ratcliff and Obershelp, 0 to 100) and exact ones; the differences are to the region alone and to BM25 at the same places, with their 95 % intervals. Tandem's own choice is asked for whatever the model is.\n\n" +
		"| model | window | places | shown | n | similarity | to the region alone | to BM25 | exact | tokens besides the region |\n|---|---|---|---|---|---|---|---|---|---|\n")
	group := func(w written) string { return fmt.Sprintf("%s | %d | %s", w.Model, w.Tokens, w.Kind) }
	for g, asked := range grouped(all, group) {
		base := map[string]map[string]float64{} // by policy and place
		for _, w := range asked {
			if base[w.Policy] == nil {
				base[w.Policy] = map[string]float64{}
			}
			base[w.Policy][w.Place] = 100 * w.Alike
		}
		for p, chosen := range grouped(asked, func(w written) string { return w.Policy }) { // also those of earlier runs
			var alike, exact, used []float64
			to := map[string][]float64{}
			for _, w := range chosen {
				alike, exact, used = append(alike, 100*w.Alike), append(exact, one(w.Exact)), append(used, float64(w.Used))
				for _, other := range policies[:2] {
					if at, paired := base[other.name][w.Place]; paired {
						to[other.name] = append(to[other.name], 100*w.Alike-at)
					}
				}
			}
			fmt.Fprintf(b, "| %s | %s | %d | %.1f | %s | %s | %.1f %% | %.0f |\n", g, p, len(alike), mean(alike), difference(to[policies[0].name]), difference(to[policies[1].name]), 100*mean(exact), mean(used))
		}
	}
	return nil
}

// difference is the mean of paired differences with its interval.
func difference(values []float64) string {
	low, high := interval(values)
	return fmt.Sprintf("%+.1f (%+.1f … %+.1f)", mean(values), low, high)
}

func (r *rig) editsTable(b *strings.Builder) error {
	heading := "\n### Plain instructions for a function\n\nRead: the answer was understood, be it that nothing is to change. Right: it does what was asked. Wrong and shown as passed: it does not, and nothing said so (the plain request checks nothing).\n\n" +
		"| client | model | n | read | right | wrong, shown as passed | p50 | longest |\n|---|---|---|---|---|---|---|---|\n"
	name := func(e edited) string { return e.Client + " | " + e.Model }
	return table(b, r.editsLog(), heading, name, func(cases []edited) string {
		var read, right, wrong, seconds []float64
		for _, e := range cases {
			read, right = append(read, one(e.Read)), append(right, one(e.Right))
			wrong, seconds = append(wrong, one(e.Passed && !e.Right)), append(seconds, e.Seconds)
		}
		return fmt.Sprintf("%d | %s | %s | %s | %.0f s | %.0f s", len(read), of(read), of(right), of(wrong), figures.Percentile(seconds, 50), slices.Max(seconds))
	})
}

func (r *rig) questionsTable(b *strings.Builder) error {
	all, err := figures.ReadLog[asked](r.questionsLog())
	if err != nil || len(all) == 0 {
		return err
	}
	var file, whole, chunks []float64
	tokens := 0
	for _, a := range all {
		file, whole, chunks = append(file, one(a.File)), append(whole, one(a.Whole)), append(chunks, one(a.BM25))
		tokens += a.Tokens
	}
	fmt.Fprintf(b, "\n### Plain questions\n\n%d questions whose answer is one function; windows of %d tokens on average.\n\n| what the prompt holds | |\n|---|---|\n", len(all), tokens/len(all))
	fmt.Fprintf(b, "| the function's file, by tandem | %s |\n| the function whole, by tandem | %s |\n| the function whole, in chunks by BM25 | %s |\n", of(file), of(whole), of(chunks))
	return nil
}
