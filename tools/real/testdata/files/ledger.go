package ledger

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"
)

// ErrUnknownAccount means that nobody has opened the account.
var ErrUnknownAccount = errors.New("unknown account")

// An Entry is one booking.
type Entry struct {
	Account string
	Cents   int64
	Note    string
	At      time.Time
}

// A Ledger holds bookings by account.
type Ledger struct {
	accounts map[string][]Entry
	limit    int64
}

// New returns an empty ledger whose accounts may be overdrawn by limit cents.
func New(limit int64) *Ledger {
	return &Ledger{accounts: map[string][]Entry{}, limit: limit}
}

// Open opens an account.
func (l *Ledger) Open(name string) {
	l.accounts[name] = []Entry{}
}

// Book adds an entry to an account.
func (l *Ledger) Book(e Entry) error {
	entries, ok := l.accounts[e.Account]
	if !ok {
		return ErrUnknownAccount
	}
	l.accounts[e.Account] = append(entries, e)
	return nil
}

// Balance is the sum of an account in cents.
func (l *Ledger) Balance(name string) int64 {
	var sum int64
	for _, e := range l.accounts[name] {
		sum += e.Cents
	}
	return sum
}

// Transfer moves cents from one account to another.
func (l *Ledger) Transfer(from, to string, cents int64, at time.Time) error {
	if err := l.Book(Entry{Account: from, Cents: -cents, Note: "to " + to, At: at}); err != nil {
		return err
	}
	return l.Book(Entry{Account: to, Cents: cents, Note: "from " + from, At: at})
}

// Names are the accounts in the order of the alphabet.
func (l *Ledger) Names() []string {
	var names []string
	for name := range l.accounts {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Since are the entries of an account from a time on.
func (l *Ledger) Since(name string, from time.Time) []Entry {
	var out []Entry
	for _, e := range l.accounts[name] {
		if !e.At.Before(from) {
			out = append(out, e)
		}
	}
	return out
}

// Format prints cents as an amount with two decimals.
func Format(cents int64) string {
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

// Report prints one line an account.
func (l *Ledger) Report() string {
	var b strings.Builder
	for _, name := range l.Names() {
		fmt.Fprintf(&b, "%s %s\n", name, Format(l.Balance(name)))
	}
	return b.String()
}
