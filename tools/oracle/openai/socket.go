package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

type create = responses.ResponsesClientEventResponseCreateParam

func textInput(text string) responses.ResponsesClientEventResponseCreateInputUnionParam {
	return responses.ResponsesClientEventResponseCreateInputUnionParam{OfString: openai.String(text)}
}

// connect runs a check on a separate socket.
func (j *judge) connect(ctx context.Context, check func(*responses.ResponseConnection) error) error {
	conn, err := j.client.Responses.Connect(ctx, responses.ResponseConnectionOptions{}, option.WithHeader("OpenAI-Beta", "responses_websockets=2026-02-06"))
	if err != nil {
		return err
	}
	defer conn.Abort()
	return check(conn)
}

// exchange sends one create and returns its final response.
func exchange(ctx context.Context, conn *responses.ResponseConnection, c create) (*responses.Response, error) {
	c.Store = openai.Bool(false)
	if err := conn.Create(ctx, c); err != nil {
		return nil, err
	}
	return conn.FinalResponse(ctx)
}

func (j *judge) socketExchange(ctx context.Context) error {
	return j.connect(ctx, func(conn *responses.ResponseConnection) error {
		for range 3 {
			r, err := exchange(ctx, conn, create{Model: "plain", Input: textInput("go")})
			if err != nil {
				return err
			}
			if err := same("text", r.OutputText(), answered); err != nil {
				return err
			}
		}
		return nil
	})
}

// chain warms up, continues twice, and then continues from an id that the server has
// dropped.
func (j *judge) chain(ctx context.Context) error {
	return j.connect(ctx, func(conn *responses.ResponseConnection) error {
		warm, err := exchange(ctx, conn, create{Model: "plain", Input: textInput("context"), Generate: openai.Bool(false)})
		if err != nil {
			return err
		}
		if len(warm.Output) != 0 {
			return fmt.Errorf("a warmup has output: %s", warm.RawJSON())
		}
		first, err := exchange(ctx, conn, create{Model: "plain", Input: textInput("one"), PreviousResponseID: openai.String(warm.ID)})
		if err != nil {
			return err
		}
		second, err := exchange(ctx, conn, create{Model: "plain", Input: textInput("two"), PreviousResponseID: openai.String(first.ID)})
		if err != nil {
			return err
		}
		if err := same("previous id", second.PreviousResponseID, first.ID); err != nil {
			return err
		}
		_, err = exchange(ctx, conn, create{Model: "plain", Input: textInput("three"), PreviousResponseID: openai.String(warm.ID)})
		var protocol *responses.ResponseProtocolError
		if !errors.As(err, &protocol) {
			return fmt.Errorf("an id that is gone gives %v", err)
		}
		_, err = exchange(ctx, conn, create{Model: "plain", Input: textInput("again")})
		return err
	})
}

// streams runs two answers at once on one socket: both begin before either ends.
func (j *judge) streams(ctx context.Context) error {
	return j.connect(ctx, func(conn *responses.ResponseConnection) error {
		for _, id := range []string{"left", "right"} {
			if err := conn.Create(ctx, create{Model: "slow", Input: textInput("go"), StreamID: openai.String(id)}); err != nil {
				return err
			}
		}
		text := map[string]string{}
		for ended := 0; ended < 2; {
			ev, err := conn.Recv(ctx)
			if err != nil {
				return err
			}
			var event struct {
				Stream string `json:"stream_id"`
				Delta  string `json:"delta"`
			}
			if err := json.Unmarshal([]byte(ev.RawJSON()), &event); err != nil {
				return err
			}
			text[event.Stream] += event.Delta
			if ev.Type == "response.completed" {
				if ended++; len(text) != 2 {
					return fmt.Errorf("only stream %q had begun when it ended", event.Stream)
				}
				if err := same("text of stream "+event.Stream, text[event.Stream], "one two three four five six seven eight nine ten"); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// tail abandons an answer and sends a new request on the same stream: the stale
// events come first, then the new answer.
func (j *judge) tail(ctx context.Context) error {
	return j.connect(ctx, func(conn *responses.ResponseConnection) error {
		if err := conn.Create(ctx, create{Model: "slow", Input: textInput("stale")}); err != nil {
			return err
		}
		if _, err := conn.Recv(ctx); err != nil {
			return err
		}
		if err := conn.Create(ctx, create{Model: "plain", Input: textInput("new")}); err != nil {
			return err
		}
		stale, err := conn.FinalResponse(ctx)
		if err != nil {
			return err
		}
		fresh, err := conn.FinalResponse(ctx)
		if err != nil {
			return err
		}
		return errors.Join(same("stale model", string(stale.Model), "slow"), same("text", fresh.OutputText(), answered))
	})
}

func (j *judge) noise(ctx context.Context) error {
	return j.connect(ctx, func(conn *responses.ResponseConnection) error {
		if err := conn.Create(ctx, create{Model: "noisy", Input: textInput("go")}); err != nil {
			return err
		}
		seen := map[string]bool{}
		for {
			ev, err := conn.Recv(ctx)
			if err != nil {
				return err
			}
			seen[ev.Type] = true
			if ev.Type == "response.completed" {
				break
			}
		}
		for _, kind := range []string{"codex.rate_limits", "response.metadata", "weather.report", "response.reasoning_summary_text.delta", "response.output_text.delta"} {
			if !seen[kind] {
				return fmt.Errorf("there was no %s", kind)
			}
		}
		return nil
	})
}
