package state

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// recorded writes messages and returns the file.
func recorded(t *testing.T, text bool, bodies ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	r, err := NewRecorder(path, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bodies {
		r.Message(FromEditor, "", []byte(b))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRecordingReadsBack(t *testing.T) {
	data := recorded(t, true, `{"id":1,"method":"m","params":{"text":"hello"}}`, "not json", `{"id":9007199254740993}`)
	head, records, err := ReadRecording(bytes.NewReader(data))
	if err != nil || !head.Text || len(records) != 2 {
		t.Fatalf("%+v %+v %v", head, records, err)
	}
	if string(records[0].Body) != `{"id":1,"method":"m","params":{"text":"hello"}}` || string(records[1].Body) != `{"id":9007199254740993}` {
		t.Errorf("%s %s", records[0].Body, records[1].Body)
	}
	// The last line is cut short when tandem dies.
	if _, records, err := ReadRecording(bytes.NewReader(data[:len(data)-4])); err != nil || len(records) != 1 {
		t.Errorf("cut short: %d records, %v", len(records), err)
	}
}

func TestMaskedMessages(t *testing.T) {
	body := `{"id":1,"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a.go","languageId":"go","version":3,"text":"var key = \"é漢𝕏\"\n"},` +
		`"list":["secret words",true,null,2.5],"newText":"x y","label":"private label"}}`
	data := string(recorded(t, false, body))
	for _, kept := range []string{`"uri":"file:///w/a.go"`, `"method":"textDocument/didOpen"`, `"languageId":"go"`, `"version":3`, "2.5", `xxx xxx x xß字𝕏x\n`} {
		if !strings.Contains(data, kept) {
			t.Errorf("lost %s: %s", kept, data)
		}
	}
	for _, gone := range []string{"var", "secret", "private", "漢", "é"} {
		if strings.Contains(data, gone) {
			t.Errorf("kept %s: %s", gone, data)
		}
	}
}

func TestMaskKeepsTheShape(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		got := mask(text)
		if len(got) != len(text) || len(utf16.Encode([]rune(got))) != len(utf16.Encode([]rune(text))) || strings.Count(got, "\n") != strings.Count(text, "\n") {
			rt.Errorf("%q became %q", text, got)
		}
		for _, r := range text {
			if !unicode.IsSpace(r) && r < 0x80 && r != 'x' && strings.ContainsRune(got, r) {
				rt.Errorf("%q of %q is still there", r, text)
			}
		}
	})
}

func TestSecretsAreNeverRecorded(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2c3D4", 5)[:36]
	for _, text := range []bool{true, false} {
		body, err := json.Marshal(map[string]string{"text": "token = \"" + key + "\""})
		if err != nil {
			t.Fatal(err)
		}
		if data := recorded(t, text, string(body)); bytes.Contains(data, []byte(key)) {
			t.Errorf("text=%v: %s", text, data)
		}
	}
}
