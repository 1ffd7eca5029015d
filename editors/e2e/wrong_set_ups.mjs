// Configurations that cannot work, in real VS Code: each is named in one sentence, with what to
// do first. The sentences are those of the golden file of messages, the servers answer as the
// real ones do.
import * as fs from "node:fs";
import * as path from "node:path";
import { until } from "./rig.mjs";

const golden = fs.readFileSync(path.join(path.dirname(new URL(import.meta.url).pathname), "../../cmd/tandem/testdata/messages.golden"), "utf8");

/** What a person is told of a case of the golden file, without the button. */
export function sentence(name, host) {
  const lines = golden.split("\n");
  const told = lines[lines.indexOf(`- ${name}`) + 1].replace(/^ +\w+ +/, "").replace(/ \[[^\]]+\]$/, "");
  return told.replace("HOST", host);
}

const json = (status, body) => (request, response) => response.writeHead(status, { "Content-Type": "application/json" }).end(typeof body === "string" ? body : JSON.stringify(body));
const stream = (body) => (request, response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).end(body);
const nothing = json(404, "404 page not found\n");

/** Answers by the request's path. */
const by = (paths) => (request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece)).on("end", () => (paths[request.url.split("?")[0]] ?? nothing)(request, response, body));
  return true;
};

const thinks = { id: "1", model: "deepseek-r1", choices: [{ index: 0, delta: { role: "assistant", reasoning_content: "Okay. " } }] };
const thought = { id: "1", model: "deepseek-r1", choices: [{ index: 0, delta: {}, finish_reason: "length" }], usage: { prompt_tokens: 100, completion_tokens: 128, total_tokens: 228 } };

/** By the names of the golden file: the model, the provider's lines, what its server answers. */
const cases = [
  ["a chat model asked to fill (Ollama)", "llama3.2", (url) => `base_url = "${url}"\nwire_api = "ollama"`, by({
    "/api/generate": (request, response, body) => body.includes('"prompt"')
      ? json(400, { error: "registry.ollama.ai/library/llama3.2:latest does not support insert" })(request, response)
      : json(200, { model: "llama3.2", response: "", done: true, done_reason: "load" })(request, response),
    "/api/ps": json(200, { models: [{ name: "llama3.2:latest", context_length: 8192 }] }),
    "/api/chat": json(200, { model: "llama3.2", message: { role: "assistant", content: "x" }, done: true, done_reason: "stop", prompt_eval_count: 90, eval_count: 4 }),
  })],
  ["a reasoning model", "deepseek-r1", (url) => `base_url = "${url}/v1"\nwire_api = "chat"`, by({
    "/v1/models": json(200, { data: [{ id: "deepseek-r1", max_model_len: 32768 }] }),
    "/v1/chat/completions": stream(`data: ${JSON.stringify(thinks)}\n\n`.repeat(128) + `data: ${JSON.stringify(thought)}\n\ndata: [DONE]\n\n`),
  })],
  ["a wrong path", "qwen2.5-coder", (url) => `base_url = "${url}"\nwire_api = "chat"`, by({})],
  ["a model that is not loaded (LM Studio)", "qwen2.5-coder", (url) => `base_url = "${url}/v1"\nwire_api = "chat"`, by({
    "/v1/models": json(200, { data: [], object: "list" }),
    "/v1/chat/completions": json(404, { error: { message: "No models loaded. Please load a model in the developer page or use the 'lms load' command.", type: "invalid_request_error", param: "model", code: "model_not_found" } }),
  })],
  ["2,048 tokens of context", "qwen2.5-coder", (url) => `base_url = "${url}"\nwire_api = "infill"`, by({
    "/props": json(200, { default_generation_settings: { n_ctx: 2048 }, total_slots: 1, model_path: "/m/qwen2.5-coder-1.5b.gguf" }),
    "/completion": stream('data: {"content":"\\treturn 1","stop":true,"tokens_predicted":3,"tokens_evaluated":100}\n\n'),
  })],
  ["a model that is not loaded (llama.cpp)", "qwen2.5-coder", (url) => `base_url = "${url}"\nwire_api = "infill"`, json(503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } })],
  ["a wrong port", "qwen2.5-coder", () => 'base_url = "http://127.0.0.1:9/v1"\nwire_api = "chat"', nothing],
  ["a wrong port where another program listens", "qwen2.5-coder", (url) => `base_url = "${url}/v1"\nwire_api = "chat"`,
    (request, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><html><head><title>Grafana</title></head></html>")],
  ["a name that is unknown", "gpt-x", (url) => `base_url = "${url}/v1"\nwire_api = "chat"`, by({
    "/v1/chat/completions": json(404, { error: { message: "The model `gpt-x` does not exist or you do not have access to it.", type: "invalid_request_error", param: null, code: "model_not_found" } }),
  })],
  ["a proxy that refuses", "gpt-x", (url) => `base_url = "https://api.example.com/v1"\nwire_api = "chat"\nproxy = "${url}"`, nothing],
  ["a server far too slow", "qwen2.5-coder", (url) => `base_url = "${url}/v1"\nwire_api = "chat"`, by({
    "/v1/models": json(200, { data: [{ id: "qwen2.5-coder", max_model_len: 32768 }] }),
    "/v1/chat/completions": () => undefined,
  })],
];

/** What is said of a server without a key, where the golden file has one with a key. */
const own = { "a name that is unknown": "Choose a model in [models.mine] that own (HOST) has: it has no gpt-x." };

/**
 * @param w the workbench
 * @param server a Gateway without a key
 * @param configure writes a configuration, or takes it away, and waits until the status shows who answers
 */
export const wrongSetUps = (w, server, configure) => cases.map(([name, model, provider, answers], i) => [`wrong set-up: ${name}`, async () => {
  const root = server.address.replace(/\/v1$/, "");
  server.fault = (request, response) => (answers(request, response), true);
  await configure(undefined, "built-in engine");
  await configure(`fast = "mine"\n\n[models.mine]\nprovider = "own"\nmodel = "${model}"\ncontext_window = 32000\n\n[providers.own]\n${provider(root)}\n`, "mine at own");
  await w().press("Control+End");
  await w().type(`\nfunc wrong${i}(x string, i int) (part, rest string) {\nreturn x`);
  const begin = Date.now();
  const host = root.replace("http://", "");
  const wanted = own[name]?.replace("HOST", host) ?? sentence(name, host);
  const told = await until(`“${wanted}”`, async () => {
    if ((await w().texts(".notification-toast")).some((t) => t.replace(/\s+/g, " ").includes(wanted))) {
      return "a message";
    }
    return (await w().status()).includes(wanted) && "the status";
  });
  console.log(`      ${((Date.now() - begin) / 1000).toFixed(1)} s, in ${told}: ${wanted}`);
  if (told === "the status") {
    await w().page.locator(".statusbar-item", { hasText: "mine" }).hover();
    await w().shows(".monaco-hover:visible", wanted.slice(0, 30));
  }
  await w().shot(`wrong-${String(i + 1).padStart(2, "0")}-${name.replace(/[^a-z0-9]+/gi, "-").replace(/-$/, "").toLowerCase()}`);
  await w().page.mouse.move(200, 600);
  await w().command("Notifications: Clear All Notifications");
  await w().focus();
}]);
