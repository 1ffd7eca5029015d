package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"tandem/edits"
	"tandem/workspace/cut"
	"tandem/workspace/judge"
)

// The forms in which findings are printed.
const (
	formatText   = "text"
	formatJSON   = "json"
	formatSARIF  = "sarif"
	formatGitHub = "github"
)

// findingKinds are the kinds of finding, and what they mean.
var findingKinds = [][2]string{
	{"syntax", "The text does not parse"},
	{"unknown_import", "A module or package that is imported does not exist"},
	{"unknown_name", "A name is declared nowhere, or a module does not have it"},
	{"unknown_member", "A type has no field or method of that name"},
	{"arguments", "A call does not fit what it calls"},
	{"type", "The code does not compile"},
	{"changed_callee", "What the change removes or changes is still used as it was"},
	{judge.Suppressed, "The change itself adds a comment that suppresses findings"},
}

// located is a finding with its place as people count it.
func (r *checkReport) located(f edits.Finding) findingJSON {
	text := r.texts[f.Path]
	return findingJSON{f.Path, text.LineOf(f.Span.Start) + 1, text.UTF8Column(f.Span.Start) + 1, f.Severity, f.Kind, f.Name, f.Message, f.Nearest, f.Where}
}

// withNearest is a finding's message with the nearest name.
func withNearest(f edits.Finding) string {
	switch {
	case f.Nearest != "" && f.Where != "":
		return fmt.Sprintf("%s (nearest: %s in %s)", f.Message, f.Nearest, f.Where)
	case f.Nearest != "":
		return fmt.Sprintf("%s (nearest: %s)", f.Message, f.Nearest)
	}
	return f.Message
}

// printGitHub writes a finding as a command of GitHub's runner, which annotates the line.
func (r *checkReport) printGitHub(w io.Writer, f edits.Finding) error {
	at := r.located(f)
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	_, err := fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", at.Severity, property.Replace(at.Path), at.Line, at.Column, property.Replace("tandem: "+at.Kind), message.Replace(withNearest(f)))
	return err
}

// The parts of a SARIF log, version 2.1.0, that are written.
type (
	sarifText struct {
		Text string `json:"text"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
		Full  sarifText `json:"fullDescription"`
		Help  sarifText `json:"help"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine   int `json:"startLine"`
				StartColumn int `json:"startColumn"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
	sarifRun struct {
		Tool struct {
			Driver struct {
				Name    string      `json:"name"`
				Version string      `json:"version,omitempty"`
				Rules   []sarifRule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
)

// maxSARIF is how many results of a run code scanning takes.
const maxSARIF = 25000

// printSARIF writes all findings as one log.
func (r *checkReport) printSARIF(w io.Writer) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver.Name, run.Tool.Driver.Version = "tandem", version()
	for _, k := range findingKinds {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{k[0], sarifText{k[1]}, sarifText{k[1] + "."}, sarifText{k[1] + ". A comment `tandem:ignore " + k[0] + " REASON` on the line, or on the one above, suppresses it."}})
	}
	found, left := cut.First(r.found, r.sarif, "more finding is not in the log, which may have no more", "more findings are not in the log, which may have no more").All()
	if !left.None() {
		r.unread = append(r.unread, left.String())
	}
	for _, f := range found {
		at, place := r.located(f), sarifLocation{}
		place.Physical.Artifact.URI = (&url.URL{Path: at.Path}).String()
		place.Physical.Region.StartLine, place.Physical.Region.StartColumn = at.Line, at.Column
		run.Results = append(run.Results, sarifResult{at.Kind, at.Severity, sarifText{withNearest(f)}, []sarifLocation{place}})
	}
	return json.NewEncoder(w).Encode(struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}
