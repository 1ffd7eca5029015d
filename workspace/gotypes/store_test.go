package gotypes

import (
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A keeper keeps in memory, and counts what was read again.
type keeper struct {
	data map[string][]byte
	read int
}

func (k *keeper) Load(dir string) []byte {
	if k.data[dir] != nil {
		k.read++
	}
	return k.data[dir]
}

func (k *keeper) Save(dir string, data []byte) { k.data[dir] = data }

// usesMany needs the types of several packages to be the same ones, whichever package has them.
const usesMany = `package m

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"
)

type closer struct{ io.Reader }

func (closer) Close() error { return nil }

func F(ctx context.Context, r *http.Request) (*url.URL, error) {
	var body io.ReadCloser = closer{bufio.NewReader(r.Body)}
	r.Body = body
	var t http.RoundTripper = &http.Transport{
		TLSClientConfig: &tls.Config{Time: func() time.Time { return time.Now() }},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return (&net.Dialer{Timeout: time.Second}).DialContext(ctx, network, address)
		},
	}
	var at atomic.Pointer[url.URL]
	at.Store(r.URL)
	names := slices.Sorted(slices.Values([]string{r.URL.Host}))
	_ = json.NewEncoder(io.Discard).Encode(names)
	_, err := t.RoundTrip(r.WithContext(ctx))
	return at.Load(), err
}

var _ = http.NoSuch
`

// errorsOf are the errors of a text that the loader checks, without their places.
func errorsOf(t *testing.T, l *Loader, text string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(l.Fset, "m/m.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: l.ImporterFor("m/m.go", f), Error: func(err error) { out = append(out, err.(types.Error).Msg) }}
	_, _ = conf.Check("m", l.Fset, []*ast.File{f}, nil)
	return out
}

func TestKeptPackagesAreTheSame(t *testing.T) {
	k := &keeper{data: map[string][]byte{}}
	loader := func() *Loader {
		return New(goroot{}, Options{Platform: Here(), Most: 1 << 30, Store: k})
	}
	want := errorsOf(t, loader(), usesMany)
	if len(want) != 1 || !strings.Contains(want[0], "NoSuch") || k.read > 0 {
		t.Fatalf("read from source: %q, %d packages that were kept", want, k.read)
	}
	if got := errorsOf(t, loader(), usesMany); !slices.Equal(got, want) || k.read == 0 || k.read > 20 {
		t.Fatalf("as kept: %q, %d packages", got, k.read)
	}
	all := slices.Sorted(maps.Keys(k.data))
	for _, lost := range all { // what others refer to is lost: it is not judged, or read from source
		data := k.data[lost]
		delete(k.data, lost)
		for _, e := range errorsOf(t, loader(), usesMany) {
			if !strings.Contains(e, "could not import") && !slices.Contains(want, e) {
				t.Errorf("without %s: %s", lost, e)
			}
		}
		k.data[lost] = data
	}
	for _, spoilt := range all[:min(len(all), 8)] {
		data := k.data[spoilt]
		k.data[spoilt] = data[:len(data)/2]
		for _, e := range errorsOf(t, loader(), usesMany) {
			if !strings.Contains(e, "could not import") && !slices.Contains(want, e) {
				t.Errorf("with a part of %s: %s", spoilt, e)
			}
		}
		k.data[spoilt] = data
	}
}
