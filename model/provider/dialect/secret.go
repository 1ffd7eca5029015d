package dialect

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
)

// minSecret is the length under which a key is not searched for in texts: it
// would occur everywhere.
const minSecret = 6

// scrub removes the key from a text, also if it was encoded for a header, a URL
// or a dump.
func (ec ErrorContext) scrub(text string) string {
	key := ec.Key.Reveal()
	if len(key) < minSecret {
		return text
	}
	for _, form := range forms(key) {
		text = strings.ReplaceAll(text, form, "[redacted]")
	}
	return text
}

// forms are the ways a key may be written.
func forms(key string) []string {
	list := []string{key, url.QueryEscape(key), url.PathEscape(key), hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key)))}
	for _, b64 := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		// A key inside a longer base64 text starts at one of three phases; the
		// characters at its edges depend on its neighbours.
		for phase := range 3 {
			coded := b64.EncodeToString(append(make([]byte, phase), key...))
			from, to := (phase*8+5)/6, len(coded)
			if (phase+len(key))%3 != 0 {
				to--
			}
			if to-from >= minSecret {
				list = append(list, coded[from:to])
			}
		}
	}
	return list
}

// A cause is an underlying error without the key: neither its text nor a wrapped
// error can leak the key.
type cause struct {
	text      string
	cancelled bool
	deadline  bool
}

func (c *cause) Error() string { return c.text }

// Is reports cancellation and deadlines, which callers check for.
func (c *cause) Is(target error) bool {
	return target == context.Canceled && c.cancelled || target == context.DeadlineExceeded && c.deadline
}

func (ec ErrorContext) hide(err error) error {
	return &cause{ec.scrub(Printable(err.Error(), 300)), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded)}
}
