package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"tandem/model"
)

// A key prints as [redacted] in every way that Go can print it, also inside of
// what holds it.
func TestSecretNeverPrints(t *testing.T) {
	const key = "sk-canary-42"
	s := model.NewSecret(key)
	holder := struct {
		Name string
		Key  model.Secret
		Ptr  *model.Secret
		Map  map[string]model.Secret
	}{"n", s, &s, map[string]model.Secret{"k": s}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T %v"} {
		args := []any{s}
		if strings.HasPrefix(verb, "%T") {
			args = []any{s, s}
		}
		fmt.Fprintf(&out, verb, args...)
		fmt.Fprintf(&out, "%+v %#v", holder, holder)
	}
	fmt.Fprint(&out, s, &s, holder, fmt.Errorf("key %v", s))
	for _, v := range []any{s, &s, holder} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	log := slog.New(slog.NewTextHandler(&out, nil))
	log.Info("x", "key", s, "holder", holder)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "key", s, "holder", holder)
	for _, form := range []string{key, "canary", fmt.Sprintf("%x", key), fmt.Sprintf("%X", key)} {
		if strings.Contains(out.String(), form) {
			t.Errorf("the key is in the output as %q:\n%s", form, out.String())
		}
	}
	if s.Reveal() != key || s.Empty() || !model.NewSecret("").Empty() {
		t.Error("the key itself is lost")
	}
}
