package dialect

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tandem/model"
	"tandem/workspace/terms"
)

// A saying is a row of the table of what servers say. An error is the first row whose status
// it has, and of which it has a code or words.
type saying struct {
	status []int           // any of them; none: every one
	codes  []string        // codes and types
	words  []string        // phrases; see phrase
	not    string          // a phrase that it must not have
	also   func(said) bool // what neither says
	is     *meaning
	source string
}

// A said is an error as the table reads it: what the server said, and what it was asked.
type said struct {
	*APIError
	ec   *ErrorContext
	text string        // the message, for phrases
	told time.Duration // how long it asked to wait
	now  time.Time
}

// A meaning is what an error is. Its code decides what tandem does by itself.
type meaning struct {
	code model.Code
	kind Kind
	say  func(s said) string
	find func(s said, f *Failure) // what else the caller needs
}

// kinds are words that mean the same in a phrase.
var kinds = map[string]string{
	"input":   `inputs?\b|prompts?\b|prompt_tokens|messages?\b|requests?\b|requested|conversation|history|tokens?\b|token_?count|contents?\b|text\b|query|body|payload|sequence|context`,
	"output":  `maximum tokens (?:you requested|value)|max_(?:completion_|output_|new_)?tokens|max_?output_?tokens|maxTokens|(?:output|completion|generated|new) tokens`,
	"context": `context|n_ctx|max_(?:seq_len|model_len|position_embeddings|sequence_length|input_\w+|prompt_\w+|total_\w+|length)\w*|token limit|limit of [\d,_]{3,}|sequence length|model length|(?:max\w*|allowed|permitted|supported|available|configured|total|model's|model|input|prompt) (?:(?:allowed|supported|number of|model|input|prompt|total|token|sequence|request) ){0,3}(?:length|tokens?|size|limit|input|prompt|window)`,
	"beyond":  `exceed\w*|too (?:long|large|big|many|much)|(?:longer|larger|greater|more|bigger|higher) than|over(?:flow\w*|runs?\b| the )|beyond|above|surpass\w*|(?:does|do|did|can|could|would)(?:n't| ?not) fit|>`,
	"most":    `must be|must have|must not|should (?:be|have)|can(?:no|')t be|cannot (?:be|have|exceed)|(?:less|fewer|shorter|smaller) than|at most|up to|no more than|only supports?|supports? only|limited to|<=|≤`,
	"shorten": `reduc\w*|shorten\w*|decreas\w*|shorter|smaller|truncat\w*|trim\w*|cut down`,
	"money":   `credits?|balance|billing|budget|funds?|spend\w*|payment|prepa(?:id|yment)|recharge|arrear\w*|overdue|quota|subscription|usage limit|free (?:tier|trial|quota)|resource package|inference limit`,
	"gone":    `paused|exhaust\w*|used up|used all|exceed\w*|insufficient|not enough|too low|ran out|run out|out of|reached|negative|depleted|no (?:remaining|available|more)|required|suspended|inactive|over (?:its|your|the)?|has no|have no|don't have|hit your`,
	"often":   `rate.?limit\w*|too many requests|throttl\w*|requests? per|tokens per|per (?:second|minute|min|hour|day|month)|concurren\w*|\b[RT]P[SMHD]\b|slow down|too (?:fast|frequent\w*|quickly)|request limit|capacity limit`,
	"key":     `api[ _-]?keys?|access[ _-]?keys?|virtual key|subscription key|access[ _-]?token|auth(?:entication|orization)?[ _-]?token|bearer|credentials?|authorization(?: header)?|authentication|signature|x-api-key`,
	"bad":     `invalid|incorrect|not valid|expired|revoked|missing|malformed|wrong|unauthori[sz]ed|disabled|deleted|leaked|blocked|not (?:provided|found|recogni[sz]ed|set|accepted|exist)|\bno\b|required|didn't|did not|doesn't|does not|fail\w*|denied|could not|couldn't|unable|expected|must (?:be|have)`,
	"model":   `models?\b|deployments?\b|engine\b`,
	"absent":  `not found|not exist|n't exist|no longer|unknown|unrecogni[sz]ed|invalid|(?:is ?not|isn't|are not|not) (?:(?:currently|yet) )?(?:a )?(?:valid|available|supported|deployed|enabled|accessible|allowed|served|hosted|recogni[sz]ed|included|offered|configured|ready|registered)|unavailable|unsupported|decommissioned|deprecated|retired|sunset|discontinued|removed|not have (?:any )?access|no access|n't have access|cannot access|can't access|unable to access|inaccessible|access denied|not authori[sz]ed`,
	"lack":    `no such|unknown|invalid|unsupported|unrecogni[sz]ed|no access to|not have access to|n't have access to|not authori[sz]ed to (?:access|use)|unable to access|cannot (?:find|access)|could not find|can't find|couldn't find|no endpoints? found for|no (?:available |allowed )?(?:channel|provider|deployment|endpoint|instance|worker)s? (?:found )?(?:for|are available for|that)|only access`,
	"refused": `unsupported|not (?:currently |yet |be |a |an )*(?:support\w*|permitted|allowed|accepted|recogni[sz]ed|available|implemented|enabled|valid|a valid|applicable|compatible|used|set|specified|defined|in enum)|n't (?:support|accept|recogni[sz]e|allow|take|work)|not (?:accept|recogni[sz]e|allow|take)|unknown|unrecogni[sz]ed|unexpected|extra|extraneous|additional propert\w*|deprecated|removed|invalid|illegal|disallowed|forbidden|cannot find field|could not find|no such|not marked as ignorable|only|must|cannot|can't|should|incompatible|not exist|conflict\w*|one of|outside|out of range|too (?:large|high|low|small|long|many)|exceed\w*|greater than|less than|reject\w*|range|fixed|replaced|remove|unavailable|requires`,
	"busy":    `overload\w*|(?:at|over) capacity|high (?:demand|load|traffic)|\bbusy\b|temporarily unavailable|no (?:healthy|available) (?:upstream|workers?|instances?|capacity|servers?)|service unavailable|queue (?:is )?full|starting up|scal(?:e|ing) up`,
	"N":       `[\d,_]{2,12}`,
}

var kindName = regexp.MustCompile(`\{(\w+)\}`)

// phrase compiles a phrase: words, {kinds} of words, and … for at most 80 characters between
// them, ‥ for at most 40.
func phrase(p string) *regexp.Regexp {
	p = kindName.ReplaceAllStringFunc(p, func(kind string) string { return "(?:" + kinds[strings.Trim(kind, "{}")] + ")" })
	return regexp.MustCompile("(?is)" + strings.NewReplacer("…", ".{0,80}?", "‥", ".{0,40}?").Replace(p))
}

// sayings is the table of what servers say. What is more exact comes first.
var sayings = []saying{
	{codes: []string{"previous_response_not_found"}, is: chainLost, source: "reference/model-protocol.md 1.8"},
	{codes: []string{"websocket_connection_limit_reached"}, is: socketOld, source: "reference/model-protocol.md 1.7"},

	// What is longer than a limit by the minute never fits, however long one waits.
	{words: []string{`limit:? {N}…requested:? {N}`}, also: beyondLimit, is: contextFull, source: "Groq and OpenAI: Request too large for model on tokens per minute (tontinton/maki#319)"},
	{status: []int{402}, is: quota, source: "OpenRouter, DeepSeek, Cerebras"},
	{codes: []string{"usage_limit_reached"}, is: planUsed, source: "reference/model-protocol.md 8"},
	{codes: []string{"usage_not_included"}, is: notInPlan, source: "reference/model-protocol.md 8"},
	{codes: []string{"insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded", "project_spend_limit_exceeded", "organization_usage_limit_exceeded", "billing_error", "billing_hard_limit_reached",
		"budget_exceeded", "exceeded_current_quota_error", "insufficient_balance", "payment_required", "insufficient_user_quota", "Arrearage", "1113"}, also: noWait, is: quota,
		source: "reference/model-protocol.md 8; LiteLLM, Moonshot, new-api, DashScope, Z.ai"},
	{words: []string{`{money}…{gone}`, `{gone}…{money}`}, not: `{often}|maximum|context|\btokens?\b.{0,20}length`, also: noWait, is: quota,
		source: "Anthropic: Your credit balance is too low; xAI: used all available credits; Fireworks: monthly spending limit; Together: Credit limit exceeded"},

	{codes: []string{"context_length_exceeded", "exceed_context_size_error", "context_window_exceeded", "model_context_window_exceeded", "model_max_prompt_tokens_exceeded", "tokens_limit_reached", "string_above_max_length",
		"request_too_large", "ContextWindowExceededError", "max_tokens_exceeded", "1261", "1039"}, is: contextFull, source: "OpenAI, llama.cpp, GitHub (Copilot, Models), Anthropic, LiteLLM, Z.ai, MiniMax; earendil-works/pi#129"},
	{status: []int{413}, not: `{often}`, is: contextFull, source: "nginx's client_max_body_size; Anthropic's request_too_large"},
	{words: []string{`{output}…{beyond}`, `{output}…{most}…{N}`, `{output}…range`, `range of {output}`, `{output}…{N} > {N}`}, not: `prompt|inputs?\b|messages|context (?:length|window|size|limit)|at least 1, got -|{often}`, is: outputTooLong,
		source: "OpenAI: max_tokens is too large, at most 16384 completion tokens; DashScope: Range of max_tokens should be [1, 8192]; Anthropic: max_tokens: 100000 > 64000"},
	{words: []string{
		`{input}…{beyond}…{context}`, `{input}…(?:exceed|surpass|overflow)`, `{context}…{beyond}`, `{beyond}…{context}`, // the prompt exceeds the context window; context size exceeded
		`context…\bfull`, `out of context`, `{N} tokens…(?:maximum|limit|context|into)…{N}`, `limited to {N} tokens`, `(?:length|tokens?)…{N}…(?:max_\w+|maximum|limit)…{N}`,
		`(?:{input})…too (?:long|large|big)`, `too (?:many|large|long)…(?:tokens|input|prompt)`, // prompt is too long; too many input tokens
		`(?:max\w*|configured|model's) (?:context|prompt|input|sequence|total|token)…(?:is|of|:|=)…{N}`, `context (?:length|window|size|limit)…(?:is|of)…{N}`, // maximum prompt length is 131072
		`(?:tokens?\b|length)…{most}…{N}`, `{input}‥{most}…{N} tokens`, `range of input length`, // inputs tokens + max_new_tokens must be <= 4096
		`{shorten}…(?:length|size|number|amount)…{input}`, `{shorten} (?:your|the) {input}`, `shorter (?:input|prompt)`, // reduce the length of the messages
		`{input}…{N}…{beyond}…limit`, `at least 1, got -{N}`, // vLLM: what is left for the answer
		`(?:输入|提示|上下文|消息|长度|prompt|tokens?).{0,30}(?:超过|超出|超长|过长|超限)`,
	}, not: `{often}|{key}|timed? ?out|deadline|recursion|retries|attempts|connections?\b|images?\b`, also: func(s said) bool { return s.Status != 401 && s.Status != 429 }, is: contextFull,
		source: "jin-bo/agentao#88, BerriAI/litellm#21647, 0xBakeer/inference-atlas#186, earendil-works/pi#129, #2626, #4943, #5929, archestra-ai/archestra#6044, sst/opencode#17763; TGI, SGLang, LM Studio, Mistral, Fireworks, Cloudflare, Copilot"},

	{words: []string{`(?:supported|available|use|using|endpoint)…v1/(?:responses|completions|messages|chat/completions)`, `not a chat model`, `use the responses api`, `not in v1/chat/completions`}, also: func(s said) bool { return s.offeredWire() != "" }, is: elsewhere,
		source: "OpenAI: This is not a chat model; This model is only supported in v1/responses"},
	{words: []string{`(?:not support|n't support|unsupported|no endpoints).{0,60}\btool`, `\btools?\b.{0,60}(?:not support|n't support|unsupported|requires?|disabled|not permitted|not allowed)`}, is: noTools, source: "Ollama, vLLM (--enable-auto-tool-choice), OpenRouter"},
	{words: []string{`suffix is not`, `does not support insert`, `infill is not supported`}, is: noSuffix, source: "vLLM, Ollama, llama.cpp"},
	{words: []string{`stream(?:ing|ed)?\b…(?:not|n't|un)(?: be)? ?(?:support|allow|available|enabled)`, `(?:not|n't) support…stream(?:ing)?\b`}, not: `stream_options`, also: func(s said) bool { return s.parameter() == "" || s.parameter() == "stream" }, is: noStream,
		source: "RooCodeInc/Roo-Code#274 (o1-mini)"},
	{codes: []string{"unsupported_parameter", "unknown_parameter", "unsupported_value", "extra_forbidden", "parameter_not_supported"}, also: namesParameter, is: parameterRefused, source: "reference/model-protocol.md 8"},
	{status: []int{400, 422}, also: func(s said) bool { return s.Param != "" && namesParameter(s) }, is: parameterRefused, source: "OpenAI's param"},
	{words: []string{`{refused}`}, not: `{often}`, also: func(s said) bool {
		return !slices.Contains([]int{401, 402, 403, 429, 503}, s.Status) && namesParameter(s)
	}, is: parameterRefused,
		source: "partITech/php-mistral#76 (Mistral), FlowiseAI/Flowise#2866 (Gemini), gpustack/gpustack#429, anomalyco/opencode#31156 (Databricks), QuantumNous/new-api#418, davidmigloz/langchain_dart#712, vllm-project/vllm#10463, ai-dynamo/dynamo#4021, lobehub/lobehub#17831; LiteLLM, Bedrock, Groq, xAI, Fireworks, serde, Jackson, jsonschema"},

	{words: []string{`loading model`, `model…\bload(?:ing|ed)\b…(?:wait|please|yet|try)`, `model‥\bis (?:currently |still )?loading`}, also: func(s said) bool { return !noneLoaded.MatchString(s.text) }, is: loading, source: "llama.cpp, Hugging Face"},
	{words: []string{noneLoaded.String()}, is: nothingLoaded, source: "LM Studio"},
	{codes: []string{"model_not_found", "model_not_supported", "DeploymentNotFound", "key_model_access_denied", "invalid_model", "model_not_exist", "ModelNotFound", "ENDPOINT_NOT_FOUND", "model_decommissioned", "model_terms_required"}, is: modelUnknown,
		source: "OpenAI, GitHub Copilot, Azure, LiteLLM, Mistral, DeepSeek, Databricks, Groq"},
	{codes: []string{"invalid_api_key", "authentication_error", "API_KEY_INVALID", "token_expired", "InvalidApiKey", "invalid_authentication_error"}, is: keyRefused, source: "OpenAI, Anthropic, Gemini, DashScope, Moonshot"},
	{status: []int{0, 400, 403, 404}, words: []string{`{key}…{bad}`, `{bad}…{key}`, `(?:无效|过期|错误).{0,6}(?:令牌|密钥|key)`, `(?:令牌|密钥|key).{0,12}(?:无效|过期|错误|不存在)`}, not: `{model}…{absent}|{often}`, is: keyRefused, source: "Gemini: 400 API key not valid; new-api; xAI: 400 Incorrect API key provided"},
	{status: []int{0, 400, 403, 404, 422, 500, 503}, words: []string{`{model}…{absent}`, `(?:{lack}) (?:(?:the|this|a|that|requested|specified|foundation|provided|provider|name) )*{model}`, `not (?:a valid|found in)‥model`, `no endpoints found for`}, not: `{often}|{busy}`, is: modelUnknown,
		source: "Anthropic, Gemini, Ollama, OpenRouter, DeepSeek, Bedrock, LiteLLM, Groq, Mistral, Together, Fireworks, Cloudflare, Hugging Face, new-api"},

	{status: []int{http.StatusUnauthorized}, is: keyRefused},
	{status: []int{http.StatusForbidden}, also: webPage, is: walledOff, source: "tysonnbt/Antigravity-Deck#44 (Cloudflare's challenge), corporate proxies"},
	{status: []int{http.StatusForbidden}, is: forbidden},
	{codes: []string{"permission_error"}, is: forbidden, source: "Anthropic"},
	{status: []int{http.StatusNotFound, http.StatusMethodNotAllowed}, is: misplaced},
	{status: []int{http.StatusProxyAuthRequired}, is: proxyAsks},
	{status: []int{300, 301, 302, 303, 304, 305, 306, 307, 308}, is: moved},
	{status: []int{http.StatusTooManyRequests}, is: limited, source: "reference/model-protocol.md 8; nftstorage/nft.storage#1154 (a web page)"},
	{also: webPage, is: aWebPage},
	{codes: []string{"rate_limit_exceeded", "rate_limit_error", "slow_down", "RESOURCE_EXHAUSTED", "ThrottlingException"}, also: func(s said) bool { return s.Status < 500 }, is: limited, source: "OpenAI, Anthropic, Gemini, Bedrock"},
	{words: []string{`{often}`}, also: func(s said) bool { return s.Status < 500 }, is: limited},
	{status: []int{http.StatusServiceUnavailable, 529}, is: overloaded},
	{codes: []string{"server_is_overloaded", "overloaded_error", "slow_down", "UNAVAILABLE", "engine_overloaded_error"}, is: overloaded, source: "OpenAI, Anthropic, Gemini, Moonshot"},
	{words: []string{`{busy}`}, is: overloaded},
	{status: []int{http.StatusRequestTimeout, http.StatusConflict}, is: conflict},
	{status: []int{http.StatusUnprocessableEntity}, words: []string{`field required`, `missing field`, `required (?:field|property|parameter)`}, is: notUnderstood, source: "FastAPI, serde: a request in another wire lacks what this one must have"},
	{status: []int{http.StatusBadRequest}, is: notUnderstood},
	{codes: []string{"invalid_request_error", "INVALID_ARGUMENT"}, also: func(s said) bool { return s.Status < 500 }, is: unexplained, source: "OpenAI, Anthropic, Gemini, in a stream"},
	{also: func(s said) bool { return s.Status >= 400 && s.Status < 500 }, is: unexplained},
	{is: itsFault},
}

// What errors are.
var (
	// By itself tandem asks with the whole conversation.
	chainLost = &meaning{code: model.CodeServer, kind: KindChainLost, say: func(s said) string {
		return fmt.Sprintf("ask again: %s no longer knows the conversation.", s.ec.Provider)
	}}
	// By itself tandem asks over a new socket.
	socketOld = &meaning{code: model.CodeServer, kind: KindSocketLimit, say: func(s said) string {
		return fmt.Sprintf("ask again: %s closed a connection that had become too old.", s.ec.Provider)
	}}
	// By itself tandem shows less, from then on.
	contextFull = &meaning{code: model.CodeContextLength, say: func(s said) string {
		return fmt.Sprintf("lower context_window in [models.%s]: the request is longer than its server takes%s.", s.ec.Model, s.quote())
	}, find: func(s said, f *Failure) { f.MostTokens = s.mostTokens() }}
	// By itself tandem leaves the bound of the answer to the server.
	outputTooLong = &meaning{code: model.CodeParameter, say: func(s said) string {
		return fmt.Sprintf("lower max_output_tokens in [models.%s]: its server does not write so long an answer%s.", s.ec.Model, s.quote())
	}, find: func(s said, f *Failure) { f.Param = s.outputParameter() }}
	// By itself tandem asks no more by itself.
	quota = &meaning{code: model.CodeQuota, say: func(s said) string {
		return fmt.Sprintf("add credit at %s or choose another model: the account has used up its credit or its spending limit%s.", s.ec.Provider, s.quote())
	}}
	// By itself tandem asks no more until the plan begins anew.
	planUsed = &meaning{code: model.CodeQuota, say: func(s said) string {
		return fmt.Sprintf("%s or choose another model: the plan at %s is used up for now%s.", waitUntil(s.ResetsAt), s.ec.Provider, s.quote())
	}}
	notInPlan = &meaning{code: model.CodeNotFound, say: func(s said) string {
		return fmt.Sprintf("choose another model than %s: the plan at %s does not include it.", s.ec.Model, s.ec.Provider)
	}}
	elsewhere = &meaning{code: model.CodeNotFound, say: func(s said) string {
		return fmt.Sprintf("write wire_api = %q in [providers.%s]: %s is offered there alone%s.", s.offeredWire(), s.ec.Provider, s.ec.Asked, s.quote())
	}}
	// By itself tandem asks in words, without functions.
	noTools = &meaning{code: model.CodeParameter, say: func(s said) string {
		return fmt.Sprintf("add \"tools\" to omit in [models.%s]: it takes no function calls%s.", s.ec.Model, s.quote())
	}, find: func(_ said, f *Failure) { f.Param = "tools" }}
	// By itself tandem asks for completions in words.
	noSuffix = &meaning{code: model.CodeBadRequest, kind: KindNoSuffix, say: func(s said) string {
		return fmt.Sprintf("name the family of %s in fim of [models.%s] (%s): %s takes no text after the cursor by itself.", s.ec.Model, s.ec.Model, strings.Join(model.FIMNames(), ", "), s.ec.Provider)
	}}
	// By itself tandem asks for whole answers from then on.
	noStream = &meaning{code: model.CodeParameter, say: func(s said) string {
		return fmt.Sprintf("add \"stream\" to omit in [models.%s]: it does not stream%s.", s.ec.Model, s.quote())
	}, find: func(_ said, f *Failure) { f.Param = "stream" }}
	// By itself tandem leaves the parameter out from then on.
	parameterRefused = &meaning{code: model.CodeParameter, say: func(s said) string {
		return fmt.Sprintf("add %s to omit in [models.%s]: its server does not take that parameter.", s.parameter(), s.ec.Model)
	}, find: func(s said, f *Failure) { f.Param = s.parameter() }}
	// By itself tandem asks again a few times.
	loading = &meaning{code: model.CodeOverloaded, say: func(s said) string {
		return fmt.Sprintf("wait a moment: %s is still loading its model.", s.ec.At())
	}}
	nothingLoaded = &meaning{code: model.CodeNotFound, say: func(s said) string {
		return fmt.Sprintf("load %s in %s: it has no model loaded.", s.ec.Asked, s.ec.At())
	}}
	modelUnknown = &meaning{code: model.CodeNotFound, say: func(s said) string { return s.ec.missing() }}
	// By itself tandem asks for another key once.
	keyRefused = &meaning{code: model.CodeAuth, say: func(s said) string {
		return fmt.Sprintf("set a valid key%s: %s did not accept the one there (%d).", s.ec.keyHint(), s.ec.Provider, cmp.Or(s.Status, 401))
	}}
	walledOff = &meaning{code: model.CodeForbidden, say: func(s said) string {
		return fmt.Sprintf("have %s allowed on your network, or set proxy in [providers.%s]: a web page came in place of an answer (403), as from a firewall or a proxy.", s.ec.Host, s.ec.Provider)
	}}
	forbidden = &meaning{code: model.CodeForbidden, say: func(s said) string {
		return fmt.Sprintf("check what the key for %s is allowed to do: this request is refused (403)%s.", s.ec.Provider, s.quote())
	}}
	misplaced = &meaning{code: model.CodeNotFound, say: func(s said) string { return s.ec.misplaced(s.Status) }}
	proxyAsks = &meaning{code: model.CodeProxy, say: func(s said) string {
		return fmt.Sprintf("put a user name and password into proxy of [providers.%s] or into HTTPS_PROXY: the proxy asks for them (407).", s.ec.Provider)
	}}
	moved = &meaning{code: model.CodeProtocol, say: func(s said) string {
		return fmt.Sprintf("put the final address into base_url of [providers.%s]: %s sends elsewhere (%d)%s, where a key is not taken along.", s.ec.Provider, s.ec.At(), s.Status, toHost(s.APIError))
	}}
	aWebPage = &meaning{code: model.CodeProtocol, say: func(s said) string { return s.ec.WebPage(s.Status).Message }, find: func(s said, f *Failure) { f.Code = s.ec.WebPage(s.Status).Code }}
	// By itself tandem waits as long as it was told, if that is not too long.
	limited = &meaning{code: model.CodeRateLimit, say: func(s said) string {
		return fmt.Sprintf("wait %s or choose another model: %s limits how often it may be asked%s.", s.wait(), s.ec.Provider, s.quote())
	}}
	// By itself tandem asks again a few times.
	overloaded = &meaning{code: model.CodeOverloaded, say: func(s said) string {
		return fmt.Sprintf("try again in %s or choose another model: %s is overloaded%s.", s.wait(), s.ec.Provider, s.quote())
	}}
	// By itself tandem asks again a few times.
	conflict = &meaning{code: model.CodeServer, kind: kindConflict, say: func(s said) string {
		return fmt.Sprintf("try again: %s could not take the request just now (%d)%s.", s.ec.Provider, s.Status, s.quote())
	}}
	notUnderstood = &meaning{code: model.CodeBadRequest, say: func(s said) string {
		return fmt.Sprintf("check wire_api of [providers.%s]: its server does not understand the request (%d)%s.", s.ec.Provider, s.Status, s.quote())
	}}
	unexplained = &meaning{code: model.CodeBadRequest, say: func(s said) string {
		return fmt.Sprintf("ask in another way, or choose another model: %s refused the request%s%s.", s.ec.Provider, statusText(s.Status), s.quote())
	}}
	// By itself tandem asks again a few times.
	itsFault = &meaning{code: model.CodeServer, say: func(s said) string {
		return fmt.Sprintf("try again, or choose another model: %s has a fault of its own%s%s.", s.ec.Provider, statusText(s.Status), s.quote())
	}}
)

var noneLoaded = regexp.MustCompile(`(?i)no models? (?:is |are )?(?:currently )?loaded`)

// matched are the rows with their phrases, compiled when the first error comes.
var matched = sync.OnceValue(func() []compiled {
	list := make([]compiled, len(sayings))
	for i, row := range sayings {
		for _, words := range row.words {
			list[i].words = append(list[i].words, phrase(words))
		}
		if row.not != "" {
			list[i].not = phrase(row.not)
		}
	}
	return list
})

// A compiled saying has its phrases.
type compiled struct {
	words []*regexp.Regexp
	not   *regexp.Regexp
}

// maxSaid bounds the text in which phrases are looked for.
const maxSaid = 4 << 10

// meaningOf returns what an error is: the first row of the table that it is.
func meaningOf(s said) *meaning {
	list := matched()
	for i, row := range sayings {
		switch {
		case len(row.status) > 0 && !slices.Contains(row.status, s.Status):
			continue
		case len(row.codes)+len(row.words) > 0 && !s.is(row.codes...) && !anyMatches(list[i].words, s.text):
			continue
		case list[i].not != nil && list[i].not.MatchString(s.text):
			continue
		case row.also != nil && !row.also(s):
			continue
		}
		return row.is
	}
	return itsFault
}

func anyMatches(list []*regexp.Regexp, text string) bool {
	return slices.ContainsFunc(list, func(r *regexp.Regexp) bool { return r.MatchString(text) })
}

func webPage(s said) bool        { return s.HTML }
func noWait(s said) bool         { return s.told == 0 }
func namesParameter(s said) bool { return s.parameter() != "" }

// wait says how long to wait, and until when if the sentence may be read again later.
func (s said) wait() string {
	format := "15:04"
	switch {
	case s.told <= 2*time.Minute:
		return roughly(s.told)
	case s.told > 12*time.Hour:
		format = "15:04 on 2 January"
	}
	return roughly(s.told) + " (until " + s.now.Add(s.told).Local().Format(format) + ")"
}

// quote returns the server's message in brackets and quotation marks, if there is one.
func (s said) quote() string { return s.ec.quote(s.APIError) }

var limitRequested = regexp.MustCompile(`(?is)limit:? ([\d,]+).{0,80}?requested:? ([\d,]+)`)

// beyondLimit reports whether a request alone is larger than the limit that it met.
func beyondLimit(s said) bool {
	m := limitRequested.FindStringSubmatch(s.text)
	return m != nil && plainNumber(m[2]) > plainNumber(m[1])
}

func plainNumber(digits string) int {
	n, _ := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(digits))
	return n
}

// What comes before the number that fits, the surest first, and what comes behind it.
var mostTokens = []*regexp.Regexp{
	regexp.MustCompile(`(?is)(?:max\w*|limit|context\w*)\D{0,20}(\d[\d,_]{2,11})\W{0,3}(?:tokens )?exceeded(?:$|[.:;,])`),
	regexp.MustCompile(`(?:>|<=|≤)[^\d.;]{0,30}(\d[\d,_]{2,11})\b`),
	regexp.MustCompile(`(?is)(?:exceed\w*|(?:longer|greater|larger|bigger|higher|more|less|fewer) than|only supports?|range[^\[]{0,40}\[\d+,)(?:[^\d.;]|\.\D){0,80}?(\d[\d,_]{2,11})\b`),
	regexp.MustCompile(`(?is)(?:context (?:length|window|size|limit)|limit|max\w*|allowed|permitted|supports?|up to|at most|only)(?:[^\d.;]|\.\D){0,40}?(\d[\d,_]{2,11})\b`),
	regexp.MustCompile(`(?is)(\d[\d,_]{2,11}) (?:tokens? )?(?:max\w*|context|limit)`),
}

// notTheMost comes before a number that is not how much fits.
var notTheMost = regexp.MustCompile(`(?is)(?:requested|given|got|by|resulted in|passed|current\w*|contains?|received)\W{0,3}(?:length |about |at least |is |of )?[^\d]{0,12}$`)

var aNumber = regexp.MustCompile(`\d[\d,_]*`)

// mostTokens is how many tokens fit, or 0.
func (s said) mostTokens() int {
	if s.MostTokens > 0 {
		return s.MostTokens
	}
	if s.is("string_above_max_length") || s.Status == http.StatusRequestEntityTooLarge && !strings.Contains(s.text, "oken") {
		return 0 // characters, or bytes
	}
	if m := limitRequested.FindStringSubmatch(s.text); m != nil {
		return plainNumber(m[1])
	}
	for _, words := range mostTokens {
		for _, at := range words.FindAllStringSubmatchIndex(s.text, -1) {
			if n := plainNumber(s.text[at[2]:at[3]]); n >= leastContext && !notTheMost.MatchString(s.text[:at[2]]) && s.counts(n) {
				return n
			}
		}
	}
	return 0
}

// counts reports whether a number is one of tokens: the message says so, or has what was sent.
func (s said) counts(n int) bool {
	text := strings.ToLower(s.text)
	return strings.Contains(text, "token") || strings.Contains(text, "length") ||
		slices.ContainsFunc(aNumber.FindAllString(s.text, -1), func(other string) bool { return plainNumber(other) > n })
}

// leastContext is the smallest number that is taken for a context in tokens.
const leastContext = 256

// required are parameters without which no request can be sent.
var required = []string{"model", "messages", "input", "prompt", "instructions", "system", "tools"}

// ordinary are parameters whose names are words of sentences: they count only where they are
// marked as a name.
var ordinary = []string{"n", "stop", "text", "store", "stream", "options", "think", "shift", "truncate", "reasoning", "effort", "summary", "prediction", "grammar", "suffix"}

// parameter is the parameter that the error is about, of those that were sent, as the path of
// its members; "" if it names none.
func (s said) parameter() string {
	if len(s.ec.Sent) == 0 {
		return Printable(cmp.Or(s.Param, s.quoted()), 64)
	}
	about := s.aboutSent()
	best, first := "", len(s.text)+1
	for path := range s.ec.Sent.paths() {
		name := path[strings.LastIndex(path, ".")+1:]
		switch {
		case slices.Contains(required, path), path == "max_tokens" && s.ec.Wire == "messages":
		case about && isParameter(s.Param, path):
			return path
		case !about:
			if at := mention(s.text, name, slices.Contains(ordinary, name)); at >= 0 && (at < first || at == first && len(path) > len(best)) {
				best, first = path, at
			}
		}
	}
	return best
}

// aboutSent reports whether the error's own parameter is something that was sent: some servers
// write a class of errors there.
func (s said) aboutSent() bool {
	first := s.Param[:len(s.Param)-len(strings.TrimLeft(s.Param, memberChars))]
	for path := range s.ec.Sent.paths() {
		if path == first || isParameter(s.Param, path) {
			return true
		}
	}
	return false
}

const memberChars = terms.ASCII + "_"

// isParameter reports whether a parameter that an error names is that of a path: either may have
// more before it.
func isParameter(param, path string) bool {
	return param != "" && (param == path || strings.HasSuffix(param, "."+path) || strings.HasSuffix(path, "."+param))
}

// quoted is the first name in quotation marks, for errors of requests that nobody knows.
func (s said) quoted() string {
	if m := quotedName.FindStringSubmatch(s.text); m != nil {
		return m[1]
	}
	return ""
}

var quotedName = regexp.MustCompile("['\"`“\\[]([a-z]\\w*(?:\\.\\w+)*)['\"`”\\]]")

// called are other names of parameters in sentences.
var called = map[string][]string{"stop": {"stop sequences", "stop words", "stop strings"}, "max_tokens": {"max tokens"}}

// mention is the offset at which a text names a parameter, or -1. A marked name is one in
// quotation marks or brackets, behind a word such as “parameter”, or before a colon.
func mention(text, name string, marked bool) int {
	spellings := append([]string{name, camelCase(name), strings.ReplaceAll(name, "_", " "), strings.ReplaceAll(name, "_", "-")}, called[name]...)
	for at := range text {
		rest := text[at:]
		found := ""
		for _, spelling := range spellings {
			if len(spelling) > len(found) && len(rest) >= len(spelling) && strings.EqualFold(rest[:len(spelling)], spelling) {
				found = spelling
			}
		}
		if found == "" || at > 0 && isWord(text[at-1]) || len(rest) > len(found) && isWord(rest[len(found)]) {
			continue
		}
		if !marked || found != name || isMarked(text[:at], rest[len(found):]) {
			return at
		}
	}
	return -1
}

// isMarked reports whether what stands between two texts is marked as a name.
func isMarked(before, after string) bool {
	quoted := before != "" && strings.ContainsRune("'\"`[“", rune(before[len(before)-1]))
	last := strings.HasSuffix(before, ": ") && strings.Trim(after, ".)]}'\"") == ""
	return quoted || last || strings.HasPrefix(after, ":") || nameBefore.MatchString(before)
}

var nameBefore = regexp.MustCompile(`(?i)(?:parameters?|arguments?|fields?|keys?|property|properties|name|option|body|supplied)\W{1,4}$`)

func isWord(c byte) bool { return strings.IndexByte(memberChars, c) >= 0 }

// camelCase is a name as other servers spell it: maxTokens.
func camelCase(name string) string {
	var b strings.Builder
	up := false
	for _, c := range []byte(name) {
		switch {
		case c == '_':
			up = true
			continue
		case up && c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		}
		up = false
		b.WriteByte(c)
	}
	return b.String()
}

// outputParameter is the parameter that bounds the answer, if the request can be sent without.
func (s said) outputParameter() string {
	if s.ec.Wire == "messages" {
		return ""
	}
	for path := range s.ec.Sent.paths() {
		if slices.Contains(outputLimits, path[strings.LastIndex(path, ".")+1:]) {
			return path
		}
	}
	return ""
}

var endpoints = regexp.MustCompile(`v1/(responses|chat/completions|completions|messages)|(responses) api`)

// offeredWire is the wire API that a message names besides the one that was used.
func (s said) offeredWire() string {
	for _, m := range endpoints.FindAllStringSubmatch(strings.ToLower(s.text), -1) {
		wire := strings.TrimSuffix(cmp.Or(m[1], m[2]), "/completions")
		if wire != s.ec.Wire {
			return wire
		}
	}
	return ""
}
