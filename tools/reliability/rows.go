package main

// A suite is a set of tests that hold a row: a package and a regular expression
// of test names.
type suite struct{ pkg, run string }

// A row is one property of the reliability table.
type row struct {
	id, property string
	beat         string // the best figure known of others
	suites       []suite
	elsewhere    string // a make target that holds the rest of the row, which is not run here
	counts       bool   // the tests that pass are the figure: the bounds in them are other rows'
}

const process = "./lsp/reliability"

// rows is the table. A row that a process is needed for is held by
// lsp/reliability; the others by the packages that have the property.
var rows = []row{
	{"A1", "ends when the client dies", "3.3 s", []suite{{process, "^TestA1[A-Z]"}}, "", false},
	{"A2", "ends at the end of input", "0.01 s", []suite{{process, "^TestA2[A-Z]"}}, "", false},
	{"A3", "exit codes and errors of the life cycle", "all right", []suite{{process, "^TestA3[A-Z]"}}, "", false},
	{"A4", "malformed frames", "0 crashes, one hang", []suite{{process, "^TestA4[A-Z]"}}, "", false},
	{"A5", "fuzzed frames, sessions, positions, streams", "0 crashes", []suite{{"./lsp/wire", "^Fuzz"}, {"./lsp", "^Fuzz"}, {"./model/provider/dialect", "^Fuzz"}}, "make fuzz", false},
	{"A6", "a panic ends one request", "0 restarts", []suite{{"./lsp", "^Test(Background)?PanicsAreContained$"}}, "", false},
	{"A7", "text follows the client", "0 divergences", []suite{{"./lsp", "^TestTextFollowsTheClient$"}}, "", false},
	{"A8", "20,000 requests, each cancelled", "2.6 s, 51 MiB", []suite{{process, "^TestA8[A-Z]"}}, "", false},
	{"A9", "a client that stops reading", "86 MiB", []suite{{process, "^TestA9[A-Z]"}}, "", false},
	{"A10", "volume of output", "none known", []suite{{process, "^TestA10[A-Z]"}, {"./lsp", "^TestOutputIsBounded$"}}, "", false},
	{"A11", "memory when idle and over time", "40 MiB idle", []suite{{process, "^TestA11[A-Z]"}}, "make soak", false},
	{"A12", "huge files and folders", "192 MiB", []suite{{process, "^TestA12[A-Z]"}}, "", false},
	{"A13", "limits of watching", "never fatal", []suite{{"./workspace", "^Test(WatchLimits|Overflow)$"}}, "", false},
	{"A14", "no loop of edits and events", "0", []suite{{"./workspace", "^TestContentDecides$"}}, "", false},
	{"A15", "processor when idle", "0.1 %", []suite{{process, "^TestA15[A-Z]"}}, "", false},
	{"A16", "nothing but frames on stdout", "0 stray bytes", []suite{{process, "^TestA"}}, "", true},
	{"A17", "stalled and cut streams", "300 s idle, 5 retries", []suite{{"./model/provider", "^Test(Faults|Idle|IdleBeforeHeaders|CancelInEveryPhase|UpgradeRefused|CloseCodes|SlowCaller)$"}}, "", false},
	{"A18", "text exactly once", "0 duplicated, 0 lost", []suite{{"./model/provider", "^Test(EveryCut|ScriptedCuts)$"}}, "", false},
	{"A19", "life of a WebSocket", "0 errors seen", []suite{{"./model/provider", "^Test(Rotation|Suspend|LostChain|ThreeHours|LargeEventsOnSockets)$"}}, "", false},
	{"A20", "proxies and certificates", "fallback after 1 connect", []suite{{"./model/provider", "^Test(Certificates|CertificatesFromTheEnvironment|Proxies|ProxyFromTheEnvironment)$"}}, "", false},
	{"A21", "a workspace cannot reconfigure", "0 programs, 0 connections", []suite{{process, "^TestA21[A-Z]"}, {"./cmd/tandem", "^TestWorkspaceCannotReconfigure$"}}, "", false},
	{"A22", "git metadata is data", "0 programs", []suite{{process, "^TestA22[A-Z]"}}, "", false},
	{"A23", "edits stay inside and off protected files", "0 escapes", []suite{{"./workspace", "^TestWriteProposal"}}, "", false},
	{"A24", "ignore rules hold everywhere", "none known", []suite{{process, "^TestA24[A-Z]"}}, "", false},
	{"A25", "secrets do not leave", "98 % of 500", []suite{{process, "^TestA25[A-Z]"}, {"./workspace/redact", "^Test"}}, "", false},
	{"A26", "a key is never printed", "0", []suite{{process, "^TestA26[A-Z]"}, {"./model/provider", "^TestKeyIsNeverPrinted$"}}, "", false},
	{"A27", "what models say is inert", "0 fetches, 0 links", []suite{{"./lsp/inert", "^(Test|Fuzz)"}}, "", false},
	{"A28", "no listener, no other address", "0", []suite{{process, "^TestA(11Soak|15IdleSocket)$"}}, "", true},
	{"A29", "kills in the middle of writing", "restored in 1 s", []suite{{process, "^TestA29[A-Z]"}}, "", false},
	{"A30", "no race, no goroutine left", "0", []suite{{"./model/provider", "^package$"}, {"./workspace", "^package$"}}, "make check", false},
}
