package state

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestOutcomes: what is added is read again in order, other versions and damage are
// skipped, the files stay bounded, and purging removes them.
func TestOutcomes(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := s.Outcomes()
	if list, err := o.Read(); err != nil || len(list) != 0 {
		t.Fatalf("at first: %v, %v", list, err)
	}
	for _, end := range []string{"accepted", "against"} {
		if err := o.Add(Outcome{Time: time.Unix(1, 0), ID: end, Model: "m", End: end, Place: []float64{0, 1}}); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(o.dir, outcomesFile)
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("{\"v\":99,\"end\":\"accepted\"}\nhalf a li")
	_ = f.Close()
	list, err := o.Read()
	if err != nil || len(list) != 2 || list[0].End != "accepted" || list[1].End != "against" || len(list[0].Place) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	o.most = 1 << 10
	for range 100 {
		if err := o.Add(Outcome{End: "left", ID: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	parts, err := s.Sizes()
	if err != nil || len(parts) != 1 || parts[0].Bytes > 3<<10 {
		t.Errorf("%+v, %v", parts, err)
	}
	if _, err := s.Purge(); err != nil {
		t.Fatal(err)
	}
	if list, err := o.Read(); err != nil || len(list) != 0 {
		t.Errorf("after purging: %d, %v", len(list), err)
	}
}

// TestOutcomesAreReadWhole: while others add, and begin the next file, what is read has no
// gap and nothing twice.
func TestOutcomesAreReadWhole(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	adder, reader := s.Outcomes(), s.Outcomes()
	adder.most = 200
	var added sync.WaitGroup
	ended := make(chan struct{})
	added.Go(func() {
		defer close(ended)
		for i := range 1000 {
			if err := adder.Add(Outcome{Length: i}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	defer added.Wait()
	for over := false; !over; {
		select {
		case <-ended:
			over = true
		default:
		}
		list, err := reader.Read()
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if list[i].Length != list[0].Length+i {
				t.Fatalf("after %d comes %d", list[i-1].Length, list[i].Length)
			}
		}
	}
}
