package dialect

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/model"
)

// answeredWith is the failure for an error response to a request that had the usual optional
// parameters.
func answeredWith(t *testing.T, wire string, status int, header, body string) *Failure {
	t.Helper()
	h := http.Header{}
	for _, line := range strings.Split(header, "\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			h.Set(name, value)
		}
	}
	e := ReadError(&http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))})
	ec := ErrorContext{Provider: "lab", Model: "m", Asked: "small", Host: "lab.test", Wire: wire, Sent: Fields{
		{"model", "small"}, {"messages", []Fields{{{"role", "user"}, {"content", "hello"}}}}, {"n", 2}, {"stream", true}, {"stream_options", Fields{{"include_usage", true}}},
		{"max_tokens", 4096}, {"temperature", 0.1}, {"stop", []string{"x"}}, {"reasoning_effort", "low"}, {"verbosity", "low"}, {"service_tier", "auto"}, {"prompt_cache_key", "k"},
		{"tools", []Fields{{{"type", "function"}}}}}}
	if wire == "responses" {
		ec.Sent = Fields{{"model", "small"}, {"reasoning", Fields{{"effort", "low"}, {"summary", "auto"}}}, {"text", Fields{{"verbosity", "low"}}}}
	}
	return ec.Answered(e, time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC))
}

// said is a message in the shape of OpenAI's errors.
func messageBody(message string) string {
	m, _ := json.Marshal(message)
	return `{"error":{"message":` + string(m) + `,"type":"invalid_request_error"}}`
}

// fullContexts are what servers say of a request that is longer than the model's context, with
// how much fits. Sources: those of the row in sayings.
var fullContexts = []struct {
	status int
	said   string // a body, or a message
	most   int
}{
	{400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 10000 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, 8192},
	{400, `{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}`, 0},
	{400, "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300100 tokens. Please reduce the length of the messages.", 272000},
	{400, `{"error":{"message":"Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576, but got a string with length 2000000 instead.","type":"invalid_request_error","param":"messages[1].content","code":"string_above_max_length"}}`, 0},
	{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 215000 tokens > 200000 maximum"}}`, 200000},
	{400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000, decrease input length or `max_tokens` and try again\"}}", 200000},
	{413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, 0},
	{400, `{"object":"error","message":"The input (9001 tokens) is longer than the model's context length (8192 tokens).","type":"BadRequestError","code":400}`, 8192},
	{400, "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9001 tokens: 8001 tokens from the input messages and 1000 tokens for the completion.", 8192},
	{400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, 1048576},
	{400, "Unable to submit request because the input token count is 33000 but model only supports up to 32768. Reduce the input token count and try again.", 32768},
	{400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input"}`, 0},
	{400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough."}`, 2048},
	{400, `{"error":"Context size has been exceeded."}`, 0},
	{400, `{"error":"Reached context length of 4096 tokens with this model, but this model does not currently support mid-generation context overflow because llama_memory_can_shift is 0."}`, 4096},
	{413, "{\"error\":{\"message\":\"Request too large for model `small` on tokens per minute (TPM): Limit 6000, Requested 9001, please reduce your message size and try again.\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}", 6000},
	{429, `{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40123. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}`, 30000},
	{400, `{"error":{"message":"You passed 9001 input tokens and requested 4096 output tokens. However, the model's context length is only 8192 tokens.","type":"BadRequestError","param":"input_tokens","code":400}}`, 8192},
	{400, "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=262145)", 262144},
	{400, "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 1000 input tokens (4096 > 4096 - 1000).", 4096},
	{400, "max_tokens must be at least 1, got -300.", 0},
	{400, "The decoder prompt (length 9001) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.", 8192},
	{400, `{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}`, 4096},
	{500, `{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"server_error"}}`, 0},
	{500, `{"error":{"code":500,"message":"input is too large to process. increase the physical batch size","type":"server_error"}}`, 0},
	{400, `{"error":"the input length exceeds the context length"}`, 0},
	{400, `{"error":"prompt too long; exceeded max context length by 100918 tokens"}`, 0},
	{422, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 500 `max_new_tokens`\",\"error_type\":\"validation\"}", 4096},
	{422, "{\"error\":\"Input validation error: `inputs` must have less than 1024 tokens. Given: 2000\",\"error_type\":\"validation\"}", 1024},
	{400, `{"message":"Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}`, 8192},
	{400, `{"object":"error","message":"Prompt contains 33000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","code":"3051"}`, 32768},
	{400, "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens (199000 of text input, 1000 in the output). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.", 131072},
	{400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"Input length 131393 exceeds the maximum allowed input length of 131040 tokens.\"}}","provider_name":"Poolside"}}}`, 131040},
	{400, `{"error":{"object":"error","type":"invalid_request_error","message":"The prompt is too long: 150000, model maximum context length: 131071"}}`, 131071},
	{400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 150000 tokens."}`, 131072},
	{400, `{"success":false,"errors":[{"code":5021,"message":"AiError: The estimated number of input and maximum output tokens (5000) exceeded this model context window limit (4096)."}],"result":null}`, 4096},
	{400, `{"error":{"message":"prompt token count of 70000 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}`, 64000},
	{413, `{"error":{"code":"tokens_limit_reached","message":"Request body too large for gpt-4o model. Max size: 8000 tokens.","details":"Request body too large for gpt-4o model. Max size: 8000 tokens."}}`, 8000},
	{400, `{"message":"too many tokens: size limit exceeded by 19296 tokens. Try using shorter or fewer inputs. The limit for this model is 132000 tokens."}`, 132000},
	{400, `{"message":"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt, or enabling prompt truncating."}`, 4081},
	{400, "Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)", 131072},
	{400, `{"error":{"code":"1261","message":"Prompt exceeds max length"}}`, 0},
	{400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]", 30720},
	{400, `{"type":"error","error":{"type":"bad_request_error","message":"invalid params, context window exceeds limit (2013)","http_code":"400"}}`, 0},
	{400, `{"code":20015,"message":"length of prompt_tokens (9001) must be less than max_seq_len (8192).","data":null}`, 8192},
	{400, `{"errors":[{"code":"invalid_input_argument","message":"Invalid input argument for Model 'x': the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model"}]}`, 4096},
	{400, "Prompt length 9000 is greater than max_seq_len 8192", 8192},
	{500, `{"error":{"message":"Requested tokens (5000) exceed context window of 4096","type":"internal_server_error","param":null,"code":null}}`, 4096},
	{400, "Prompt length (9000) exceeds maximum input length (8192). Set truncate_prompt_tokens", 8192},
	{400, "Number of prompt tokens: 9000 exceeds model max length: 8192", 8192},
	{400, "Prompt has 70000 tokens, but the configured context size is 65536 tokens", 65536},
	{400, "Prompt too long: 5152 tokens exceeds max_seq_len 2048 (leave room for output tokens)", 2048},
	{400, `{"message":"Input is too long for requested model."}`, 0},
	{400, `{"message":"The model returned the following errors: Too many input tokens. Max input tokens: 8192, request input token count: 9000"}`, 8192},
	{400, `{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - context window full","type":"invalid_request_error","code":"400"}}`, 0},
	{400, "The total length of all messages is too long.", 0},
	{400, "tokens in request more than max tokens allowed", 0},
	{413, "<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>", 0},
	{400, "Number of tokens (5000) exceeded maximum context length (4096).", 4096},
	{400, "Token limit exceeded for this model", 0},
	{400, "输入内容过长，超过模型上下文长度限制", 0},
}

// saidOtherwise are the same things in words that no report has, so that the table reads kinds
// of words and not sentences.
var saidOtherwise = []string{
	"Conversation too long: 150000 tokens, limit is 128000",
	"The model's context window was exceeded",
	"Input exceeds model context of 32k tokens",
	"This request has 40000 tokens which is over the 32768 token limit",
	"max_total_tokens 4096 exceeded: 5000",
	"Sequence length 9000 > 8192",
	"prompt tokens (9000) + max_tokens (1000) > max_model_len (8192)",
	"Please shorten your prompt. It's over the limit by 300 tokens",
	"Requested 9000 tokens, but the context window is 8192",
	"input token length 9000 is larger than max allowed 8192",
	"Your prompt is too big",
	"Number of tokens in the messages exceed the model context window",
	"validation error: token_count 9001 must not exceed 8192",
	"Inference failed: context overflow",
	"The text is too long. Limit: 8000 characters",
	"Too long prompt",
	"request has 9000 tokens; context has room for 8192",
	"Cannot fit 9000 tokens into 8192",
	"The total number of tokens (prompt + completion) requested, 9000, exceeds this model's limit 8192",
	"Request Entity Too Large",
	"Input text exceeds the maximum context of this endpoint",
	"n_ctx exceeded",
	"ValueError: Input length of input_ids is 9000, but `max_length` is set to 8192",
	"This model is limited to 8192 tokens; you sent 9000",
	"token count exceed: 9000/8192",
	"Context length 9000 exceeds 8192", "The context is full", "The request was too long for the model", "Maximum tokens exceeded", "input_tokens 9000 above limit 8192", "Prompt longer than context (9000 > 8192)", "exceeded maximum sequence length", "Your message is 9000 tokens, but the maximum is 8192", "Prompt size of 9000 tokens surpasses the 8192 limit", "out of context space", "Message history exceeds what the model can process",
	"You have exceeded the maximum number of input tokens (8192) for this model", "context window of 8192 tokens exceeded", "The number of input tokens (9000) exceeds the maximum (8192)", "Input validation error: inputs tokens + max_new_tokens must be <= 8192", "context_length: 9000 tokens is more than 8192",
}

var refusedOtherwise = map[string]string{
	"Parameter 'temperature' is not allowed":                                                              "temperature",
	"The following parameters are not supported: temperature":                                             "temperature",
	"unsupported field: stream_options":                                                                   "stream_options",
	"'stream_options' is not a recognized parameter":                                                      "stream_options",
	"stream_options not supported":                                                                        "stream_options",
	"Invalid argument: reasoning_effort":                                                                  "reasoning_effort",
	"Request body contains unsupported key(s): stream_options":                                            "stream_options",
	"no such option: temperature":                                                                         "temperature",
	"Model x does not allow setting temperature":                                                          "temperature",
	"The parameter `stop` specified in the request are not valid":                                         "stop",
	"reasoning_effort: Input should be 'none'":                                                            "reasoning_effort",
	"max_tokens is not permitted":                                                                         "max_tokens",
	"Received unexpected field max_tokens":                                                                "max_tokens",
	"You cannot use stream_options with this model.":                                                      "stream_options",
	"temperature may not be set for this model":                                                           "temperature",
	"ERR_UNSUPPORTED_PARAM: temperature":                                                                  "temperature",
	"stream_options: unexpected property":                                                                 "stream_options",
	"`$.stream_options` is not defined in the schema and the schema does not allow additional properties": "stream_options",
	"Streaming usage (stream_options.include_usage) is unavailable":                                       "stream_options",
	"This model doesn't work with temperature":                                                            "temperature",
	"temperature is fixed at 1 for this model":                                                            "temperature",
	"Please remove the temperature parameter":                                                             "temperature",
	"only temperature=1 is supported":                                                                     "temperature",
	"invalid temperature: only 1 is allowed for this model":                                               "temperature",
	"Stop sequences are not supported":                                                                    "stop", "'n' must be 1": "n", "parameter n is not supported": "n",
	"reasoning effort is not supported by this model": "reasoning_effort", "The max_tokens parameter was replaced by max_completion_tokens": "max_tokens",
	"stream_options requires a newer server": "stream_options",
	`{"errors":[{"instancePath":"","keyword":"additionalProperties","params":{"additionalProperty":"stream_options"},"message":"must NOT have additional properties"}]}`:         "stream_options",
	`{"detail":[{"loc":["body","stream_options"],"msg":"extra fields not permitted","type":"value_error.extra"}]}`:                                                               "stream_options",
	`{"error":{"code":"InvalidParameter","message":"The parameter stream_options specified in the request is not valid: unknown","param":"stream_options","type":"BadRequest"}}`: "stream_options",
	`{"title":"One or more validation errors occurred.","status":400,"errors":{"stream_options":["The field stream_options is not supported."]}}`:                                "stream_options",
	`{"message":"Validation failed","errors":["property stream_options should not exist"]}`:                                                                                      "stream_options",
}

func TestSaidOtherwise(t *testing.T) {
	t.Parallel()
	for _, words := range saidOtherwise {
		if f := answeredWith(t, "chat", 400, "", messageBody(words)); f.Code != model.CodeContextLength {
			t.Errorf("%s\n is %s: %s", words, f.Code, f.Message)
		}
	}
	for body, param := range refusedOtherwise {
		if body[0] != '{' {
			body = messageBody(body)
		}
		if f := answeredWith(t, "chat", 400, "", body); f.Code != model.CodeParameter || !strings.HasPrefix(f.Param, param) {
			t.Errorf("%s\n is %s of %q, want %q: %s", body, f.Code, f.Param, param, f.Message)
		}
	}
}

func TestFullContexts(t *testing.T) {
	t.Parallel()
	for _, c := range fullContexts {
		body := c.said
		if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") && !strings.HasPrefix(body, "<html") {
			body = messageBody(body)
		}
		f := answeredWith(t, "chat", c.status, "", body)
		if f.Code != model.CodeContextLength || f.MostTokens != c.most || !strings.Contains(f.Message, "context_window") {
			t.Errorf("%d %s\n is %s, %d tokens, want %d: %s", c.status, c.said, f.Code, f.MostTokens, c.most, f.Message)
		}
	}
}

// refusedParameters are what servers say of a parameter that they do not take.
var refusedParameters = []struct {
	param  string
	status int
	said   string
}{
	{"temperature", 400, `{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_parameter"}}`},
	{"temperature", 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`},
	{"max_tokens", 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`},
	{"max_tokens", 400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."},
	{"reasoning.summary", 400, `{"error":{"message":"Unsupported parameter: 'reasoning.summary' is not supported with this model.","type":"invalid_request_error","param":"reasoning.summary","code":"unsupported_parameter"}}`},
	{"reasoning.effort", 400, `{"error":{"message":"Unsupported value: 'minimal' is not supported with this model. Supported values are: 'low', 'medium', and 'high'.","type":"invalid_request_error","param":"reasoning.effort","code":"unsupported_value"}}`},
	{"stream_options", 422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]},"type":"invalid_request_error","param":null,"code":null}`},
	{"stream_options", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]}`},
	{"stream_options", 400, `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]","type":"BadRequestError","param":null,"code":400}`},
	{"stream_options", 400, `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"stream_options\": Cannot find field.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"description":"Invalid JSON payload received. Unknown name \"stream_options\": Cannot find field."}]}]}}]`},
	{"temperature", 400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"`temperature` is deprecated for this model.\"}}"},
	{"service_tier", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"service_tier: Extra inputs are not permitted"}}`},
	{"temperature", 400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"`temperature` and `top_p` cannot both be specified for this model. Please use only one.\"}}"},
	{"temperature", 400, `{"error":{"message":"litellm.UnsupportedParamsError: bedrock does not support parameters: ['temperature'], for model=small. To drop these, set ` + "`litellm.drop_params=True`" + ` or for proxy","type":"None","param":null,"code":"400"}}`},
	{"reasoning_effort", 400, "litellm.UnsupportedParamsError: openai does not support parameters: {'reasoning_effort': 'low'}, for model=gpt-4o"},
	{"reasoning_effort", 400, `{"error":{"message":"Unrecognized request argument supplied: reasoning_effort","type":"invalid_request_error","param":null,"code":null}}`},
	{"stream_options", 400, `{"error":{"message":"Unknown parameter: 'stream_options'. (request id: 2024)","type":"invalid_request_error","param":"stream_options","code":"unknown_parameter"}}`},
	{"stream_options", 400, "property 'stream_options' is unsupported"},
	{"reasoning_effort", 400, "reasoning_effort is not supported with this model"},
	{"verbosity", 400, "body.verbosity: property 'verbosity' is unsupported"},
	{"prompt_cache_key", 400, "Extra inputs are not permitted, field: 'prompt_cache_key', value: 'k'"},
	{"reasoning_effort", 400, `{"code":"Client specified an invalid argument","error":"Argument not supported on this model: reasoningEffort"}`},
	{"stop", 400, `{"code":"Client specified an invalid argument","error":"Argument not supported on this model: stop"}`},
	{"reasoning_effort", 400, `"small" does not support reasoning_effort`},
	{"stream_options", 422, "Failed to deserialize the JSON body into the target type: unknown field `stream_options`, expected one of `model`, `messages`, `temperature`, `max_tokens` at line 1 column 300"},
	{"stream_options", 400, `json: unknown field "stream_options"`},
	{"verbosity", 400, `{"message":"Malformed input request: #: extraneous key [verbosity] is not permitted, please reformat your input and try again."}`},
	{"stream_options", 400, `Unrecognized field "stream_options" (class ai.ChatRequest), not marked as ignorable (5 known properties: "model", "messages", "temperature")`},
	{"verbosity", 400, "Additional properties are not allowed ('verbosity' was unexpected)"},
	{"service_tier", 400, "invalid request: unknown field: parameter 'service_tier' is not a valid field"},
	{"stream_options", 500, "TypeError: Completions.create() got an unexpected keyword argument 'stream_options'"},
	{"stream_options", 400, `{"error_code":"BAD_REQUEST","message":"{\"external_model_provider\":\"amazon-bedrock\",\"external_model_error\":{\"message\":\"stream_options: Extra inputs are not permitted\"}}"}`},
	{"stop", 400, `{"error":{"message":"Unsupported parameter: 'stop' is not supported with this model.","type":"invalid_request_error","param":"stop","code":"unsupported_parameter"}}`},
	{"temperature", 400, `{"detail":"Unsupported parameter: temperature"}`},
	{"max_tokens", 400, `{"detail":"Unsupported parameter: max_tokens"}`},
	{"verbosity", 400, "{\"message\":\"Unsupported parameter(s): `verbosity`, `service_tier`\",\"type\":\"Bad Request\",\"code\":400}"},
	{"reasoning_effort", 400, "This model does not support the `reasoning_effort` parameter. Please remove it and try again."},
	{"temperature", 400, `{"error":{"cause":"{\n \"error\": {\n \"message\": \"Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.\",\n \"param\": \"temperature\",\n \"code\": \"unsupported_value\"\n }\n}","code":400,"message":"模型服务调用失败","status":"FAILED_RESPONSE"}}`},
	{"n", 400, `{"error":{"message":"Only one completion choice is allowed","type":"invalid_request_error","param":"n","code":null}}`},
	{"service_tier", 400, `{"error":{"message":"Invalid service_tier argument. Supported values are 'default'.","type":"invalid_request_error","param":"service_tier","code":null}}`},
	{"max_tokens", 400, `{"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.","type":"invalid_request_error","param":"max_tokens","code":null}}`},
	{"max_tokens", 400, "Range of max_tokens should be [1, 8192]"},
	{"max_tokens", 400, "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model"},
	{"stream", 400, `{"error":{"message":"Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.","type":"invalid_request_error","param":"stream","code":"unsupported_value"}}`},
	{"reasoning_effort", 400, `{"message":"1 validation error for ChatCompletionServerRequest\nreasoning_effort\n  Input should be 'medium' or 'high' [type=enum, input_value='low', input_type=str]","type":"invalid_request_error","param":"validation_error","code":"wrong_api_format"}`},
	{"max_tokens", 400, "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096."},
	{"stream", 400, "Streaming is not supported for this model"},
	{"tools", 400, `{"error":"registry.ollama.ai/library/small:latest does not support tools"}`},
	{"tools", 400, `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`},
	{"tools", 404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing","code":404}}`},
}

func TestRefusedParameters(t *testing.T) {
	t.Parallel()
	for _, c := range refusedParameters {
		body := c.said
		if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[{\"") {
			body = messageBody(body)
		}
		wire := "chat"
		if strings.Contains(c.param, ".") {
			wire = "responses"
		}
		f := answeredWith(t, wire, c.status, "", body)
		if f.Code != model.CodeParameter || f.Param != c.param {
			t.Errorf("%d %s\n is %s of %q, want %q: %s", c.status, c.said, f.Code, f.Param, c.param, f.Message)
		}
	}
}

// limits are what servers say of how long to wait. Sources: BerriAI/litellm#27823, Groq, Gemini, Azure, GitHub
// Models, Codex, OpenRouter, Anthropic.
var limits = []struct {
	header, said string
	wait         time.Duration
	sentence     string
}{
	{"", "Rate limit reached for model `small` in organization `org` on tokens per day (TPD): Limit 100000, Used 98000, Requested 3000. Please try again in 2m37.44s.", 157440 * time.Millisecond, "3 minutes"},
	{"", "You exceeded your current quota, please check your plan and billing details. Please retry in 37.5s.", 37500 * time.Millisecond, "38 seconds"},
	{"", `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"x"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"41s"}]}}`, 41 * time.Second, "41 seconds"},
	{"", "Requests to the ChatCompletions_Create Operation have exceeded token rate limit of your current tier. Please retry after 26 seconds.", 26 * time.Second, "26 seconds"},
	{"", "Rate limit of 10 per 60s exceeded for UserByModelByMinute. Please wait 42 seconds before retrying.", 42 * time.Second, "42 seconds"},
	{"", "You have exhausted your capacity on this model. Your quota will reset after 2h7m23s.", 2*time.Hour + 7*time.Minute + 23*time.Second, "3 hours"},
	{"", "Rate limit exceeded. Try again in 1 hour 3 minutes.", 63 * time.Minute, "63 minutes"},
	{"", "Too many requests; try again in 1.25s", 1250 * time.Millisecond, "2 seconds"},
	{"", "Rate limit reached. Please try again in 120ms.", 120 * time.Millisecond, "a second"},
	{"", "Rate limit reached. Please try again in 6m0s.", 6 * time.Minute, "6 minutes"},
	{"", "limit resets at 2026-11-27T12:10:00Z", 10 * time.Minute, "10 minutes"},
	{"", "VertexAIException - b'{\\n \\\"error\\\": {\\\"details\\\": [{\\\"retryDelay\\\": \\\"3s\\\"}]}}'", 3 * time.Second, "3 seconds"},
	{"Retry-After: 1795781400", "Too many requests.", 10 * time.Minute, "10 minutes"},
	{"", "Rate limit reached. Your limit will reset at 2026-11-27 12:10:00.", 10 * time.Minute, "10 minutes"},
	{"", "您的限额将在 2026-11-27 12:10:00 重置", 10 * time.Minute, "10 minutes"},
	{"", "Resource has been exhausted (e.g. check quota). retry_delay { seconds: 3 }", 3 * time.Second, "3 seconds"},
	{"", "You have hit your weekly rate limit. Please try again in 58 hours.", 58 * time.Hour, "58 hours"},
	{"", `{"message":"You are being rate limited.","retry_after":1.5,"global":false}`, 1500 * time.Millisecond, "2 seconds"},
	{"", `{"error":{"type":"rate_limit_error","message":"slow","retry_after_ms":2500}}`, 2500 * time.Millisecond, "3 seconds"},
	{"", `{"error":{"message":"Rate limit exceeded: free-models-per-min. ","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"20","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1795780860000"}}}}`, time.Minute, "60 seconds"},
	{"Retry-After: 7", "slow down", 7 * time.Second, "7 seconds"},
	{"Retry-After: 1m30s", "slow down", 90 * time.Second, "90 seconds"},
	{"Retry-After: 0", "Please try again in 20s", 20 * time.Second, "20 seconds"},
	{"X-RateLimit-Limit-Requests: 10\nX-RateLimit-Remaining-Requests: 0\nX-RateLimit-Reset-Requests: 8.64s", "rate limit", 8640 * time.Millisecond, "9 seconds"},
	{"Anthropic-Ratelimit-Tokens-Limit: 80000\nAnthropic-Ratelimit-Tokens-Remaining: 0\nAnthropic-Ratelimit-Tokens-Reset: 2026-11-27T12:00:30Z", "This request would exceed your organization's rate limit of 80,000 input tokens per minute.", 30 * time.Second, "30 seconds"},
	{"", `{"error":{"message":"Requests rate limit exceeded","type":"rate_limited","code":"1300"}}`, 0, "a moment"},
	{"", "Too many tokens, please wait before trying again.", 0, "a moment"},
	{"Retry-After: 3", "<!DOCTYPE html><html><head><title>Error 1015</title></head><body>You are being rate limited</body></html>", 3 * time.Second, "3 seconds"},
}

func TestWaitsInWords(t *testing.T) {
	t.Parallel()
	for _, c := range limits {
		body := c.said
		if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "<") {
			body = messageBody(body)
		}
		f := answeredWith(t, "chat", 429, c.header, body)
		if f.Code != model.CodeRateLimit || f.RetryAfter.Round(time.Millisecond) != c.wait || !strings.HasPrefix(f.Message, "wait "+c.sentence) {
			t.Errorf("%s %s\n is %s, wait %v, want %v: %s", c.header, c.said, f.Code, f.RetryAfter, c.wait, f.Message)
		}
	}
}

// others are what servers say of keys, money, models and themselves.
var others = []struct {
	code   model.Code
	status int
	said   string
	remedy string
}{
	{model.CodeAuth, 401, "Incorrect API key provided", "set a valid key"},
	{model.CodeAuth, 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}]`, "set a valid key"},
	{model.CodeAuth, 400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai."}`, "set a valid key"},
	{model.CodeAuth, 400, `[{"error":{"code":400,"message":"API key expired. Please renew the API key.","status":"INVALID_ARGUMENT"}}]`, "set a valid key"},
	{model.CodeBadRequest, 451, `{"error":{"message":"This request is not served for legal reasons."}}`, "ask in another way"},
	{model.CodeAuth, 400, `{"error":{"message":"无效的令牌 (request id: 1)","type":"new_api_error"}}`, "set a valid key"},
	{model.CodeQuota, 429, `{"error":{"code":"SetLimitExceeded","message":"Your account has reached the set inference limit for the model, and the model service has been paused.","type":"TooManyRequests"}}`, "add credit"},
	{model.CodeAuth, 403, `{"message":"The security token included in the request is expired: invalid bearer token"}`, "set a valid key"},
	{model.CodeAuth, 401, `{"error":{"message":"Authentication Error, LiteLLM Virtual Key expected. Received=abc, expected to start with 'sk-'","type":"auth_error","code":"401"}}`, "set a valid key"},
	{model.CodeAuth, 401, "<html><head><title>401 Authorization Required</title></head></html>", "set a valid key"},
	{model.CodeQuota, 402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","code":"invalid_request_error"}}`, "add credit"},
	{model.CodeQuota, 402, `{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 2000.","code":402}}`, "add credit"},
	{model.CodeQuota, 429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}`, "add credit"},
	{model.CodeQuota, 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}`, "add credit"},
	{model.CodeQuota, 403, `{"code":"The caller does not have permission","error":"Your team has either used all available credits or reached its monthly spending limit."}`, "add credit"},
	{model.CodeQuota, 429, `{"error":{"message":"Your account org-x is suspended due to insufficient balance, please recharge your account","type":"exceeded_current_quota_error"}}`, "add credit"},
	{model.CodeQuota, 429, `{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}`, "add credit"},
	{model.CodeQuota, 400, `{"error":{"message":"Budget has been exceeded! Current cost: 10.2, Max budget: 10.0","type":"budget_exceeded","code":"400"}}`, "add credit"},
	{model.CodeQuota, 400, `{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}`, "add credit"},
	{model.CodeQuota, 412, `{"error":"Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices."}`, "add credit"},
	{model.CodeQuota, 403, `{"error":{"message":"user quota is not enough","type":"new_api_error","code":"insufficient_user_quota"}}`, "add credit"},
	{model.CodeNotFound, 404, "The model `small` does not exist or you do not have access to it.", "choose a model"},
	{model.CodeNotFound, 404, `{"type":"error","error":{"type":"not_found_error","message":"model: small not found"}}`, "choose a model"},
	{model.CodeNotFound, 404, `[{"error":{"code":404,"message":"models/small is not found for API version v1beta, or is not supported for generateContent. Call ListModels","status":"NOT_FOUND"}}]`, "choose a model"},
	{model.CodeNotFound, 404, `{"error":"model 'small' not found"}`, "choose a model"},
	{model.CodeNotFound, 400, `{"error":{"message":"small is not a valid model ID","code":400}}`, "choose a model"},
	{model.CodeNotFound, 404, `{"error":{"message":"No endpoints found for small.","code":404}}`, "choose a model"},
	{model.CodeNotFound, 400, "Model Not Exist", "choose a model"},
	{model.CodeNotFound, 400, `{"message":"The provided model identifier is invalid."}`, "choose a model"},
	{model.CodeNotFound, 403, `{"message":"You don't have access to the model with the specified model ID."}`, "choose a model"},
	{model.CodeNotFound, 400, `{"error":{"message":"/chat/completions: Invalid model name passed in model=small. Call ` + "`/v1/models`" + ` to view available models for your key.","type":"None","param":"None","code":"400"}}`, "choose a model"},
	{model.CodeNotFound, 401, `{"error":{"message":"key not allowed to access model. This key can only access models=['a']. Tried to access small","type":"key_model_access_denied","param":"model","code":"401"}}`, "choose a model"},
	{model.CodeNotFound, 400, "The model `small` has been decommissioned and is no longer supported.", "choose a model"},
	{model.CodeNotFound, 404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`, "choose a model"},
	{model.CodeNotFound, 400, `{"object":"error","message":"Invalid model: small","type":"invalid_model","param":null,"code":"1500"}`, "choose a model"},
	{model.CodeNotFound, 400, `{"id":"x","error":{"message":"Unable to access model small. Please visit https://api.together.ai/models to view the list of supported models.","type":"invalid_request_error","param":null,"code":"model_not_available"}}`, "choose a model"},
	{model.CodeNotFound, 404, `{"error":{"message":"Model not found, inaccessible, and/or not deployed","code":"NOT_FOUND"}}`, "choose a model"},
	{model.CodeNotFound, 400, `{"success":false,"errors":[{"code":5007,"message":"No such model @cf/small or task"}]}`, "choose a model"},
	{model.CodeNotFound, 400, `{"error":{"message":"The requested model 'small' is not supported by any provider you have enabled.","code":"model_not_supported"}}`, "choose a model"},
	{model.CodeNotFound, 503, `{"error":{"message":"No available channel for model small under group default (distributor)","code":"model_not_found"}}`, "choose a model"},
	{model.CodeNotFound, 404, `{"error":{"message":"This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?","type":"invalid_request_error","param":"model"}}`, `wire_api = "completions"`},
	{model.CodeNotFound, 404, `{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error","param":"model"}}`, `wire_api = "responses"`},
	{model.CodeNotFound, 404, `{"error":{"message":"No models loaded. Please load a model in the developer page or use the 'lms load' command."}}`, "load small in"},
	{model.CodeNotFound, 404, "404 page not found", "base_url"},
	{model.CodeOverloaded, 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, "still loading"},
	{model.CodeOverloaded, 503, `{"error":"Model small is currently loading","estimated_time":20.0}`, "still loading"},
	{model.CodeOverloaded, 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "overloaded"},
	{model.CodeOverloaded, 503, `{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}`, "overloaded"},
	{model.CodeServer, 500, "CUDA out of memory", "fault of its own"},
	{model.CodeServer, 502, "<html><head><title>502 Bad Gateway</title></head></html>", "web page"},
	{model.CodeForbidden, 403, "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>", "firewall"},
	{model.CodeForbidden, 403, `{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported"}}`, "allowed to do"},
	{model.CodeProtocol, 200, "<!DOCTYPE html><html><body>Sign in</body></html>", "base_url"},
	{model.CodeBadRequest, 400, "bad", "wire_api"},
	{model.CodeBadRequest, 422, `{"detail":[{"loc":["body","input"],"msg":"Field required","type":"missing"}]}`, "wire_api"},
	{model.CodeBadRequest, 400, "Invalid value: 'function'. Supported roles are: 'system', 'user'", "wire_api"},
}

func TestOtherSayings(t *testing.T) {
	t.Parallel()
	for _, c := range others {
		body := c.said
		if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") && !strings.HasPrefix(body, "<") && !strings.HasPrefix(body, "404") {
			body = messageBody(body)
		}
		f := answeredWith(t, "chat", c.status, "", body)
		if f.Code != c.code || !strings.Contains(f.Message, c.remedy) {
			t.Errorf("%d %s\n is %s, want %s with %q: %s", c.status, c.said, f.Code, c.code, c.remedy, f.Message)
		}
	}
}

// TestUnknownAloneNamesTheWire holds that “check wire_api” is for what nobody knows: an
// unknown 400 or 404.
func TestUnknownAloneNamesTheWire(t *testing.T) {
	t.Parallel()
	for _, row := range sayings {
		if says := row.is.say(said{APIError: &APIError{Status: 400}, ec: &ErrorContext{Provider: "lab", Model: "m"}}); strings.Contains(says, "wire_api of") && row.is != notUnderstood && row.is != misplaced {
			t.Errorf("%s", says)
		}
	}
}

// TestSayingsHaveSources holds that every row that reads words or codes says who says them, and
// that no row stands behind one that takes all of its errors.
func TestSayingsHaveSources(t *testing.T) {
	t.Parallel()
	for i, row := range sayings {
		if row.source == "" && len(row.codes) > 0 || row.source == "" && len(row.words) > 0 && !slices.Contains([]string{`{often}`, `{busy}`}, row.words[0]) {
			t.Errorf("row %d (%s) has no source", i, row.is.code)
		}
		if all := len(row.status)+len(row.codes)+len(row.words) == 0 && row.also == nil; all != (i == len(sayings)-1) {
			t.Errorf("row %d takes all: %v", i, all)
		}
	}
}
