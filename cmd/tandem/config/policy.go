package config

import (
	"fmt"
	"net"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"tandem/workspace/ignore"
)

// A Policy is the administrator's [policy] table: what this machine's users may
// do, whatever their own configuration says. It does not change. The zero value
// allows everything.
type Policy struct {
	AllowHosts  []string // nil: any
	AllowModels []string // what providers call them; nil: any
	DenyGlobs   ignore.Globs
	Disable     []string
	MinVersion  string
	Message     string // the administrator's words in a refusal
	LedgerFile  string // gets a line for each request that has ended
	CountUse    bool   // counts of use are written there too

	// Fault is why no model may be asked at all, in a sentence: the file cannot
	// be read, or this program is too old. "" means that there is none.
	Fault    string
	Outdated bool   // the fault is the age of this program
	File     string // the administrator's, whether it exists or not
}

// The features that an administrator can disable.
const (
	Escalate   = "escalate" // the deep lane: background tasks and what routing gives to it
	MCP        = "mcp"      // the agents' protocol
	CodeSearch = "search"   // the search server
	Checker    = "checker"  // the languages' own checkers
)

// features are the values of policy.disable and what messages call them.
var features = map[string]string{Escalate: "work of the deep model", MCP: "the agents' protocol (mcp)", CodeSearch: "the search server", Checker: "the languages' own checkers"}

// ReadPolicy reads the policy alone. It has no error: what cannot be read is a
// Fault, and refuses every model.
func ReadPolicy(o Options) Policy {
	ps := &problems{version: o.Version}
	in, err := readManaged(o, ps)
	if err != nil {
		p := Policy{File: o.managedFile()}
		p.Fault = p.broken(err, ps)
		return p
	}
	return in.policy(ps)
}

// policy is the policy of an administrator's file. If this version is too old for the file,
// what else is wrong in it is no mistake, and is taken out of ps.
func (f *file) policy(ps *problems) Policy {
	l, p := f.base, Policy{File: f.name}
	checkPolicy(l, ps)
	p.AllowHosts, p.AllowModels = listed(l, "allow_hosts"), listed(l, "allow_models")
	p.DenyGlobs = listed(l, "deny_globs")
	p.Disable = slices.DeleteFunc(listed(l, "disable"), func(name string) bool { return removed(RemovedFeature, name) != nil })
	p.MinVersion, p.Message, p.LedgerFile = get[string](l, "policy", "min_version"), get[string](l, "policy", "message"), get[string](l, "policy", "ledger_file")
	p.CountUse = get[bool](l, "policy", "count_use")
	belowMin := numbers(p.MinVersion) != nil && older(ps.version, p.MinVersion)
	if belowMin {
		ps.list = slices.DeleteFunc(ps.list, func(one Problem) bool { return one.File == f.name })
	}
	err := ps.of(f.name)
	p.Outdated = belowMin || err == nil && len(ps.newer) > 0
	switch {
	case belowMin:
		p.Fault = p.words("asks no model with tandem %s; install %s or a later one", orElse(ps.version, "dev"), p.MinVersion)
	case err != nil:
		p.Fault = p.broken(err, ps)
	case p.Outdated:
		p.Fault = p.outdated(ps)
	}
	return p
}

// outdated names the first rule that this version does not know.
func (p *Policy) outdated(ps *problems) string {
	rule := ps.newer[0]
	mistyped := ""
	key, isPolicy := strings.CutPrefix(rule.Message, "policy.")
	if near := nearest(key, keysUnder([]string{"policy"})); isPolicy && near != "" {
		mistyped = fmt.Sprintf(", or correct the line if %s was meant", near)
	}
	return p.asWritten(fmt.Sprintf("This tandem (%s) is too old for %s (%s:%d), so no model is asked; install a later one%s.", orElse(ps.version, "dev"), rule.Message, rule.File, rule.Line, mistyped))
}

// listed is a list of the policy: nil where it is not set, and not nil where it
// is set and empty.
func listed(l layer, key string) []string {
	list, set := value[[]string](l, "policy", key)
	if !set {
		return nil
	}
	return append([]string{}, list...)
}

func (p *Policy) broken(err error, ps *problems) string {
	return fmt.Sprintf("The administrator's configuration has a mistake%s, so no model is asked until it is corrected: %s.", ps.here(), strings.TrimRight(err.Error(), "."))
}

// words returns a refusal as a sentence, with the administrator's own sentence behind
// it.
func (p *Policy) words(format string, args ...any) string {
	return p.asWritten(fmt.Sprintf("The administrator's policy (%s) ", p.File) + fmt.Sprintf(format, args...) + ".")
}

// asWritten returns a sentence with the administrator's own behind it.
func (p *Policy) asWritten(sentence string) string {
	if p.Message == "" {
		return sentence
	}
	return sentence + " It says: " + p.Message
}

// A Refusal is what a policy does not allow, in a sentence.
type Refusal struct{ Message string }

// Error is the sentence.
func (r *Refusal) Error() string { return r.Message }

func (p *Policy) refuse(format string, args ...any) error { return &Refusal{p.words(format, args...)} }

func (p *Policy) fault() error {
	if p.Fault == "" {
		return nil
	}
	return &Refusal{p.Fault}
}

// Host reports why nothing may be sent to a host ("host:port"), nil if it may.
// This machine's own addresses need to be allowed like any other.
func (p *Policy) Host(address string) error {
	if err := p.fault(); err != nil {
		return err
	}
	if p.AllowHosts == nil {
		return nil
	}
	host, port := splitHost(address)
	for _, pattern := range p.AllowHosts {
		if allowedHost, allowedPort := splitHost(pattern); matchHost(allowedHost, host) && (allowedPort == "" || allowedPort == port) {
			return nil
		}
	}
	return p.refuse("does not allow requests to %s; use a host that it allows (%s)", address, orElse(strings.Join(p.AllowHosts, ", "), "none"))
}

// splitHost is the canonical host of an address and its port, "" where it has none.
func splitHost(address string) (host, port string) {
	host = address
	if h, p, err := net.SplitHostPort(address); err == nil {
		host, port = h, p
	}
	host = strings.TrimRight(strings.ToLower(strings.Trim(host, "[]")), ".")
	wild, isWild := strings.CutPrefix(host, "*.")
	if ascii, err := idna.Lookup.ToASCII(wild); err == nil {
		wild = ascii
	}
	if isWild {
		wild = "*." + wild
	}
	return wild, port
}

// matchHost reports whether a pattern, a host or "*." before one, is of a host.
func matchHost(pattern, host string) bool {
	if suffix, ok := strings.CutPrefix(pattern, "*"); ok {
		return len(host) > len(suffix) && strings.HasSuffix(host, suffix)
	}
	return pattern == host
}

// Model reports why a model may not be asked, by what its provider calls it;
// nil if it may.
func (p *Policy) Model(id string) error {
	if err := p.fault(); err != nil {
		return err
	}
	if p.AllowModels == nil || slices.ContainsFunc(p.AllowModels, func(pattern string) bool { return matchModel(pattern, id) }) {
		return nil
	}
	return p.refuse("does not allow the model %s; use one that it allows (%s)", id, orElse(strings.Join(p.AllowModels, ", "), "none"))
}

// matchModel reports whether a pattern, in which * is any text, is of a model.
func matchModel(pattern, id string) bool {
	parts := strings.Split(strings.ToLower(pattern), "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	ok, err := regexp.MatchString("^"+strings.Join(parts, ".*")+"$", strings.ToLower(id))
	return err == nil && ok
}

// Feature reports why a feature may not be used, nil if it may.
func (p *Policy) Feature(name string) error {
	if slices.Contains(p.Disable, name) {
		return p.refuse("disables %s", features[name])
	}
	return nil
}

// Empty reports whether the policy allows everything.
func (p *Policy) Empty() bool {
	return p.Fault == "" && p.AllowHosts == nil && p.AllowModels == nil && len(p.DenyGlobs) == 0 && len(p.Disable) == 0 && p.MinVersion == "" && p.LedgerFile == ""
}

// checkPolicy names what is wrong with the values of [policy].
func checkPolicy(l layer, ps *problems) {
	for _, pattern := range listed(l, "allow_hosts") {
		if host, _ := splitHost(pattern); host == "" || strings.ContainsAny(pattern, "/@ ") || strings.Contains(strings.TrimPrefix(host, "*."), "*") {
			ps.at(l.origin("policy", "allow_hosts"), "policy.allow_hosts holds %q, which is no host: write host, host:port or *.host", pattern)
		}
	}
	for _, glob := range listed(l, "deny_globs") {
		if _, err := path.Match(strings.ReplaceAll(glob, "**", "*"), ""); err != nil || glob == "" {
			ps.at(l.origin("policy", "deny_globs"), "policy.deny_globs holds %q, which is no pattern: close its brackets, or write it like **/payments/**", glob)
		}
	}
	for _, name := range listed(l, "disable") {
		gone := removed(RemovedFeature, name)
		origin := l.origin("policy", "disable")
		switch {
		case gone != nil:
			ps.note(origin, gone.Said())
		case features[name] == "":
			ps.unknown(origin, fmt.Sprintf("policy.disable = [%q]", name), fmt.Sprintf("policy.disable holds %q", name))
		}
	}
	if name := get[string](l, "policy", "ledger_file"); name != "" && !filepath.IsAbs(name) && !strings.HasPrefix(name, "~/") {
		ps.at(l.origin("policy", "ledger_file"), "policy.ledger_file %q is no whole path: begin it with / or ~/", name)
	}
	if version, set := value[string](l, "policy", "min_version"); set && numbers(version) == nil {
		ps.at(l.origin("policy", "min_version"), "policy.min_version %q is no version: write it like 1.2.0", version)
	}
}

var versionNumber = regexp.MustCompile(`^v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?`)

// numbers are the parts of a version, nil for what is none.
func numbers(version string) []int {
	m := versionNumber.FindStringSubmatch(version)
	if m == nil {
		return nil
	}
	var out []int
	for _, part := range m[1:] {
		n, _ := strconv.Atoi(part) // "" is 0
		out = append(out, n)
	}
	return out
}

// older reports whether version is before least. What is no version, such as
// that of a build without one, is before every other.
func older(version, least string) bool {
	return least != "" && slices.Compare(numbers(version), numbers(least)) < 0
}
