// Command scripted is a model server without a model, for tests, demos and
// benchmarks: it implements the wire protocols of real servers and answers as a
// script defines, and only with what the request shows.
//
// Invariant: the same request gets the same text, whatever came before it;
// time, faults and limits come from the script and the flags alone. There is
// deliberately no knowledge here of any one repository, and no program of this
// module knows that this server exists.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if err := serve(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scripted: "+err.Error())
		os.Exit(1)
	}
}

// serve runs the server until it is interrupted.
func serve(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("scripted", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:0", "`ADDRESS` to serve on")
	scriptFile := flags.String("script", "", "TOML `FILE` with rules; without it two models complete lines from what a request shows, and edit nothing")
	recordFile := flags.String("record", "", "append every request as a JSON line to `FILE`")
	flags.Bool("show-only", true, "the models know only what a request shows: a rule says what they would write, the request decides whether they can; always so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	sc, err := loadScript(*scriptFile)
	if err != nil {
		return err
	}
	rec, err := newRecorder(*recordFile)
	if err != nil {
		return err
	}
	defer rec.close()
	return listenAndServe(*listen, newServer(sc, rec), stdout)
}

func listenAndServe(address string, s *server, stdout io.Writer) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("cannot listen on %s, choose another --listen: %w", address, err)
	}
	fmt.Fprintf(stdout, "listening http://%s\n", l.Addr())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	h := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = h.Close()
	}()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
