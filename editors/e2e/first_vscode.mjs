// The first minutes in real VS Code: from nothing to a model's ghost text, and what is said
// when something is wrong.
import * as fs from "node:fs";
import * as path from "node:path";
import { Gateway } from "./gateway.mjs";
import { Workbench } from "./workbench.mjs";
import { check, initialized, onDisk, scenarios, until, workspace } from "./rig.mjs";

const file = "semver/semver.go";
const config = path.join(process.env.XDG_CONFIG_HOME, "tandem/config.toml");
const configured = () => (fs.existsSync(config) ? fs.readFileSync(config, "utf8") : "");

let w;
const gateway = new Gateway(process.env.E2E_MODELS);

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

const list = [
  ["start with nothing: the built-in engine serves", async () => {
    await gateway.listen();
    w = await Workbench.start([process.env.E2E_VSIX], { "tandem.config": undefined });
    await w.open(file);
    await until("the server to be initialized", () => initialized() === 1);
    await w.shows(".statusbar-item", "tandem");
    check("no configuration is there", configured() === "");
  }],

  ["set up a gateway: a refused key is asked for again, and nothing is written before it answers", async () => {
    const begin = Date.now();
    await w.command("tandem: Set Up a Model");
    await choose("A gateway or another server");
    await fill("The address of the gateway", gateway.address);
    await fill("The key for gateway", "sk-wrong");
    await w.shows(".quick-input-widget", "This key was not accepted");
    await w.shot("set-up-key-refused");
    check("nothing is written", configured() === "");
    await fill("The key for gateway", gateway.key);
    await w.shows(".quick-input-widget", "Which model?");
    await w.shot("set-up-models");
    await choose("scripted-fast");
    await w.shows(".quick-input-widget", "scripted-fast answers: first text after");
    await w.shot("set-up-tested");
    await choose("Use scripted-fast");
    await until("the configuration", () => configured().includes('fast = "scripted-fast"'));
    check("the key is not in it", !configured().includes(gateway.key));
    await w.shows(".statusbar-item", "scripted-fast");
    await w.focus();
    await w.press("Control+End");
    await w.type("\n// nextPart splits off the first part.\nfunc nextPart(x string, i int) (part, rest string) {\nreturn x");
    await w.ghost("[:i], x[i:]");
    console.log(`      from nothing to the model's ghost text: 6 answers, one of them a wrong key, ${((Date.now() - begin) / 1000).toFixed(1)} s`);
    await w.shot("set-up-ghost-text");
  }],

  ["a wrong line of the configuration: one message with Open, and a status that shows it", async () => {
    const right = configured();
    fs.writeFileSync(config, right.replace('fast = "scripted-fast"', 'fats = "scripted-fast"'));
    await w.shows(".notification-toast", "Correct line 1 of config.toml");
    await w.shot("wrong-config");
    await until("an amber status", async () => (await w.page.locator(".statusbar-item.warning-kind", { hasText: "scripted-fast" }).count()) === 1);
    await w.page.locator(".notification-toast .monaco-button", { hasText: /^Open$/ }).click();
    await w.shows(".view-lines", "fats = ");
    fs.writeFileSync(config, right);
    await until("a plain status", async () => (await w.page.locator(".statusbar-item.warning-kind", { hasText: "scripted-fast" }).count()) === 0);
    await w.open(file);
  }],

  ["a key that is refused later: the message asks for it in place", async () => {
    const key = gateway.key;
    gateway.key = "sk-rotated-9876543210";
    await w.focus();
    await w.press("Control+End");
    await w.type("\nfunc otherPart(x string, i int) (part, rest string) {\nreturn x");
    await w.shows(".notification-toast", "Set a valid key");
    await w.shot("refused-key");
    await w.page.locator(".notification-toast .monaco-button", { hasText: "Give the Key" }).click();
    await fill("The key for gateway", key);
    await w.shows(".quick-input-widget", "This key was not accepted");
    await fill("The key for gateway", gateway.key);
    await w.shows(".notification-toast", "is stored");
    await until("a plain status", async () => (await w.page.locator(".statusbar-item.warning-kind", { hasText: "scripted-fast" }).count()) === 0);
    await w.shot("new-key");
  }],

  ["review the changes of an agent: next, reviewed, revert; a mark outlives a reload and ends with its hunk", async () => {
    await w.command("File: Revert File");
    fs.writeFileSync(path.join(workspace, file), agent(onDisk(file)));
    fs.writeFileSync(path.join(workspace, "semver/agent.go"), "package semver\n\n// Latest is the newest.\nfunc Latest(list []string) string { return newestOf(list) }\n");
    await w.command("tandem: Review Changes");
    await choose("The last commit");
    await w.shows(".pane-body", "4 to review, 0 reviewed, 0 kept · since HEAD");
    await w.shows(".monaco-diff-editor .view-lines", "func Latest");
    await w.shot("changes");
    await w.command("tandem: Next Change to Review");
    await w.shows(".monaco-diff-editor .view-lines", "It is never empty.");
    await w.command("tandem: Mark the Change as Reviewed");
    await w.shows(".pane-body", "3 to review, 1 reviewed");
    await w.command("tandem: Revert the Change"); // of the next one, where the cursor is now
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
  }],
];

/** What an agent made of the file: three hunks. */
function agent(text) {
  return text
    .replace("func IsValid(v string) bool {", "// It is never empty.\nfunc IsValid(v string) bool {")
    .replace("func Canonical(v string) string {\n\tp, ok := parse(v)", "func Canonical(v string) string {\n\tversion, ok := parse(v)")
    .concat("\n// The end of the agent's work.\n");
}

let ok = false;
try {
  ok = await scenarios(list, async () => {
    await w?.shot("failure").catch(() => undefined);
  });
} finally {
  gateway.close();
  await w?.stop();
}
process.exit(ok ? 0 : 1);
