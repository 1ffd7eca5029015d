package provider

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tandem/model"
	"tandem/workspace/redact"
)

// A form is an answer as some server writes it, and what it is. Its source is a public report.
type form struct {
	wire   string
	source string
	kind   string // of the content; "": that of the wire
	status int    // 0: 200
	body   string
	text   string     // "": one
	cut    bool       // the answer is not whole
	code   model.Code // of the error, if there is one
	says   string     // what the error says
	packed string     // how the body is compressed
}

// one is the answer of most forms.
const one = "A returns one."

// Pieces of bodies.
const done = "data: [DONE]\n\n"

func ev(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

// nv are events with names, which their types are.
func nv(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		var named struct{ Type string }
		_ = json.Unmarshal([]byte(e), &named)
		b.WriteString("event: " + named.Type + "\ndata: " + e + "\n\n")
	}
	return b.String()
}

func asJSON(text string) string { b, _ := json.Marshal(text); return string(b) }

// chunk is a chunk of a chat whose delta has members.
func chunk(delta string) string {
	return `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{` + delta + `},"finish_reason":null}]}`
}

func says(text string) string { return chunk(`"content":` + asJSON(text)) }

func ends(reason string) string {
	return `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{},"finish_reason":` + asJSON(reason) + `}]}`
}

// with replaces the id of a chunk.
func with(id, event string) string { return strings.Replace(event, `"id":"c1"`, `"id":`+asJSON(id), 1) }

// whole JSON of a chat.
func wholeChat(message, rest string) string {
	return `{"id":"c1","object":"chat.completion","model":"small","choices":[{"index":0,"message":{"role":"assistant",` + message + `}` + rest + `}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`
}

// Pieces of Anthropic's wire.
const (
	mStart = `{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"small","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}`
	mBlock = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	mEnd   = `{"type":"content_block_stop","index":0}`
	mWhy   = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":4}}`
	mStop  = `{"type":"message_stop"}`
)

func mText(text string) string {
	return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + asJSON(text) + `}}`
}

// Pieces of the Responses wire.
const rMade = `{"type":"response.created","response":{"id":"r1","object":"response","status":"in_progress","model":"small","output":[]}}`

func rText(place int, text string) string {
	return fmt.Sprintf(`{"type":"response.output_text.delta","item_id":"i%d","output_index":%d,"content_index":0,"delta":%s}`, place, place, asJSON(text))
}

func rItem(text, phase string) string {
	if phase != "" {
		phase = `,"phase":` + asJSON(phase)
	}
	return `{"id":"i0","type":"message","status":"completed","role":"assistant"` + phase + `,"content":[{"type":"output_text","annotations":[],"text":` + asJSON(text) + `}]}`
}

func rEnd(kind, status, output, more string) string {
	return `{"type":"response.` + kind + `","response":{"id":"r1","object":"response","status":` + asJSON(status) + `,"model":"small","output":[` + output + `]` + more + `,"usage":{"input_tokens":9,"output_tokens":4}}}`
}

// line is a line of Ollama's.
func line(text, more string) string {
	return `{"model":"small","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":` + asJSON(text) + `}` + more + "}\n"
}

const lineEnd = `{"model":"small","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":4}` + "\n"

// thinking is a thought of a length that a model has.
const thinking = "Okay, the user asks what A returns. Let me look at it: there is one return statement, and it has the number one. So A should return one, and nothing in the file says otherwise."

var forms = []form{
	// Ends and texts that are said otherwise than their wire has it.
	{wire: "ollama", source: "ollama/ollama-vscode#61", body: line(one, `,"done":false`) + `{"model":"small","message":{"role":"assistant","content":""},"done_reason":"stop"}` + "\n"},
	{wire: "ollama", source: "ollama/ollama-vscode#61", body: line(one, `,"done":false`) + `{"model":"small","message":{"role":"assistant","content":""},"done_reason":"length"}` + "\n", cut: true},
	{wire: "chat", source: "EricLBuehler/mistral.rs#63", body: ev(says(one+"</s>"), ends("stop")) + done},
	{wire: "responses", source: "BerriAI/litellm#37710", body: nv(rMade, rText(0, one), rEnd("incomplete", "incomplete", "", `,"incomplete_details":{"reason":null}`)), cut: true},
	{wire: "responses", source: "BerriAI/litellm#37710", body: nv(rMade, rText(0, one), rEnd("incomplete", "incomplete", "", `,"incomplete_details":{}`)), cut: true},
	{wire: "responses", source: "BerriAI/litellm#37710", body: nv(rMade, rText(0, one), rEnd("completed", "incomplete", "", "")), cut: true},
	{wire: "responses", source: "NousResearch/hermes-agent#91181", body: nv(rMade, rText(0, one), `{"type":"response.refusal.delta","item_id":"i0","output_index":0,"content_index":1,"delta":"I cannot go on."}`, rEnd("completed", "completed", "", "")), cut: true},
	{wire: "responses", source: "NousResearch/hermes-agent#91181", body: nv(rMade, rText(0, one), rEnd("completed", "completed", `{"id":"i0","type":"message","content":[{"type":"output_text","text":"A returns one."},{"type":"refusal","refusal":"I cannot go on."}]}`, "")), cut: true},
	{wire: "chat", source: "NousResearch/hermes-agent#91181", body: ev(says(one), chunk(`"refusal":"I cannot go on."`), ends("stop")) + done, cut: true},
	{wire: "messages", source: "songquanpeng/one-api#2406", body: nv(mStart, mBlock, mText("A returns "), mText("one."), mEnd, `{"type":"message","id":"m1","role":"assistant","model":"small","content":[{"type":"text","text":"A returns one."}],"stop_reason":"end_turn"}`)},
	{wire: "messages", source: "cline/cline#9215", body: nv(mStart, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"A returns "}}`, mText("A returns "), mText("one."), mEnd, mWhy, mStop)},
	{wire: "messages", source: "cline/cline#9215", body: nv(mStart, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"A returns "}}`, mText("one."), mEnd, mWhy, mStop)},
	{wire: "messages", source: "cline/cline#9215", body: nv(mStart, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"A returns one."}}`, mWhy, mStop)},
	{wire: "messages", source: "cline/cline#9215", body: nv(mStart, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"A returns one."}}`), cut: true},
	{wire: "chat", source: "infiniflow/ragflow#15286", body: ev(says("A returns one"), says(", and that is all."), `{"id":"c1","choices":[{"index":0,"delta":{"content":"A returns one, and that is all."},"finish_reason":"stop"}]}`) + done, text: "A returns one, and that is all."},
	{wire: "chat", source: "scouzi1966/maclocal-api#151", body: ev(says("<|START_TEXT|>A ret"), says("urns one.<|END_"), says("TEXT|>"), ends("COMPLETE")) + done},
	{wire: "chat", source: "XiaomiMiMo/MiMo-Code#1493", body: ev(says(one), says("<end_of_turn>"), ends("stop")) + done},
	{wire: "chat", source: "jundot/omlx#1087", body: ev(says(one+"<eos>"), ends("stop")) + done},
	{wire: "chat", source: "vllm-project/vllm-ascend#9767", body: ev(says(one+"<｜end▁of▁sentence｜>"), ends("stop")) + done},
	{wire: "chat", source: "MiniMax-AI/MiniMax-01#15", body: ev(`{"id":"c1","choices":null,"created":1,"model":"small","base_resp":{"status_code":1039,"status_msg":"token limit"}}`), code: model.CodeContextLength},
	{wire: "chat", source: "MiniMax-AI/MiniMax-01#15", status: 400, kind: "application/json", body: `{"base_resp":{"status_code":1039,"status_msg":"token limit"}}`, code: model.CodeContextLength},
	{wire: "chat", source: "MiniMax-AI/MiniMax-01#15", body: ev(says("A returns "), `{"id":"c1","choices":[{"index":0,"delta":{"content":"one."},"finish_reason":"stop"}],"base_resp":{"status_code":0,"status_msg":""}}`) + done},
	// Text in any shape.
	{wire: "chat", source: "ggml-org/llama.cpp#5876", body: ev(chunk(`"role":"assistant","content":""`), says("A returns "), says("one."), ends("stop")) + done},
	{wire: "chat", source: "databricks/appkit#559", body: ev(chunk(`"content":[{"type":"text","text":"A returns "}]`), chunk(`"content":[{"type":"text","text":"one."}]`), ends("stop")) + done},
	{wire: "chat", source: "databricks/appkit#559", body: ev(chunk(`"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}]`), chunk(`"content":[{"type":"reasoning","summary":[]},{"type":"text","text":"A returns one."}]`), ends("stop")) + done},
	{wire: "chat", source: "danny-avila/LibreChat#14502", body: ev(chunk(`"content":[{"type":"text","text":"A "},{"type":"text","text":"returns "},{"type":"text","text":"one."}]`), ends("stop")) + done},
	{wire: "chat", source: "meilisearch/meilisearch#6327", kind: "application/json", body: wholeChat(`"content":[{"type":"text","text":"A returns one."}]`, `,"finish_reason":"stop"`)},
	{wire: "chat", source: "openclaw/openclaw#68418", body: ev(chunk(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`), says(one), ends("stop")) + done},
	{wire: "chat", source: "tashfeenahmed/freellmapi#166", body: ev(chunk(`"content":{"type":"text","text":"A returns one."}`), ends("stop")) + done},
	{wire: "chat", source: "farion1231/cc-switch#6092", body: ev(chunk(`"reasoning_content":"hm"`), `{"id":"c1","choices":[{"index":0,"delta":{},"message":{"role":"assistant","content":"A returns one."},"finish_reason":"stop"}]}`) + done},
	{wire: "chat", source: "open-webui/open-webui#9927", body: ev(
		`{"id":"c1","choices":[{"index":0,"finish_reason":null,"message":{"role":"assistant","content":"A "},"delta":{"role":"assistant","content":"A "}}]}`,
		`{"id":"c1","choices":[{"index":0,"finish_reason":null,"message":{"role":"assistant","content":"A returns "},"delta":{"content":"returns "}}]}`,
		`{"id":"c1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"A returns one."},"delta":{"content":"one."}}]}`)},
	{wire: "chat", source: "open-webui/open-webui#9927", body: ev(says(one), `{"id":"c1","choices":[{"index":0,"delta":{"content":""},"message":{"role":"assistant","content":"A returns one."},"finish_reason":"stop"}]}`)},
	{wire: "chat", source: "microsoft/foundry-local#144", body: ev(
		`{"model":null,"choices":[{"delta":{"role":"assistant","content":"A returns ","tool_calls":[]},"message":{"role":"assistant","content":"A returns ","tool_calls":[]},"index":0,"finish_reason":null}],"usage":null,"id":"chat.id.1","error":null,"HttpStatusCode":0}`,
		`{"model":null,"choices":[{"delta":{"role":"assistant","content":"one.","tool_calls":[]},"message":{"role":"assistant","content":"one.","tool_calls":[]},"index":0,"finish_reason":null}],"usage":null,"id":"chat.id.2","error":null,"HttpStatusCode":0}`,
		`{"model":null,"choices":[{"delta":{"role":"assistant","content":""},"message":{"role":"assistant","content":""},"index":0,"finish_reason":"stop"}],"id":"chat.id.3","error":null}`) + done},
	{wire: "chat", source: "swuecho/chat#687", body: ev(says("A"), says("A returns"), says("A returns one, always."), ends("stop")) + done, text: "A returns one, always."},
	{wire: "chat", source: "QwenLM/qwen-code#3896", body: ev(says("A returns"), says("A returns one, and"), says("A returns one, and that"), says("A returns one, and that is all."), ends("stop")) + done, text: "A returns one, and that is all."},
	{wire: "chat", source: "QwenLM/qwen-code#3896", body: ev(says("A returns"), says("A returns one, and"), says("A returns one, and that"), says("A returns one, and that"), says("A returns one, and that."), ends("stop")) + done, text: "A returns one, and that."},
	{wire: "chat", source: "tashfeenahmed/freellmapi#1007", body: ev(chunk(`"reasoning_content":"hm"`), says("A returns"), says("A returns one."), ends("stop")) + done},
	{wire: "chat", source: "QwenLM/qwen-code#3896", body: ev(says("ha"), says("haha"), says("!"), ends("stop")) + done, text: "hahaha!"},
	{wire: "chat", source: "QwenLM/qwen-code#3896", body: ev(says("0, "), says("0, "), says("0, "), says("0, "), says("0, "), says("0, "), says("0, "), says("0, "), says("1"), ends("stop")) + done, text: "0, 0, 0, 0, 0, 0, 0, 0, 1"},
	{wire: "chat", source: "ollama/ollama#1728", body: ev(
		`{"id":"c1","choices":[{"index":0,"message":{"role":"assistant","content":"A returns "},"finish_reason":null}]}`, `{"id":"c1","choices":[{"index":0,"message":{"role":"assistant","content":"one."},"finish_reason":"stop"}]}`) + done},
	{wire: "chat", source: "microsoft/vscode#330038", body: ev(chunk(`"content":"A returns ","tool_calls":[]`), chunk(`"content":"one.","tool_calls":[]`), ends("stop")) + done},
	{wire: "chat", source: "earendil-works/pi#4247", body: ev(chunk(`"reasoning":"hm","content":"A returns "`), chunk(`"content":"one."`), ends("stop")) + done},
	{wire: "chat", source: "sgl-project/sglang#3912", body: ev(`{"id":"b2","choices":[{"index":0,"delta":{"role":null,"content":"A returns one.","tool_calls":null},"logprobs":null,"finish_reason":"","matched_stop":null}],"usage":null}`, with("b2", ends("stop"))) + done},
	{wire: "chat", source: "vllm-project/vllm#19662", body: ev(`{"id":"c1","choices":[{"index":0,"delta":{"content":"A returns one."}}]}`, ends("stop")) + done},
	{wire: "chat", source: "decolua/9router#3492", body: wholeChat(`"content":"A returns one."`, `,"finish_reason":"stop"`) + "\n\n" + done},
	{wire: "chat", source: "decolua/9router#3492", body: wholeChat(`"content":"A returns one."`, `,"finish_reason":"stop"`) + strings.TrimSpace(done)},
	{wire: "chat", source: "continuedev/continue#1108", kind: "application/json", body: wholeChat(`"content":"A returns one."`, `,"finish_reason":"stop"`)},
	{wire: "chat", source: "PowerShell/AIShell#350", kind: "application/json", body: wholeChat(`"content":"A returns one."`, "")},
	{wire: "chat", source: "PowerShell/AIShell#350", body: ev(`{"id":"c1","choices":[{"index":0,"delta":{"content":"A returns "},"finish_reason":"null"}]}`, `{"id":"c1","choices":[{"index":0,"delta":{"content":"one."},"finish_reason":"stop"}]}`) + done},
	{wire: "chat", source: "pytorch/torchchat#955", kind: "text/plain", body: "It returns one, I think.", code: model.CodeProtocol},
	{wire: "chat", source: "epam/ai-dial-adapter-openai#409", body: ev(chunk(`"role":"assistant"`), `{"id":"c1","choices":[]}`, says(one), ends("stop"), `{"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`) + done},
	{wire: "completions", source: "raullenchai/Rapid-MLX#752", body: ev(`{"id":"cmpl-1","object":"text_completion","choices":[{"index":0,"text":"A returns ","finish_reason":null}]}`, `{"id":"cmpl-2","object":"text_completion","choices":[{"index":0,"text":"one.","finish_reason":null}]}`, `{"id":"cmpl-3","object":"text_completion","choices":[{"index":0,"text":"","finish_reason":"stop"}]}`) + done},
	{wire: "completions", source: "davidmigloz/ai_clients_dart#87", body: ev(`{"object":"text_completion","error":{"error":"Too many tokens in the prompt","error_code":4001}}`) + done, code: model.CodeContextLength},
	{wire: "completions", source: "vllm-project/guidellm#795", body: ev(`{"error":{"object":"error","message":"engine died","type":"InternalServerError","code":500}}`) + done, code: model.CodeServer, says: "engine died"},
	{wire: "completions", source: "tashfeenahmed/freellmapi#1007", body: ev(`{"choices":[{"index":0,"text":"A"}]}`, `{"choices":[{"index":0,"text":"A returns"}]}`, `{"choices":[{"index":0,"text":"A returns one and more."}]}`, `{"choices":[{"index":0,"text":"","finish_reason":"stop"}]}`) + done, text: "A returns one and more."},

	{wire: "chat", source: "Routstr/routstr-core#543", body: strings.ReplaceAll(ev(says("A returns "), says("one."), ends("stop"))+done, "\n\n", "\n")},
	{wire: "chat", source: "Routstr/routstr-core#543", body: strings.ReplaceAll(ev(says("A returns "), says("one."), ends("stop"))+done, "data: ", "data: data: ")},
	{wire: "chat", source: "meilisearch/meilisearch#6327", body: ev(`{"id":"","choices":[],"prompt_filter_results":[{"prompt_index":0}]}`, `{"id":"c1","choices":[{"index":0,"delta":null,"finish_reason":null}],"error":null}`, chunk(`"content":null`), chunk(`"content":["A returns one."]`), ends("stop")) + done},

	// Thoughts.
	{wire: "chat", source: "mudler/LocalAI#4761", body: ev(says("<think>It may"), says(" return one.</think>\n\nA returns one."), ends("stop")) + done},
	{wire: "chat", source: "mudler/LocalAI#4761", body: ev(says("<think>\n\n</think>\n\nA returns one."), ends("stop")) + done},
	{wire: "chat", source: "QwenLM/qwen-code#10791", kind: "application/json", body: wholeChat(`"content":"<thinking>hm</thinking>\n\nA returns one."`, `,"finish_reason":"stop"`)},
	{wire: "chat", source: "QwenLM/qwen-code#6033", body: ev(says("It may return one.\n"), says("Let me see.\n</think>\n\n"), says(one), ends("stop")) + done},
	{wire: "chat", source: "perplexityai/api-discussion#177", body: ev(says(thinking[:80]), says(thinking[80:]), says("\n</thi"), says("nk>\n\nA returns one."), ends("stop")) + done},
	{wire: "chat", source: "nbramia/LifeOS#568", body: ev(says("internal"), says(" reasoning</thi"), says("nk>A returns one."), ends("stop")) + done},
	{wire: "chat", source: "nbramia/LifeOS#568", body: ev(says("Use `<think>draft</think>` as the example."), ends("stop")) + done, text: "Use `<think>draft</think>` as the example."},
	{wire: "chat", source: "QwenLM/qwen-code#11188", body: ev(says("<think>reason</think>Use `</think>` to close."), ends("stop")) + done, text: "Use `</think>` to close."},
	{wire: "chat", source: "openclaw/openclaw#9456", body: ev(says("The tag </think> ends a thought."), ends("stop")) + done, text: "The tag </think> ends a thought."},
	{wire: "chat", source: "nbramia/LifeOS#568", body: ev(says("Write:\n```xml\n<think>\nhm\n</think>\n```\n"), ends("stop")) + done, text: "Write:\n```xml\n<think>\nhm\n</think>\n```\n"},
	{wire: "chat", source: "scouzi1966/maclocal-api#121", body: ev(says("<|channel|>analysis<|message|>hm<|end|><|start|>assistant"), says("<|channel|>final<|message|>A returns "), says("one.<|return|>"), ends("stop")) + done},
	{wire: "chat", source: "kekzl/imp#768", kind: "application/json", body: wholeChat(`"content":"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>A returns one."`, `,"finish_reason":"stop"`)},
	{wire: "chat", source: "Augustas11/macprovider#743", body: ev(says("analysisWe need to answer."), says("assistantfinalA returns one."), ends("stop")) + done},
	{wire: "chat", source: "odysseus-dev/odysseus#4522", body: ev(says("<|channel|>commentary<|message|>I look.<|end|>"), says("<|start|>assistant<|channel|>final<|message|>A returns one."), ends("stop")) + done},
	{wire: "chat", source: "cuga-project/cuga-agent#558", body: ev(says(one+"<|return|>"), ends("stop")) + done},
	{wire: "chat", source: "paperclipai/paperclip#7719", body: ev(says("<|channel>thought\nhm"), says("<channel|>A returns one."), ends("stop")) + done},
	{wire: "chat", source: "NousResearch/hermes-agent#62680", body: ev(says("<mm:think>hm</mm:think>\nA returns one."), ends("stop")) + done},
	{wire: "chat", source: "openvinotoolkit/model_server#3829", body: ev(chunk(`"reasoning_content":"hm"`), says(one), ends("stop")) + done},
	{wire: "chat", source: "isaiah-harville/Primer#109", body: ev(chunk(`"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]`), says(one), ends("stop")) + done},
	{wire: "chat", source: "earendil-works/pi#2079", body: ev(chunk(`"reasoning_text":"hm"`), says(one), ends("stop")) + done},
	{wire: "chat", source: "cubist38/mlx-openai-server#179", body: ev(says("<think>hm"), says("</think>"), says("\n\n"), says(one), ends("stop")) + done},
	{wire: "chat", source: "nbramia/LifeOS#568", body: ev(chunk(`"reasoning_content":"hm"`), ends("stop")) + done, code: model.CodeEmpty, says: "thoughts"},
	{wire: "messages", source: "QwenLM/qwen-code#6033", body: nv(mStart, mBlock, mText(thinking), mText("\n</think>\n\n"), mText(one), mEnd, mWhy, mStop)},
	{wire: "responses", source: "QwenLM/qwen-code#6033", body: nv(rMade, rText(0, thinking), rText(0, "\n</think>\n\nA returns one."), rEnd("completed", "completed", rItem(thinking+"\n</think>\n\nA returns one.", ""), ""))},
	{wire: "ollama", source: "mudler/LocalAI#4761", body: line("<think>hm", `,"done":false`) + line(" hm</think>\n", `,"done":false`) + line(one, `,"done":false`) + lineEnd},
	{wire: "ollama", source: "QwenLM/qwen-code#6033", body: line("Let me see.\n</think>\n\n", `,"done":false`) + line(one, `,"done":false`) + lineEnd},
	{wire: "ollama", source: "coasys/ad4m#1001", body: `{"model":"small","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}` + "\n" + line(one, `,"done":false`) + lineEnd},

	// Ends and keep-alives.
	{wire: "chat", source: "oobabooga/textgen#4778", body: ev(says(one), ends("stop"))},
	{wire: "chat", source: "open-learning-exchange/planet#10281", body: ev(says(one)) + done},
	{wire: "chat", source: "NousResearch/hermes-agent#67616", body: ev(says(one)), cut: true},
	{wire: "chat", source: "NousResearch/hermes-agent#94614", body: ev(says("A returns one"), `{"choices":[{"index":0,"delta":{"content":"."},"finish_reason":"stop","stop_reason":154827}]}`) + done},
	{wire: "chat", source: "open-webui/open-webui#16377", body: ev(`{"id":"c1","choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":"stop"}]}`, says("A returns "), says("one."), ends("stop")) + done},
	{wire: "chat", source: "BerriAI/litellm#2195", body: ev(`{"id":"c1","choices":[{"index":0,"delta":{"content":"A returns "},"finish_reason":"stop"}]}`, `{"id":"c1","choices":[{"index":0,"delta":{"content":"one."},"finish_reason":"stop"}]}`) + done},
	{wire: "chat", source: "su-kaka/gcli2api#403", body: ev(`{"choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":"stop"}]}`, `{"choices":[{"index":0,"delta":{"content":"A returns one."},"finish_reason":"stop"}]}`) + done},
	{wire: "chat", source: "router-for-me/CLIProxyAPI#5651", body: ev(`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"STOP"}]}`, `{"choices":[{"index":0,"delta":{"content":"A returns one."},"finish_reason":"STOP"}]}`) + done},
	{wire: "chat", source: "BerriAI/litellm#27139", body: ev(`{"id":"c1","choices":[{"index":0,"delta":{"content":"A returns "},"finish_reason":"stop"}]}`, says("one."), ends("stop")) + done},
	{wire: "chat", source: "ollama/ollama#4357", body: ev(`{"id":"c1","choices":[{"index":0,"delta":{"content":"A returns "},"finish_reason":""}]}`, `{"id":"c1","choices":[{"index":0,"delta":{"content":"one."},"finish_reason":""}]}`, ends("stop")) + done},
	{wire: "chat", source: "qualcomm/GenieX#1246", body: ev(`{"id":"c1","choices":[{"index":0,"delta":{"content":"A returns one."},"finish_reason":""}]}`) + done},
	{wire: "chat", source: "adolfousier/opencrabs#1499", body: ev(`{"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":""}]}`, says(one), ends("stop")) + done},
	{wire: "chat", source: "jakobdylanc/llmcord#84", body: ev(says("A returns "), `{"choices":[{"index":0,"delta":{"content":"one."},"finish_reason":null,"finishReason":"stop"}]}`)},
	{wire: "chat", source: "envoyproxy/ai-gateway#2107", body: ev(says("A returns"), `{"choices":[{"index":0,"finish_reason":"length"}]}`) + done, text: "A returns", cut: true},
	{wire: "chat", source: "can1357/oh-my-pi#683", body: ev(says("A returns"), ends("model_context_window_exceeded")) + done, text: "A returns", cut: true},
	{wire: "chat", source: "vllm-project/vllm#57082", body: ev(says("A returns"), ends("abort")) + done, text: "A returns", cut: true},
	{wire: "chat", source: "anomalyco/opencode#26170", body: ev(says("A returns"), ends("error")) + done, text: "A returns", cut: true},
	{wire: "chat", source: "BerriAI/litellm#37710", body: ev(says("A returns"), `{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"upstream went away"}}]}`) + done, text: "A returns", cut: true, says: "upstream went away"},
	{wire: "chat", source: "openai/openai-node#2725", body: ev(says(one)) + "data: " + ends("stop") + "\n"},
	{wire: "chat", source: "openai/openai-node#2725", body: ev(says(one)) + "data: " + ends("stop")},
	{wire: "chat", source: "google-gemini/gemini-cli#29059", body: ev(says("A returns ")) + `data: {"choices":[{"index":0,"delta":{"content":"one."},"finish_reason":"STOP"}]}`},
	{wire: "chat", source: "earendil-works/pi#7441", body: ev(says(one), ends("stop")) + "data: [DONE]"},
	{wire: "chat", source: "openai/openai-node#2726", body: strings.ReplaceAll(ev(says(one))+"data: "+ends("stop"), "\n", "\r")},
	{wire: "chat", source: "universal-tool-calling-protocol/typescript-utcp#45", body: strings.ReplaceAll(ev(says(one), ends("stop"))+done, "\n", "\r")},
	{wire: "chat", source: "Routstr/routstr-core#543", body: strings.ReplaceAll(ev(says(one), ends("stop"))+done, "\n", "\r\n")},
	{wire: "chat", source: "Routstr/routstr-core#543", kind: "application/json", body: ev(says(one), ends("stop")) + done},
	{wire: "chat", source: "Routstr/routstr-core#543", body: ev(says("A returns "), `{"id":"c1","choices":[{"index":0,"delta":{"content":"one."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`) + done},
	{wire: "chat", source: "openresponses/openresponses#56", body: "data: {\"id\":\"c1\",\ndata: \"choices\":[{\"index\":0,\"delta\":{\"content\":\"A returns one.\"},\"finish_reason\":\"stop\"}]}\n\n" + done},
	{wire: "chat", source: "theopenco/llmgateway#2334", body: ": ping\n\n" + ev(says("A returns ")) + ": ping\n\n" + ev(says("one.")) + ": ping\n" + ev(ends("stop")) + done},
	{wire: "chat", source: "modelscope/ms-swift#10086", body: strings.Repeat(": OPENROUTER PROCESSING\n\n", 20) + ev(says(one), ends("stop")) + done},
	{wire: "chat", source: "modelscope/ms-swift#10086", body: ev(says(one), ends("stop")) + ": [DONE]\n\n" + ev(`{"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}`) + done},
	{wire: "chat", source: "modelscope/ms-swift#10086", body: strings.Repeat(": keepalive\n\n", 3), code: model.CodeInterrupted},
	{wire: "chat", source: "mnfst/llm-gateway#2053", body: strings.Repeat("data: : OPENROUTER PROCESSING\n\n", 5) + ev(says(one), ends("stop")) + done},
	{wire: "chat", source: "brainlid/langchain#569", body: ev("ping", "ping", "ping", "ping", says("A returns "), "ping", says("one."), ends("stop")) + done},
	{wire: "chat", source: "netease-lcap/wave-agent#1326", body: strings.Repeat("data: \n\n", 6) + ev(says(one)) + "data:\n\n" + ev(ends("stop")) + done},
	{wire: "chat", source: "diegosouzapw/OmniRoute#1146", body: strings.Repeat("event: keepalive\n\n", 5) + ev(says(one), ends("stop")) + done},
	{wire: "chat", source: "jundot/omlx#1479", body: ev(`{"id":"chatcmpl-keepalive","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`, `{"id":"chatcmpl-keepalive","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]}`, says("A returns "), says("one."), ends("stop")) + done},
	{wire: "chat", source: "james-6-23/codex2api#696", body: ev(says("A returns ")) + "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"con: keepalive\n\ntent\":\"one.\"},\"finish_reason\":null}]}\n\n" + ev(ends("stop")) + done, text: "A returns ", cut: true},
	{wire: "chat", source: "ggml-org/llama.cpp#5876", body: ev(with("a", says("A ")), with("b", says("returns ")), with("c", says("one.")), with("d", ends("stop"))) + done},
	{wire: "chat", source: "BerriAI/litellm#39507", body: ev(with("a", chunk(`"content":""`)), with("b", says("A returns ")), with("c", says("one.")), `{"error":{"message":"litellm.InternalServerError: Chunk cannot be parsed as JSON","code":"500"}}`), text: one, cut: true},
	{wire: "chat", source: "microsoft/foundry-local#221", body: ev(with("chat.id.1", says("A returns ")), with("chat.id.2", says("one.")), with("chat.id.3", ends("stop"))) + done},
	{wire: "chat", source: "BerriAI/litellm#38153", body: ev(says("A returns "), says("one."), ends("stop"), with("c2", says("B returns ")), with("c2", says("two.")), with("c2", ends("stop"))) + done},
	{wire: "chat", source: "SamSaffron/term-llm#504", body: ev(says("A "), says("returns "), with("c2", says("B ")), says("one."), with("c2", says("two.")), with("c2", ends("stop")), ends("stop")) + done},
	{wire: "chat", source: "BerriAI/litellm#38153", body: ev(says("A "), says("returns "), with("c2", says("A ")), with("c2", says("returns one.")), with("c2", ends("stop"))) + done, text: "A returns ", cut: true},
	{wire: "chat", source: "NousResearch/hermes-agent#99344", body: ev(says(one), ends("stop"), says("one.")) + done},
	{wire: "chat", source: "modelship-ai/modelship#187", body: ev(says("A returns"), `{"error":{"message":"the worker died","type":"server_error","code":500}}`) + done, text: "A returns", cut: true, says: "the worker died"},
	{wire: "chat", source: "btubbs/sseclient#27", packed: "gzip", body: ev(says(one), ends("stop")) + done},
	{wire: "chat", source: "anomalyco/opencode#4698", kind: "application/json", packed: "gzip", status: 400, body: `{"error_code":"INVALID_PARAMETER_VALUE","message":"INVALID_PARAMETER_VALUE: prompt is too long"}`, code: model.CodeContextLength},
	{wire: "chat", source: "btubbs/sseclient#36", packed: "silent", body: ev(says(one), ends("stop")) + done},
	{wire: "chat", source: "launchdarkly/okhttp-eventsource#65", packed: "br", body: ev(says(one), ends("stop")) + done, code: model.CodeProtocol, says: "identity"},

	// Errors with status 200.
	{wire: "chat", source: "apache/rocketmq-dashboard#2178", body: ev(`{"error":{"message":"quota exceeded"}}`) + done, code: model.CodeQuota, says: "quota exceeded"},
	{wire: "chat", source: "fox1245/NeoGraph#124", body: ev(`{"error":"STREAM_EXPLODED"}`) + done, code: model.CodeServer, says: "STREAM_EXPLODED"},
	{wire: "chat", source: "Blaizzy/nativ#195", body: ev(`{"error": "thinking_budget is not supported with speculative decoding in the server."}`), code: model.CodeServer, says: "speculative decoding"},
	{wire: "chat", source: "davidmigloz/ai_clients_dart#87", body: ev(`{"object":"chat.completion","error":{"error":"Model is on fire","error_code":4001}}`) + done, code: model.CodeServer, says: "on fire"},
	{wire: "chat", source: "davidmigloz/ai_clients_dart#87", body: "event: error\ndata: {\"message\":\"Model is on fire\"}\n\n", code: model.CodeServer, says: "on fire"},
	{wire: "chat", source: "nashsu/llm_wiki#628", body: `{"error":{"message":"the upstream is asleep"}}`, code: model.CodeServer, says: "asleep"},
	{wire: "chat", source: "vllm-project/vllm#6890", kind: "application/json", body: `{"object":"error","message":"come back at ten","type":"Unavailable","code":503}`, code: model.CodeOverloaded, says: "come back at ten"},
	{wire: "chat", source: "huggingface/huggingface_hub#2558", body: "data:{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4091 `inputs` tokens and 30 `max_new_tokens`\",\"error_type\":\"validation\"}\n\n", code: model.CodeContextLength},
	{wire: "chat", source: "vllm-project/guidellm#795", body: ev(`{"error":{"object":"error","message":"engine died","type":"InternalServerError","param":null,"code":500}}`) + done, code: model.CodeServer, says: "engine died"},
	{wire: "chat", source: "stacklok/codegate#149", body: "data: Error: 'async for' requires an object with __aiter__ method\n\n" + done, code: model.CodeServer, says: "async for"},
	{wire: "chat", source: "NousResearch/hermes-agent#86496", body: "event:error\ndata:{\"code\":\"Throttling.RateQuota\",\"message\":\"Requests rate limit exceeded, please try again later.\",\"request_id\":\"x\"}\n\n", code: model.CodeRateLimit},
	{wire: "chat", source: "code-yeongyu/oh-my-openagent#1196", body: ev(says("A returns"), `{"error":"Stream error: error decoding response body"}`), text: "A returns", cut: true, says: "decoding response body"},
	{wire: "chat", source: "universal-tool-calling-protocol/python-utcp#104", kind: "application/json", body: `{"success":false,"errors":[{"code":5007,"message":"No such model @cf/small"}],"result":null}`, code: model.CodeNotFound},
	{wire: "chat", source: "apache/rocketmq-dashboard#2178", kind: "application/json", body: `{"detail":"Invalid API key"}`, code: model.CodeAuth},

	// Anthropic's wire.
	{wire: "messages", source: "BerriAI/litellm#30765", body: nv(mStart, mBlock, `{"type":"ping"}`, mText("A returns "), mText("one."), mEnd, mWhy, mStop)},
	{wire: "messages", source: "BerriAI/litellm#30014", body: nv(mStart, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"A returns "}}`, mText("one."), mEnd, mWhy, mStop)},
	{wire: "messages", source: "xemantic/anthropic-sdk-kotlin#147", body: nv(mStart, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`, `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`, mText(one), mWhy, mStop)},
	{wire: "messages", source: "strands-agents/harness-sdk#3534", body: nv(mBlock, mText(one), mEnd, mWhy, mStop)},
	{wire: "messages", source: "BerriAI/litellm#32159", body: nv(mStart, mBlock, mText(one), mEnd), cut: true},
	{wire: "messages", source: "strands-agents/harness-sdk#2047", body: nv(mStart, mBlock, mText(one), mEnd, mWhy)},
	{wire: "messages", source: "katanemo/plano#898", body: nv(mStart, mBlock, mText(one), mEnd, mWhy, mStop, mStop)},
	{wire: "messages", source: "katanemo/plano#898", body: nv(mStart, mBlock, mText(one), mEnd, mWhy) + done},
	{wire: "messages", source: "BerriAI/litellm#38153", body: nv(strings.Replace(mStart, `"stop_reason":null`, `"stop_reason":"end_turn"`, 1), mBlock, mText(one), mEnd, mWhy, mStop)},
	{wire: "messages", source: "mozilla-ai/any-llm#1224", body: nv(mStart, mBlock, `{"type":"content_block_stop","index":0,"content_block":{"type":"text","text":"A returns one."}}`, mWhy, mStop)},
	{wire: "messages", source: "mozilla-ai/any-llm#1224", body: nv(mStart, mBlock, mText(one), `{"type":"content_block_stop","index":0,"content_block":{"type":"text","text":"A returns one."}}`, mWhy, mStop)},
	{wire: "messages", source: "farzaa/clicky#132", body: "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", code: model.CodeOverloaded},
	{wire: "messages", source: "farzaa/clicky#132", body: nv(mStart, mBlock, mText("A returns"), `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), text: "A returns", cut: true},
	{wire: "messages", source: "strands-agents/harness-sdk#3534", kind: "application/json", body: `{"id":"m1","type":"message","role":"assistant","model":"small","content":[{"type":"text","text":"A returns one."}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":4}}`},
	{wire: "messages", source: "Runfusion/Fusion#3587", kind: "application/json", body: `{"id":"m1","type":"message","role":"assistant","model":"small","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"A returns one."}],"stop_reason":"end_turn"}`},
	{wire: "messages", source: "zhayujie/CowAgent#3074", body: nv(mStart, mBlock, mText("A returns"), mEnd, strings.Replace(mWhy, "end_turn", "max_tokens", 1), mStop), text: "A returns", cut: true},
	{wire: "messages", source: "openai/openai-node#2725", body: strings.TrimSpace(nv(mStart, mBlock, mText(one), mEnd, mWhy, mStop))},

	// Responses.
	{wire: "responses", source: "github/copilot-sdk#2010", body: nv(strings.Replace(rMade, "in_progress", "completed", 1), rText(0, "A returns "), rText(0, "one."), rEnd("completed", "completed", rItem(one, ""), ""))},
	{wire: "responses", source: "Sophomoresty/gemini-web2api#57", body: nv(rMade, `{"type":"response.output_text.done","text":"A returns one."}`, rEnd("completed", "completed", "", ""))},
	{wire: "responses", source: "open-webui/open-webui#28310", body: nv(rMade, `{"type":"response.output_item.done","output_index":0,"item":`+rItem(one, "")+`}`, rEnd("completed", "completed", "", ""))},
	{wire: "responses", source: "mlx-node/mlx-node#45", body: nv(rMade, rEnd("completed", "completed", rItem(one, ""), ""))},
	{wire: "responses", source: "agentgateway/agentgateway#3326", body: nv(rMade, rText(0, one), rEnd("completed", "completed", "", ""))},
	{wire: "responses", source: "diegosouzapw/OmniRoute#13693", body: nv(rMade, rText(0, "A"), `{"type":"response.output_text.done","output_index":0,"text":"A"}`, `{"type":"response.output_item.done","output_index":0,"item":`+rItem("A", "")+`}`, rText(0, " returns "), rText(0, "one."), rEnd("completed", "completed", rItem(one, ""), ""))},
	{wire: "responses", source: "ogx-ai/ogx#5309", body: nv(rMade, rText(0, "A returns "), rText(0, "one."), `{"type":"response.content_part.done","output_index":0,"part":{"type":"output_text","text":"A returns one."}}`, rEnd("completed", "completed", rItem(one, ""), ""))},
	{wire: "responses", source: "openai/codex#10455", body: nv(rMade, `{"type":"response.output_item.added","output_index":0,"item":{"type":"message","phase":"commentary","content":[]}}`, rText(0, "I look."), `{"type":"response.output_item.done","output_index":0,"item":`+rItem("I look.", "commentary")+`}`,
		`{"type":"response.output_item.added","output_index":1,"item":{"type":"message","phase":"final_answer","content":[]}}`, rText(1, one), rEnd("completed", "completed", rItem("I look.", "commentary")+","+rItem(one, "final_answer"), ""))},
	{wire: "responses", source: "NousResearch/hermes-agent#58868", body: nv(rMade, rText(0, "I looked."), rText(1, one), rEnd("completed", "completed", rItem("I looked.", "")+","+rItem(one, ""), "")), text: "I looked.\n\nA returns one."},
	{wire: "responses", source: "dcellison/kai#831", kind: "application/json", body: `{"id":"r1","object":"response","status":"completed","model":"small","output":[` + rItem("I look.", "commentary") + "," + rItem(one, "final_answer") + `]}`},
	{wire: "responses", source: "BerriAI/litellm#34095", body: nv(rMade, rText(0, one), rEnd("completed", "completed", rItem(one, ""), "")) + done},
	{wire: "responses", source: "modelship-ai/modelship#187", body: nv(rMade, rText(0, "A returns"), `{"type":"response.failed","response":{"status":"failed","error":{"message":"Internal error during generation"}}}`), text: "A returns", cut: true, says: "Internal error"},
	{wire: "responses", source: "lidge-jun/opencodex#4652", body: nv(rMade, rText(0, one)), cut: true},
	{wire: "responses", source: "openai/openai-node#2725", body: strings.TrimSpace(nv(rMade, rText(0, one), rEnd("completed", "completed", rItem(one, ""), "")))},
	{wire: "responses", source: "symfony/ai#2194", body: nv(rMade, rText(0, "A returns"), rEnd("incomplete", "incomplete", rItem("A returns", ""), `,"incomplete_details":{"reason":"max_output_tokens"}`)), text: "A returns", cut: true},
	{wire: "responses", source: "modelship-ai/modelship#187", body: nv(rMade, rText(0, "A returns"), rEnd("completed", "failed", "", `,"error":{"code":"server_error","message":"lost"}`)), text: "A returns", cut: true},
	{wire: "responses", source: "UOR-Foundation/uor-r4#692", kind: "application/json", body: `{"id":"r1","object":"response","status":"completed","model":"small","output":[],"output_text":"A returns one."}`},
	{wire: "responses", source: "diegosouzapw/OmniRoute#1146", body: nv(rMade) + "event: keepalive\ndata: {\"type\":\"keepalive\"}\n\n" + nv(rText(0, one), rEnd("completed", "completed", rItem(one, ""), ""))},

	// Ollama's wire.
	{wire: "ollama", source: "code-yeongyu/oh-my-openagent#1120", body: line("A returns ", `,"done":false`) + line("one.", `,"done":false`) + lineEnd},
	{wire: "ollama", source: "0xPlaygrounds/rig#1758", body: strings.TrimSuffix(line("A returns ", `,"done":false`)+line("one.", `,"done":false`)+lineEnd, "\n")},
	{wire: "ollama", source: "coasys/ad4m#1001", body: line("A returns", `,"done":false`) + `{"error":"an error was encountered while running the model"}` + "\n", text: "A returns", cut: true, says: "encountered"},
	{wire: "ollama", source: "ollama/ollama-vscode#58", body: line(one, `,"done":false`), cut: true},
	{wire: "ollama", source: "code-yeongyu/oh-my-openagent#1122", kind: "application/json", body: strings.TrimSpace(line(one, `,"done":true,"done_reason":"stop"`))},
	{wire: "ollama", source: "0xPlaygrounds/rig#825", kind: "text/event-stream", body: ev(strings.TrimSpace(line(one, `,"done":false`)), strings.TrimSpace(lineEnd))},
	{wire: "ollama", source: "ollama/ollama#1728", body: strings.ReplaceAll(line("A returns ", `,"done":false`)+line("one.", `,"done":false`)+lineEnd, "\n", "\r\n")},
	{wire: "ollama", source: "KeithCu/writeragent#574", kind: "application/json", status: 500, body: `{"error":"llama-server process has terminated: exit status 0xc0000005"}`, code: model.CodeServer, says: "terminated"},
	{wire: "ollama", source: "ollama/ollama-vscode#58", body: line("A returns", `,"done":false`) + strings.Replace(lineEnd, `"stop"`, `"length"`, 1), text: "A returns", cut: true},
}

// serve answers as the form's server does.
func (f *form) serve(w http.ResponseWriter) {
	kind := map[string]string{"ollama": "application/x-ndjson"}[f.wire]
	if kind == "" {
		kind = "text/event-stream"
	}
	if f.kind != "" {
		kind = f.kind
	}
	w.Header().Set("Content-Type", kind)
	body := []byte(f.body)
	if f.packed == "gzip" || f.packed == "silent" {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(body)
		_ = z.Close()
		body = b.Bytes()
	}
	if f.packed != "" && f.packed != "silent" {
		w.Header().Set("Content-Encoding", f.packed)
	}
	if f.status != 0 {
		w.WriteHeader(f.status)
	}
	// In pieces, as networks do.
	for size := 31; len(body) > 0; body = body[min(size, len(body)):] {
		_, _ = w.Write(body[:min(size, len(body))])
		w.(http.Flusher).Flush()
	}
}

// wrong says what of an answer is not as the form means it, or "".
func (f *form) wrong(got outcome) string {
	text := f.text
	if text == "" && f.code == "" {
		text = one
	}
	switch {
	case got.text != text:
		return fmt.Sprintf("text %q, want %q", got.text, text)
	case f.code != "" && (got.err == nil || got.err.Code != f.code):
		return fmt.Sprintf("error %v, want one of code %s", got.err, f.code)
	case f.says != "" && (got.err == nil || !strings.Contains(got.err.Message, f.says)):
		return fmt.Sprintf("error %v, want it to say %q", got.err, f.says)
	case f.cut && got.err == nil && isWhole(got.final):
		return "a cut answer is taken as whole"
	case !f.cut && f.code == "" && (got.err != nil || !isWhole(got.final)):
		return fmt.Sprintf("a whole answer is taken as cut: %v, %+v", got.err, got.final)
	}
	return ""
}

// TestForms sends the forms in which servers write their answers through the client, each from
// a server of its own.
func TestForms(t *testing.T) {
	wrong, sources := 0, map[string]bool{}
	for i := range forms {
		f := &forms[i]
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { f.serve(w) }))
		zero, base := 0, s.URL
		if f.wire != "ollama" {
			base += "/v1"
		}
		client, err := New(model.ProviderConfig{Name: "lab", BaseURLs: []string{base}, WireAPI: f.wire, EnvKey: "LAB_KEY", RequestMaxRetries: &zero, StreamMaxRetries: &zero}, model.ModelConfig{Name: "m", Model: "small", MaxOutputTokens: 512}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		req := &model.Request{Purpose: model.Ask, Input: []model.Message{{Role: "user", Text: redact.Said("what does A return?")}}}
		if w := f.wrong(ask(t, t.Context(), client, req)); w != "" {
			wrong++
			t.Errorf("%d, %s, %s: %s\n%.300s", i, f.wire, f.source, w, f.body)
		}
		sources[f.source] = true
		_ = client.Close()
		s.Close()
	}
	t.Logf("%d of %d forms are right; %d reports", len(forms)-wrong, len(forms), len(sources))
}

// isWhole reports whether an answer ended whole.
func isWhole(f *model.Final) bool { return f != nil && f.End.Whole() }
