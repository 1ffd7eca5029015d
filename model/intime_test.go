package model

import (
	"testing"
	"time"
)

// TestInTime holds what follows from a server's speed and from the time that a person waits:
// nothing where the server is not the user's, little until its speed is known.
func TestInTime(t *testing.T) {
	const wait = 600 * time.Millisecond
	for _, c := range []struct {
		name string
		m    ModelConfig
		wait time.Duration
		want InTime
	}{
		{"a provider's", ModelConfig{}, wait, InTime{Lines: MostLines}},
		{"not measured yet", ModelConfig{Server: Server{Own: true}}, wait, InTime{Own: true, Window: LeastKey, Key: LeastKey, Lines: MostLines}},
		{"two cores", ModelConfig{Server: Server{Own: true}, Rate: Rate{200, 25}}, wait, InTime{Own: true, Window: 600, Key: 56, Lines: 6, Wait: wait}},
		{"a graphics card", ModelConfig{Server: Server{Own: true}, Rate: Rate{2000, 100}}, wait, InTime{Own: true, Window: 6000, Key: 1040, Lines: 25, Wait: 112 * time.Millisecond}},
		{"one that writes slowly", ModelConfig{Server: Server{Own: true}, Rate: Rate{200, 5}}, wait, InTime{Own: true, Window: 600, Key: LeastKey / 2, Lines: 1, Wait: 1760 * time.Millisecond}},
		{"too slow", ModelConfig{Server: Server{Own: true}, Rate: Rate{100, 0}}, wait, InTime{Own: true, Window: 300, Key: 60, Lines: MostLines, Slow: true, Wait: 640 * time.Millisecond}},
		{"for a patient person", ModelConfig{Server: Server{Own: true}, Rate: Rate{100, 0}}, time.Second, InTime{Own: true, Window: 300, Key: 100, Lines: MostLines, Wait: 640 * time.Millisecond}},
	} {
		got := c.m.InTime(c.wait)
		got.Wait = got.Wait.Round(time.Millisecond)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestServerOfOnesOwn: a server of this machine without a key is the user's own, and one that
// passes on to others is not: its model has a price.
func TestServerOfOnesOwn(t *testing.T) {
	for price, want := range map[float64]bool{0: true, -1: true, 0.35: false} {
		setup := testSetup()
		setup.Providers = map[string]ProviderConfig{"p": {Name: "p", BaseURLs: []string{"http://127.0.0.1:4000/v1"}}}
		setup.Models = map[string]ModelConfig{"m": {Name: "m", Provider: "p", InputPrice: price, OutputPrice: price}}
		setup.Fast, setup.Deep = "m", ""
		if m, ok := newBench(setup).Config(Fast); !ok || m.Server.Own != want {
			t.Errorf("at %v: %+v", price, m.Server)
		}
	}
}
