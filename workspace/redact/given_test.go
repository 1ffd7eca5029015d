package redact_test

import (
	"strings"
	"testing"

	"tandem/workspace/redact"
)

// TestValuesWithoutAnAssignment: a password that an option, a call, a block or a header gives is
// found whole, and what only looks like one is left.
func TestValuesWithoutAnAssignment(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"define('DB_PASSWORD', 'hu9Kx2pLq');", "hu9Kx2pLq"},
		{"os.Setenv(\"PGPASSWORD\", \"hu9Kx2pLq\")", "hu9Kx2pLq"},
		{"mysql --user root --password hu9Kx2pLq shop", "hu9Kx2pLq"},
		{"psql --db-password 'hu9Kx2pLq' shop", "hu9Kx2pLq"},
		{"tool --token a8Kx2pL9qW4zR7mN1vB3", "a8Kx2pL9qW4zR7mN1vB3"},
		{"password: |\n  hu9Kx2pLq\nuser: me\n", "hu9Kx2pLq"},
		{"db:\n  password: >-\n    hu9Kx2pLq\n", "hu9Kx2pLq"},
		{"curl -H 'Cookie: theme=dark; session=a8Kx2pL9qW4zR7mN1vB3' x", "a8Kx2pL9qW4zR7mN1vB3"},
		{"Set-Cookie: sid=a8Kx2pL9qW4zR7mN1vB3; Path=/", "a8Kx2pL9qW4zR7mN1vB3"},
		{"define('DB_PASSWORD', 'change');", ""},
		{"request.only('password', 'remember_me')", ""},
		{"names = ('password', 'username1', 'email')", ""},
		{"tool --password FILE1 asks", ""},
		{"tool --password $PASSWORD1x", ""},
		{"tool --password --verbose", ""},
		{"password: |\n  The words of a person.\n", ""},
		{"password: |\nhu9Kx2pLq\n", ""},
		{"Cookie: theme=dark; lang=en", ""},
	} {
		var got []string
		for _, sp := range redact.Find(c.text) {
			got = append(got, c.text[sp.Start:sp.End])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
}
