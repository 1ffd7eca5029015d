package index

// A directive is a line of the C preprocessor, or of C#'s.
type directive struct {
	pos, end  int // without the line end
	line      uint32
	last      uint32 // its last line
	tok       int    // how many tokens precede it
	commentNo uint32
}

// A branch is the state of the brackets at an #if, which each of its other
// branches starts from again.
type branch struct {
	stack []int32
	open  [3]int
}
