package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"go.lsp.dev/protocol"
)

// A metaModel is the protocol's official description, as the module of go.lsp.dev/protocol has it.
type metaModel struct {
	Requests      []metaMessage
	Notifications []metaMessage
	Structures    []metaStructure
	Enumerations  []metaEnumeration
	TypeAliases   []metaStructure

	messages map[string]metaMessage
	types    map[string]metaStructure
	aliases  map[string]metaStructure
	enums    map[string]metaEnumeration
}

type metaMessage struct {
	Method           string
	MessageDirection string
	ClientCapability string
	Params, Result   *metaType
	notification     bool
}

type metaStructure struct {
	Name            string
	Type            *metaType // of an alias
	Properties      []metaProperty
	Extends, Mixins []*metaType
}

type metaEnumeration struct {
	Name                 string
	Type                 *metaType
	Values               []struct{ Value any }
	SupportsCustomValues bool
}

type metaProperty struct {
	Name     string
	Type     *metaType
	Optional bool
}

type metaType struct {
	Kind, Name string
	Element    *metaType
	Items      []*metaType
	Value      json.RawMessage // a metaType of a map, a structure of a literal, or the literal itself
}

var official = sync.OnceValues(func() (*metaModel, error) {
	dir := os.Getenv("PROTOCOL_MODULE") // is set where there is no Go
	if dir == "" {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.lsp.dev/protocol").Output()
		if err != nil {
			return nil, err
		}
		dir = strings.TrimSpace(string(out))
	}
	raw, err := os.ReadFile(filepath.Join(dir, "internal", "genlsp", "testdata", "metaModel.json"))
	if err != nil {
		return nil, err
	}
	m := &metaModel{messages: map[string]metaMessage{}, types: map[string]metaStructure{}, aliases: map[string]metaStructure{}, enums: map[string]metaEnumeration{}}
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, err
	}
	for i, message := range slices.Concat(m.Requests, m.Notifications) {
		message.notification = i >= len(m.Requests)
		m.messages[message.Method] = message
	}
	for _, s := range m.Structures {
		m.types[s.Name] = s
	}
	for _, a := range m.TypeAliases {
		m.aliases[a.Name] = a
	}
	for _, e := range m.Enumerations {
		m.enums[e.Name] = e
	}
	return m, nil
})

// properties are those of a structure with all that it extends.
func (m *metaModel) properties(s metaStructure) map[string]metaProperty {
	out := map[string]metaProperty{}
	for _, base := range slices.Concat(s.Extends, s.Mixins) {
		maps.Copy(out, m.properties(m.types[base.Name]))
	}
	for _, p := range s.Properties {
		out[p.Name] = p
	}
	return out
}

// fault is what is wrong with a value of a type, or "". A property that the type does not have is.
func (m *metaModel) fault(t *metaType, v any, at string) string {
	switch t.Kind {
	case "base":
		return m.baseFault(t.Name, v, at)
	case "reference":
		if strings.HasPrefix(t.Name, "LSP") {
			return ""
		}
		if alias, ok := m.aliases[t.Name]; ok {
			return m.fault(alias.Type, v, at)
		}
		if enum, ok := m.enums[t.Name]; ok {
			if !enum.SupportsCustomValues && !slices.ContainsFunc(enum.Values, func(one struct{ Value any }) bool { return one.Value == v }) {
				return fmt.Sprintf("%s: %v is no %s", at, v, t.Name)
			}
			return m.fault(enum.Type, v, at)
		}
		return m.structureFault(m.types[t.Name], v, at)
	case "array":
		list, ok := v.([]any)
		if !ok {
			return fmt.Sprintf("%s: %v is no array", at, v)
		}
		for i, one := range list {
			if f := m.fault(t.Element, one, fmt.Sprintf("%s[%d]", at, i)); f != "" {
				return f
			}
		}
		return ""
	case "map":
		all, ok := v.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s: %v is no object", at, v)
		}
		var of metaType
		_ = json.Unmarshal(t.Value, &of)
		for key, one := range all {
			if f := m.fault(&of, one, at+"."+key); f != "" {
				return f
			}
		}
		return ""
	case "or":
		var faults []string
		for _, one := range t.Items {
			f := m.fault(one, v, at)
			if f == "" {
				return ""
			}
			faults = append(faults, f)
		}
		return strings.Join(faults, "; nor ")
	case "and":
		joined := metaStructure{Extends: t.Items}
		return m.structureFault(joined, v, at)
	case "literal":
		var s metaStructure
		_ = json.Unmarshal(t.Value, &s)
		return m.structureFault(s, v, at)
	case "stringLiteral", "integerLiteral", "booleanLiteral":
		var want any
		if _ = json.Unmarshal(t.Value, &want); want != v {
			return fmt.Sprintf("%s: %v is not %v", at, v, want)
		}
		return ""
	case "tuple":
		if list, ok := v.([]any); !ok || len(list) != len(t.Items) {
			return fmt.Sprintf("%s: %v is no tuple of %d", at, v, len(t.Items))
		}
		return ""
	}
	return at + ": the kind " + t.Kind + " is not known"
}

func (m *metaModel) structureFault(s metaStructure, v any, at string) string {
	all, ok := v.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s: %v is no %s", at, v, s.Name)
	}
	has := m.properties(s)
	for name, p := range has {
		if _, there := all[name]; !there && !p.Optional {
			return fmt.Sprintf("%s: %s lacks %s", at, s.Name, name)
		}
	}
	for name, one := range all {
		p, known := has[name]
		if !known {
			return fmt.Sprintf("%s: %s has no %s", at, s.Name, name)
		}
		if f := m.fault(p.Type, one, at+"."+name); f != "" {
			return f
		}
	}
	return ""
}

func (*metaModel) baseFault(name string, v any, at string) string {
	number, isNumber := v.(float64)
	_, isText := v.(string)
	_, isBool := v.(bool)
	ok := false
	switch name {
	case "string", "URI", "DocumentUri", "RegExp":
		ok = isText
	case "integer":
		ok = isNumber && number == float64(int32(number))
	case "uinteger":
		ok = isNumber && number >= 0 && number == float64(uint32(number))
	case "decimal":
		ok = isNumber
	case "boolean":
		ok = isBool
	case "null":
		ok = v == nil
	}
	if !ok {
		return fmt.Sprintf("%s: %v is no %s", at, v, name)
	}
	return ""
}

// A specJudge holds every message of a server against the official description and what the client
// announced. Its methods are called in the order of the messages.
type specJudge struct {
	t     testing.TB
	model *metaModel

	mu      sync.Mutex // guards all below
	can     map[string]any
	asked   map[string]string          // the client's requests that wait, by id
	granted map[string]string          // tokens of progresses: what came last
	tokenOf map[string]string          // the client's tokens, by the id of the request
	params  map[string]json.RawMessage // of the client's requests that wait
	utf8    bool                       // how positions count
	texts   map[string][]heldText
}

// A heldText is what a document of the client was in one version.
type heldText struct {
	version int
	text    string
}

func newSpecJudge(t testing.TB) *specJudge {
	model, err := official()
	if err != nil {
		t.Fatal(err)
	}
	return &specJudge{t: t, model: model, asked: map[string]string{}, granted: map[string]string{}, tokenOf: map[string]string{}, params: map[string]json.RawMessage{}, texts: map[string][]heldText{}}
}

// sent takes a message of the client.
func (j *specJudge) sent(raw []byte) {
	var m message
	if json.Unmarshal(raw, &m) != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	var p struct {
		Capabilities  map[string]any
		WorkDoneToken json.RawMessage
	}
	_ = json.Unmarshal(m.Params, &p)
	if m.Method == "initialize" && j.can == nil {
		j.can = p.Capabilities
	}
	if m.Method != "" && m.ID != nil {
		j.asked[string(m.ID)], j.params[string(m.ID)] = m.Method, m.Params
		if p.WorkDoneToken != nil {
			j.tokenOf[string(m.ID)], j.granted[string(p.WorkDoneToken)] = string(p.WorkDoneToken), "granted"
		}
	}
}

// took judges a message of the server.
func (j *specJudge) took(m message) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case m.Method != "":
		j.takeOwn(m)
	case m.Error == nil:
		params := j.params[string(m.ID)]
		if official, known := j.model.messages[j.asked[string(m.ID)]]; known && official.Result != nil && !givenBack(official.Method, params) {
			j.holds(official.Result, m.Result, "the answer of "+official.Method)
			var of struct{ TextDocument struct{ URI string } }
			_ = json.Unmarshal(params, &of)
			j.placed(of.TextDocument.URI, fmt.Sprintf("the answer of %s %s", official.Method, params), m.Result)
		}
		if j.asked[string(m.ID)] == protocol.MethodInitialize {
			j.utf8 = strings.Contains(string(m.Result), `"positionEncoding":"utf-8"`)
		}
	}
	if m.Method == "" {
		if token, given := j.tokenOf[string(m.ID)]; given {
			if last := j.granted[token]; last == "begin" || last == "report" {
				j.t.Errorf("the progress %s goes on after the answer that ends its token", token)
			}
			delete(j.granted, token)
		}
		delete(j.asked, string(m.ID))
		delete(j.params, string(m.ID))
	}
}

// givenBack reports whether an answer has what was asked about, as an action that has its edit.
func givenBack(method string, params json.RawMessage) bool {
	var action struct{ Edit any }
	return method == protocol.MethodCodeActionResolve && json.Unmarshal(params, &action) == nil && action.Edit != nil
}

// takeOwn judges what the server sends by itself.
func (j *specJudge) takeOwn(m message) {
	official, known := j.model.messages[m.Method]
	if !known { // an extension, which the client must have asked for
		j.placed("", m.Method, m.Params)
		if strings.HasPrefix(m.Method, "tandem/") && j.announced("experimental.tandem") == nil {
			j.t.Errorf("%s was sent to a client that did not ask for it", m.Method)
		}
		return
	}
	if official.MessageDirection == "clientToServer" {
		j.t.Errorf("%s is no message of a server", m.Method)
	}
	unspoken := official.ClientCapability == "window.showMessage" || official.ClientCapability == "textDocument.publishDiagnostics" // every client takes these
	if c := official.ClientCapability; c != "" && !unspoken && (j.announced(c) == nil || j.announced(c) == false) {
		j.t.Errorf("%s was sent to a client that did not announce %s", m.Method, c)
	}
	if official.Params != nil {
		j.holds(official.Params, m.Params, m.Method)
		j.placed("", m.Method, m.Params)
	}
	switch m.Method {
	case "window/workDoneProgress/create":
		var p struct{ Token json.RawMessage }
		_ = json.Unmarshal(m.Params, &p)
		j.granted[string(p.Token)] = "granted"
	case "$/progress":
		j.progress(m.Params)
	case "workspace/applyEdit":
		j.edit(m.Params)
	}
}

func (j *specJudge) holds(t *metaType, raw json.RawMessage, what string) {
	var v any
	_ = json.Unmarshal(raw, &v)
	if f := j.model.fault(t, v, ""); f != "" {
		j.t.Errorf("%s is not as the protocol has it: %s", what, f)
	}
}

// announced is what the client said at a path of its capabilities, or nil.
func (j *specJudge) announced(path string) any {
	var at any = j.can
	for name := range strings.SplitSeq(path, ".") {
		all, _ := at.(map[string]any)
		at = all[name]
	}
	return at
}

// progress judges the order of a progress, and that its token is one.
func (j *specJudge) progress(raw json.RawMessage) {
	var p struct {
		Token json.RawMessage
		Value struct{ Kind string }
	}
	_ = json.Unmarshal(raw, &p)
	kind := p.Value.Kind
	if kind == "" { // a partial result
		return
	}
	last, known := j.granted[string(p.Token)]
	first := last == "granted"
	if !known || (kind == "begin") != first || last == "end" {
		j.t.Errorf("the progress %s says %s after %q", p.Token, kind, last)
	}
	j.granted[string(p.Token)] = kind
}

// edit judges that an edit has no operation and no form that was not announced.
func (j *specJudge) edit(raw json.RawMessage) {
	var p struct {
		Edit struct {
			DocumentChanges []struct{ Kind string }
		}
	}
	_ = json.Unmarshal(raw, &p)
	operations, _ := j.announced("workspace.workspaceEdit.resourceOperations").([]any)
	for _, c := range p.Edit.DocumentChanges {
		if c.Kind != "" && !slices.Contains(operations, any(c.Kind)) {
			j.t.Errorf("the operation %s was sent to a client that announced %v", c.Kind, operations)
		}
	}
	if len(p.Edit.DocumentChanges) > 0 && len(operations) == 0 && j.announced("workspace.workspaceEdit.documentChanges") != true {
		j.t.Errorf("documentChanges were sent to a client that did not announce them")
	}
}

// holdsText takes a text that the client has. Its later versions come in their order.
func (j *specJudge) holdsText(uri string, version int, text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := append(j.texts[uri], heldText{version, text})
	j.texts[uri] = all[max(0, len(all)-1000):]
}

// placed judges that each range of a message lies in a text that its document was, in the
// version that the message names.
func (j *specJudge) placed(uri, what string, raw json.RawMessage) {
	var v any
	_ = json.Unmarshal(raw, &v)
	j.rangesIn(v, uri, nil, what)
}

func (j *specJudge) rangesIn(v any, uri string, version any, what string) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			j.rangesIn(one, uri, version, what)
		}
	case map[string]any:
		for _, of := range []any{v["textDocument"], v} {
			if named, ok := of.(map[string]any); ok && named["uri"] != nil {
				uri, _ = named["uri"].(string)
				version = named["version"]
			}
		}
		for name, one := range v {
			_, action := v["title"]
			switch {
			case name == "data", name == "arguments", name == "diagnostics" && action: // the client's own, given back
			case name == "range", name == "selection":
				j.ranged(one, uri, version, what)
			case name == "changes":
				lists, _ := one.(map[string]any)
				for of, list := range lists {
					j.rangesIn(list, of, nil, what)
				}
			default:
				j.rangesIn(one, uri, version, what)
			}
		}
	}
}

func (j *specJudge) ranged(v any, uri string, version any, what string) {
	var r wireRange
	raw, _ := json.Marshal(v)
	held := j.texts[uri]
	if v == nil || len(held) == 0 || json.Unmarshal(raw, &r) != nil {
		return
	}
	for _, one := range slices.Backward(held) {
		if (version == nil || version == float64(0) || version == float64(one.version)) && j.contains(one.text, r) {
			return
		}
	}
	j.t.Errorf("%s: no text of %s in the version %v has the range %s; the last is %d: %q", what, uri, version, raw, held[len(held)-1].version, held[len(held)-1].text)
}

// contains reports whether a range has both of its ends in a text, in their order.
func (j *specJudge) contains(text string, r wireRange) bool {
	lines := lineEnds.Split(text, -1)
	for _, p := range []position{r.Start, r.End} {
		if int(p.Line) >= len(lines) {
			return false
		}
		if int(p.Character) > j.length(lines[p.Line]) {
			return false
		}
	}
	return r.Start.Line < r.End.Line || r.Start.Line == r.End.Line && r.Start.Character <= r.End.Character
}

var lineEnds = regexp.MustCompile("\r\n|\n|\r")

// length is that of a part of a line, as positions count.
func (j *specJudge) length(part string) int {
	if j.utf8 {
		return len(part)
	}
	return len(utf16.Encode([]rune(part)))
}

// offset is where a position is in a text, or in the end of its line.
func (j *specJudge) offset(text string, p position) int {
	if j.utf8 {
		from := lineStart(text, p.Line)
		line := strings.TrimRight(text[from:lineStart(text, p.Line+1)], "\r\n")
		return from + min(int(p.Character), len(line))
	}
	units := utf16.Encode([]rune(text))
	return len(string(utf16.Decode(units[:unitOffset(units, p)])))
}
