package model

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// A likeness is what two names of models say of each other.
type likeness int

const (
	unknown likeness = iota // one of them is an alias: nobody can know
	same
	another // they contradict each other
)

// SameModel reports whether two names are known to be of one model. Servers name a model by a
// vendor and a name, a dated snapshot, a file, a deployment, or a name and a tag.
func SameModel(asked, served string) bool { return compare(asked, served) == same }

// Substituted reports whether another model answered than the one that was asked for: one of
// another family, version, size, kind or snapshot, where both names say which. An alias, a
// path, a date, a region, how weights are rounded, and the name of a file are no substitution.
func Substituted(asked, served string) bool { return compare(asked, served) == another }

func compare(asked, served string) likeness {
	a, s := bare(asked), bare(served)
	switch {
	case a == s, s == "", renamed[a] == s:
		return same
	case s == placeholder:
		return unknown
	}
	x, y := partsOf(a), partsOf(s)
	for _, of := range [][2][]string{{x.sizes, y.sizes}, {x.families, y.families}, {x.versions, y.versions}, {x.kinds, y.kinds}, {x.dates, y.dates}} {
		if contradict(of[0], of[1]) {
			return another
		}
	}
	switch {
	case x.rest == y.rest:
		return same
	case len(x.families) == 0 || len(y.families) == 0:
		return unknown
	}
	// A family alone is an alias of one of its sizes.
	loose := len(x.sizes) > 0 && len(y.sizes) > 0 || x.isFamilyAlone()
	ofSize := func(word string) bool { return loose && slices.Contains(sizeWords, word) }
	if !slices.Equal(slices.DeleteFunc(x.variants, ofSize), slices.DeleteFunc(y.variants, ofSize)) {
		return another
	}
	return same
}

// contradict reports whether two names both say something of a kind, and have none of it in
// common.
func contradict(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(part string) bool { return slices.Contains(b, part) })
}

// renamed are aliases that look like another model.
var renamed = map[string]string{"gpt-4-turbo-preview": "gpt-4-0125-preview"}

// placeholder is what servers of other models call theirs if nobody has named it. OpenAI's own
// answers have a date.
const placeholder = "gpt-3.5-turbo"

// parts are what the name of a model says, sorted and each once. Words that say nothing of the
// model, such as those of a vendor, a region or a deployment, are not among them.
type parts struct {
	families []string // gpt, llama
	versions []string // 4o, 3.1
	sizes    []string // 7b
	variants []string // mini, coder
	kinds    []string // instruct, base, thinking: most names leave theirs out
	dates    []string
	rest     string // the name without its date, file and rounding
}

// isFamilyAlone reports whether a name is a family's and says nothing else.
func (p parts) isFamilyAlone() bool { return slices.Equal(p.families, []string{p.rest}) }

var (
	familyWords = strings.Fields("gpt chatgpt claude gemini gemma codegemma medgemma llama codellama qwen qwq qvq deepseek mistral mixtral codestral devstral magistral ministral pixtral " +
		"phi granite starcoder stable stablecode stablelm glm chatglm codegeex kimi moonshot grok command jamba nova titan yi falcon olmo nemotron ernie hunyuan minimax mimo doubao seed smollm " +
		"mercury sonar dbrx exaone aya internlm baichuan longcat lfm solar zeta sweep")
	variantWords = strings.Fields("mini nano micro tiny small medium large xlarge ultra max plus pro lite light flash flashlite turbo fast air airx haiku sonnet opus fable spark codex coder code math vl vision omni " +
		"audio video image search deep distill scout maverick behemoth nemo oss moe reason guard embed embedding rerank realtime transcribe tts sol luna terra astra next premier heavy build fill edit mamba instant")
	// sizeWords say nothing where both names have the size itself.
	sizeWords = strings.Fields("mini tiny small medium large xlarge lite light turbo")
	kindWords = map[string]string{"instruct": "instruct", "it": "instruct", "chat": "instruct", "base": "base", "pt": "base", "thinking": "thinking"}
	// Other spellings of a part.
	spelled = map[string]string{"chatgpt": "gpt", "chatglm": "glm", "reasoner": "reason", "reasoning": "reason", "r1": "reason"}

	// file is the end of a model's name that is one of a file.
	file = regexp.MustCompile(`(-\d{5}-of-\d{5})?\.(gguf|ggml|safetensors|bin)$`)
	// engine is a server's name, not a model's.
	engine = regexp.MustCompile(`llama[-_.]cpp|llamafile|ollama`)
	// rounded says how the weights are rounded, and in which form they are.
	rounded = regexp.MustCompile(`(^|[-._:@ ])(ud-)?(i?q\d\w*|tq\d\w*|b?fp?(4|8|16|32)(-(dynamic|fast|e4m3|e5m2|kv))?|mxfp\d\w*|nvfp4|nf4|int[48]|w\d+a\d+\w*|\d-?bits?|awq|gptq|exl[23]|gguf|ggml|mlx|bnb|hf)($|[-._:@ ])`)
	// revision is the end of Bedrock's names.
	revision = regexp.MustCompile(`-v\d+:\d+(:\d+k)?$`)
	dated    = regexp.MustCompile(`(^|[-@:_])((?:19|20)\d{2}-?\d{2}-?\d{2}|(?:preview|exp)-\d{2}-\d{2}|\d{6}|\d{4})($|[-@:_])`)
	// pair is a version whose two numbers are apart: claude-3-5-sonnet.
	pair     = regexp.MustCompile(`([-a-z])(\d{1,2})[-_](\d{1,2})($|[-_@:])`)
	decimalP = regexp.MustCompile(`(\d)p(\d)`)
	sized    = regexp.MustCompile(`^(\d+x)?\d+(\.\d+)?[bm]$`)
	version  = regexp.MustCompile(`^[a-z]?\d+(\.\d+)*[a-z]?$`)
	// partOfSize is a number of experts or of active parameters, and a length of context.
	partOfSize = regexp.MustCompile(`^(a\d+(\.\d+)?b|\d+e|\d+k)$`)
	oSeries    = regexp.MustCompile(`^o\d$`) // OpenAI's o1 to o4
)

// partsOf reads a name that is in lower case and has no path.
func partsOf(name string) parts {
	var p parts
	name = engine.ReplaceAllString(revision.ReplaceAllString(file.ReplaceAllString(name, ""), ""), "")
	for before := ""; before != name; {
		before = name
		name = rounded.ReplaceAllString(name, "-")
	}
	name = decimalP.ReplaceAllString(name, "$1.$2")
	for {
		at := dated.FindStringSubmatchIndex(name)
		if at == nil {
			break
		}
		date := digits(name[at[4]:at[5]])
		p.dates = append(p.dates, date[len(date)-4:]) // 0613 is the end of 20230613
		name = name[:at[0]] + "-" + name[at[5]:]
	}
	name = pair.ReplaceAllString(name, "$1$2.$3$4")
	p.rest = strings.Trim(name, "-_:@. ")
	for _, word := range split(name) {
		p.add(word)
	}
	for _, list := range []*[]string{&p.families, &p.versions, &p.sizes, &p.variants, &p.kinds, &p.dates} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return p
}

// split returns the words of a name. A dot is within a word only between two digits.
func split(name string) []string {
	digit := func(i int) bool { return i >= 0 && i < len(name) && name[i] >= '0' && name[i] <= '9' }
	var out []string
	start := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && !strings.ContainsRune("-_:@ ()", rune(name[i])) && (name[i] != '.' || digit(i-1) && digit(i+1)) {
			continue
		}
		if i > start {
			out = append(out, name[start:i])
		}
		start = i + 1
	}
	return out
}

func (p *parts) add(word string) {
	if other, ok := spelled[word]; ok {
		word = other
	}
	switch {
	case kindWords[word] != "":
		p.kinds = append(p.kinds, kindWords[word])
	case slices.Contains(variantWords, word) && len(p.families) > 0: // before it, the word is somebody's own
		p.variants = append(p.variants, word)
	case slices.Contains(familyWords, word):
		p.families = append(p.families, word)
	case sized.MatchString(word):
		p.sizes = append(p.sizes, word)
	case partOfSize.MatchString(word):
	case oSeries.MatchString(word):
		p.families, p.versions = append(p.families, "o"), append(p.versions, word)
	case version.MatchString(word):
		p.versions = append(p.versions, strings.ReplaceAll(strings.TrimPrefix(word, "v"), ".", ""))
	default:
		for _, f := range familyWords {
			if rest, ok := strings.CutPrefix(word, f); ok && version.MatchString(rest) {
				p.add(f)
				p.add(rest)
				return
			}
		}
	}
}

// bare is the last part of a model's name, in lower case: servers name a model by its
// file, by a vendor and a name, or by a name and a tag.
func bare(id string) string {
	if id = strings.TrimSpace(id); id == "" {
		return ""
	}
	id = strings.NewReplacer(`\`, "/", "___", ".").Replace(id) // ModelScope's folders have ___ for a dot
	return strings.ToLower(path.Base(id))
}

func digits(date string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, date)
}
