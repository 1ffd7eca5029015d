// The first minutes in real VS Code: from nothing to a model's ghost text, and what is said
// when something is wrong.
import * as fs from "node:fs";
import * as path from "node:path";
import { Gateway } from "./gateway.mjs";
import { Workbench } from "./workbench.mjs";
import { check, initialized, out, scenarios, until } from "./rig.mjs";

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
];

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
