// Command openai tests the scripted model server with OpenAI's own Go client, over
// server-sent events and over a WebSocket: what that client accepts is the real
// protocol.
//
// Invariant: no package of tandem is linked in; the server is a separate program,
// and the reference is the vendor's client.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

// script has one model for each checked behaviour.
const script = `
[server]
key = "oracle-key"
[[rules]]
model = "plain"
answer = "func wörld() { return \"世界 👩‍👩‍👧\" }\n"
tokens_per_second = 5000
[rules.noise]
obfuscation = true
chunk_bytes = 5
[[rules]]
model = "slow"
answer = "one two three four five six seven eight nine ten"
tokens_per_second = 50
[[rules]]
model = "noisy"
answer = "still here"
reasoning = "Thinking it over."
[rules.noise]
unknown_events = true
rate_limits = true
metadata = true
[[rules]]
model = "limited"
[rules.fault]
status = 429
[[rules]]
model = "bench"
answer = "word "
repeat = 20000
`

const answered = "func wörld() { return \"世界 👩‍👩‍👧\" }\n"

// A judge holds the client and the number of failed checks.
type judge struct {
	client openai.Client
	failed int
}

func main() {
	binary := flag.String("scripted", "bin/scripted", "the scripted server's `FILE`")
	bench := flag.Bool("bench", false, "print the client's CPU time a token instead of judging")
	flag.Parse()
	if err := run(*binary, *bench); err != nil {
		fmt.Fprintln(os.Stderr, "openai oracle: "+err.Error())
		os.Exit(1)
	}
}

func run(binary string, bench bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	address, stop, err := start(ctx, binary)
	if err != nil {
		return err
	}
	defer stop()
	j := &judge{client: openai.NewClient(option.WithBaseURL(address+"/v1"), option.WithAPIKey("oracle-key"), option.WithMaxRetries(0))}
	if bench {
		return j.bench(ctx)
	}
	for _, c := range []struct {
		name  string
		check func(context.Context) error
	}{
		{"chat completions over SSE", j.chat}, {"responses over SSE", j.responses}, {"responses not streamed", j.whole},
		{"socket: one exchange", j.socketExchange}, {"socket: warmed, continued, unknown id", j.chain}, {"socket: streams side by side", j.streams},
		{"socket: the rest of a stale answer is skipped", j.tail}, {"socket: noise", j.noise}, {"errors", j.errors}, {"models", j.models},
	} {
		if err := c.check(ctx); err != nil {
			j.failed++
			fmt.Printf("FAIL  %s: %v\n", c.name, err)
			continue
		}
		fmt.Printf("ok    %s\n", c.name)
	}
	if j.failed > 0 {
		return fmt.Errorf("%d checks failed", j.failed)
	}
	return nil
}

// start runs the server with the script.
func start(ctx context.Context, binary string) (address string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "oracle")
	if err != nil {
		return "", nil, err
	}
	file := filepath.Join(dir, "script.toml")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, binary, "--script", file)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	}
	if err != nil {
		stop()
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "listening ")), stop, err
}

func same(what, got, want string) error {
	if got != want {
		return fmt.Errorf("%s is %q, want %q", what, got, want)
	}
	return nil
}

func (j *judge) chat(ctx context.Context) error {
	st := j.client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{Model: "plain",
		Messages:      []openai.ChatCompletionMessageParamUnion{openai.UserMessage("go")},
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}})
	acc := openai.ChatCompletionAccumulator{}
	for st.Next() {
		if !acc.AddChunk(st.Current()) {
			return errors.New("a chunk does not fit the ones before it")
		}
	}
	if err := st.Err(); err != nil {
		return err
	}
	if len(acc.Choices) != 1 || acc.Choices[0].FinishReason != "stop" || acc.Usage.TotalTokens == 0 {
		return fmt.Errorf("the answer is incomplete: %s", acc.RawJSON())
	}
	return same("text", acc.Choices[0].Message.Content, answered)
}

func input(text string) responses.ResponseNewParamsInputUnion {
	return responses.ResponseNewParamsInputUnion{OfString: openai.String(text)}
}

func (j *judge) responses(ctx context.Context) error {
	st := j.client.Responses.NewStreaming(ctx, responses.ResponseNewParams{Model: "plain", Input: input("go")})
	text, last, next := "", "", int64(0)
	for st.Next() {
		ev := st.Current()
		if ev.SequenceNumber != next {
			return fmt.Errorf("%s has number %d, want %d", ev.Type, ev.SequenceNumber, next)
		}
		next++
		last = ev.Type
		if ev.Type == "response.output_text.delta" {
			text += ev.Delta
		}
		if ev.Type == "response.completed" {
			if err := same("output text", ev.Response.OutputText(), answered); err != nil {
				return err
			}
		}
	}
	return errors.Join(st.Err(), same("last event", last, "response.completed"), same("text", text, answered))
}

func (j *judge) whole(ctx context.Context) error {
	r, err := j.client.Responses.New(ctx, responses.ResponseNewParams{Model: "plain", Input: input("go")})
	if err != nil {
		return err
	}
	return errors.Join(same("status", string(r.Status), "completed"), same("text", r.OutputText(), answered))
}

func (j *judge) models(ctx context.Context) error {
	page, err := j.client.Models.List(ctx)
	if err != nil {
		return err
	}
	for _, m := range page.Data {
		if m.ID == "plain" {
			return nil
		}
	}
	return errors.New("the list has no model plain")
}

func (j *judge) errors(ctx context.Context) error {
	_, err := j.client.Responses.New(ctx, responses.ResponseNewParams{Model: "limited", Input: input("go")})
	var api *openai.Error
	if !errors.As(err, &api) || api.StatusCode != 429 || api.Code != "rate_limit_exceeded" {
		return fmt.Errorf("a limit gives %v", err)
	}
	wrong := openai.NewClient(option.WithBaseURL("http://"+strings.TrimPrefix(api.Request.URL.Host, "http://")+"/v1"), option.WithAPIKey("wrong"), option.WithMaxRetries(0))
	_, err = wrong.Responses.New(ctx, responses.ResponseNewParams{Model: "plain", Input: input("go")})
	if !errors.As(err, &api) || api.StatusCode != 401 {
		return fmt.Errorf("a wrong key gives %v", err)
	}
	return nil
}
