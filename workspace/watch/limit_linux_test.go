package watch

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestLimitIsHalf: what the system says is read whole, though its file says that it is empty.
func TestLimitIsHalf(t *testing.T) {
	content, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil || Limit() != n/2 {
		t.Errorf("at most %d directories are watched of the %q that the system allows", Limit(), content)
	}
}
