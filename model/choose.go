package model

import (
	"cmp"
	"fmt"
)

// A Lane is one of the two kinds of model that a request can go to. Each lane has
// its own configuration, limits, prices, queue and status.
type Lane string

// The lanes.
const (
	Fast Lane = "fast"
	Deep Lane = "deep"
)

// Signals are the inputs of routing. A zero field means unknown.
type Signals struct {
	Purpose      Purpose
	Instruction  string   // as the user wrote it
	Paths        []string // files that it touches or names, relative, with slashes
	WindowTokens int      // tokens of context that it needs
	FastWindow   int      // tokens of context that the fast model can be shown; 0: no bound known
	WriteTokens  int      // tokens of what it has to write again whole
	FastOutput   int      // tokens that the fast model writes at most; 0: no bound known
	Named        []Named  // what the index sees for what it names
	Override     Lane     // what the user asked for; "" leaves the choice here
	NoFast       bool     // the fast lane is the built-in engine or nothing
	FillOnly     bool     // the fast model only fills in code
	NoDeep       bool     // the deep lane has no model
}

// A Named is what the index sees for a thing that a request names.
type Named struct {
	Name  string
	Here  bool // it is not named: the request is about a place in it
	Files int  // that use it, with their tests
	Each  int  // of a noun behind "every": how many there are, each of which is to be changed
}

// A Decision is a lane and the reason for it, as text for the user.
type Decision struct {
	Lane   Lane
	Reason string
}

// Limits of the work that the fast lane gets. It makes small, targeted edits well.
// After six to eight steps it drifts and writes code that only looks right. It gets
// the work whose result a person can check in half a minute.
const (
	manyFiles = 5 // an edit of this many goes deep
	manySteps = 7 // a plan of this many goes deep
	manyEach  = 3 // changing each of this many things goes deep
)

// Choose returns the lane of a request that the user makes, and the reason: suggestions while
// typing are the fast lane's, tasks the deep one's. It is a pure function. The user's own
// choice always wins.
func Choose(s Signals) Decision {
	if s.Override != "" {
		return Decision{s.Override, fmt.Sprintf("you asked for the %s model", s.Override)}
	}
	why := deepReason(s)
	switch {
	case why != "" && s.NoDeep:
		return Decision{Fast, why + ", but no deep model is configured"}
	case why != "":
		return Decision{Deep, why}
	case s.NoFast && !s.NoDeep:
		return Decision{Deep, "no fast model is configured"}
	case s.FillOnly && !s.NoDeep:
		return Decision{Deep, "the fast model only fills in code"}
	}
	return Decision{Fast, fastReason(s)}
}

// deepReason is the first reason for the deep lane, or "". Cosmetic work is not difficult, and risks
// nothing, wherever it is done.
func deepReason(s Signals) string {
	files, steps := filesTouched(s), stepsIn(s.Instruction)
	plain := s.Purpose == Edit && steps <= 1 && cosmetic().MatchString(s.Instruction)
	why := cmp.Or(
		when(s.FastWindow > 0 && s.WindowTokens > s.FastWindow, "it needs %d tokens of context and the fast model can be shown %d", s.WindowTokens, s.FastWindow),
		when(s.FastOutput > 0 && s.WriteTokens > s.FastOutput, "it rewrites %d tokens and the fast model writes %d", s.WriteTokens, s.FastOutput),
		when(s.Purpose == Edit && migrationWords().MatchString(s.Instruction), "it changes a database"),
		when(files >= manyFiles, "it touches %d files", files),
		when(s.Purpose == Edit && everywhere().MatchString(s.Instruction), "it touches the whole codebase"),
		when(steps >= manySteps, "it takes %d steps", steps),
	)
	if why != "" || plain {
		return why
	}
	return cmp.Or(riskyPath(s), servicesReason(s), hardWords(s), countsReason(s))
}

func when(holds bool, format string, args ...any) string {
	if !holds {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func filesTouched(s Signals) int {
	if s.Purpose != Edit {
		return 0
	}
	return max(len(s.Paths), len(pathsIn(s.Instruction)))
}

func fastReason(s Signals) string {
	switch s.Purpose {
	case Ask:
		return "a question about the code"
	case Review:
		return "a review of moderate size"
	}
	if n := filesTouched(s); n > 1 {
		return fmt.Sprintf("a small edit of %d files", n)
	}
	return "a small edit of one file"
}
