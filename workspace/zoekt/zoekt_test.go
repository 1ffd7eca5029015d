package zoekt

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tandem/workspace/run"
	"tandem/workspace/window"
)

var _ window.Search = (*Finder)(nil)

// A fake is a server that answers like zoekt-webserver.
type fake struct {
	*httptest.Server
	mu       sync.Mutex
	queries  []string
	requests atomic.Int32
	answer   func(query string) (status int, body string)
}

func newFake(t *testing.T, answer func(query string) (int, string)) *fake {
	f := &fake{answer: answer}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.requests.Add(1)
		if r.Method != http.MethodPost || r.URL.Path != "/api/search" {
			http.Error(w, "no such thing", http.StatusNotFound)
			return
		}
		var body struct {
			Q    string
			Opts struct {
				ChunkMatches    bool
				NumContextLines int
			}
		}
		data, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(data, &body); err != nil || !body.Opts.ChunkMatches {
			t.Errorf("request %s: %v", data, err)
		}
		f.mu.Lock()
		f.queries = append(f.queries, body.Q)
		f.mu.Unlock()
		status, text := f.answer(body.Q)
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}))
	t.Cleanup(f.Close)
	return f
}

// oneHit is an answer as a real server gives it.
func oneHit(file, text string, line int, symbol string) string {
	symbols := "null"
	if symbol != "" {
		symbols = fmt.Sprintf(`[{"Sym":%q,"Kind":"func","Parent":"controller","ParentKind":"package"}]`, symbol)
	}
	return fmt.Sprintf(`{"Result":{"Duration":72995045,"FileCount":1,"MatchCount":1,"FilesSkipped":0,"Crashes":0,
"Files":[{"FileName":%q,"Repository":"kubernetes@v1.34.1","Language":"Go","Checksum":"XH87D1nMH/I=","Score":83500000008.17964,
"ChunkMatches":[{"Content":%q,"FileName":false,"Score":8351,"BestLineMatch":317,"ContentStart":{"ByteOffset":12861,"LineNumber":%d,"Column":1},
"Ranges":[{"Start":{"ByteOffset":12940,"LineNumber":317,"Column":6},"End":{"ByteOffset":12965,"LineNumber":317,"Column":31}}],"SymbolInfo":%s},
{"Content":"cGtn","FileName":true,"ContentStart":{"LineNumber":1}}]}],"RepoURLs":{},"LineFragments":{}}}`,
		file, base64.StdEncoding.EncodeToString([]byte(text)), line, symbols)
}

const nothing = `{"Result":{"FileCount":0,"Files":null}}`

func newTestFinder(t *testing.T, f *fake, o Options) (*Finder, *[]error) {
	o.URL = f.URL
	client, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	group := run.NewGroup(context.Background(), nil)
	t.Cleanup(group.Close)
	var mu sync.Mutex
	problems := &[]error{}
	return NewFinder(client, group, func(err error) {
		mu.Lock()
		defer mu.Unlock()
		*problems = append(*problems, err)
	}), problems
}

func TestHitsAreSymbolsFirst(t *testing.T) {
	f := newFake(t, func(string) (int, string) {
		return 200, oneHit("pkg/controller/controller_utils.go", "// NewControllerExpectations returns a store.\nfunc NewControllerExpectations() {}\n", 315, "NewControllerExpectations")
	})
	finder, _ := newTestFinder(t, f, Options{Query: "r:kubernetes"})
	hits := finder.Hits(context.Background(), []string{"NewControllerExpectations"})
	if len(hits) != 1 || hits[0].Path != "kubernetes@v1.34.1/pkg/controller/controller_utils.go" || hits[0].Line != 315 || !strings.Contains(hits[0].Text, "returns a store") {
		t.Fatalf("hits %+v", hits)
	}
	if want := "(case:yes (sym:NewControllerExpectations)) r:kubernetes"; f.queries[0] != want {
		t.Errorf("asked %q, want %q", f.queries[0], want)
	}
	if finder.Hits(context.Background(), []string{"NewControllerExpectations"}); f.requests.Load() != 1 {
		t.Errorf("asked %d times for one name", f.requests.Load())
	}
}

func TestServerWithoutSymbolsIsAskedForUses(t *testing.T) {
	f := newFake(t, func(q string) (int, string) {
		if strings.Contains(q, "sym:") {
			return 200, nothing
		}
		return 200, oneHit("a.go", "x := FrobWidget()\n", 3, "")
	})
	finder, _ := newTestFinder(t, f, Options{})
	hits := finder.Hits(context.Background(), []string{"FrobWidget", "Other1"})
	if len(hits) != 1 || hits[0].Name != "FrobWidget" {
		t.Errorf("hits %+v", hits)
	}
}

func TestHitsEndWithTheContext(t *testing.T) {
	release := make(chan struct{})
	f := newFake(t, func(string) (int, string) { <-release; return 200, oneHit("a.go", "SlowName\n", 1, "SlowName") })
	finder, _ := newTestFinder(t, f, Options{Timeout: time.Minute})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if hits := finder.Hits(ended, []string{"SlowName"}); hits != nil {
		t.Errorf("hits before there was an answer: %+v", hits)
	}
	close(release)
	if hits := finder.Hits(context.Background(), []string{"SlowName"}); len(hits) != 1 {
		t.Errorf("the late answer is lost: %+v", hits)
	}
}

func TestFailedServerIsLeftAlone(t *testing.T) {
	f := newFake(t, func(string) (int, string) { return 500, "broken" })
	finder, problems := newTestFinder(t, f, Options{})
	now := time.Now()
	finder.now = func() time.Time { return now }
	for range 3 {
		if hits := finder.Hits(context.Background(), []string{"SomeName"}); hits != nil {
			t.Errorf("hits %+v", hits)
		}
	}
	finder.group.Wait()
	if f.requests.Load() != 1 || len(*problems) != 1 {
		t.Fatalf("%d requests, problems %v", f.requests.Load(), *problems)
	}
	if !strings.Contains((*problems)[0].Error(), "HTTP status 500") {
		t.Errorf("problem %v", (*problems)[0])
	}
	now = now.Add(rest + time.Second)
	f.answer = func(string) (int, string) { return 200, oneHit("a.go", "SomeName\n", 1, "SomeName") }
	if hits := finder.Hits(context.Background(), []string{"SomeName"}); len(hits) != 1 {
		t.Errorf("the server is not asked again: %+v", hits)
	}
}

func TestSearchErrors(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   string
	}{
		{400, `{"Error":"query: missing close paren, got token <nil>"}`, "missing close paren"},
		{502, "<html>", "HTTP status 502"},
		{200, `{"Result":{"Files":[{`, "cannot be read"},
	} {
		f := newFake(t, func(string) (int, string) { return c.status, c.body })
		client, err := New(Options{URL: f.URL})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Search(context.Background(), "x")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d %s: %v", c.status, c.body, err)
		}
		var query *QueryError
		if errors.As(err, &query) != (c.status == 400) {
			t.Errorf("%d: %T", c.status, err)
		}
	}
}

func TestRedirectToAnotherHostIsRefused(t *testing.T) {
	other := newFake(t, func(string) (int, string) { return 200, nothing })
	from := httptest.NewServer(http.RedirectHandler(other.URL+"/api/search", http.StatusTemporaryRedirect))
	defer from.Close()
	client, err := New(Options{URL: from.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Search(context.Background(), "x"); err == nil || other.requests.Load() != 0 {
		t.Errorf("followed: %v", err)
	}
}

func TestNewRefusesBadAddresses(t *testing.T) {
	for _, address := range []string{"", "search.example.com", "ftp://x", "http://"} {
		if _, err := New(Options{URL: address}); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
}

func TestNamesAreNotQueries(t *testing.T) {
	f := newFake(t, func(string) (int, string) { return 200, nothing })
	finder, _ := newTestFinder(t, f, Options{})
	if finder.Hits(context.Background(), []string{"a b", "x) or (y", "ab", "r:secret"}); f.requests.Load() != 0 {
		t.Errorf("asked %q", f.queries)
	}
}
