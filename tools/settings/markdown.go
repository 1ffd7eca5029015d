package main

import (
	"bytes"
	"fmt"
	"strings"

	"tandem/cmd/tandem/config"
)

const introduction = `# Settings

<!-- Written by make docs from the table in cmd/tandem/config; change it there. -->

tandem reads ` + "`$XDG_CONFIG_HOME/tandem/config.toml`" + ` (` + "`~/.config/tandem/config.toml`" + `; on macOS
` + "`~/Library/Application Support/tandem/config.toml`" + `, on Windows ` + "`%AppData%\\tandem\\config.toml`" + `) or the file that ` + "`--config`" + ` names. No
file of a workspace and no workspace setting of an editor is ever read.

What is set in several places is taken from, strongest first: the ` + "`[locked]`" + ` table of the administrator's file, ` + "`--offline`" + `,
the editor's user settings, the profile, your file, the administrator's file (` + "`/etc/tandem/managed.toml`" + `; on macOS
` + "`/Library/Application Support/tandem/managed.toml`" + `, on Windows ` + "`%ProgramData%\\tandem\\managed.toml`" + `), a built-in provider, the default.
` + "`tandem config`" + ` shows every value in use and where it came from. A mistake is named with its line, all of them at once; while tandem
runs, a file with a mistake changes nothing. ` + "`tandem doctor`" + ` asks each model a question and says what is wrong.

Keys are not settings: name their environment variable with ` + "`env_key`" + `, or put them away with ` + "`tandem key set NAME`" + `.
`

const versions = `
## Other versions

A file may be for another version of tandem than the one that reads it. In your own file a key that is not known is a mistake,
and the sentence names the version. In managed.toml it is ignored and ` + "`tandem doctor`" + ` names it, except in ` + "`[policy]`" + ` and
` + "`[locked]`" + `: there it is a rule, this tandem is too old for it, and no model is asked. ` + "`min_version`" + ` is read before all else, and an
older tandem says only which one to install.

What a version removes stays known for two minor versions: it is ignored where it is written, and named with what to do.

| removed | since | instead |
|---|---|---|
`

// examples are the shortest configurations for common setups. A test loads each of
// them.
var examples = []struct{ title, text string }{
	{"Ollama on this machine", `fast = "qwen"
deep = "qwen"
models.qwen.provider = "ollama"
models.qwen.model = "qwen2.5-coder:7b"
`},
	{"llama.cpp's server", `fast = "mine"
deep = "mine"
models.mine.provider = "llamacpp"
providers.llamacpp.base_url = "http://127.0.0.1:9931"
`},
	{"LM Studio, vLLM", `fast = "mine"
deep = "mine"
models.mine.provider = "lmstudio"
models.mine.model = "qwen3-coder-30b"
models.mine.fim = "qwen"
`},
	{"Cerebras while typing, OpenAI for the rest", `fast = "oss"
deep = "codex"
daily_limit_usd = 5.0

[models.oss]
provider = "cerebras"
model = "gpt-oss-120b"
context_window = 131000
reasoning_effort = "low"
input_price = 0.35
output_price = 0.75

[models.codex]
provider = "openai"
model = "gpt-5.3-codex"
context_window = 400000
reasoning_effort = "high"
input_price = 1.75
output_price = 14.0
`},
	{"GPT-5.3-Codex-Spark with a ChatGPT login: `codex login` (Codex CLI) writes the file that `jq` reads, and keeps its token fresh while it is used", `fast = "spark"

[models.spark]
provider = "chatgpt"
model = "gpt-5.3-codex-spark"
context_window = 128000
max_output_tokens = 4096
omit = ["reasoning.summary", "temperature"]
input_price = 1.75
output_price = 14.0

[providers.chatgpt]
account_id = "…"    # what jq -r .tokens.account_id prints of the same file
auth.command = ["jq", "-er", ".tokens.access_token", "/home/YOU/.codex/auth.json"]
`},
	{"Anthropic, Mistral, OpenRouter", `fast = "codestral"
deep = "sonnet"
models.codestral = { provider = "codestral", model = "codestral-latest", context_window = 32000 }
models.sonnet = { provider = "anthropic", model = "claude-sonnet-4-5", context_window = 200000 }
`},
	{"Models made for next edits: Mercury Edit for an ordinary key, or Sweep Next-Edit under llama.cpp", `fast = "mercury"
next_edit = "sweep"
complete = "mercury-edit"
models.mercury = { provider = "inception", model = "mercury-2", context_window = 128000 }
models.mercury-edit = { provider = "inception", model = "mercury-edit-2", context_window = 32000 }
models.sweep = { provider = "llamacpp", model = "sweep-next-edit-1.5B", context_window = 16000 }
`},
	{"Azure OpenAI with tokens that rotate", `deep = "gpt"
models.gpt = { provider = "azure", model = "my-deployment", context_window = 400000 }

[providers.azure]
base_url = "https://RESOURCE.openai.azure.com/openai/v1"
auth.command = ["az", "account", "get-access-token", "--resource", "https://cognitiveservices.azure.com", "--query", "accessToken", "-o", "tsv"]
`},
	{"A company gateway behind a proxy and a CA of its own", `fast = "gate"
models.gate = { provider = "gateway", model = "coder", context_window = 64000 }

[providers.gateway]
base_url = ["https://models-a.example.com/v1", "https://models-b.example.com/v1"]
wire_api = "chat"
keyring = "gateway"
proxy = "http://proxy.example.com:3128"
ca_file = "/etc/ssl/company.pem"
`},
	{"Profiles and languages", `[editor.language.markdown]
trigger = "invoked"

[profiles.quiet.editor]
trigger = "invoked"
`},
	{"What an administrator locks (managed.toml)", `[locked]
daily_limit_usd = 10.0
providers.openai.base_url = "https://gateway.example.com/openai/v1"
`},
	{"What an administrator allows (managed.toml)", `[policy]
allow_hosts = ["gateway.example.com", "*.models.example.com", "127.0.0.1:11434"]
allow_models = ["gpt-5*", "qwen*"]
deny_globs = ["**/payments/**"]
disable = ["record", "search"]
min_version = "1.2.0"
message = "Ask platform@example.com."
`},
}

// sections maps prefixes of setting names to the headings of the tables.
var sections = []struct{ prefix, title string }{
	{"models.*.", "[models.NAME]"},
	{"providers.*.", "[providers.NAME]"},
	{"editor.language.*.", "[editor.language.ID]"},
	{"editor.", "[editor]"},
	{"budget.", "[budget]"},
	{"search.", "[search]"},
	{"mcp.", "[mcp]"},
	{"policy.", "[policy], in managed.toml alone"},
	{"", "Top level"},
}

func sectionOf(name string) (title, key string) {
	for _, s := range sections {
		if rest, ok := strings.CutPrefix(name, s.prefix); ok {
			return s.title, rest
		}
	}
	return "", name
}

const localModels = `
## Local models

A server without a key on this machine, or where plain HTTP is allowed, is your own: it costs nothing, and how fast it is decides what is
shown to the model. tandem measures the tokens that it reads (those that are not in its cache) and writes a second, at the first start with
a prompt of 160 tokens of its own, then with every answer, and keeps both for each server and model in the state folder. From them follow:

- what is new at a key, which is the end of the prefix and, where the family was trained with the suffix behind it, the suffix: as much as
  is read within ` + "`editor.first_text_ms`" + ` besides writing a line. Where the suffix stands before the prefix it stays as it is while you type;
- what a model is shown at a new place: as much as is read in 3 seconds, at most ` + "`budgets.complete`" + `, four fifths of it around the cursor. While
  you type there it grows up to twice that, and then begins anew, so that the server's cache holds. A model whose name says that it has
  less than 3B parameters is shown the document alone: code of other files makes its lines no better ([measured](real-models.md));
- how many lines are suggested: those that are written in 2 seconds, at most 40, and one line while you type of a model
  with less than 3B parameters, whose blocks are mostly wrong ([measured](real-models.md)), and whose text replaces no guess of the
  built-in engine. Between keys such a model's text is shown where llama.cpp or Ollama say that the model takes what is left of it for at
  least 80 % likely, else once you have typed nothing for 400 ms. The answer is ended where what is shown ends;
- when it is given up: not before it can have come. A prompt that is being read is read to its end, and what you typed meanwhile is asked
  next unless the answer has it;
- whether it is asked: where 64 tokens take longer than ` + "`editor.first_text_ms`" + `, the built-in engine answers while you type and says so,
  and the model where you rest for a second. A server that needs more than 3 seconds for the prompt of a next edit is not asked for
  those: they would push completions out of its cache.

A file that is read in time is read when you open it, and a place when the cursor rests there (in editors that ask for code actions then).
Several slots of llama.cpp's server share its work: completions always use the first. ` + "`tandem doctor`" + ` prints both speeds, what follows
from them, the wait to expect, and how much smaller a model has to be where it is too slow.
`

func markdown() []byte {
	var b bytes.Buffer
	b.WriteString(introduction)
	b.WriteString("\n## Examples\n")
	for _, e := range examples {
		fmt.Fprintf(&b, "\n%s:\n\n```toml\n%s```\n", e.title, e.text)
	}
	b.WriteString(localModels)
	b.WriteString("\nBuilt-in providers, which need no table: " + strings.Join(config.Presets(), ", ") + ".\n")
	var titles []string
	rows := map[string]string{} // by title
	for _, s := range config.Settings {
		if !s.InFile() {
			continue
		}
		title, key := sectionOf(s.Name)
		if rows[title] == "" {
			titles = append(titles, title)
		}
		rows[title] += fmt.Sprintf("| `%s` | %s | %s | %s |\n", strings.ReplaceAll(key, "*", "KEY"), kind(&s), code(s.DefaultText()), cell(&s))
	}
	for _, title := range titles {
		fmt.Fprintf(&b, "\n## %s\n\n| key | type | default | what it does |\n|---|---|---|---|\n%s", title, rows[title])
	}
	fmt.Fprintf(&b, "\n## In an editor\n\n`editor.enabled`, `editor.trigger` and the rest of `[editor]` can also be set in the editor's user settings, as can how tandem is started:\n\n")
	b.WriteString("| key | type | default | what it does |\n|---|---|---|---|\n")
	for _, s := range config.Settings {
		if !s.InFile() {
			fmt.Fprintf(&b, "| `tandem.%s` | %s | %s | %s |\n", s.Name, kind(&s), code(s.DefaultText()), cell(&s))
		}
	}
	b.WriteString(versions)
	for _, r := range config.Removals {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Written(), r.Since, r.Instead)
	}
	return b.Bytes()
}

func kind(s *config.Setting) string {
	if len(s.Values) > 0 {
		return "one of `" + strings.Join(s.Values, "`, `") + "`"
	}
	return string(s.Kind)
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func cell(s *config.Setting) string { return strings.ReplaceAll(s.Doc+bounds(s), "|", `\|`) }

// bounds returns a sentence with the limits of a number, or "".
func bounds(s *config.Setting) string {
	switch {
	case s.Kind != config.Integer && s.Kind != config.Number:
		return ""
	case s.Max > 0:
		return fmt.Sprintf(" From %s to %s.", plain(s.Min), plain(s.Max))
	case s.Min > 0:
		return fmt.Sprintf(" At least %s.", plain(s.Min))
	}
	return ""
}

// plain formats a number without an exponent.
func plain(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", f), "0"), ".")
}
