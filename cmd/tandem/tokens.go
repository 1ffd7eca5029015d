package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace/disk"
	"tandem/workspace/tokens"
)

// tokensCommand counts tokens: of files, of stdin, or of requests, one per line.
func tokensCommand(*globals) *cobra.Command {
	var ids, jsonl bool
	var encoding string
	c := &cobra.Command{
		Use:   "tokens [FILE...]",
		Short: "Count the o200k_base tokens of files or stdin, exactly",
		Long: `Count the o200k_base tokens of files, or of stdin where none is named.

Invalid UTF-8 counts as U+FFFD, and text that looks like a special token is plain text.
With --ids the token ids are printed instead, one line a file. With --jsonl each line
{"id":"1","text":"..."} on stdin is answered by {"id":"1","count":3,"ids":[64,47812,287]}.`,
		RunE: func(c *cobra.Command, files []string) error {
			enc, err := exactEncoding(encoding)
			if err != nil {
				return exit(exitUsage, err)
			}
			if jsonl {
				return failed(serveTokens(c.InOrStdin(), c.OutOrStdout(), enc))
			}
			return failed(printTokens(c.InOrStdin(), c.OutOrStdout(), enc, files, ids))
		},
	}
	f := c.Flags()
	f.BoolVar(&ids, "ids", false, "print the token ids instead of their number")
	f.BoolVar(&jsonl, "jsonl", false, "answer JSON lines of stdin")
	f.StringVar(&encoding, "encoding", tokens.O200k.Name(), "`NAME` of the tokenizer: o200k_base or cl100k_base")
	return c
}

func exactEncoding(name string) (*tokens.Encoding, error) {
	counter, err := tokens.Named(name)
	if err != nil {
		return nil, err
	}
	enc, ok := counter.(*tokens.Encoding)
	if !ok {
		return nil, fmt.Errorf("the tokenizer %q has no token ids: use o200k_base or cl100k_base", name)
	}
	return enc, nil
}

// failed gives an error without an exit code the code of a failure.
func failed(err error) error {
	var coded *exitError
	if err == nil || errors.As(err, &coded) {
		return err
	}
	return exit(exitFailed, err)
}

// A tokensRequest is a line of tokens --jsonl.
type tokensRequest struct {
	ID   json.RawMessage `json:"id,omitempty"`
	Text *string         `json:"text"`
}

type tokensAnswer struct {
	ID    json.RawMessage `json:"id,omitempty"`
	Count int             `json:"count"`
	IDs   []uint32        `json:"ids"`
}

func serveTokens(in io.Reader, out io.Writer, enc *tokens.Encoding) error {
	return serveLines(in, out, func(r tokensRequest) any {
		if r.Text == nil {
			return failedLine{r.ID, lineError{"parse", `not a request: "text" is missing`}}
		}
		ids := enc.Encode(*r.Text)
		return tokensAnswer{r.ID, len(ids), ids}
	})
}

func printTokens(in io.Reader, out io.Writer, enc *tokens.Encoding, files []string, ids bool) error {
	w := bufio.NewWriter(out)
	if len(files) == 0 {
		text, err := disk.All(in, disk.MaxNamed)
		if err != nil {
			return fmt.Errorf("read stdin: %w", err)
		}
		printCount(w, enc, string(text), "", ids)
		return w.Flush()
	}
	total := 0
	for _, name := range files {
		text, err := disk.ReadFile(name, disk.MaxNamed)
		if err != nil {
			return errors.Join(w.Flush(), unreadable(name, err))
		}
		total += printCount(w, enc, string(text), name, ids)
	}
	if len(files) > 1 && !ids {
		fmt.Fprintf(w, "%d total\n", total)
	}
	return w.Flush()
}

// printCount prints the count of text, with the file's name if it has one, or the
// ids; it returns the count.
func printCount(w *bufio.Writer, enc *tokens.Encoding, text, name string, ids bool) int {
	if !ids {
		count := enc.Count(text)
		if name != "" {
			name = " " + edits.OneLine(name)
		}
		fmt.Fprintf(w, "%d%s\n", count, name)
		return count
	}
	all := enc.Encode(text)
	var number []byte
	for i, id := range all {
		if i > 0 {
			w.WriteByte(' ')
		}
		number = strconv.AppendUint(number[:0], uint64(id), 10)
		w.Write(number)
	}
	w.WriteByte('\n')
	return len(all)
}
