package dialect

import (
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Fields are the members of a request's JSON object in a fixed order: the same
// request gives the same bytes. Prompt caches and the ledger rely on that.
type Fields []field

// A field is one member. Its value is a string, int, float64, bool, rawJSON, Fields,
// []string or []Fields.
type field struct {
	Name  string
	Value any
}

// rawJSON is a value that is JSON already.
type rawJSON string

// Add appends a member unless its value is the zero of its type, or an empty list. Of a
// pointer it is what the pointer leads to.
func (f *Fields) Add(name string, value any) {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Slice:
		if v.Len() == 0 {
			return
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		value = v.Elem().Interface()
	default:
		if v.IsZero() {
			return
		}
	}
	*f = append(*f, field{name, value})
}

// Set appends a member whatever its value.
func (f *Fields) Set(name string, value any) { *f = append(*f, field{name, value}) }

// Without returns the fields without a parameter; "a.b" is the member b of a. An
// object that becomes empty is removed too.
func (f Fields) Without(param string) Fields {
	outer, inner, nested := strings.Cut(param, ".")
	i := slices.IndexFunc(f, func(m field) bool { return m.Name == outer })
	if i < 0 {
		return f
	}
	out := slices.Clone(f)
	if sub, ok := f[i].Value.(Fields); nested && ok {
		if sub = sub.Without(inner); len(sub) > 0 {
			out[i].Value = sub
			return out
		}
	} else if nested {
		return f
	}
	return slices.Delete(out, i, i+1)
}

// Omitting returns the fields without parameters.
func (f Fields) Omitting(params []string) Fields {
	for _, param := range params {
		f = f.Without(param)
	}
	return f
}

// Has reports whether a parameter is among the fields.
func (f Fields) Has(param string) bool {
	outer, inner, nested := strings.Cut(param, ".")
	for _, m := range f {
		if m.Name != outer {
			continue
		}
		sub, ok := m.Value.(Fields)
		return !nested || ok && sub.Has(inner)
	}
	return false
}

// paths are the paths of all members, outer ones first: "a", "a.b".
func (f Fields) paths() iter.Seq[string] {
	return func(yield func(string) bool) { f.each("", yield) }
}

func (f Fields) each(prefix string, yield func(string) bool) bool {
	for _, m := range f {
		if !yield(prefix + m.Name) {
			return false
		}
		if sub, ok := m.Value.(Fields); ok && !sub.each(prefix+m.Name+".", yield) {
			return false
		}
	}
	return true
}

// AppendJSON appends the object's text.
func (f Fields) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for i, m := range f {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendQuoted(b, m.Name), ':')
		b = appendValue(b, m.Value)
	}
	return append(b, '}')
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return appendQuoted(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	case bool:
		return strconv.AppendBool(b, v)
	case rawJSON:
		return append(b, v...)
	case Fields:
		return v.AppendJSON(b)
	case []string:
		return appendList(b, v, appendQuoted)
	case []Fields:
		return appendList(b, v, func(b []byte, f Fields) []byte { return f.AppendJSON(b) })
	}
	return append(b, "null"...)
}

func appendList[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, v)
	}
	return append(b, ']')
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			b = appendEscaped(append(b, s[start:i]...), c)
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			b = append(append(b, s[start:i]...), "\uFFFD"...)
			start = i + 1
		}
		i += n
	}
	return append(append(b, s[start:]...), '"')
}

func appendEscaped(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\t':
		return append(b, '\\', 't')
	case '\r':
		return append(b, '\\', 'r')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
