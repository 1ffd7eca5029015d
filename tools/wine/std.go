package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// What the standard library expects of Windows 10 and Wine 8 does not have, as texts of the
// library and what replaces them while tests run under Wine.
var wants = []struct{ file, old, new string }{
	// Random bytes: Wine has no bcryptprimitives.dll, advapi32.dll has the same function under its earlier name.
	{"runtime/os_windows.go", `'b', 'c', 'r', 'y', 'p', 't', 'p', 'r', 'i', 'm', 'i', 't', 'i', 'v', 'e', 's', '.'`, `'a', 'd', 'v', 'a', 'p', 'i', '3', '2', '.'`},
	{"runtime/os_windows.go", `"ProcessPrng\000"`, `"SystemFunction036\000"`},
	{"internal/syscall/windows/zsyscall_windows.go", `"bcryptprimitives.dll"`, `"advapi32.dll"`},
	{"internal/syscall/windows/zsyscall_windows.go", `"ProcessPrng"`, `"SystemFunction036"`},
	// Removal: Windows 10 frees the name of a file at once that others have open. Wine keeps it
	// until they close it, so the file gets another name first.
	{"internal/syscall/windows/at_windows.go", "case STATUS_INVALID_INFO_CLASS,", "case NTStatus(0xC0000002):\n\t\tmoveAway(h)\n\t\treturn deleteatFallback(h)\n\tcase STATUS_INVALID_INFO_CLASS,"},
	{"internal/syscall/windows/at_windows.go", "// TestDeleteatFallback should", moveOpen + "// TestDeleteatFallback should"},
	{"os/file_windows.go", "\te = syscall.DeleteFile(p)\n", "\tp = moveAway(p)\n\te = syscall.DeleteFile(p)\n"},
	{"os/file_windows.go", "func Remove(", moveNamed + "func Remove("},
}

const moveOpen = `
func moveAway(h syscall.Handle) {
	var data syscall.ByHandleFileInformation
	if syscall.GetFileInformationByHandle(h, &data) != nil || data.FileAttributes&syscall.FILE_ATTRIBUTE_DIRECTORY != 0 {
		return
	}
	info := FILE_RENAME_INFORMATION{}
	var number [16]byte
	ProcessPrng(number[:])
	name := "\\??\\` + "C:\\\\windows\\\\temp\\\\gone-" + `"
	for _, b := range number {
		name += string(rune('a'+b>>4)) + string(rune('a'+b&15))
	}
	p16, _ := syscall.UTF16FromString(name)
	copy(info.FileName[:], p16)
	info.FileNameLength = uint32((len(p16) - 1) * 2)
	NtSetInformationFile(h, &IO_STATUS_BLOCK{}, unsafe.Pointer(&info), uint32(unsafe.Sizeof(info)), 10)
}

`

const moveNamed = `
func moveAway(p *uint16) *uint16 {
	if a, err := syscall.GetFileAttributes(p); err != nil || a&(syscall.FILE_ATTRIBUTE_DIRECTORY|syscall.FILE_ATTRIBUTE_READONLY) != 0 {
		return p
	}
	var number [16]byte
	windows.ProcessPrng(number[:])
	name := "` + "C:\\\\windows\\\\temp\\\\gone-" + `"
	for _, b := range number {
		name += string(rune('a'+b>>4)) + string(rune('a'+b&15))
	}
	if to, err := syscall.UTF16PtrFromString(name); err == nil && syscall.MoveFile(p, to) == nil {
		return to
	}
	return p
}

`

// overlay writes the changed files of the standard library below dir and returns the file for
// `go build -overlay` that lists them.
func overlay(goroot, dir string) (string, error) {
	replaced, texts := map[string]string{}, map[string]string{}
	for _, w := range wants {
		name := filepath.Join(goroot, "src", filepath.FromSlash(w.file))
		if texts[name] == "" {
			b, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			texts[name] = string(b)
		}
		if !strings.Contains(texts[name], w.old) {
			return "", fmt.Errorf("%s has no %s in this version of Go: look at what Wine lacks now", w.file, w.old)
		}
		texts[name] = strings.ReplaceAll(texts[name], w.old, w.new)
	}
	for name, text := range texts {
		replaced[name] = filepath.Join(dir, strings.ReplaceAll(name[len(goroot):], string(filepath.Separator), "-"))
		if err := os.WriteFile(replaced[name], []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	b, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, b, 0o644)
}
