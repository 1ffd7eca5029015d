package cut

import "testing"

func TestCut(t *testing.T) {
	for _, c := range []struct {
		cut  Cut
		want string
	}{
		{Left(0, "file", "files"), ""},
		{Left(1, "more file uses New", "more files use New"), "1 more file uses New"},
		{Left(31000, "more file uses New", "more files use New"), "31,000 more files use New"},
		{Join(Cut{}, Left(1, "folder", "folders"), Cut{}), "1 folder"},
		{Join(Left(2, "folder", "folders"), Because("it is deep"), Left(2, "folder", "folders")), "2 folders, and it is deep"},
	} {
		if c.cut.String() != c.want || c.cut.None() != (c.want == "") {
			t.Errorf("%q, none %v; want %q", c.cut, c.cut.None(), c.want)
		}
	}
	items, left := First([]int{1, 2, 3}, 2, "number", "numbers").All()
	if len(items) != 2 || cap(items) != 2 || left.String() != "1 number" {
		t.Errorf("%v of %d, %q", items, cap(items), left)
	}
	if items, left := First([]int{1, 2}, 2, "number", "numbers").All(); len(items) != 2 || !left.None() {
		t.Errorf("%v, %q at the edge", items, left)
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", 699328: "699,328", 1234567: "1,234,567"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
