package provider

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/workspace/redact"
)

// benchTokens is how many tokens a decoded stream has.
const benchTokens = 20000

// tokenEvents is a stream of many tokens as a body.
func tokenEvents(wire string) []byte {
	pieces := make([]string, benchTokens)
	for i := range pieces {
		pieces[i] = []string{"func", " (", "c", " *", "Client", ")", " Stream", "\n"}[i%8]
	}
	events := responseEvents("resp_68e0a7d2c4b881a0b7c6f3e2", pieces...)
	if wire == "chat" {
		events = chatEvents(pieces...)
	}
	var b bytes.Buffer
	for _, e := range events {
		if wire == "responses" {
			b.WriteString("event: response.output_text.delta\n")
			e = strings.Replace(e, `"output_index"`, `"item_id":"msg_68e0a7d2c4b881a0b7c6f3e2","logprobs":[],"output_index"`, 1)
		}
		b.WriteString("data: " + e + "\n\n")
	}
	return b.Bytes()
}

// BenchmarkDecode measures from bytes in memory to deltas at the caller.
func BenchmarkDecode(b *testing.B) {
	for _, wire := range []string{"responses", "chat"} {
		body := tokenEvents(wire)
		for name, size := range map[string]int{"coalesced": 16 << 10, "one-token-a-read": len(body) / (benchTokens + 3)} {
			b.Run(wire+"/"+name, func(b *testing.B) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for b.Loop() {
					x := newExchange(&client{dialect: dialect.All[wire], options: Options{}.withDefaults(), model: model.ModelConfig{Model: "m-1"}}, &model.ModelConfig{}, hello(), dialect.All[wire], &stopper{}, nil)
					x.answer.yield = func(model.Delta, error) bool { return true }
					if f := (&httpCall{exchange: x, watch: &watch{}}).read(dialect.NewEventReader(&steadyReader{body, size}, false, 0), func() {}); f != nil {
						b.Fatal(f.Error)
					}
				}
				runtime.ReadMemStats(&after)
				tokens := float64(b.N) * benchTokens
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/tokens, "ns/token")
				b.ReportMetric(float64(after.Mallocs-before.Mallocs)/tokens, "allocs/token")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// A steadyReader gives a body in pieces of one size.
type steadyReader struct {
	body []byte
	size int
}

func (r *steadyReader) Read(p []byte) (int, error) {
	n := copy(p, r.body[:min(r.size, len(r.body))])
	if r.body = r.body[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// BenchmarkEncode measures the encoding of a request with 400 KB of context.
func BenchmarkEncode(b *testing.B) {
	p := model.ProviderConfig{WireAPI: "responses"}
	m := model.ModelConfig{Model: "m-1"}
	req := conversation(contextOf(400<<10), "", "cursor")
	for b.Loop() {
		e := &dialect.Encoder{Provider: &p, Model: &m, Req: req}
		f, _ := dialect.All["responses"].Encode(e)
		if len(f.AppendJSON(nil)) < 400<<10 {
			b.Fatal("the request is too short")
		}
	}
}

func contextOf(n int) string {
	const line = "\tif err := c.options.Shared.endpoint(\"name\", urls, tried); err != nil { return fmt.Errorf(\"%w\", err) }\n"
	return strings.Repeat(line, n/len(line)+1)
}

// paced is a script of one model at 1,000 tokens a second.
const paced = "[[rules]]\nanswer = \"word \"\nrepeat = 2000\ntokens_per_second = 1000\n"

// consume reads a stream to its end and returns the length of its text.
func consume(b *testing.B, client model.Client, purpose model.Purpose) (text int) {
	b.Helper()
	req := &model.Request{Purpose: purpose, Input: []model.Message{{Role: "user", Text: redact.Said("go")}}}
	for d, err := range client.Stream(b.Context(), req) {
		if err != nil {
			b.Fatal(err)
		}
		text += len(d.Text)
	}
	return text
}

// BenchmarkStream reads streams of 1,000 tokens/s and of 2,000 tokens, one and a
// hundred at once: CPU of this process, and how late the last token is.
func BenchmarkStream(b *testing.B) {
	address := startScripted(b, paced)
	for _, c := range transports[:3] {
		for _, many := range []int{1, 100} {
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(c.name, " ", "-"), many), func(b *testing.B) {
				for b.Loop() {
					begun, used := time.Now(), cpu()
					late := make([]time.Duration, many)
					var wg sync.WaitGroup
					for i := range many {
						client := c.client(b, address, "m")
						defer client.Close()
						wg.Go(func() {
							start := time.Now()
							if got := consume(b, client, model.Task); got != 2000*len("word ") {
								b.Errorf("%d bytes arrived", got)
							}
							late[i] = time.Since(start) - 1999*time.Millisecond
						})
					}
					wg.Wait()
					slices.Sort(late)
					share := 100 * float64(cpu()-used) / float64(time.Since(begun))
					b.ReportMetric(share, "%core")
					b.ReportMetric(share/float64(many), "%core/stream")
					b.ReportMetric(float64(late[many/2].Microseconds())/1000, "late-p50-ms")
					b.ReportMetric(float64(late[many-1].Microseconds())/1000, "late-max-ms")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkBare is the CPU of reading a stream of 1,000 tokens/s at each purpose's pace, against
// that of a reader in the same run that posts as much and reads the body's lines, and nothing else.
func BenchmarkBare(b *testing.B) {
	address := startScripted(b, paced)
	for _, c := range transports[1:3] {
		for _, purpose := range []model.Purpose{model.Edit, model.Complete} {
			b.Run(strings.ReplaceAll(c.name, " ", "-")+"/"+string(purpose), func(b *testing.B) {
				client := c.client(b, address, "m")
				defer client.Close()
				var ours, bare time.Duration
				for b.Loop() {
					used := cpu()
					readLines(b, address, c.wire)
					bare += cpu() - used
					used = cpu()
					if got := consume(b, client, purpose); got != 2000*len("word ") {
						b.Errorf("%d bytes arrived", got)
					}
					ours += cpu() - used
				}
				b.ReportMetric(ours.Seconds()*1000/float64(b.N), "ms/2000-tokens")
				b.ReportMetric(float64(ours)/float64(bare), "x-bare")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// readLines asks for a stream and reads its lines.
func readLines(b *testing.B, address, wire string) {
	path, body := "/v1/responses", `{"model":"m","stream":true,"input":"go"}`
	if wire == "chat" {
		path, body = "/v1/chat/completions", `{"model":"m","stream":true,"messages":[{"role":"user","content":"go"}]}`
	}
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, address+path, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer scripted-key")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	lines, n := bufio.NewScanner(resp.Body), 0
	for lines.Scan() {
		n++
	}
	if lines.Err() != nil || n < 2000 {
		b.Fatalf("%d lines, %v", n, lines.Err())
	}
}

// BenchmarkClientCPU is the CPU a token costs this process when the server
// sends as fast as it can, compared with openai-go if OPENAI_ORACLE names it.
func BenchmarkClientCPU(b *testing.B) {
	address := startScripted(b, "[[rules]]\nanswer = \"word \"\nrepeat = 20000\n")
	theirs := openAIFigures(b)
	for _, c := range transports[:3] {
		b.Run(strings.ReplaceAll(c.name, " ", "-"), func(b *testing.B) {
			client := c.client(b, address, "m")
			defer client.Close()
			best := time.Duration(1 << 62)
			for b.Loop() {
				used := cpu()
				n := consume(b, client, model.Task) / len("word ")
				best = min(best, (cpu()-used)/time.Duration(n))
			}
			b.ReportMetric(float64(best.Nanoseconds()), "ns/token")
			wire := strings.Fields(c.name)[0]
			if their := theirs[wire]; their > 0 {
				b.ReportMetric(their, "openai-go-ns/token")
				b.ReportMetric(100*(1-float64(best.Nanoseconds())/their), "%less")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func openAIFigures(b *testing.B) map[string]float64 {
	oracle := os.Getenv("OPENAI_ORACLE")
	if oracle == "" {
		return nil
	}
	binary, err := scriptedBinary()
	if err != nil {
		b.Fatal(err)
	}
	out, err := exec.Command(oracle, "-scripted", binary, "-bench").Output()
	if err != nil {
		b.Fatal(err)
	}
	figures := map[string]float64{}
	for _, line := range strings.Split(string(out), "\n") {
		var wire string
		var ns float64
		if n, _ := fmt.Sscanf(line, "openai-go %s %f ns/token", &wire, &ns); n == 2 {
			figures[wire] = ns
		}
	}
	return figures
}

// A slowLink is a network with a round trip and a TCP window that starts small,
// doubles each round trip and starts again after an idle time.
type slowLink struct {
	rtt time.Duration
}

// Figures of Linux's TCP.
const (
	segment       = 1460
	initialWindow = 10 * segment
	idleReset     = 200 * time.Millisecond
)

// dial opens a connection over the link; the handshake takes a round trip.
func (l slowLink) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	time.Sleep(l.rtt)
	here, there := net.Pipe()
	go l.carry(conn, there)
	go l.carry(there, conn)
	return here, nil
}

// carry moves bytes from one side to the other: at most a window each round
// trip, each half a round trip late.
func (l slowLink) carry(to, from net.Conn) {
	type packet struct {
		data []byte
		due  time.Time
	}
	queue := make(chan packet, 4096)
	go func() {
		defer to.Close()
		for p := range queue {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.data); err != nil {
				return
			}
		}
	}()
	defer close(queue)
	window, left := initialWindow, initialWindow
	round, last := time.Now(), time.Now()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if time.Since(last) > idleReset {
			window, left, round = initialWindow, initialWindow, time.Now()
		}
		for data := buf[:n]; len(data) > 0; {
			if left == 0 {
				time.Sleep(time.Until(round.Add(l.rtt)))
				window *= 2
				left, round = window, time.Now()
			}
			k := min(left, len(data))
			queue <- packet{bytes.Clone(data[:k]), time.Now().Add(l.rtt / 2)}
			data, left = data[k:], left-k
		}
		last = time.Now()
	}
}

// firstText is how long a request takes until its first text.
func firstText(b *testing.B, client model.Client, req *model.Request) time.Duration {
	b.Helper()
	start := time.Now()
	var first time.Duration
	for d, err := range client.Stream(b.Context(), req) {
		if err != nil {
			b.Fatal(err)
		}
		if d.Text != "" && first == 0 {
			first = time.Since(start)
		}
	}
	return first
}

// tlsServer answers at once, over sockets and over HTTP.
func tlsServer(b *testing.B) (address, caFile string) {
	a := newAuthority(b)
	s := &chainServer{life: time.Hour}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			s.ServeHTTP(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Method == http.MethodPost {
			ok(w)
		}
	})
	return a.serve(b, "127.0.0.1", false, h).URL, a.file
}

func linkClient(b *testing.B, address, ca string, l slowLink, sockets bool) model.Client {
	b.Helper()
	client, err := New(model.ProviderConfig{Name: "lab", BaseURLs: []string{address + "/v1"}, SupportsWebsockets: sockets, CAFile: ca},
		model.ModelConfig{Name: "m", Model: "m-1"}, Options{Dial: l.dial})
	if err != nil {
		b.Fatal(err)
	}
	return client
}

// BenchmarkRoundTrip sends another request with 400 KB of context and 1 KB of new
// input, after an idle time: over a socket that continues the chain, and over
// HTTP on a kept-alive connection that sends everything again. TLS is real; the link has
// a round trip and TCP's slow start.
func BenchmarkRoundTrip(b *testing.B) {
	address, ca := tlsServer(b)
	for _, rtt := range []time.Duration{20 * time.Millisecond, 80 * time.Millisecond} {
		b.Run(fmt.Sprintf("400KB/rtt=%v", rtt), func(b *testing.B) {
			var socket, kept []time.Duration
			for b.Loop() {
				socket = append(socket, requestsAfterIdle(b, linkClient(b, address, ca, slowLink{rtt}, true))...)
				kept = append(kept, requestsAfterIdle(b, linkClient(b, address, ca, slowLink{rtt}, false))...)
			}
			s, k := median(socket), median(kept)
			b.ReportMetric(ms(s), "socket-ms")
			b.ReportMetric(ms(k), "http-ms")
			b.ReportMetric(100*(1-float64(s)/float64(k)), "%less-whole")
			b.ReportMetric(100*(1-float64(max(s-rtt, 0))/float64(k-rtt)), "%less-beyond-rtt")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func requestsAfterIdle(b *testing.B, client model.Client) []time.Duration {
	defer client.Close()
	texts := []string{contextOf(400 << 10)}
	firstText(b, client, conversation(texts...))
	var out []time.Duration
	for range 5 {
		time.Sleep(2 * idleReset)
		texts = append(texts, "one two", contextOf(1<<10))
		out = append(out, firstText(b, client, conversation(texts...)))
	}
	return out
}

// BenchmarkFirstToken sends a request of 4 KB: on a connection that Warm has
// opened, and on a new one.
func BenchmarkFirstToken(b *testing.B) {
	address, ca := tlsServer(b)
	for _, sockets := range []bool{true, false} {
		for _, rtt := range []time.Duration{20 * time.Millisecond, 80 * time.Millisecond} {
			b.Run(fmt.Sprintf("sockets=%v/rtt=%v", sockets, rtt), func(b *testing.B) {
				var warm, cold []time.Duration
				for b.Loop() {
					for range 3 {
						client := linkClient(b, address, ca, slowLink{rtt}, sockets)
						if err := client.Warm(b.Context()); err != nil {
							b.Fatal(err)
						}
						warm = append(warm, firstText(b, client, conversation(contextOf(4<<10))))
						_ = client.Close()
						client = linkClient(b, address, ca, slowLink{rtt}, sockets)
						cold = append(cold, firstText(b, client, conversation(contextOf(4<<10))))
						_ = client.Close()
					}
				}
				w, c := median(warm), median(cold)
				b.ReportMetric(ms(w), "warmed-ms")
				b.ReportMetric(ms(c), "new-ms")
				b.ReportMetric(100*(1-float64(w)/float64(c)), "%less")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// BenchmarkCancel measures how long a stream goes on after its caller has
// cancelled it, in phases that only a real connection has.
func BenchmarkCancel(b *testing.B) {
	for _, phase := range []struct {
		name, base string
		socket     bool
		serve      http.HandlerFunc
	}{
		{"connect", "http://192.0.2.1/v1", false, nil},
		{"headers", "", false, func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body); hangs(r) }},
		{"stream", "", false, func(w http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body); stalls(w, r, 1) }},
		{"upgrade", "", true, func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body); hangs(r) }},
	} {
		b.Run(phase.name, func(b *testing.B) {
			base := phase.base
			if phase.serve != nil {
				s := httptest.NewServer(phase.serve)
				defer s.Close()
				base = s.URL + "/v1"
			}
			c, err := New(model.ProviderConfig{Name: "lab", BaseURLs: []string{base}, AllowHTTP: true, WireAPI: "responses", SupportsWebsockets: phase.socket}, model.ModelConfig{Name: "m", Model: "m-1"}, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			var total, worst time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(context.Background())
				var at time.Time
				timer := time.AfterFunc(20*time.Millisecond, func() { at = time.Now(); cancel() })
				for range c.Stream(ctx, hello()) {
				}
				if !timer.Stop() {
					took := time.Since(at)
					total, worst = total+took, max(worst, took)
				}
			}
			b.ReportMetric(float64(total.Microseconds())/float64(b.N), "us/cancel")
			b.ReportMetric(float64(worst.Microseconds()), "us-worst")
		})
	}
}
