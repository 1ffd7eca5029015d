package run

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestWhoTypesGoesFirst: of those who wait for a check, the one in a hurry is next.
func TestWhoTypesGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := NewTurn()
		turn.Take(t.Context(), false)
		order := make(chan string, 2)
		wait := func(who string, hurry bool) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if turn.Take(ctx, hurry) {
				order <- who
				turn.Give()
			}
		}
		go wait("edit", false)
		synctest.Wait()
		go wait("key press", true)
		synctest.Wait()
		turn.Give()
		if first, second := <-order, <-order; first != "key press" || second != "edit" {
			t.Errorf("%s went before %s", first, second)
		}
		synctest.Wait()
		<-turn.free
		wait("nobody", true)
		if len(order) > 0 {
			t.Error("the turn of another was taken")
		}
	})
}
