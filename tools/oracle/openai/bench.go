package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
)

// rounds is how often a stream is read; the best time counts.
const rounds = 5

// bench prints the CPU time this client spends per token of a stream that the
// server sends as fast as it can.
func (j *judge) bench(ctx context.Context) error {
	for _, b := range []struct {
		name string
		read func(context.Context) (int, error)
	}{{"responses", j.readResponses}, {"chat", j.readChat}} {
		best := time.Duration(1 << 62)
		for range rounds {
			before := cpu()
			n, err := b.read(ctx)
			if err != nil {
				return err
			}
			best = min(best, (cpu()-before)/time.Duration(max(n, 1)))
		}
		fmt.Printf("openai-go %s %d ns/token\n", b.name, best.Nanoseconds())
	}
	return nil
}

func (j *judge) readResponses(ctx context.Context) (int, error) {
	st := j.client.Responses.NewStreaming(ctx, responses.ResponseNewParams{Model: "bench", Input: input("go")})
	n := 0
	for st.Next() {
		if st.Current().Type == "response.output_text.delta" {
			n++
		}
	}
	return n, st.Err()
}

func (j *judge) readChat(ctx context.Context) (int, error) {
	st := j.client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{Model: "bench", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("go")}})
	n := 0
	for st.Next() {
		n++
	}
	return n, st.Err()
}

// cpu returns the CPU time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
