package edits

import (
	"slices"
	"strings"
)

// A Format is one way in which models write edits.
type Format string

// The formats, as configuration and `tandem apply` name them.
const (
	FormatApplyPatch    Format = "apply_patch"    // *** Begin Patch … *** End Patch
	FormatSearchReplace Format = "search_replace" // <<<<<<< SEARCH … ======= … >>>>>>> REPLACE
	FormatStrReplace    Format = "str_replace"    // <old_text>…</old_text><new_text>…</new_text>, or a decoded list: see ReplacementBlocks
	FormatUnifiedDiff   Format = "unified_diff"   // --- +++ @@, with or without true line numbers
	FormatRewrite       Format = "rewrite"        // the whole new text, usually in a fence
	FormatAuto          Format = "auto"           // whichever of these the first marker shows
)

// An Op is what a line of a block does, written as diffs write it.
type Op byte

// The ops of a line.
const (
	Keep   Op = ' '
	Remove Op = '-'
	Add    Op = '+'
	Bare   Op = '?' // a hunk line without prefix: context, unless the hunk fits only if it belongs to its neighbours
)

// A Line is one line of a block, without its terminator.
type Line struct {
	Op   Op
	Text string
}

// An Action is what a block does to its file.
type Action int

// The actions of a block.
const (
	Change  Action = iota // replace some lines
	Create                // write a file, over an existing one if there is one
	Delete                // remove a file
	Rewrite               // replace the whole text
)

// A Block is one edit as the model wrote it, not located yet.
type Block struct {
	Number int // 1-based place in the answer
	Action Action
	Path   string // as written; "" where the answer names no file
	MoveTo string // the file's new path, or ""
	Copied bool   // the file stays where it is, too
	Mode   Mode   // the file's new mode, or Unsaid
	Lines  []Line // what the block keeps, removes and adds, in order
	// Context are the @@ lines above a hunk, the outermost first: it stands below
	// them.
	Context []string
	// LineHint is the 1-based line at which the model believes the block
	// starts, or 0. It only decides between several places that fit.
	LineHint int
	AtEnd    bool // the block states that it ends where the file ends
	All      bool // replace every occurrence, not the only one

	// Literal blocks replace Old by New anywhere in a line; Lines is empty.
	Literal  bool
	Old, New string

	sorted   bool   // the format promises blocks of a file in file order
	verbatim bool   // added lines are written as they stand, never re-indented
	escapes  bool   // a leading literal \t in an added line is a tab
	search   bool   // Lines are one searched text and its replacement, not a diff
	git      bool   // from a diff: paths may carry a/ and b/, line numbers are the old file's
	tool     bool   // from a diff with git's own header: written by git and no model
	noEOL    bool   // the block states that the new text has no final newline
	addEOL   bool   // the block states that the new text has a final newline and the old has none
	fromNone bool   // the block states that the old text is empty
	auto     bool   // a text in a fence of an answer whose format is not known: it may be an example
	shell    bool   // the fence says that it is a command
	bare     bool   // a text without a fence
	merge    bool   // the marks are those of a failed merge, which a file may have too
	divider  string // what divided the block, if its added lines have such lines too: the file decides which divides

	comment []Line // the first line of a new text that only names its file, with a blank one below it
	guessed bool   // the comment is all that names the file
	longer  []Line // of a new text: its lines up to the last fence of the answer
}

// signed reports whether the block's format puts a sign before every line.
func (b *Block) signed() bool { return !b.search && !b.Literal }

// ByTool reports whether the block is of a diff that a program wrote, and no model.
func (b *Block) ByTool() bool { return b.tool }

// Idle reports whether the block keeps lines and changes none.
func (b *Block) Idle() bool {
	return b.Action == Change && !b.Literal && len(b.Lines) > 0 && changesNothing(b.Lines)
}

// OldText is the text that the block looks for.
func (b *Block) OldText() string {
	if b.Literal {
		return b.Old
	}
	return joinLines(b.Lines, Add)
}

// NewText is the text that the block puts in its place.
func (b *Block) NewText() string {
	if b.Literal {
		return b.New
	}
	return joinLines(b.Lines, Remove)
}

// withoutMark is the block without the byte order mark with which its first old and its
// first new line may begin: models copy it, and the lines of a doc do not have it.
func (b *Block) withoutMark() *Block {
	out := *b
	out.Lines = slices.Clone(b.Lines)
	old, new := false, false // whether there was such a line
	for i, l := range out.Lines {
		if l.Op != Add && !old || l.Op != Remove && !new {
			out.Lines[i].Text = strings.TrimPrefix(l.Text, byteOrderMark)
		}
		old, new = old || l.Op != Add, new || l.Op != Remove
	}
	return &out
}

func joinLines(lines []Line, without Op) string {
	var s strings.Builder
	for _, l := range lines {
		if l.Op != without {
			s.WriteString(l.Text)
			s.WriteByte('\n')
		}
	}
	return s.String()
}

// A Parser reads a model's answer as it streams. Any cutting of an answer into
// chunks gives the same blocks.
type Parser struct {
	out     *collector
	dialect dialect
	pending arena // the line that has not ended yet: markers are judged on whole lines only
}

// A dialect is the state machine of one format.
type dialect interface {
	line(text string) // one line, without its terminator
	close()           // the answer has ended
}

// NewParser returns a parser for a format.
func NewParser(format Format) *Parser {
	out := &collector{}
	return &Parser{out: out, dialect: newDialect(format, out)}
}

func newDialect(format Format, out *collector) dialect {
	switch format {
	case FormatApplyPatch:
		return &patchDialect{out: out}
	case FormatSearchReplace:
		return &searchDialect{out: out}
	case FormatStrReplace:
		return &tagDialect{out: out}
	case FormatUnifiedDiff:
		return &diffDialect{out: out}
	case FormatRewrite:
		return &rewriteDialect{out: out}
	case FormatAuto:
		return &autoDialect{out: out}
	}
	out.fail(CodeParse, "%q is no edit format: it is one of apply_patch, search_replace, str_replace, unified_diff, rewrite, auto", format)
	return &rewriteDialect{out: out}
}

// Write takes the next piece of the answer.
func (p *Parser) Write(chunk string) {
	for {
		i := strings.IndexByte(chunk, '\n')
		if i < 0 {
			p.pending.add(chunk)
			return
		}
		line := chunk[:i]
		if p.pending.held > 0 {
			p.pending.add(line)
			line = p.pending.take()
		}
		p.take(line)
		chunk = chunk[i+1:]
	}
}

// An arena joins lines that arrive in pieces. It returns parts of large strings,
// so that a line needs no allocation of its own.
type arena struct {
	text *strings.Builder // never grown beyond its capacity, so that returned parts stay valid
	held int              // bytes at its end that have not been taken
}

const arenaSize = 16 << 10

func (a *arena) add(piece string) {
	if piece == "" {
		return
	}
	if a.text == nil || a.text.Cap()-a.text.Len() < len(piece) {
		var held string
		if a.text != nil {
			held = a.text.String()[a.text.Len()-a.held:]
		}
		a.text = &strings.Builder{}
		a.text.Grow(max(arenaSize, 2*(len(held)+len(piece))))
		a.text.WriteString(held)
	}
	a.text.WriteString(piece)
	a.held += len(piece)
}

// take returns what is held.
func (a *arena) take() string {
	if a.held == 0 {
		return ""
	}
	s := a.text.String()[a.text.Len()-a.held:]
	a.held = 0
	return s
}

func (p *Parser) take(line string) {
	p.out.lineNo++
	line = strings.TrimSuffix(line, "\r")
	if bare := withoutTurnToken(line); bare != line && endsBlock(strings.TrimSpace(bare)) {
		line = bare
	}
	if p.out.err == nil {
		p.dialect.line(line)
	}
}

// Close ends the answer and returns its blocks, or an *Error if the answer is
// malformed or stops before its end; then nothing of it may be applied.
func (p *Parser) Close() ([]Block, error) {
	if p.pending.held > 0 {
		p.take(p.pending.take())
	}
	if p.out.err == nil {
		p.dialect.close()
	}
	if p.out.err != nil {
		return nil, p.out.err
	}
	return p.out.blocks, nil
}

// Parse reads a whole answer.
func Parse(format Format, answer string) ([]Block, error) {
	p := NewParser(format)
	p.Write(answer)
	return p.Close()
}

// A collector gathers what a dialect reads: the blocks, the current block, and
// the first error, after which nothing more is read.
type collector struct {
	blocks  []Block
	inHand  Block
	scratch []Line // what inHand.Lines grows in; a finished block gets a copy
	isOpen  bool
	lineNo  int // of the line being read, 1-based
	err     *Error
}

// open begins a block.
func (c *collector) open(b Block) {
	b.Number = len(c.blocks) + 1
	b.Lines = c.scratch[:0]
	c.inHand, c.isOpen = b, true
}

// add adds a line to the current block.
func (c *collector) add(op Op, text string) {
	c.inHand.Lines = append(c.inHand.Lines, Line{op, text})
}

// shut completes the current block.
func (c *collector) shut() {
	if c.isOpen {
		c.scratch = c.inHand.Lines
		c.inHand.Lines = slices.Clone(c.inHand.Lines[:len(c.inHand.Lines):len(c.inHand.Lines)])
		if len(c.inHand.Lines) == 0 {
			c.inHand.Lines = nil
		}
		c.blocks = append(c.blocks, c.inHand)
		c.isOpen = false
	}
}

// discard discards the current block, which turned out to have no content.
func (c *collector) discard() { c.isOpen = false }

func (c *collector) fail(code Code, format string, args ...any) {
	if c.err == nil {
		c.err = refuse(code, format, args...)
		c.err.Block = len(c.blocks) + 1
	}
}

// failLine fails with the number of the line being read.
func (c *collector) failLine(code Code, format string, args ...any) {
	c.fail(code, "line %d of the answer: "+format, append([]any{c.lineNo}, args...)...)
}
