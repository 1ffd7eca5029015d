package model

import (
	"regexp"
	"strings"
	"sync"
)

// dated is the end of an id that names a snapshot of a model.
var dated = regexp.MustCompile(`[-@:](\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|latest)$`)

// SameModel reports whether the model that answered is the one that was asked
// for. Servers answer with a dated snapshot of it, with or without a vendor's
// name in front; two different snapshots are two models.
func SameModel(asked, served string) bool {
	a, s := bare(asked), bare(served)
	if a == s || s == "" {
		return true
	}
	aBase, aDate := undated(a)
	sBase, sDate := undated(s)
	return aBase == sBase && (aDate == "" || sDate == "" || aDate == "latest" || sDate == "latest" || digits(aDate) == digits(sDate))
}

// bare drops what is before the last slash and the difference of capitals.
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

// A NoticeKind says what a notice is about.
type NoticeKind string

// The kinds of notice.
const (
	NoticeServed    NoticeKind = "served_model"
	NoticeParameter NoticeKind = "parameter"
	NoticeLimit     NoticeKind = "daily_limit"
	NoticeQuota     NoticeKind = "quota"
	NoticeKey       NoticeKind = "key"
	NoticeLedger    NoticeKind = "ledger"
)

// A Notice is a sentence for the user that is said once.
type Notice struct {
	Kind  NoticeKind
	Lane  Lane
	Model string // configured name
	Text  string
}

// once passes each notice on the first time.
type once struct {
	tell func(Notice)
	mu   sync.Mutex // guards said
	said map[string]bool
}

// say tells n unless the same was said under this key before.
func (o *once) say(key string, n Notice) {
	o.mu.Lock()
	if o.said == nil {
		o.said = map[string]bool{}
	}
	known := o.said[key]
	o.said[key] = true
	o.mu.Unlock()
	if !known && o.tell != nil {
		o.tell(n)
	}
}
