package dialect

import (
	"testing"
)

// marked are answers in which a model thinks, and what of them is the answer. Sources:
// mudler/LocalAI#4761, cubist38/mlx-openai-server#179, QwenLM/qwen-code#6033, #8818, #10791,
// perplexityai/api-discussion#177, nbramia/LifeOS#568, scouzi1966/maclocal-api#121, kekzl/imp#768,
// Augustas11/macprovider#743, odysseus-dev/odysseus#4522, cuga-project/cuga-agent#558, paperclipai/paperclip#7719.
var marked = []struct{ name, text, said, thought string }{
	{"nothing", "A returns one.", "A returns one.", ""},
	{"a pair", "<think>It may return one.\nLet me see.</think>\n\nA returns one.", "A returns one.", "It may return one.\nLet me see."},
	{"a pair behind space", "\n\n<think>\nhm\n</think>\n\nA returns one.", "A returns one.", "\nhm\n"},
	{"an empty pair", "<think>\n\n</think>\n\nA returns one.", "A returns one.", "\n\n"},
	{"capitals", "<THINK>hm</THINK>A returns one.", "A returns one.", "hm"},
	{"thinking", "<thinking>hm</thinking>\nA returns one.", "A returns one.", "hm"},
	{"reasoning", "<reasoning>hm</reasoning>\nA returns one.", "A returns one.", "hm"},
	{"Magistral", "[THINK]hm[/THINK]A returns one.", "A returns one.", "hm"},
	{"Kimi", "◁think▷hm◁/think▷A returns one.", "A returns one.", "hm"},
	{"OpenThinker", "<|begin_of_thought|>hm<|end_of_thought|>\n\n<|begin_of_solution|>A returns one.<|end_of_solution|>", "A returns one.", "hm"},
	{"Cohere", "<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>A returns one.<|END_RESPONSE|>", "A returns one.", "hm"},
	{"Gemma", "<|channel>thought\nhm<channel|>A returns one.", "A returns one.", "\nhm"},
	{"MiniMax", "<mm:think>hm</mm:think>A returns one.", "A returns one.", "hm"},
	{"Seed", "<seed:think>hm</seed:think>A returns one.", "A returns one.", "hm"},
	{"an answer in marks", "<think>hm</think>\n<answer>A returns one.</answer>", "A returns one.", "hm"},
	{"two thoughts", "<think>hm</think>\n<think>hm hm</think>\nA returns one.", "A returns one.", "hmhm hm"},
	{"a thought in between", "I look.\n<think>hm</think>\nA returns one.", "I look.\nA returns one.", "hm"},
	{"the closing mark alone", "It may return one.\nLet me see.\n</think>\n\nA returns one.", "A returns one.", "It may return one.\nLet me see.\n"},
	{"the closing mark alone, glued", "Okay, it may return one.</think>A returns one.", "A returns one.", "Okay, it may return one."},
	{"the closing mark first", "</think>\n\nA returns one.", "A returns one.", ""},
	{"a long thought without its beginning", "Okay, the user asks what A returns. " + long + "\n</think>\nA returns one.", "A returns one.", "Okay, the user asks what A returns. " + long + "\n"},
	{"never closed", "<think>It may return", "", "It may return"},
	{"harmony", "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>A returns one.<|return|>", "A returns one.", "hm"},
	{"harmony, only the end", "<|channel|>final<|message|>A returns one.", "A returns one.", ""},
	{"harmony from its start", "<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{}<|return|>", "{}", "hm"},
	{"harmony with a remark", "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>final<|message|>A returns one.", "A returns one.", "hmI look."},
	{"harmony without tokens", "analysisWe need to answer. One.assistantfinalA returns one.", "A returns one.", "We need to answer. One."},
	{"a token at the end", "A returns one.<|im_end|>", "A returns one.", ""},
	{"a token at the end of a line", "A returns one.\n<|eot_id|>\n", "A returns one.\n", ""},

	{"in a code block", "Write this:\n```\n<think>hm</think>\n```\n", "Write this:\n```\n<think>hm</think>\n```\n", ""},
	{"in code", "The mark `<think>` begins it, `</think>` ends it.", "The mark `<think>` begins it, `</think>` ends it.", ""},
	{"in quotes", "It looks for \"</think>\"\nand stops.", "It looks for \"</think>\"\nand stops.", ""},
	{"in a sentence", "The mark </think> ends it.", "The mark </think> ends it.", ""},
	{"named in a thought", "<think>Is `</think>` meant?</think>A returns one.", "A returns one.", "Is `</think>` meant?"},
	{"an opening mark that is shown", "Models write\n<think>\nand so on.", "Models write\n<think>\nand so on.", ""},
	{"in an edit", "a.go\n<<<<<<< SEARCH\n<think>\n=======\n<think>x</think>\n>>>>>>> REPLACE\n", "a.go\n<<<<<<< SEARCH\n<think>\n=======\n<think>x</think>\n>>>>>>> REPLACE\n", ""},
	{"XML", "<response>\n<thing/>\n</response>", "<response>\n<thing/>\n</response>", ""},
	{"a list", "[1, 2] < [3]", "[1, 2] < [3]", ""},
	{"the word", "analysis of A: it returns one.", "analysis of A: it returns one.", ""},
	{"a token that is shown", "The token <|im_end|> ends a message.", "The token <|im_end|> ends a message.", ""},
	{"only space", "  \n", "  \n", ""},
}

const long = "It has one return statement, and that one has the number one in it. So it should return one, unless there is another function of the same name in the package, which there is not, as far as I see."

// TestMarks: what is said and thought does not depend on how the text is split.
func TestMarks(t *testing.T) {
	t.Parallel()
	for _, c := range marked {
		for size := 1; size <= len(c.text); size++ {
			m := &Marks{}
			said, thought := "", ""
			for at := 0; at < len(c.text); at += size {
				s, th := m.Filter([]byte(c.text[at:min(at+size, len(c.text))]), false)
				said, thought = said+string(s), thought+string(th)
			}
			s, th := m.Filter(nil, true)
			if said, thought = said+string(s), thought+string(th); said != c.said || thought != c.thought {
				t.Errorf("%s in pieces of %d: said %q, thought %q, want %q, %q", c.name, size, said, thought, c.said, c.thought)
				break
			}
		}
	}
}

// TestMarksHoldLittle: an answer that does not look like a thought is passed on while it comes,
// and all of one whose server is known.
func TestMarksHoldLittle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		habit Habit
		text  string
		most  int // held
	}{
		{HabitUnknown, "The function A returns the number one. " + long, unsureBytes},
		{HabitPlain, "Okay, the user asks. " + long, 0},
		{HabitPlain, "a < b, and [1] is ◀", longestMark},
	} {
		m, given, said := &Marks{Habit: c.habit}, 0, 0
		for i := range len(c.text) {
			s, _ := m.Filter([]byte(c.text[i:i+1]), false)
			given, said = given+1, said+len(s)
			if given-said > c.most {
				t.Errorf("habit %d, %q: holds %d of %d bytes", c.habit, c.text[:20], given-said, given)
				break
			}
		}
	}
}

// TestHabits: what an answer shows of its server, and what is done with it.
func TestHabits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Habit{"x\n</think>\ny": HabitAlone, "<think>x</think>y": HabitPlain, "A returns one.": HabitUnknown} {
		m := &Marks{}
		m.Filter([]byte(text), true)
		if m.Found != want {
			t.Errorf("%q shows %d, want %d", text, m.Found, want)
		}
	}
	m := &Marks{Habit: HabitAlone}
	if said, thought := m.Filter([]byte("A returns one."), true); string(said) != "A returns one." || thought != nil {
		t.Errorf("without its closing mark, said %q, thought %q", said, thought)
	}
}
