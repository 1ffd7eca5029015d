package workspace

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// URIOf returns the file: URI of an absolute path.
func URIOf(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// PathOf returns the absolute path that name means: an absolute path itself or
// a file: URI of this machine. It is false for every other scheme, for another
// host, for a URI that hides a separator or a dot segment behind escapes, and on
// Windows for a URI without a drive.
func PathOf(name string) (string, bool) {
	if filepath.IsAbs(name) {
		return filepath.Clean(name), !strings.ContainsRune(name, 0)
	}
	rest, ok := CutPrefixFold(name, "file://")
	if !ok {
		return "", false
	}
	if len(rest) > 1 && rest[1] == ':' && runtime.GOOS == "windows" { // as clients write it that put a path behind file://
		rest = "/" + rest
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 || (slash > 0 && !strings.EqualFold(rest[:slash], "localhost")) {
		return "", false
	}
	return decodeFilePath(rest[slash:])
}

// decodeFilePath turns the escaped path of a file: URI into a native path.
func decodeFilePath(escaped string) (string, bool) {
	if cut := strings.IndexAny(escaped, "?#"); cut >= 0 {
		escaped = escaped[:cut]
	}
	segments := strings.Split(escaped[1:], "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil || plain == ".." || plain == "." || strings.ContainsAny(plain, "/\x00") {
			return "", false
		}
		if runtime.GOOS == "windows" && strings.Contains(plain, `\`) {
			return "", false
		}
		segments[i] = plain
	}
	path := nativePath("/" + strings.Join(segments, "/"))
	return path, filepath.IsAbs(path)
}

// nativePath is the path that a URI has, decoded, in the form of this system: on Windows it
// begins with the drive.
func nativePath(slashed string) string {
	if len(slashed) > 2 && slashed[0] == '/' && slashed[2] == ':' && (len(slashed) == 3 || slashed[3] == '/') && runtime.GOOS == "windows" {
		slashed = strings.ToUpper(slashed[1:2]) + ":/" + strings.TrimLeft(slashed[3:], "/")
	}
	return filepath.Clean(filepath.FromSlash(slashed))
}

// CutPrefixFold is strings.CutPrefix without regard to case.
func CutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// Key is the name that a session keeps a document under: its path where it is a
// file of this machine, else the URI as it came. Two spellings of one file: URI share a
// key.
func Key(name string) string {
	if path, ok := PathOf(name); ok {
		return path
	}
	return name
}
