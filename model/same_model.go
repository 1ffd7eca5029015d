package model

import (
	"path"
	"regexp"
	"strings"
)

// dated is the end of an id that names a snapshot of a model.
var dated = regexp.MustCompile(`[-@:](\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|latest)$`)

// file is the end of a model's name that is one of a file: its part of several, how its
// weights are rounded, and the ending itself.
var file = regexp.MustCompile(`(-\d{5}-of-\d{5})?\.gguf$`)

var rounded = regexp.MustCompile(`[-._](ud-)?(i?q\d\w*|f16|f32|bf16|mxfp4\w*)$`)

// SameModel reports whether the model that answered is the one that was asked for.
// Servers return the id of a dated snapshot, with or without a vendor's name in
// front, or the path of a file. Two different snapshots are two models.
func SameModel(asked, served string) bool {
	a, s := bare(asked), bare(served)
	if a == s || s == "" {
		return true
	}
	if file.MatchString(a) || file.MatchString(s) {
		return sameFile(a, s)
	}
	aBase, aDate := undated(a)
	sBase, sDate := undated(s)
	return aBase == sBase && (aDate == "" || sDate == "" || aDate == "latest" || sDate == "latest" || digits(aDate) == digits(sDate))
}

// sameFile reports whether two names are of one file, of which either may leave out the
// ending, how its weights are rounded, and, from the end, other parts of the name.
func sameFile(a, b string) bool {
	plain := func(id string) string {
		id = rounded.ReplaceAllString(file.ReplaceAllString(id, ""), "")
		return strings.NewReplacer(":", "-", "_", "-").Replace(id)
	}
	a, b = plain(a), plain(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, begins := strings.CutPrefix(b, a)
	return begins && a != "" && (rest == "" || rest[0] == '-' || rest[0] == '.')
}

// bare is the last part of a model's name, in lower case: servers name a model by its
// file, by a vendor and a name, or by a name and a tag.
func bare(id string) string {
	if id = strings.TrimSpace(id); id == "" {
		return ""
	}
	return strings.ToLower(path.Base(strings.ReplaceAll(id, `\`, "/")))
}

func undated(id string) (base, date string) {
	at := dated.FindStringIndex(id)
	if at == nil {
		return id, ""
	}
	return id[:at[0]], id[at[0]+1:]
}

func digits(date string) string { return strings.ReplaceAll(date, "-", "") }
