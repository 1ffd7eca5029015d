package format

import (
	"path"
	"slices"
	"strings"
)

// The names of the formats, as configuration has them.
const (
	Chat    = "chat"     // a conversation
	FIM     = "fim"      // fills in between a prefix and a suffix
	Sweep   = "sweep"    // Sweep Next-Edit
	SweepV2 = "sweep-v2" // Sweep Next-Edit, second form
	Zeta2   = "zeta2"    // Zeta 2
	Mercury = "mercury"  // Mercury Edit
)

// Names are all formats, in the order of the documentation.
func Names() []string { return []string{Chat, FIM, Sweep, SweepV2, Zeta2, Mercury} }

// Infer returns the format that a model's id names for certain, else "". The id may
// be a path of a file or a tag, as local servers report it.
func Infer(id string) string {
	id = strings.ToLower(path.Base(strings.ReplaceAll(id, `\`, "/")))
	switch {
	case strings.Contains(id, "sweep-next-edit"), strings.Contains(id, "sweep_next_edit"):
		// The v2 of sweep-next-edit-1.5b.q8_0.v2.gguf is the file's, not the model's.
		if strings.Contains(id, "edit-v2") || strings.Contains(id, "edit_v2") || strings.Contains(id, "7b") {
			return SweepV2
		}
		return Sweep
	case strings.Contains(id, "zeta-2"), strings.Contains(id, "zeta2"):
		if later(id) {
			return ""
		}
		return Zeta2
	case strings.Contains(id, "mercury-edit"):
		return Mercury
	}
	return ""
}

// later reports whether an id names Zeta 2.1 or a later minor version.
func later(id string) bool {
	for _, mark := range []string{"zeta-2.", "zeta2.", "zeta-2-1", "zeta-2_1", "zeta2-1"} {
		if i := strings.Index(id, mark); i >= 0 {
			rest := id[i+len(mark)-1:]
			if len(rest) > 1 && rest[1] >= '1' && rest[1] <= '9' || rest[0] == '1' {
				return true
			}
		}
	}
	return false
}

// Unsupported returns why the model of an id cannot be asked for next edits, "" if
// nothing is known against it.
func Unsupported(id string) string {
	base := strings.ToLower(path.Base(strings.ReplaceAll(id, `\`, "/")))
	if later(base) {
		return "Zeta 2.1 and later answer with numbered blocks, which tandem does not read; use Zeta 2"
	}
	return ""
}

// NextEdits reports whether a format is one of those made for next edits.
func NextEdits(name string) bool { return formats[name] != nil }

// Chats reports whether a model of a format holds conversations. "" is a chat.
func Chats(name string) bool { return name == "" || name == Chat }

// A Format is one form of prompt and answer.
type Format struct {
	Name string
	// Trained is how many tokens of prompt the models were trained on: more of it
	// makes them worse.
	Trained int
	// Above and Below are the lines around the cursor's line that the answer
	// rewrites; 0 where Editable bounds them.
	Above, Below int
	// Editable and Around are the tokens of the region that the answer rewrites, and
	// of the file on each side of it.
	Editable, Around int
	// Chunk is how many lines of the file around the region are shown, 0 for those of
	// Around. Its beginning moves in steps of chunkStride, so that a server's prompt
	// cache stays valid while the cursor moves.
	Chunk int
	// History is how many recent changes are shown at most.
	History int
	// Stops end an answer.
	Stops []string
	// Conversation: the prompt is the one message of a user.
	Conversation bool

	markers []string // text that the format gives a meaning
	lines   []string // lines that it gives a meaning
	render  func(*writer, Input)
	cursor  string // the marker of the cursor in prompt and answer
}

const chunkStride = 150

// For returns the format of a name, or nil if it is none for next edits.
func For(name string) *Format { return formats[name] }

var formats = map[string]*Format{
	Sweep: {
		Name: Sweep, Trained: 8192, Above: 10, Below: 10, History: 6,
		Stops:   []string{"<|file_sep|>", "<|endoftext|>", "</s>"},
		markers: qwenMarkers, render: renderSweep,
	},
	SweepV2: {
		Name: SweepV2, Trained: 16384, Above: 2, Below: 5, Chunk: 300, History: 6,
		Stops:   []string{"<|file_sep|>", "<|endoftext|>", "</s>"},
		markers: slices.Concat(qwenMarkers, []string{"<|cursor|>"}), render: renderSweepV2, cursor: "<|cursor|>",
	},
	Zeta2: {
		Name: Zeta2, Trained: 8192, Editable: 350, Around: 150, History: 6,
		Stops:   []string{">>>>>>> UPDATED", "<[fim-suffix]>", "<[fim-prefix]>", "<[fim-middle]>"},
		markers: []string{"<[fim-", "<filename>", "<|user_cursor|>", "<[begin▁of▁sentence]>", "<[end▁of▁sentence]>"},
		lines:   []string{"<<<<<<< CURRENT", ">>>>>>> UPDATED"},
		render:  renderZeta2, cursor: "<|user_cursor|>",
	},
	Mercury: {
		Name: Mercury, Trained: 30000, Editable: 350, Around: 150, History: 6, Conversation: true,
		markers: []string{"<|recently_viewed_code_snippet", "<|/recently_viewed_code_snippet", "<|current_file_content|>", "<|/current_file_content|>",
			"<|code_to_edit|>", "<|/code_to_edit|>", "<|edit_diff_history|>", "<|/edit_diff_history|>", "<|cursor|>"},
		render: renderMercury, cursor: "<|cursor|>",
	},
}

// qwenMarkers are the special tokens of Qwen2.5-Coder.
var qwenMarkers = []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>",
	"<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>",
	"<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"}

// Forges returns the marker of the format that a text holds, or "". A model would
// read it as the end or the beginning of a part of its prompt.
func (f *Format) Forges(text string) string {
	for _, m := range f.markers {
		if strings.Contains(text, m) {
			return m
		}
	}
	for _, line := range f.lines {
		if hasLine(text, line) {
			return line
		}
	}
	return ""
}

// hasLine reports whether a text has a line that begins with a marker.
func hasLine(text, marker string) bool {
	return strings.HasPrefix(text, marker) || strings.Contains(text, "\n"+marker)
}
