package model

import (
	"regexp"
	"strings"
)

// dated is the end of an id that names a snapshot of a model.
var dated = regexp.MustCompile(`[-@:](\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|latest)$`)

// SameModel reports whether the model that answered is the one that was asked for.
// Servers return the id of a dated snapshot, with or without a vendor's name in
// front. Two different snapshots are two models.
func SameModel(asked, served string) bool {
	a, s := bare(asked), bare(served)
	if a == s || s == "" {
		return true
	}
	aBase, aDate := undated(a)
	sBase, sDate := undated(s)
	return aBase == sBase && (aDate == "" || sDate == "" || aDate == "latest" || sDate == "latest" || digits(aDate) == digits(sDate))
}

// bare removes what is before the last slash and makes the id lower case.
func bare(id string) string {
	id = strings.ToLower(strings.TrimSpace(id))
	return id[strings.LastIndexByte(id, '/')+1:]
}

func undated(id string) (base, date string) {
	at := dated.FindStringIndex(id)
	if at == nil {
		return id, ""
	}
	return id[:at[0]], id[at[0]+1:]
}

func digits(date string) string { return strings.ReplaceAll(date, "-", "") }
