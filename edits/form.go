package edits

// A Form is what a change says of a file beside its text. Its zero value says nothing: a file keeps the
// mode that it has, and a new one gets that of new files.
type Form struct {
	From string // the file that this one is moved or copied from, and whose mode it takes
	Mode Mode
}

// A Mode is the part of a file's mode that is kept with its text.
type Mode uint8

// The modes.
const (
	Unsaid Mode = iota
	Plain
	Executable
)

// String is the mode as git writes it; one that nothing is said of is that of a new file.
func (m Mode) String() string {
	if m == Executable {
		return "100755"
	}
	return "100644"
}

// other is the mode that a file has before it gets this one.
func (m Mode) other() Mode {
	if m == Executable {
		return Plain
	}
	return Executable
}

// kindOf is what a mode of git's says that a file is: a sentence where no edit of a text can make it.
func kindOf(mode string) (m Mode, refused string) {
	switch mode {
	case "100755":
		return Executable, ""
	case "120000":
		return Unsaid, "a symbolic link; only the text of files can be edited"
	case "160000":
		return Unsaid, "a submodule; only the text of files can be edited"
	}
	return Plain, ""
}

// under is the form of a file that has this one and gets another's mode.
func (f Form) under(next Form) Form {
	if next.Mode != Unsaid {
		f.Mode = next.Mode
	}
	return f
}
