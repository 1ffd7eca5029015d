package config

import (
	"fmt"
	"strconv"

	"tandem/model"
	"tandem/model/format"
)

// A Kind is the type of a setting's value.
type Kind string

// The kinds of value. Lists and maps are of strings.
const (
	String       Kind = "string"
	Integer      Kind = "integer"
	Number       Kind = "number"
	Boolean      Kind = "boolean"
	List         Kind = "list of strings"
	StringOrList Kind = "string or list of strings"
)

// A Place defines where a setting may be set.
type Place int

const (
	inFile    Place = iota // the user's configuration file and the administrator's
	inBoth                 // those, and the editor's user-level settings
	inPlain                // those, and what an editor sends that has no extension of tandem's
	inManaged              // only the administrator's managed.toml
	inEditor               // only the editor's user-level settings: they define how to start tandem
)

// A Setting is one row of the table from which everything about settings is
// made: the keys of the file, the documentation, the editors' manifests.
type Setting struct {
	Name      string // dotted; a * stands for a name that the user chooses
	Kind      Kind
	Default   any // nil: none
	Values    []string
	Min, Max  float64 // of numbers; a Max of 0 is no bound
	Place     Place
	Language  bool // may be set for one language in [editor.language.ID]
	Essential bool // a word that is not known cannot be ignored
	Secret    bool // never printed
	Doc       string
}

// Editor reports whether the user-level settings of tandem's extensions hold it.
func (s *Setting) Editor() bool { return s.Place == inBoth || s.Place == inEditor }

// sent reports whether an editor may send it.
func (s *Setting) sent() bool { return s.Place == inBoth || s.Place == inPlain }

// Settings is the table, in the order of the documentation.
var Settings = withLanguages(withMembers([]Setting{
	{Name: "fast", Kind: String, Default: "local", Doc: "The model that answers while you type: the NAME of a `[models.NAME]` table, or `local` for the built-in engine."},
	{Name: "deep", Kind: String, Doc: "The model for what the fast one should not do: the NAME of a `[models.NAME]` table, or `local`. Without one, everything stays on the fast lane and tandem says so."},
	{Name: "next_edit", Kind: String, Doc: "The model of the fast lane that answers next edits: the NAME of a `[models.NAME]` table, or `local`. Left out, `fast` does."},
	{Name: "complete", Kind: String, Doc: "The model of the fast lane that completes at the cursor: the NAME of a `[models.NAME]` table, or `local`. Left out, `fast` does."},
	{Name: "daily_limit_usd", Kind: Number, Min: 0, Doc: "What all requests of a day may cost, by the prices of their models. When it is reached tandem says so, asks no paid model until midnight, and the built-in engine goes on. A model that is not on this machine and lacks a price is refused, and so is every paid model while the ledger cannot be read or written, since nobody can count then. 0 asks no paid model at all; without it there is no limit."},

	{Name: "day_notice_usd", Kind: Number, Default: 5.0, Min: 0, Doc: "Before a fast model is asked whose normal day (2,800 completions, 60 edits, 40 questions) costs more than this at its prices, tandem says so, with what would cost less. Raise it to agree; 0 says nothing."},
	{Name: "completions_day_usd", Kind: Number, Default: 0.0, Min: 0, Doc: "What the 2,800 completions of a normal day may cost at the model's prices: where budgets.complete would cost more, a completion is shown less, down to 500 tokens around the cursor and no other file, and tokens_per_key is less by the same share. 0.8 makes a day cheaper where cached tokens cost as much as others, and hides code further up. 0 is no limit."},

	{Name: "editor.enabled", Kind: Boolean, Default: true, Place: inBoth, Language: true, Doc: "Offer suggestions at all."},
	{Name: "editor.trigger", Kind: String, Default: "automatic", Values: []string{"automatic", "invoked"}, Place: inBoth, Language: true, Doc: "Suggest while typing (`automatic`) or only when asked (`invoked`)."},
	{Name: "editor.show", Kind: String, Default: "eager", Values: []string{"eager", "subtle"}, Place: inBoth, Language: true, Doc: "Show what is suggested while typing as ghost text (`eager`), or a dimmed mark after the cursor, and the text on a key (`subtle`)."},
	{Name: "editor.lines", Kind: Integer, Default: int64(10), Min: 1, Max: 40, Place: inBoth, Language: true, Doc: "The most lines of a suggestion while typing. With 1 it ends with the line."},
	{Name: "editor.debounce_ms", Kind: Integer, Default: int64(150), Max: 5000, Place: inBoth, Language: true, Doc: "The longest pause after a key, in milliseconds, before a model is asked. The real pause follows your typing and is often shorter; it grows when a quota or `tokens_per_key` runs out."},
	{Name: "editor.inline_timeout_ms", Kind: Integer, Min: 50, Max: 60000, Place: inPlain, Language: true, Doc: "How long a suggestion waits for the model, in milliseconds, in editors that cannot be told later that it has arrived; VS Code and Neovim can. Left out: 2,500, or 5,500 with a server of your own."},
	{Name: "editor.first_text_ms", Kind: Integer, Default: int64(600), Min: 50, Max: 60000, Place: inBoth, Language: true, Doc: "How long you accept to wait for a suggestion, in milliseconds. A slow server of your own is shown less code so that it answers in this time, and is not asked if it cannot."},
	{Name: "editor.tokens_per_key", Kind: Integer, Default: int64(270), Max: 1e6, Place: inBoth, Language: true, Doc: "Limits the cost of suggestions: how many tokens of code may be sent for each character you type. Beyond it a model is asked only in longer pauses, up to 600 ms. 0 is no limit."},
	{Name: "editor.replace_guesses", Kind: Boolean, Default: true, Place: inBoth, Language: true, Doc: "The built-in engine suggests at once, the model a moment later: let the model's text replace what you see, unless you have begun to accept it."},
	{Name: "editor.next_edits", Kind: Boolean, Default: true, Place: inBoth, Language: true, Doc: "Suggest the next edit away from the cursor."},
	{Name: "editor.hover_documentation", Kind: Boolean, Default: false, Place: inBoth, Language: true, Doc: "Show a symbol's signature and documentation on hover too. Useful where no other extension does."},
	{Name: "editor.hover_model", Kind: Boolean, Default: false, Place: inBoth, Language: true, Doc: "Let the model add a paragraph when you hover over a symbol. Each hover is then a request."},
	{Name: "editor.review_on_save", Kind: Boolean, Default: false, Place: inBoth, Language: true, Doc: "Review a document when it is saved. Each review is a request to a model."},
	{Name: "editor.disabled_globs", Kind: List, Place: inBoth, Doc: "Files in which nothing is suggested and of which nothing is sent, such as `**/secrets/**`."},

	{Name: "budgets.complete", Kind: Integer, Default: int64(3000), Min: 256, Max: 10e6, Doc: "Tokens of context for a completion, at most; also bounded by the model's window."},
	{Name: "budgets.next_edit", Kind: Integer, Default: int64(4000), Min: 256, Max: 10e6, Doc: "Tokens of context for a next edit, at most."},
	{Name: "budgets.edit", Kind: Integer, Default: int64(8000), Min: 256, Max: 10e6, Doc: "Tokens of context for an edit. A selection of more than half as many is shown whole besides, up to what the model can read; the price is shown before it is asked."},
	{Name: "budgets.fix", Kind: Integer, Default: int64(8000), Min: 256, Max: 10e6, Doc: "Tokens of context for a fix, at most."},
	{Name: "budgets.document", Kind: Integer, Default: int64(8000), Min: 256, Max: 10e6, Doc: "Tokens of context for documentation, at most."},
	{Name: "budgets.test", Kind: Integer, Default: int64(8000), Min: 256, Max: 10e6, Doc: "Tokens of context for tests, at most."},
	{Name: "budgets.ask", Kind: Integer, Default: int64(16000), Min: 256, Max: 10e6, Doc: "Tokens of context for a question, at most."},
	{Name: "budgets.explain", Kind: Integer, Default: int64(16000), Min: 256, Max: 10e6, Doc: "Tokens of context for an explanation, at most."},
	{Name: "budgets.debug", Kind: Integer, Default: int64(16000), Min: 256, Max: 10e6, Doc: "Tokens of context for debugging, at most."},
	{Name: "budgets.review", Kind: Integer, Default: int64(16000), Min: 256, Max: 10e6, Doc: "Tokens of context for a review, at most."},
	{Name: "budgets.plan", Kind: Integer, Default: int64(32000), Min: 256, Max: 10e6, Doc: "Tokens of context for a deep task's plan, at most."},
	{Name: "budgets.step", Kind: Integer, Default: int64(16000), Min: 256, Max: 10e6, Doc: "Tokens of context for a deep task's step, at most."},
	{Name: "budgets.commit", Kind: Integer, Default: int64(4000), Min: 256, Max: 10e6, Doc: "Tokens of context for a commit message, at most."},
	{Name: "budgets.ask_max", Kind: Integer, Default: int64(64000), Min: 256, Max: 10e6, Doc: "How far the budget of a question or of debugging grows for the code that its words name."},

	{Name: "tasks.running", Kind: Integer, Default: int64(2), Min: 1, Max: 32, Doc: "How many deep tasks of an editor work at once; the others wait."},
	{Name: "tasks.max_steps", Kind: Integer, Default: int64(64), Min: 1, Max: 256, Doc: "Steps that the plan of a deep task may have; a plan with more is refused."},
	{Name: "tasks.limit_usd", Kind: Number, Default: 2.0, Max: 1e6, Doc: "What one deep task may cost. A request that would exceed it is not sent: the task is interrupted, and can be resumed with a higher limit. 0 is no limit."},
	{Name: "tasks.confirm_above_usd", Kind: Number, Default: 0.25, Max: 1e6, Doc: "A deep task that is expected to cost more waits for you to agree. 0 never asks."},
	{Name: "tasks.show_plan", Kind: Integer, Default: int64(3), Max: 256, Doc: "From so many steps on, a plan is shown before it runs: you can edit it, steer it, or start it. 0 never shows it."},
	{Name: "tasks.show", Kind: String, Default: "open", Values: []string{"open", "quiet"}, Doc: "Where the changes of a deep task are seen: in open documents as soon as a step is done and judged (`open`), drawn and not written, or in the view of tasks alone when the task is over (`quiet`)."},
	{Name: "tasks.review", Kind: String, Default: "risk", Values: []string{"risk", "always", "never"}, Doc: "Whether the deep model, or the agent `reviewer`, reads the diff of a whole task: where risk asks for it (many files, security, migrations, a deleted file, a step that had to be done again), always or never."},
	{Name: "tasks.test_command", Kind: List, Doc: "A program and its arguments that test the workspace, such as `[\"go\", \"test\", \"./...\"]`. It is run without a shell in the workspace's folder, only for deep tasks that you allow to run tests, only in a folder you trust, with no key in its environment, for at most 10 minutes; the deep model gets at most 64 KiB of its output, redacted."},

	{Name: "search.url", Kind: String, Doc: "Address of a zoekt-webserver whose hits join the context window under the same budget."},
	{Name: "search.query", Kind: String, Doc: "Added to every query, such as `r:backend` to search some repositories only."},
	{Name: "search.timeout_ms", Kind: Integer, Default: int64(300), Min: 10, Max: 60000, Doc: "How long a window waits for the search server."},
	{Name: "search.allow_http", Kind: Boolean, Default: false, Doc: "Accept plain `http://` to a search server that is not on this machine."},

	{Name: "mcp.write", Kind: Boolean, Default: false, Doc: "Let agents that use `tandem mcp` have an edit written that passed its checks. Without it they get the patch and apply it themselves."},
	{Name: "mcp.socket", Kind: Boolean, Default: false, Doc: "Let agents that use `tandem mcp` see the documents that you have not saved yet: an editor's server gives them over a unix socket to programs of yours alone. Read when the editor's server starts. Not on Windows."},

	{Name: "checker.python", Kind: String, Default: "off", Doc: "The checker of Python, `ty`, which tandem starts to check the members and arguments of what is written: `auto` takes the one on PATH, `asked` too, but not while you type; `off` none; else the path of one. A program in a workspace is never taken. Install one with `uv tool install ty==0.0.108`."},
	{Name: "checker.script", Kind: String, Default: "off", Doc: "The checker of TypeScript, `tsc` of TypeScript 7: as `checker.python`. Install one with `npm i -g typescript@7.0.2`."},
	{Name: "checker.memory_mb", Kind: Integer, Default: int64(1536), Min: 64, Max: 1e6, Doc: "How much memory all checkers together may take, in megabytes; one that takes more is ended. None is started with less than 2,048 MB free."},

	{Name: "policy.allow_hosts", Kind: List, Place: inManaged, Doc: "The only hosts that anything is sent to or connected to, proxies and this machine included: `host`, `host:port` or `*.host`. Left out, all; empty, none."},
	{Name: "policy.allow_models", Kind: List, Place: inManaged, Doc: "The only models that are asked, by what their providers call them; `*` is any text. Left out, all; empty, none."},
	{Name: "policy.deny_globs", Kind: List, Place: inManaged, Doc: "Files that no model is shown, wherever they are, such as `**/payments/**`; letter case does not count. Read when tandem starts."},
	{Name: "policy.disable", Kind: List, Place: inManaged, Doc: "Features that may not be used: `escalate` (the deep lane: background tasks and what routing gives to it), `mcp`, `search`, `checker` (programs that check names, `ty` and `tsc`)."},
	{Name: "policy.min_version", Kind: String, Place: inManaged, Doc: "The oldest tandem that may ask a model, such as `1.2.0`."},
	{Name: "policy.ledger_file", Kind: String, Place: inManaged, Doc: "A file that gets one JSON object a line for each request that has ended, without any text, in the attribute names of OpenTelemetry's conventions for generative AI, so that a collector ships it. `~/` is the user's home."},
	{Name: "policy.count_use", Kind: Boolean, Place: inManaged, Default: false, Doc: "Count in `ledger_file`, which it needs, what became of suggestions: shown, accepted, and still there ten minutes later, by day, language, lane and feature. The counts hold no text, file or name."},
	{Name: "policy.message", Kind: String, Place: inManaged, Doc: "What a refusal tells the user besides, such as whom to ask."},

	{Name: "path", Kind: String, Place: inEditor, Doc: "The tandem program to start. Empty: the one that came with the extension, else the one on PATH."},
	{Name: "config", Kind: String, Place: inEditor, Doc: "The configuration file to use in place of the usual one."},
	{Name: "profile", Kind: String, Place: inEditor, Doc: "The profile of the configuration to start with."},
	{Name: "offline", Kind: Boolean, Default: false, Place: inEditor, Doc: "Use the built-in engine alone, no network."},
	{Name: "quiet_next_edits", Kind: Boolean, Default: false, Place: inEditor, Doc: "Show only that there is a next edit, and the edit itself on a key (Tab)."},
	{Name: "accept_key", Kind: String, Default: "tab", Values: []string{"tab", "ctrl+enter", "right"}, Place: inEditor, Doc: "The key that accepts ghost text and next edits (VS Code; on macOS Cmd+Enter). With another one Tab stays a plain Tab."},
	{Name: "log", Kind: String, Place: inEditor, Doc: "A file that gets each message between the editor and tandem, without texts, in the lines that VS Code's LSP inspector reads."},
}))

// withMembers appends the settings of models, agents and providers.
func withMembers(table []Setting) []Setting {
	for _, s := range modelSettings {
		s.Name = "models.*." + s.Name
		table = append(table, s)
	}
	for _, s := range agentSettings {
		s.Name = "agents.*." + s.Name
		table = append(table, s)
	}
	for _, s := range providerSettings {
		s.Name = "providers.*." + s.Name
		table = append(table, s)
	}
	return table
}

// withLanguages adds [editor.language.*] for what may be set per language.
func withLanguages(table []Setting) []Setting {
	var out []Setting
	for _, s := range table {
		out = append(out, s)
		if s.Language {
			s.Name = "editor.language.*" + s.Name[len("editor"):]
			s.Default, s.Place, s.Language = nil, inFile, false
			s.Doc = "The same for one language, by the editor's name for it (`go`, `markdown`)."
			out = append(out, s)
		}
	}
	return out
}

var modelSettings = []Setting{
	{Name: "provider", Kind: String, Doc: "Who serves it: a built-in provider or the NAME of a `[providers.NAME]` table."},
	{Name: "model", Kind: String, Doc: "What the provider calls it; the table's own name where it is left out."},
	{Name: "context_window", Kind: Integer, Default: int64(32000), Min: leastWindow, Max: 100e6, Doc: "Tokens that the model can see, answer included. Where its server says that it takes fewer, fewer are sent; Ollama loads the model with this many."},
	{Name: "max_output_tokens", Kind: Integer, Default: int64(2048), Min: 16, Max: 10e6, Doc: "Tokens that an answer may have. A model with a `reasoning_effort` has 2,000 (low), 8,000 (medium), 25,000 (high) or 50,000 (xhigh) besides to think, at most a quarter of `context_window`."},
	{Name: "input_price", Kind: Number, Max: 1e6, Doc: "USD per million tokens of input, as your contract says; 0 where it costs nothing. While `daily_limit_usd` is set, a model that is not on this machine needs both prices."},
	{Name: "cached_price", Kind: Number, Max: 1e6, Doc: "USD per million tokens of input read from the provider's cache; `input_price` where it is left out."},
	{Name: "cache_write_price", Kind: Number, Max: 1e6, Doc: "USD per million tokens of input written to the provider's cache; `input_price` where it is left out."},
	{Name: "output_price", Kind: Number, Max: 1e6, Doc: "USD per million tokens of output."},
	{Name: "tokenizer", Kind: String, Values: []string{"o200k_base", "cl100k_base", "bytes"}, Doc: "How its tokens are counted: exactly (`o200k_base`: GPT-4o and later, gpt-oss; `cl100k_base`: GPT-4) or with a token for every byte (`bytes`). Left out, it follows from the model's name; for vocabularies that tandem does not have it is o200k_base's count, with digits and letters outside of ASCII counted apart, times `token_margin`."},
	{Name: "token_margin", Kind: Number, Min: 0.5, Max: 4, Doc: "The most tokens that the model has for one that tandem counts; budgets and `context_window` are divided by it. Left out, it is 1 where the count is exact, else it follows from the model's name (1.05 for Qwen, 1.3 for Claude, 1.47 where nothing is known) and then from what the model's server reports."},
	{Name: "family", Kind: String, Values: []string{"codex", "claude", "qwen", "generic"}, Doc: "Which prompts it gets. Left out, it follows from the model's name."},
	{Name: "reasoning_effort", Kind: String, Values: []string{"none", "minimal", "low", "medium", "high", "xhigh"}, Doc: "How much it reasons before it answers."},
	{Name: "reasoning_summary", Kind: String, Values: []string{"none", "auto", "concise", "detailed"}, Doc: "Whether it tells what it reasoned."},
	{Name: "verbosity", Kind: String, Values: []string{"low", "medium", "high"}, Doc: "How much it says."},
	{Name: "service_tier", Kind: String, Values: []string{"auto", "default", "flex", "scale", "priority", "fast", "ultrafast"}, Doc: "What the provider charges and hurries for."},
	{Name: "temperature", Kind: Number, Max: 2, Doc: "Randomness. Left out, it is the model's own, and 0 for completions of models that do not reason."},
	{Name: "omit", Kind: List, Doc: "Parameters that this model rejects, such as `reasoning.summary`; they are never sent, and setting one of them here is an error. With `tools`, the model is never asked by function calls; with `n`, several suggestions are several requests."},
	{Name: "format", Kind: String, Values: format.Names(), Doc: "What its prompts look like: a conversation (`chat`), a gap to fill in (`fim`), or one of the forms that models for next edits were trained on: `sweep`, `sweep-v2` (Sweep Next-Edit), `zeta2` (Zeta 2), `mercury` (Mercury Edit, which also fills in). Left out, it follows from the model's id where that is certain, else it is `chat`."},
	{Name: "fim", Kind: String, Values: model.FIMNames(), Doc: "The family in whose form it fills in the middle. Left out, it follows from the model's name or from the file that its server has loaded; for unknown families the server is asked to fill in. With `wire_api = \"chat\"` it has to be written: completions then go to `/completions`, and the rest stays a conversation."},
	{Name: "edit_format", Kind: String, Values: []string{"search_replace", "rewrite", "apply_patch"}, Doc: "How it writes edits. Where it is left out: the marked text whole for models whose name says less than 14b, apply_patch for codex, else search_replace."},
	{Name: "prediction", Kind: Boolean, Default: false, Doc: "It takes a predicted output (chat completions of some models): faster rewrites."},
	{Name: "request_timeout_ms", Kind: Integer, Min: 100, Max: 86400000, Doc: "How long a request may take in all, from its start to the end of its answer. Left out, the provider's holds, else 10,000 for suggestions while typing, 60,000 for other requests on the fast lane and 1,800,000 on the deep one."},
	{Name: "candidates", Kind: Integer, Default: int64(1), Min: 1, Max: 5, Doc: "Ask for this many suggestions at once and show the first that passes the checks. Each answer costs, and the prompt once (`wire_api = \"chat\"` and `\"completions\"`), else with each of them."},
}

// agentSettings are those of lanes that the user names: a plan of a deep task may give
// steps to them, and the one named reviewer reads the result.
var agentSettings = []Setting{
	{Name: "model", Kind: String, Doc: "The NAME of a `[models.NAME]` table. A plan of a deep task may give steps to the agent; one named `reviewer` reads the diff of the whole."},
	{Name: "instructions", Kind: String, Doc: "What it is told besides the instructions of every step; the planning model reads it to know what the agent is for."},
	{Name: "service_tier", Kind: String, Values: []string{"auto", "default", "flex", "scale", "priority", "fast", "ultrafast"}, Doc: "In place of the model's own."},
}

var providerSettings = []Setting{
	{Name: "name", Kind: String, Doc: "What messages call it."},
	{Name: "base_url", Kind: StringOrList, Doc: "Address, or a list of them: balanced and failed over."},
	{Name: "wire_api", Kind: String, Default: "responses", Essential: true, Values: []string{"responses", "chat", "messages", "completions", "infill", "ollama", "mistral-fim"}, Doc: "Protocol it speaks."},
	{Name: "env_key", Kind: String, Doc: "Environment variable that holds the key."},
	{Name: "env_key_instructions", Kind: String, Doc: "How to get a key; said when there is none."},
	{Name: "keyring", Kind: String, Doc: "Name of a key that `tandem key set NAME` put away."},
	{Name: "auth.command", Kind: List, Doc: "A program and its arguments that print a token, for tokens that rotate (Entra, a ChatGPT login, a vault). No shell is involved."},
	{Name: "auth.refresh_interval_ms", Kind: Integer, Default: int64(300000), Min: 1000, Max: 86400000, Doc: "How long such a token is used before the program runs again."},
	{Name: "supports_websockets", Kind: Boolean, Default: false, Doc: "It serves Responses over a WebSocket."},
	{Name: "stream_ids", Kind: Boolean, Default: false, Doc: "Its WebSocket honours `stream_id`."},
	{Name: "http_headers.*", Kind: String, Secret: true, Doc: "A header of every request."},
	{Name: "env_http_headers.*", Kind: String, Doc: "A header of every request whose value is in this environment variable; left out where the variable is empty."},
	{Name: "query_params.*", Kind: String, Doc: "A query parameter of every request."},
	{Name: "request_max_retries", Kind: Integer, Max: 100, Doc: "How often a request is sent again when nothing of the answer has come; the purpose decides where it is left out."},
	{Name: "stream_max_retries", Kind: Integer, Max: 100, Doc: "How often a stream that broke before its first text is asked for again."},
	{Name: "stream_idle_timeout_ms", Kind: Integer, Min: 100, Max: 3600000, Doc: "How long a server may send nothing of an answer, before its first text too; comments, pings and empty pieces do not count, reasoning does. The purpose decides where it is left out."},
	{Name: "request_timeout_ms", Kind: Integer, Min: 100, Max: 86400000, Doc: "The same as in `[models.NAME]`, for all its models that do not set it."},
	{Name: "websocket_connect_timeout_ms", Kind: Integer, Min: 100, Max: 600000, Doc: "How long a WebSocket may take to open."},
	{Name: "allow_http", Kind: Boolean, Default: false, Doc: "Accept plain `http://` to an address that is not on this machine."},
	{Name: "proxy", Kind: String, Doc: "Proxy in place of what HTTPS_PROXY and NO_PROXY say; `none` for none."},
	{Name: "ca_file", Kind: String, Doc: "PEM file of certificate authorities to trust besides the system's: an absolute path."},
	{Name: "account_id", Kind: String, Doc: "Account header of a ChatGPT login."},
}

// InFile reports whether a configuration file may hold the setting.
func (s *Setting) InFile() bool { return s.Place != inEditor }

// DefaultText returns the default as it is written in a file, or "".
func (s *Setting) DefaultText() string {
	if s.Default == nil {
		return ""
	}
	if text, ok := s.Default.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprint(s.Default)
}
