package language

// skipAngle is the token after the type arguments that begin at i with "<", or
// i+1 when nothing closes them.
func (s *scan) skipAngle(i, end int) int {
	depth := 0
	for k := i; k < min(end, i+maxAhead); {
		switch s.ch(k) {
		case '<':
			if depth++; depth > maxDepth/2 {
				return i + 1
			}
		case '>':
			if !s.pair(k-1, '=', '>') && !s.pair(k-1, '-', '>') {
				depth--
			}
			if depth == 0 {
				return k + 1
			}
		case ';', ')', ']', '}':
			return i + 1
		case '&':
			if !s.lang.digitQuote && s.pair(k, '&', '&') && s.ch(k+2) != '>' && s.ch(k+2) != ',' && s.ch(k+2) != '.' {
				return i + 1
			}
		}
		k = s.next(k)
	}
	return i + 1
}

// skipType is the token after the TypeScript type that begins at i.
func (j jsReader) skipType(i, end int) int {
	operand, conditions := true, 0 // operand: a type must follow
	for i < end {
		switch {
		case j.isIdent(i):
			if !operand && !j.infixType(i) {
				return i
			}
			operand = j.typeOperator(i) && !j.endsType(i+1, end)
			i++
			continue
		case j.tok(i).kind != tPunct:
			if !operand && j.ch(i-1) != ')' {
				return i
			}
			operand = false
			i++
			continue
		}
		switch j.ch(i) {
		case '{', '(':
			if !operand || j.closing(i) < 0 {
				return i
			}
			i, operand = j.next(i), false
		case '[':
			if !operand && j.startsLine(i) {
				return i
			}
			i, operand = j.next(i), false
		case '<':
			next := j.skipAngle(i, end)
			if next == i+1 {
				return i
			}
			i = next
		case '.', '|', '&', '-', '+':
			i, operand = i+1, true
		case '=':
			if !j.pair(i, '=', '>') {
				return i
			}
			i, operand = i+2, true
		case '?':
			conditions++
			i, operand = i+1, true
		case ':':
			if conditions == 0 {
				return i
			}
			conditions--
			i, operand = i+1, true
		default:
			return i
		}
	}
	return i
}

// infixType reports whether the identifier i joins two types.
func (j jsReader) infixType(i int) bool {
	word := j.word(i)
	return word == kwExtends || j.name(i) == "is"
}

// endsType reports whether nothing of a type can follow at i, so that a word
// like "unique" or "is" before it was a name.
func (j jsReader) endsType(i, end int) bool {
	if i >= end {
		return true
	}
	switch j.ch(i) {
	case ';', ',', ')', '=', '>', '}', ']', '|', '&', ':':
		return true
	}
	return false
}

// typeOperator reports whether the identifier i is an operator on the type
// after it.
func (j jsReader) typeOperator(i int) bool {
	switch j.name(i) {
	case "keyof", "typeof", "unique", "readonly", "infer", "asserts", "is", "new", "abstract", "extends", "in":
		return true
	}
	return false
}

// exprEnd is the token after the expression that begins at i: a comma, a
// semicolon, or the first token of a line that does not continue it.
func (j jsReader) exprEnd(i, end int) int {
	from := i
	for i < end {
		switch ch := j.ch(i); {
		case ch == ',' || ch == ';' || ch == ')' || ch == '}' || ch == ']':
			return i
		case i > from && j.startsLine(i) && !j.goesOn(i):
			return i
		case ch == '<' && (i == from || j.tok(i-1).end == j.tok(i).pos && j.isIdent(i-1)):
			if next := j.skipAngle(i, end); next > i+1 {
				i = next
				continue
			}
		}
		i = j.next(i)
	}
	return i
}

// goesOn reports whether token i, the first on its line, continues the
// expression before it.
func (j jsReader) goesOn(i int) bool {
	switch j.ch(i - 1) {
	case 0:
		if j.word(i-1) == kwConst && j.word(i-2) == kwAs {
			return false
		}
		if j.tok(i-1).kind == tIdent && j.reserved(i-1) && !j.closesExpr(i-1) {
			return true
		}
	case ')', ']', '}', '{', '(', '[':
	case '>':
		if j.pair(i-2, '=', '>') {
			return true
		}
	case '+', '-':
		if !j.pair(i-2, j.ch(i-1), j.ch(i-1)) {
			return true
		}
	default:
		return true
	}
	switch j.ch(i) {
	case 0:
		switch j.name(i) {
		case "instanceof", "in", "as", "satisfies", "extends", "is":
			return true
		}
		return false
	case '@', '#', '{', '}', ')', ']', ';':
		return false
	case '+', '-':
		return !j.pair(i, j.ch(i), j.ch(i))
	case '[', '(':
		return j.ch(i-1) != ';'
	}
	return true
}

// closesExpr reports whether the reserved word i is a value or a type of its own.
func (j jsReader) closesExpr(i int) bool {
	switch j.name(i) {
	case "this", "super", "null", "true", "false", "any", "boolean", "never", "number", "string", "symbol", "undefined", "unknown",
		"void", "object", "as", "of", "package", "declare", "abstract", "public", "private", "protected", "interface", "let", "static":
		return true
	}
	return false
}
