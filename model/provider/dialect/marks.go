package dialect

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Marks tells what a model thinks from what it answers where both come in one text: between
// marks, before a closing mark alone, in channels. What is in code or in quotation marks stays.
type Marks struct {
	// Habit is what is known of the server's answers to conversations.
	Habit Habit
	// Found is what this answer shows of it.
	Found Habit

	state   markState
	close   []byte // ends the thought
	held    []byte // text of which it is not known yet what it is
	line    []byte // the line so far that was said, bounded
	fence   bool   // within a block of code
	edit    bool   // an edit has begun: all that comes is code
	after   bool   // a thought has ended, and nothing was said since
	final   bool   // the current channel is the one of the answer
	thought []byte // the last byte of the thought so far
	ends    string // the mark that will end the answer, behind a wrapper
}

// A Habit is how a server's answers begin.
type Habit int

// The habits of servers.
const (
	HabitUnknown Habit = iota
	HabitPlain         // no thoughts in the text, or none without their beginning
	HabitAlone         // thoughts without the mark of their beginning: it is in the prompt
)

type markState int

const (
	markBegins  markState = iota // nothing has been said
	markSaying                   //
	markThought                  // up to the closing mark
	markAlone                    // as markThought, and the answer if no closing mark comes
	markChannel                  // harmony: the name of a channel
	markBody                     // harmony: what is said in it
)

// Marks that begin and end thoughts, in lower case. Sources: DeepSeek, Qwen and most others;
// Mistral's Magistral; Kimi; OpenThinker; Cohere; Seed; MiniMax; Gemma.
var thoughtMarks = []struct{ begin, end string }{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"}, {"<thoughts>", "</thoughts>"}, {"<reasoning>", "</reasoning>"}, {`<details type="reasoning"`, "</details>"},
	{"<seed:think>", "</seed:think>"}, {"<mm:think>", "</mm:think>"}, {"[think]", "[/think]"}, {"◁think▷", "◁/think▷"},
	{"<|begin_of_thought|>", "<|end_of_thought|>"}, {"<|start_thinking|>", "<|end_thinking|>"}, {"<|channel>thought", "<channel|>"}, {"<unused94>thought", "<unused95>"},
}

// wrappers are marks around an answer: tokens wherever it begins, tags behind a thought alone.
var wrappers = []struct{ begin, end string }{{"<answer>", "</answer>"}, {"<response>", "</response>"}, {"<|begin_of_solution|>", "<|end_of_solution|>"}, {"<|start_response|>", "<|end_response|>"}, {"<|start_text|>", "<|end_text|>"}}

// endTokens end an answer. They are for the server, and some let them through.
var endTokens = []string{"<|return|>", "<|end|>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "<|end_of_text|>", "<|end_of_turn|>", "<|end_of_turn_token|>", "<|call|>", "<end_of_turn>", "<eos>", "</s>", "<｜end▁of▁sentence｜>"}

// isToken reports whether a mark is a token of a model's own, which no text has.
func isToken(mark string) bool { return strings.HasPrefix(mark, "<|") }

// longestMark bounds the length of a mark.
const longestMark = 32

// channelMarks are the tokens of harmony, in which gpt-oss answers.
var channelMarks = []string{"<|start|>", "<|channel|>", "<|message|>", "<|constrain|>", "<|end|>", "<|return|>", "<|call|>"}

// editMarks begin an edit: below them everything is code.
var editMarks = []string{"<<<<<", "------- SEARCH", "*** Begin", "--- ", "diff --git", "@@", "<edit", "<old_", "<search"}

// How much of a beginning is held to see whether it is a thought, and the most that is held of
// one that looks like it.
const (
	unsureBytes = 200
	unsureMost  = 64 << 10
)

// deliberates finds words by which models think, and seldom answer.
var deliberates = regexp.MustCompile(`(?i)\b(?:let me|let's|i need to|i should|we need to|we should|the user|user (?:asks|wants)|hmm+|okay|ok,|alright|wait,|thinking|i think|maybe|first, i)\b`)

// Filter returns what of the next piece of text is said and what is thought. last is true for
// the last piece.
func (m *Marks) Filter(text []byte, last bool) (said, thought []byte) {
	if m.state == markSaying && len(m.held) == 0 && !m.after && nextSpecial(text, 0) == len(text) {
		m.follow(text)
		return text, nil
	}
	m.held = append(m.held, text...)
	var out filtered
	for m.step(&out, last) {
	}
	return out.said, out.thought
}

// filtered is what one call has found.
type filtered struct{ said, thought []byte }

// step reads a part of what is held, and reports whether there is more to read now.
func (m *Marks) step(out *filtered, last bool) bool {
	switch m.state {
	case markBegins:
		return m.begin(last)
	case markThought, markAlone:
		return m.think(out, last)
	case markChannel, markBody:
		return m.channel(out, last)
	}
	return m.saying(out, last)
}

// begin decides what an answer begins with.
func (m *Marks) begin(last bool) bool {
	head := bytes.TrimLeft(m.held, " \t\r\n")
	for _, mark := range thoughtMarks {
		if hasFold(head, mark.begin) {
			m.held, m.close, m.state = bytes.Clone(head[len(mark.begin):]), []byte(mark.end), markThought
			m.Found = HabitPlain
			return true
		}
	}
	for _, of := range wrappers {
		if isToken(of.begin) && hasFold(head, of.begin) {
			m.held, m.ends, m.state = bytes.Clone(head[len(of.begin):]), of.end, markSaying
			return true
		}
	}
	switch {
	case hasFold(head, "<|channel|>"), hasFold(head, "<|start|>"), hasFold(head, "<|message|>"):
		m.held, m.state, m.Found = bytes.Clone(head), markChannel, HabitPlain
		return true
	case bareChannel.Match(head):
		return m.bare(head, last)
	case !last && (len(head) == 0 || maybeMark(head)), !last && m.Habit == HabitUnknown && bytes.HasPrefix([]byte("analysis"), head):
		return false
	case m.Habit == HabitAlone:
		m.close, m.state = []byte("</think>"), markAlone
		return true
	case m.Habit == HabitUnknown:
		return m.unsure(last)
	}
	m.state = markSaying
	return true
}

// bareChannel is harmony without its tokens.
var bareChannel = regexp.MustCompile(`^analysis[A-Z"'*\n]`)

// bare reads an answer whose channels have lost their tokens: analysis…assistantfinal….
func (m *Marks) bare(head []byte, last bool) bool {
	at := bytes.Index(head, []byte("assistantfinal"))
	if at < 0 {
		if last {
			m.state = markSaying
		}
		return last
	}
	m.held = slices.Concat(head[len("analysis"):at], []byte("</think>"), head[at+len("assistantfinal"):])
	m.close, m.state, m.Found = []byte("</think>"), markThought, HabitPlain
	return true
}

// unsure decides whether what is held is a thought whose beginning is in the prompt: a closing
// mark says so. What does not look like a thought is not held for long.
func (m *Marks) unsure(last bool) bool {
	if at, end := m.closing(last); at >= 0 {
		m.close, m.state, m.Found = bytes.Clone(m.held[at:end]), markAlone, HabitAlone
		return true
	}
	if !last && len(m.held) < unsureMost && (len(m.held) < unsureBytes || deliberates.Match(m.held[:unsureBytes])) {
		return false
	}
	m.state = markSaying
	return true
}

// closing finds a closing mark that stands alone in what is held: outside of code, without a
// mark before it that begins the thought, and before any edit.
func (m *Marks) closing(last bool) (at, end int) {
	for _, mark := range thoughtMarks {
		for from := 0; ; {
			i := indexFold(m.held[from:], mark.end)
			if i < 0 {
				break
			}
			at := from + i
			end := at + len(mark.end)
			whole := end < len(m.held) || last
			if whole && indexFold(m.held[:at], mark.begin) < 0 && stands(m.held, at, end) {
				return at, end
			}
			from = end
		}
	}
	return -1, -1
}

// stands reports whether a mark is not said of: it begins or ends its line, or is glued to what
// is before it; and it is not in code or quotation marks.
func stands(text []byte, at, end int) bool {
	lineStart := bytes.LastIndexByte(text[:at], '\n') + 1
	before := bytes.TrimLeft(text[lineStart:at], " \t")
	if quotedBefore(before) || bytes.Count(text[lineStart:at], []byte("`"))%2 == 1 || inCode(text[:at]) {
		return false
	}
	ends := end == len(text) || text[end] == '\n' || text[end] == '\r'
	glued := len(before) > 0 && before[len(before)-1] != ' '
	return len(before) == 0 || ends || glued
}

func quotedBefore(before []byte) bool {
	return len(before) > 0 && bytes.ContainsAny(before[len(before)-1:], "`'\"(“‘")
}

// inCode reports whether a text ends within a block of code, or below the beginning of an edit.
func inCode(text []byte) bool {
	var m Marks
	m.follow(text)
	return m.fence || m.edit
}

func isFence(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
}

// think reads up to the closing mark.
func (m *Marks) think(out *filtered, last bool) bool {
	for from := 0; ; {
		i := indexFold(m.held[from:], string(m.close))
		if i < 0 {
			break
		}
		at := from + i
		if quotedBefore(m.held[:at]) || at == 0 && quotedBefore(m.thought) {
			from = at + len(m.close)
			continue
		}
		out.thought = append(out.thought, m.held[:at]...)
		if m.state == markAlone {
			m.Found = HabitAlone
		}
		m.held = bytes.TrimLeft(m.held[at+len(m.close):], " \t\r\n")
		m.state, m.after = markSaying, true
		return len(m.held) > 0
	}
	switch {
	case last && m.state == markAlone: // it did not think this time
		m.state, m.Found = markSaying, HabitPlain
		return true
	case m.state == markAlone:
		return false
	}
	keep := 0
	if !last {
		keep = min(len(m.held), len(m.close)) // the mark may be split
	}
	if n := len(m.held) - keep; n > 0 {
		m.thought = append(m.thought[:0], m.held[n-1])
	}
	out.thought = append(out.thought, m.held[:len(m.held)-keep]...)
	m.held = bytes.Clone(m.held[len(m.held)-keep:])
	return false
}

// saying passes on what is said, up to a mark.
func (m *Marks) saying(out *filtered, last bool) bool {
	if m.after {
		if wait := m.unwrap(last); wait {
			return false
		}
	}
	for at := 0; ; {
		i := nextSpecial(m.held, at)
		m.follow(m.held[at:i])
		if i == len(m.held) {
			m.say(out, i)
			return false
		}
		switch found := m.markAt(m.held[i:], last); found.kind {
		case markNone:
			m.follow(m.held[i : i+1])
			at = i + 1
			continue
		case markOpen:
			m.say(out, i)
			return false
		case markBegin:
			m.say(out, i)
			m.held = bytes.Clone(m.held[found.length:])
			m.close, m.state = []byte(found.close), markThought
			return true
		default:
			m.say(out, i)
			m.held = bytes.Clone(m.held[found.length:])
			if found.kind == markEnd {
				m.Found, m.after = HabitAlone, true
			}
			return len(m.held) > 0
		}
	}
}

// unwrap takes off what begins an answer behind a thought. It reports whether that needs more
// of the text.
func (m *Marks) unwrap(last bool) (wait bool) {
	m.held = bytes.TrimLeft(m.held, "\r\n")
	for _, of := range wrappers {
		switch {
		case hasFold(m.held, of.begin):
			m.held, m.ends = bytes.Clone(m.held[len(of.begin):]), of.end
		case !last && len(m.held) < len(of.begin) && hasFold([]byte(of.begin), string(m.held)):
			return true
		}
	}
	return false
}

// say passes on the first n bytes of what is held.
func (m *Marks) say(out *filtered, n int) {
	out.said = append(out.said, m.held[:n]...)
	m.held = bytes.Clone(m.held[n:])
	if n > 0 {
		m.after = false
	}
}

// nextSpecial is the offset of the next byte with which a mark may begin, or the length.
func nextSpecial(text []byte, from int) int {
	end := len(text)
	if end-from <= 32 { // a token
		for i, c := range text[from:] {
			if isSpecial[c] {
				return from + i
			}
		}
		return end
	}
	for _, c := range []byte{'<', '[', "◁"[0]} {
		if i := bytes.IndexByte(text[from:end], c); i >= 0 {
			end = from + i
		}
	}
	return end
}

var isSpecial = [256]bool{'<': true, '[': true, 0xE2: true} // the first byte of ◁

// A mark is one with which a text begins.
type mark struct {
	kind   markKind
	length int
	close  string // of markBegin
}

type markKind int

const (
	markNone  markKind = iota
	markOpen           // it may be one: more has to come
	markBegin          // of a thought
	markEnd            // of a thought that was taken for the answer
	markDrop           // of the end of the answer
)

// markAt returns the mark with which a text begins that is being said. Marks of thoughts count
// at the beginning of a line, those of the end at the end.
func (m *Marks) markAt(text []byte, last bool) mark {
	if m.isCode() {
		return mark{}
	}
	trimmed := bytes.TrimRight(text, " \t\r\n")
	for _, token := range endTokens {
		if endsWith(trimmed, token, last) {
			return dropped(text, last)
		}
	}
	if m.ends != "" && endsWith(trimmed, m.ends, last) {
		return dropped(text, last)
	}
	if len(bytes.TrimSpace(m.line)) > 0 {
		return mark{}
	}
	for _, of := range thoughtMarks {
		switch {
		case !last && len(text) < longestMark && (hasFold([]byte(of.begin), string(text)) || hasFold([]byte(of.end), string(text))):
			return mark{kind: markOpen}
		case hasFold(text, of.end):
			return mark{kind: markEnd, length: len(of.end)}
		case !hasFold(text, of.begin):
		case m.after, indexFold(text, of.end) >= 0:
			return mark{markBegin, len(of.begin), of.end}
		case !last && len(text) < unsureMost:
			return mark{kind: markOpen}
		}
	}
	return mark{}
}

// endsWith reports whether a text is a token, or the beginning of one that has not come whole.
func endsWith(text []byte, token string, last bool) bool {
	return len(text) == len(token) && hasFold(text, token) || !last && len(text) < len(token) && hasFold([]byte(token), string(text))
}

func dropped(text []byte, last bool) mark {
	if !last {
		return mark{kind: markOpen}
	}
	return mark{kind: markDrop, length: len(text)}
}

// follow notes what was said of the current line.
func (m *Marks) follow(said []byte) {
	for len(said) > 0 {
		end := bytes.IndexByte(said, '\n')
		ended := end >= 0
		if !ended {
			end = len(said)
		}
		if room := maxLine - len(m.line); room > 0 {
			m.line = append(m.line, said[:min(end, room)]...)
		}
		if !ended {
			return
		}
		if isFence(m.line) {
			m.fence = !m.fence
		}
		m.edit = m.edit || !m.fence && slices.ContainsFunc(editMarks, func(begins string) bool { return bytes.HasPrefix(m.line, []byte(begins)) })
		m.line, said = m.line[:0], said[end+1:]
	}
}

// maxLine bounds what is remembered of a line.
const maxLine = 256

// isCode reports whether what comes is code, or is in quotation marks.
func (m *Marks) isCode() bool {
	return m.edit || m.fence || isFence(m.line) || bytes.Count(m.line, []byte("`"))%2 == 1 || quotedBefore(m.line)
}

// channel reads harmony: names of channels, and what is said in them.
func (m *Marks) channel(out *filtered, last bool) bool {
	at, token := firstOf(m.held, channelMarks)
	body := m.held
	if at >= 0 {
		body = m.held[:at]
	} else if !last {
		keep := 0
		for i := max(0, len(body)-len("<|constrain|>")); i < len(body); i++ {
			if body[i] == '<' {
				keep = len(body) - i
				break
			}
		}
		body = body[:len(body)-keep]
	}
	switch {
	case m.state == markBody && m.final:
		out.said = append(out.said, body...)
	case m.state == markBody:
		out.thought = append(out.thought, body...)
	case at >= 0 && token == "<|message|>" || at >= 0 && token == "<|constrain|>":
		m.final = m.final || bytes.HasPrefix(bytes.TrimSpace(body), []byte("final"))
	case at < 0:
		return false // the name of a channel that has not come whole
	}
	if at < 0 {
		m.held = bytes.Clone(m.held[len(body):])
		return false
	}
	m.held = bytes.Clone(m.held[at+len(token):])
	switch token {
	case "<|message|>":
		m.state = markBody
	case "<|constrain|>":
	default:
		m.state, m.final = markChannel, false
	}
	return len(m.held) > 0
}

// firstOf is the first of several marks in a text.
func firstOf(text []byte, marks []string) (at int, mark string) {
	at = -1
	for _, one := range marks {
		if i := bytes.Index(text, []byte(one)); i >= 0 && (at < 0 || i < at) {
			at, mark = i, one
		}
	}
	return at, mark
}

// maybeMark reports whether a text is the beginning of a mark, and ends before it does.
func maybeMark(text []byte) bool {
	begins := func(mark string) bool { return len(text) < len(mark) && hasFold([]byte(mark), string(text)) }
	for _, of := range thoughtMarks {
		if begins(of.begin) || begins(of.end) {
			return true
		}
	}
	for _, of := range wrappers {
		if isToken(of.begin) && begins(of.begin) {
			return true
		}
	}
	return slices.ContainsFunc(channelMarks, begins)
}

func hasFold(text []byte, mark string) bool {
	return len(text) >= len(mark) && bytes.EqualFold(text[:len(mark)], []byte(mark))
}

// indexFold is the offset of a mark in any case, or -1.
func indexFold(text []byte, mark string) int {
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], mark[0])
		if i < 0 {
			return -1
		}
		if from += i; hasFold(text[from:], mark) {
			return from
		}
		from++
	}
}
