package edits

import "testing"

// TestFenceInPatch: a fence without a sign, in a patch that has no Begin, ends the patch only if
// nothing shows that it is a line of the file.
func TestFenceInPatch(t *testing.T) {
	t.Parallel()
	const head = "```\n*** Update File: a.md\n@@\n-old\n+new\n"
	for _, c := range []struct {
		name, answer string
		refused      bool
	}{
		{"it ends the patch", head + "```\nThat is all.\n", false},
		{"an added line follows", head + "```\n+more\n```\n", true},
		{"a hunk follows", head + "```\n@@\n-a\n+b\n", true},
		{"lines and the end follow", head + "```\n text\n```\n", true},
		{"lines and a pair of fences follow", head + "```\n text\n```\nmore\n```\n", true},
		{"a removed line and a pair of fences follow", head + "```\n\n-more\n```\n last\n```\n", true},
		{"an example follows", head + "```\n\nThen run:\n```sh\nmake\n```\n", false},
	} {
		blocks, err := Parse(FormatApplyPatch, c.answer)
		if (err != nil) != c.refused || err == nil && len(blocks) != 1 {
			t.Errorf("%s: %v, %v", c.name, blocks, err)
		}
	}
}
