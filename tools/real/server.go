package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"tandem/tools/bench/figures"
)

// A server is a llama.cpp server, ours or a person's.
type server struct {
	address string
	model   string
	slots   int       // 0 is not known
	process *exec.Cmd // nil for a person's
}

// contextTokens is what the server holds for all slots together.
const contextTokens = 16384

// start starts the model's server, or uses the one that runs.
func (r *rig) start(ctx context.Context) (*server, error) {
	if r.address != "" {
		s := &server{address: strings.TrimSuffix(r.address, "/")}
		return s, s.wait(ctx)
	}
	file, err := r.install(ctx)
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(r.state, "server.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s := &server{address: "http://127.0.0.1:" + port}
	args := []string{"--model", file, "--host", "127.0.0.1", "--port", port, "--ctx-size", strconv.Itoa(contextTokens), "--threads", strconv.Itoa(runtime.NumCPU())}
	if r.slots > 0 {
		args = append(args, "--parallel", strconv.Itoa(r.slots))
	}
	s.process = exec.CommandContext(ctx, filepath.Join(r.cache, "build", "bin", "llama-server"), args...)
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	if err := s.wait(ctx); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// install brings the server into the user's cache, and the weights, unless a person names a file of
// them, which it returns.
func (r *rig) install(ctx context.Context) (string, error) {
	size := r.size
	if r.weights != "" {
		size = "none"
	}
	command := exec.CommandContext(ctx, "bash", "-s", r.cache, size)
	command.Stdin, command.Stderr = strings.NewReader(installer), os.Stderr
	out, err := command.Output()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() == 3 {
		return "", errMissing
	}
	return cmp.Or(r.weights, strings.TrimSpace(string(out))), err
}

// installer ends with 3 where something is not to be had.
//
//go:embed install.sh
var installer string

// startLogged starts the model's server, and opens the log of what was measured with it. The
// caller calls end.
func startLogged[T any](ctx context.Context, r *rig, file string) (s *server, log *figures.Log[T], end func(), err error) {
	if s, err = r.start(ctx); err != nil {
		return nil, nil, nil, err
	}
	if log, err = figures.OpenLog[T](file); err != nil {
		s.stop()
		return nil, nil, nil, err
	}
	return s, log, func() { log.Close(); s.stop() }, nil
}

// serve lets a person use the server until they interrupt.
func (r *rig) serve(ctx context.Context) error {
	s, err := r.start(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	fmt.Println(s.model, "at", s.address)
	<-ctx.Done()
	return nil
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// patience is how long a model may take to load.
const patience = 2 * time.Minute

// wait waits until the model is loaded, and asks for its name and the number of slots.
func (s *server) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if err := s.get(ctx, "/health", nil); err == nil {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the model's server at %s is not ready: %w", s.address, ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := s.get(ctx, "/v1/models", &list); err != nil || len(list.Data) == 0 {
		return fmt.Errorf("the server at %s names no model: %w", s.address, err)
	}
	s.model = strings.TrimSuffix(filepath.Base(list.Data[0].ID), ".gguf")
	var properties struct {
		Slots int `json:"total_slots"`
	}
	if s.get(ctx, "/props", &properties) == nil { // a server may be of another kind
		s.slots = properties.Slots
	}
	return nil
}

func (s *server) stop() {
	if s.process != nil {
		_ = s.process.Process.Kill() // it keeps nothing
		_ = s.process.Wait()
	}
}

func (s *server) get(ctx context.Context, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+path, nil)
	if err != nil {
		return err
	}
	return send(request, into)
}

func (s *server) post(ctx context.Context, path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	return send(request, into)
}

func send(request *http.Request, into any) error {
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", request.URL.Path, reply.Status, tail(data))
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(data, into)
}

// tail is the end of what a program said.
func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " ")
}

type object = map[string]any

// A completion is what the model wrote for a raw prompt.
type completion struct {
	Content string `json:"content"`
	Stop    string `json:"stop_type"` // eos, word, limit
}

// complete asks for at most n tokens after a raw prompt, always the most likely one.
func (s *server) complete(ctx context.Context, prompt string, n int, stops ...string) (completion, error) {
	var c completion
	err := s.post(ctx, "/completion", object{"prompt": prompt, "n_predict": n, "temperature": 0, "stop": stops, "cache_prompt": true}, &c)
	return c, err
}

// chat asks one question, and returns the answer.
func (s *server) chat(ctx context.Context, question string, n int) (string, error) {
	var a struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	err := s.post(ctx, "/v1/chat/completions", object{"messages": []object{{"role": "user", "content": question}}, "temperature": 0, "max_tokens": n}, &a)
	if err != nil {
		return "", err
	}
	if len(a.Choices) != 1 {
		return "", fmt.Errorf("the model's server gave %d answers", len(a.Choices))
	}
	return a.Choices[0].Message.Content, nil
}

// printInstalled prints which weights are there.
func (r *rig) printInstalled(ctx context.Context) error {
	file, err := r.install(ctx)
	if err == nil {
		fmt.Println(file)
	}
	return err
}
