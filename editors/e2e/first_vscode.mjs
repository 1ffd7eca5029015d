// The first minutes in real VS Code: from nothing to a model's ghost text, and what is said
// when something is wrong.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { Gateway } from "./gateway.mjs";
import { lightbulb, Workbench } from "./workbench.mjs";
import { packed } from "./linter.mjs";
import { added } from "./next_edits.mjs";
import { check, initialized, lineOf, onDisk, out, scenarios, serverLog, serverPid, until, workspace } from "./rig.mjs";
import { wrongSetUps } from "./wrong_set_ups.mjs";

const file = "semver/semver.go";
const config = path.join(process.env.XDG_CONFIG_HOME, "tandem/config.toml");
const here = path.dirname(new URL(import.meta.url).pathname);
/** The setting of the second provider. */
const other = { configuration: { properties: { "continue.enableTabAutocomplete": { type: "boolean", default: true } } } };
const configured = () => (fs.existsSync(config) ? fs.readFileSync(config, "utf8") : "");

let w;
const gateway = new Gateway(process.env.E2E_MODELS);
/** A model server on this machine, at one of the usual ports, and one that is wrong. */
const local = new Gateway(process.env.E2E_MODELS);
const wrong = new Gateway(process.env.E2E_MODELS);
local.key = wrong.key = undefined;

/** Answers a question of Set Up: chooses a row, or fills the box. */
async function choose(label) {
  const row = w.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first();
  await row.waitFor();
  await row.click();
}

async function fill(title, text) {
  await w.page.locator(".quick-input-titlebar", { hasText: title }).waitFor();
  await w.page.locator(".quick-input-widget input").first().fill(text);
  await w.press("Enter");
}

/** Presses a button of a message, which may have gone to the list of notifications already. */
async function button(text, label) {
  const shown = w.page.locator(".notification-toast, .notifications-center .notification-list-item", { hasText: text }).first();
  await until(`the message “${text}” with ${label}`, async () => {
    if (!(await shown.isVisible())) {
      await w.command("Notifications: Show Notifications");
    }
    await shown.locator(".monaco-button", { hasText: label }).first().click({ timeout: 2000 });
    return true;
  });
}

/** Writes a configuration, or takes it away, and waits until the status shows who answers. */
async function configure(text, shown) {
  if (text === undefined) {
    fs.rmSync(config, { force: true });
  } else {
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, text);
  }
  await until(`${shown} in the status`, async () => (await w.status()).includes(`fast: ${shown}`));
}

const broken = async (shown) => (await w.page.locator(".statusbar-item.warning-kind", { hasText: shown }).count()) === 1;

/** Types a function of its own name, which the scripted model goes on with. */
async function typeFunction(name) {
  await w.focus();
  await w.press("Control+End");
  await w.type(`\n// ${name} splits off the first part.\nfunc ${name}(x string, i int) (part, rest string) {\nreturn x`);
}

async function ghostOf(name) {
  await typeFunction(name);
  await w.ghost("[:i], x[i:]");
}

/** What the palette offers before a model is set up. */
const withoutModel = ["Ask a Question", "Mark this Moment as the Base of a Review", "Propose All Remaining Places of this Change", "Restart the Server", "Review Changes",
  "Select a Profile", "Set Up a Model", "Show What a Model Sees Here", "Show the Log", "Show the Next Edit", "Snooze Suggestions", "Status: What Works", "Try It on a Copy of This Project"].map((t) => `tandem: ${t}`);

const took = (begin, what) => console.log(`      ${what}, ${((Date.now() - begin) / 1000).toFixed(1)} s`);

const list = [
  ["start with nothing: the built-in engine serves", async () => {
    await gateway.listen();
    await wrong.listen();
    w = await Workbench.start([process.env.E2E_VSIX, packed({ publisher: "Continue", name: "continue", contributes: other })]);
    await w.open(file);
    await until("the server to be initialized", () => initialized() === 1);
    await w.shows(".statusbar-item", "tandem");
    check("no configuration is there", configured() === "");
    await w.command("tandem: Status");
    await w.shows(".monaco-dialog-box", "fast: built-in engine");
    await w.shows(".monaco-dialog-box", "Nothing is known that kept a suggestion back.");
    await w.shot("nothing");
    await w.press("Escape");
    await w.gone(".monaco-dialog-box");
  }],

  ["beside a second provider of suggestions: one offer to use tandem here, which switches the other off", async () => {
    await w.shows(".notification-toast", "choose who suggests here: there is Continue too");
    await w.shot("second-provider");
    await button("choose who suggests here", "Use tandem Here");
    const settings = path.join(workspace, ".vscode/settings.json");
    await until("the other to be switched off in the workspace", () => fs.readFileSync(settings, "utf8").includes('"continue.enableTabAutocomplete": false'));
    await until("the status to name nobody else", async () => !(await w.status()).includes("Continue"));
    await w.command("Developer: Show Running Extensions");
    const rows = ".runtime-extensions-editor .monaco-list-row";
    let looks = 0;
    const loaded = await until("what VS Code measured itself", async () => {
      const found = (await w.texts(rows)).map((t) => /^\s*tandem[\s\S]*?Activation: (\d+ms)/.exec(t)?.[1]).find(Boolean);
      if (!found) { // the slowest are first, and only those in view are there
        await w.page.locator(".runtime-extensions-editor").hover();
        await w.page.mouse.wheel(0, ++looks % 6 === 0 ? -10_000 : 300);
      }
      return found;
    });
    console.log(`      activation, load and call, as VS Code measures it: ${loaded}`);
    await w.press("Escape"); // that page stands before the others
    await w.gone(".monaco-modal-editor-block");
    await w.open(file);
    fs.rmSync(path.dirname(settings), { recursive: true });
  }],

  ["without a model: the palette has what can be done, and there is no lightbulb", async () => {
    const commands = (await w.commands("tandem: ")).filter((t) => t.startsWith("tandem: ")).sort();
    check(`the palette has what can be done without a model: ${commands.join("; ")}`, commands.join("\n") === withoutModel.join("\n"));
    const asked = () => fs.readFileSync(serverLog, "utf8").split('"method":"textDocument/codeAction"').length;
    for (const text of ["func Compare(", "func Max(", "// Sort sorts"]) {
      const before = asked();
      await w.goTo(lineOf(file, text), 3);
      await until("the editor to ask what to fix", () => asked() > before);
    }
    check("no lightbulb", (await w.page.locator(lightbulb).count()) === 0);
  }],

  ["the tour: in a copy a rename goes by Tab into a second file, a made-up name is underlined, a question answered; with auto-save nothing of the project changes", async () => {
    await w.command("File: Toggle Auto Save");
    await until("auto-save", () => !fs.readFileSync(path.join(out, "data/User/settings.json"), "utf8").includes('"files.autoSave": "off"'));
    await w.command("View: Close All Editors");
    const untouched = project();
    const begin = Date.now();
    await w.command("tandem: Try It on a Copy"); // begins the first step
    const plan = await until("the copy", () => copies()[0]);
    await w.shows(".notification-toast", "Tab goes to the next place of");
    const [, name] = /next place of (\w+)/.exec((await w.texts(".notification-toast")).join("\n"));
    const changed = () => renamed(plan, name);
    await until("the rename in a second file, by Tab", async () => {
      if ((await added(w)).length > 0) {
        await w.press("Tab");
        await w.page.waitForTimeout(300); // as a person does, who looks first
      }
      return changed().length > 1;
    });
    await w.shot("tour-rename");
    await w.walk("See a made-up name", "Make up a name");
    await until("the name to be underlined", async () => (await w.page.locator(".squiggly-error, .squiggly-warning").count()) > 0);
    await w.shot("tour-made-up-name");
    await w.walk("Ask what a function does", "Ask");
    await w.page.locator("iframe.webview.ready").last().contentFrame().frameLocator("#active-frame").locator("section", { hasText: `defines ${name}V2` }).waitFor();
    await w.shot("tour-question");
    took(begin, "the tour: three buttons and Tab");
    await w.walk("Ask what a function does", "Remove the copy");
    await until("the copy to be gone, and the server back", () => copies().length === 0);
    check("the project is as it was", project() === untouched);
    await w.command("File: Toggle Auto Save");
    await w.command("View: Close All Editors");
    await w.command("Notifications: Clear All Notifications");
    await w.open(file);
  }],

  ["set up a server of this machine: found at its port, tested, and its ghost text", async () => {
    await local.listen(1234, 8000);
    const begin = Date.now();
    await w.command("tandem: Set Up a Model");
    await w.page.locator(".quick-input-list .monaco-list-row", { hasText: `${local.address.replace("/v1", "")}` }).first().waitFor();
    await w.shot("set-up-who");
    await choose(local.address.replace("/v1", ""));
    await choose("scripted-fast");
    await w.shows(".notification-toast", "scripted-fast answers from now on: first text after");
    await until("the configuration", () => configured().includes('fast = "scripted-fast"'));
    await ghostOf("nextPart");
    took(begin, "from nothing to the model's ghost text: a command and 2 answers");
    await w.press("Tab");
    await w.noGhost();
    await w.command("File: Revert File");
  }],

  ["the accepting key is chosen in Set Up; then Tab is a plain Tab", async () => {
    const starts = initialized();
    await button("scripted-fast answers from now on", "Accept by Another Key");
    await choose("Ctrl+Enter");
    await until("a new start", () => initialized() === starts + 1);
    await w.shows(".statusbar-item", "scripted-fast");
    await ghostOf("keyPart");
    await w.press("Control+Enter");
    await w.noGhost();
    await w.save();
    await until("the accepted text", () => onDisk(file).trimEnd().endsWith("(part, rest string) {\n\treturn x[:i], x[i:]\n}"));
    await ghostOf("tabPart");
    await w.press("Tab");
    await w.save();
    await until("a plain Tab", () => onDisk(file).includes("return x\t\n}") || onDisk(file).includes("return x\t}"));
    restore();
    await w.command("Notifications: Clear All Notifications");
  }],

  ["set up a vendor without a key: it is asked for, and who stops changes nothing", async () => {
    await configure(undefined, "built-in engine");
    await w.command("tandem: Set Up a Model");
    await choose("Cerebras");
    await w.page.locator(".quick-input-titlebar", { hasText: "The key for Cerebras" }).waitFor();
    await w.shot("set-up-vendor-key");
    await w.press("Escape");
    await w.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    check("nothing is written, and nothing is said", configured() === "" && (await w.texts(".notification-toast")).length === 0);
  }],

  ["the day's limit: one message with what to do, and the built-in engine goes on", async () => {
    await configure(`fast = "mine"\ndaily_limit_usd = 0.0\n\n[models.mine]\nprovider = "dear"\nmodel = "scripted-fast"\ncontext_window = 32000\ninput_price = 0.35\noutput_price = 0.75\n\n[providers.dear]\nbase_url = "${wrong.address}"\nwire_api = "chat"\n`, "mine at dear");
    await typeFunction("limitedPart");
    await w.shows(".notification-toast", "Raise daily_limit_usd, or wait for midnight");
    await w.shot("limit");
    check("the status is not broken: something answers", !(await broken("mine")));
    check("and says until when", (await w.status()).includes("wait for midnight"));
    await w.command("Notifications: Clear All Notifications");
    await w.command("File: Revert File");
  }],

  ["set up a gateway with a refused key: it is asked for again, and nothing is written", async () => {
    await configure(undefined, "built-in engine");
    await w.command("tandem: Set Up a Model");
    await choose("A gateway or another server");
    await fill("The address of the gateway", gateway.address);
    await fill("The key for gateway", "sk-wrong");
    await w.shows(".quick-input-widget", "This key was not accepted");
    await w.shot("set-up-key-refused");
    await w.press("Escape");
    await w.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    check("nothing is written", configured() === "");
  }],

  ["set up a gateway, and see its ghost text", async () => {
    await configure(undefined, "built-in engine");
    const begin = Date.now();
    await w.command("tandem: Set Up a Model");
    await choose("A gateway or another server");
    await fill("The address of the gateway", gateway.address);
    await fill("The key for gateway", gateway.key);
    await w.shows(".quick-input-widget", "Which model?");
    await w.shot("set-up-models");
    await choose("scripted-fast");
    await w.shows(".notification-toast", "scripted-fast answers from now on: first text after");
    await w.shot("set-up-tested");
    await until("the configuration", () => configured().includes('fast = "scripted-fast"'));
    check("the key is not in it", !configured().includes(gateway.key));
    await w.shows(".statusbar-item", "scripted-fast");
    await ghostOf("nextPart");
    took(begin, "from nothing to the model's ghost text: a command and 4 answers");
    await w.shot("set-up-ghost-text");
  }],

  ["a wrong line of the configuration: one message with Open, and a status that shows it", async () => {
    const right = configured();
    fs.writeFileSync(config, right.replace('fast = "scripted-fast"', 'fats = "scripted-fast"'));
    await w.shows(".notification-toast", "Correct line 1 of config.toml");
    await w.shot("wrong-config");
    await until("an amber status", () => broken("scripted-fast"));
    await button("Correct line 1", /^Open$/);
    await w.shows(".view-lines", "fats = ");
    fs.writeFileSync(config, right);
    await until("a plain status", async () => !(await broken("scripted-fast")));
    await w.open(file);
  }],

  ["a key that is refused later: the message asks for it in place", async () => {
    const key = gateway.key;
    gateway.key = "sk-rotated-9876543210";
    await typeFunction("otherPart");
    await w.shows(".notification-toast", "Set a valid key");
    await w.shot("refused-key");
    await button("Set a valid key", "Give the Key");
    await fill("The key for gateway", key);
    await w.shows(".quick-input-widget", "This key was not accepted");
    await fill("The key for gateway", gateway.key);
    await w.shows(".notification-toast", "is stored");
    await until("a plain status", async () => !(await broken("scripted-fast")));
    await w.shot("new-key");
  }],

  ["review the changes of an agent: next, reviewed, revert; a mark outlives a reload and ends with its hunk", async () => {
    await w.command("File: Revert File");
    restore();
    fs.writeFileSync(path.join(workspace, file), agent(onDisk(file)));
    fs.writeFileSync(path.join(workspace, "semver/agent.go"), "package semver\n\n// Latest is the newest.\nfunc Latest(list []string) string { return newestOf(list) }\n");
    await w.command("tandem: Review Changes");
    await w.shows(".quick-input-list", "nothing is marked yet");
    await choose("The last commit");
    const all = "4 to review, 0 reviewed, 0 kept · 6 errors · since HEAD";
    await w.shows(".pane-body", all);
    await w.shows(".monaco-diff-editor .view-lines", "func Latest");
    check("what has an error has its sign", (await w.page.locator(".pane-body .monaco-list-row .codicon-error").count()) === 3);
    await w.shot("changes");
    await w.command("tandem: Close the Review");
    await button("the review is closed; 6 errors remain", "Open It Again");
    await w.shows(".pane-body", all);
    await w.command("tandem: Try It on a Copy");
    await w.walk("See a made-up name", "Make up a name");
    await until("the name to be underlined in the copy", async () => (await w.page.locator(".squiggly-error, .squiggly-warning").count()) > 0);
    await w.shows(".pane-body", "The review waits until the copy of the tour is removed");
    await w.shows(".pane-body", "1: package semver");
    await w.command("tandem: End the Tour");
    await until("the copy to be gone", () => copies().length === 0);
    await w.command("View: Close All Editors");
    await w.open("semver/agent.go");
    await w.shows(".pane-body", all);
    await w.command("Notifications: Clear All Notifications");
    await w.command("tandem: Next Change to Review");
    await w.shows(".monaco-diff-editor .view-lines", "It is never empty.");
    await w.command("tandem: Mark the Change as Reviewed");
    await w.shows(".pane-body", "3 to review, 1 reviewed");
    await until("the cursor at the next change", async () =>
      (await w.page.locator('[id="status.editor.selection"]').innerText()).includes(`Ln ${lineOf(file, "version, ok := parse(v)")},`));
    await w.command("tandem: Revert the Change"); // of that one
    await w.shows(".pane-body", "2 to review, 1 reviewed");
    await w.shot("changes-reviewed");
    await w.save();
    check("the second change is as it was", onDisk(file).includes("func Canonical(v string) string {\n\tp, ok := parse(v)"));
    check("the others stay", onDisk(file).includes("It is never empty.") && onDisk(file).includes("// The end of the agent's work."));
    await w.reload();
    await w.command("tandem: Review Changes");
    await choose("The last commit");
    await w.shows(".pane-body", "2 to review, 1 reviewed");
    await w.page.locator(".pane-body .monaco-list-row", { hasText: "It is never empty." }).click();
    await w.page.locator(".monaco-diff-editor .modified .view-line", { hasText: "It is never empty." }).click();
    await w.press("End");
    await w.type(" Nor nil.");
    await w.shows(".pane-body", "3 to review, 0 reviewed");
    await w.shot("changes-mark-ended");
    await w.command("File: Save All Files");
    await w.command("View: Close All Editors");
    restore();
    await w.open(file);
  }],
];

/** What make first-minutes-vscode runs after these: it takes minutes more. */
const further = [
  ["reload: the model answers again, by one server, and nothing is asked or said anew", async () => {
    await w.command("File: Revert File");
    const [starts, pid] = [initialized(), serverPid()];
    await w.reload();
    await until("a new server, and the old one gone", () => initialized() === starts + 1 && !fs.existsSync(`/proc/${pid}`));
    await w.open(file);
    await w.shows(".statusbar-item", "scripted-fast");
    await ghostOf("reloadedPart");
    check("no message", (await w.texts(".notification-toast")).length === 0);
    await w.command("File: Revert File");
  }],

  ["remote host: server, configuration and keys are those of the host that the window works on", async () => {
    const parents = [];
    for (let pid = serverPid(); pid > 1; pid = Number(/PPid:\s*(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1])) {
      parents.push(pid);
    }
    check("the server is a child of the host's VS Code", parents.includes(w.server.pid));
    await w.command("tandem: Set Up a Model");
    await w.page.locator(".quick-input-list .monaco-list-row", { hasText: "A gateway or another server" }).first().waitFor();
    const asks = await w.page.locator(".quick-input-widget input[type=text]").getAttribute("placeholder");
    check(`Set Up says whose machine is meant: ${asks}`, asks.includes("is the remote host"));
    await w.shot("set-up-remote");
    await w.press("Escape");
  }],

  ["a vendor without a key in the configuration: one message, which asks for it in place", async () => {
    await configure(`fast = "mine"\n\n[models.mine]\nprovider = "cerebras"\nmodel = "scripted-fast"\ncontext_window = 32000\n\n[providers.cerebras]\nbase_url = "${gateway.address}"\n`, "mine at cerebras");
    await typeFunction("vendorPart");
    await w.shows(".notification-toast", "there is no key for cerebras");
    await w.shot("vendor-without-key");
    await button("there is no key for cerebras", "Give the Key");
    await fill("The key for Cerebras", gateway.key);
    await w.shows(".notification-toast", "is stored");
    await w.command("Notifications: Clear All Notifications");
    await ghostOf("cerebrasPart");
    await w.command("File: Revert File");
  }],

  ["the server goes down and comes back: the status says so, and nobody has to do a thing", async () => {
    wrong.fault = undefined;
    await configure(`fast = "mine"\n\n[models.mine]\nprovider = "lab"\nmodel = "scripted-fast"\ncontext_window = 32000\n\n[providers.lab]\nbase_url = "${wrong.address}"\nwire_api = "chat"\n`, "mine at lab");
    await ghostOf("upPart");
    const port = new URL(wrong.address).port;
    await w.press("Escape");
    wrong.close();
    await typeFunction("downPart");
    await until("an amber status", () => broken("mine"));
    await w.page.locator(".statusbar-item", { hasText: "mine" }).hover();
    await w.shows(".monaco-hover:visible", "Start the server, or correct base_url");
    await w.shot("server-down");
    await w.page.mouse.move(200, 600);
    await wrong.listen(Number(port));
    await w.command("File: Revert File"); // what was typed in vain is no code
    await typeFunction("backPart");
    await until("the model's text again, at a key", async () => {
      await w.press("Backspace");
      await w.type("x");
      await w.page.waitForTimeout(1000);
      return (await w.ghostText()).includes("[:i], x[i:]");
    });
    await until("a plain status", async () => !(await broken("mine")));
    await w.command("File: Revert File");
  }],

  ...wrongSetUps(() => w, wrong, configure),

  ["what an administrator's managed.toml says: ghost text from the company's gateway, and no question", async () => {
    await w.stop();
    fs.rmSync(config, { force: true });
    restore();
    const etc = path.join(out, "etc");
    const login = path.join(out, "bin/company-login");
    fs.mkdirSync(path.join(etc, "tandem"), { recursive: true });
    fs.writeFileSync(login, `#!/bin/sh\necho ${gateway.key}\n`, { mode: 0o755 });
    fs.writeFileSync(path.join(etc, "tandem/managed.toml"), managed(login));
    w = await Workbench.start([process.env.E2E_VSIX], {}, ["unshare", "-rm", "sh", "-c", 'mount -t overlay -o lowerdir="$0":/etc overlay /etc && exec "$@"', etc]);
    const begin = Date.now();
    await w.open(file);
    await w.shows(".statusbar-item", "oss");
    await ghostOf("companyPart");
    took(begin, "with managed.toml, from the first file to the model's ghost text: no question");
    // The second provider of an earlier scenario is installed still, and is offered to be switched off here.
    check("nothing is asked or said", (await w.texts(".notification-toast")).every((t) => t.includes("there is Continue too")));
    check("no configuration of the user is there", configured() === "");
    await until("the company's record of the request", () => fs.readFileSync(path.join(process.env.HOME, ".local/share/company/llm.jsonl"), "utf8").split("\n").filter(Boolean).every((l) => JSON.parse(l)["gen_ai.request.model"] === "scripted-fast"));
    await w.shot("managed");
  }],
];

/** What git says of the project, and when each of its files was written. */
function project() {
  const status = spawnSync("git", ["status", "--porcelain", "--ignored"], { cwd: workspace, encoding: "utf8" }).stdout;
  const files = fs.readdirSync(workspace, { recursive: true }).filter((f) => !f.startsWith(".git")).sort();
  return status + files.map((f) => `${f} ${fs.statSync(path.join(workspace, f)).mtimeMs}`).join("\n");
}

/** The copies of the project that tours have made. */
function copies() {
  return fs.readdirSync(tmpdir()).filter((f) => f.startsWith("tandem-tour-")).map((f) => path.join(tmpdir(), f, path.basename(workspace))).filter((f) => fs.existsSync(f));
}

/** The files of a copy in which a name is another than in the project. */
function renamed(copy, name) {
  const of = (folder, f) => fs.readFileSync(path.join(folder, f), "utf8").split(name + "V2").length;
  return fs.readdirSync(copy, { recursive: true }).filter((f) => f.endsWith(".go") && of(copy, f) > 1);
}

/** The file of docs/rollout.md, with the gateway and the program of this run. */
function managed(login) {
  const page = fs.readFileSync(path.join(here, "../../docs/rollout.md"), "utf8");
  return /```toml\n([\s\S]*?)```/.exec(page)[1]
    .replaceAll("https://llm.example.com/v1", gateway.address)
    .replaceAll("llm.example.com", new URL(gateway.address).host)
    .replace('"company-login"', JSON.stringify(login))
    .replace("gpt-oss-120b", "scripted-fast");
}

/** The file as it is committed. */
function restore() {
  spawnSync("git", ["checkout", "-q", "--", "."], { cwd: workspace });
  spawnSync("git", ["clean", "-fdq"], { cwd: workspace });
}

/** What an agent made of the file: three hunks. */
function agent(text) {
  return text
    .replace("func IsValid(v string) bool {", "// It is never empty.\nfunc IsValid(v string) bool {")
    .replace("func Canonical(v string) string {\n\tp, ok := parse(v)", "func Canonical(v string) string {\n\tversion, ok := parse(v)")
    .concat("\n// The end of the agent's work.\n");
}

let ok = false;
try {
  ok = await scenarios(process.env.E2E_ALL ? [...list, ...further] : list, async (name) => {
    await w?.shot(`failure-${name.replace(/\W+/g, "-").slice(0, 40)}`).catch(() => undefined);
    await w?.press("Escape").catch(() => undefined);
    console.log(`      the status: ${await w?.status().catch(() => undefined)}`);
  });
} finally {
  for (const server of [gateway, local, wrong]) {
    server.close();
  }
  await w?.stop();
}
process.exit(ok ? 0 : 1);
