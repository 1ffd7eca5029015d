// The scenarios of deep tasks and the view that shows them.
import { check, goOn, hold, initialized, lineOf, onDisk, until } from "./rig.mjs";

const file = "semver/semver.go";
const row = (w, text) => w.page.locator(".pane-body .monaco-list-row", { hasText: text }).first();

async function escalate(w, instruction) {
  await w.command("tandem: Escalate to the Deep Model");
  await w.answer(instruction);
  await w.press("Enter");
}

/** Presses a button of a notification. */
async function choose(w, text, button) {
  const toast = w.page.locator(".notification-toast", { hasText: text }).first();
  await toast.waitFor();
  await toast.locator(".monaco-button, .monaco-text-button", { hasText: button }).first().click();
}

/** Presses a button of a row of the view: it is there while the pointer is over the row, which moves while rows above it come. */
async function press(w, text, icon) {
  const found = row(w, text);
  await until(`the button ${icon} of “${text}”`, async () => {
    await found.hover();
    await found.locator(`.action-label.codicon-${icon}`).first().click({ timeout: 2000 });
    return true;
  });
}

const marks = (w) => w.page.evaluate(() => [...document.querySelectorAll(".view-line span")].map((e) => getComputedStyle(e, "::after").content).join(" ").replaceAll("\u00a0", " "));

/** Runs a task of two steps to the end of the first, which is drawn. */
async function firstStep(w, title) {
  hold();
  await escalate(w, title);
  await until("the step to be drawn", async () => (await marks(w)).includes("order := Compare"));
}

export const tasks = (w) => [
  ["a step is drawn when it is done, away from the cursor, and accepted while the next one runs", async () => {
    const [before, other] = [onDisk(file), onDisk("codereview.cfg")];
    const head = lineOf(file, "func compareVersion(");
    await w().goTo(head + 12);
    const cursor = () => w().page.locator(".cursors-layer .cursor").first().evaluate((e) => e.getBoundingClientRect().top);
    const at = await cursor();
    await firstStep(w(), "order in semver/semver.go, its tracker in codereview.cfg");
    check("the view has not moved", (await cursor()) === at);
    await w().shot("task-drawn");
    check("nothing is in the document, nor on the disk", onDisk(file) === before && (await w().page.locator(".tab.dirty").count()) === 0);
    await w().press("Control+Alt+Enter");
    await w().page.locator('.tab.dirty[data-resource-name="semver.go"]').waitFor();
    await w().save();
    await until("the step on the disk, while the next one runs", () => onDisk(file).includes("order := Compare(a, b)"));
    check("the other file is as it was", onDisk("codereview.cfg") === other);
    goOn();
    await w().page.locator(".notification-toast", { hasText: "is done" }).first().waitFor();
    await w().command("Notifications: Clear All Notifications");
    await w().press("Control+Alt+Backspace");
    await w().focus();
    await w().press("Control+z");
    await w().save();
    await until("the text as it was", () => onDisk(file) === before);
    check("the rest was rejected", onDisk("codereview.cfg") === other);
  }],

  ["escalate, read the plan, run it, accept one file", async () => {
    const before = onDisk(file);
    await escalate(w(), "rename cmp to order, and edit codereview.cfg");
    await choose(w(), "has 3 steps", "Show the plan");
    await w().shows(".view-lines", "2. [FAST] say what it does");
    await w().shot("task-plan");
    await (await w().lens("Run this plan")).click();
    await w().page.locator(".notification-toast", { hasText: "is done" }).first().waitFor();
    await w().command("Notifications: Clear All Notifications");
    await w().command("tandem: Tasks of the Deep Model");
    await row(w(), "3 of 3 steps").waitFor();
    check("nothing is changed before it is accepted", onDisk(file) === before);
    await row(w(), "3. name the tracker").click();
    await w().press("ArrowRight");
    await row(w(), /^\s*codereview\.cfg/).waitFor();
    await w().shot("tasks");
    await press(w(), /^\s*codereview\.cfg/, "check");
    await w().page.locator('.tab.dirty[data-resource-name="codereview.cfg"]').waitFor();
    await w().command("File: Save All Files");
    await until("the file on the disk", () => onDisk("codereview.cfg").startsWith("# The tracker of the Go project.\n"));
    check("the other file is as it was", onDisk(file) === before);
    await w().page.locator(".tab.dirty").waitFor({ state: "detached" }); // else a reload restores it as unsaved
  }],

  ["reload the window, see the changes of the task, accept the rest", async () => {
    const starts = initialized();
    await w().reload();
    await until("a new server", () => initialized() === starts + 1);
    await w().command("tandem: Tasks of the Deep Model");
    await row(w(), "3 of 3 steps").waitFor();
    await press(w(), "3 of 3 steps", "diff");
    await w().shows(".monaco-diff-editor .view-lines", "order := Compare(a, b)");
    await w().shot("task-changes");
    await w().command("File: Save All Files");
    await w().page.locator(".tab.dirty").waitFor({ state: "detached" });
    await w().command("View: Close All Editors");
    await w().open(file);
    await w().command("tandem: Tasks of the Deep Model");
    await press(w(), "3 of 3 steps", "check");
    await row(w(), "accepted").waitFor();
    await w().page.locator('.tab.dirty[data-resource-name="semver.go"]').waitFor();
    await w().command("File: Save All Files");
    await until("the result on the disk", () => onDisk(file).includes("// compareVersion orders versions, and equal ones by their text.\nfunc compareVersion(a, b string) int {\n\torder := Compare(a, b)\n\tif order != 0 {\n\t\treturn order"));
  }],

  ["escalate, change the plan, run what is left of it", async () => {
    const before = onDisk("codereview.cfg");
    await escalate(w(), "say more in codereview.cfg");
    await choose(w(), "has 3 steps", "Show the plan");
    await w().shows(".view-lines", "3. [FAST] say since when");
    await w().press("Control+a");
    await w().type("1. [FAST] name the home of the project | write: codereview.cfg | done: its path is there");
    await w().shot("task-plan-changed");
    await (await w().lens("Run this plan")).click();
    await w().page.locator(".notification-toast", { hasText: "is done: 1 file" }).first().waitFor();
    await w().command("Notifications: Clear All Notifications");
    await w().command("tandem: Tasks of the Deep Model");
    await row(w(), "1. name the home of the project").waitFor();
    await press(w(), "say more in codereview.cfg", "check");
    await row(w(), "accepted").waitFor();
    await w().page.locator('.tab.dirty[data-resource-name="codereview.cfg"]').waitFor();
    await w().command("File: Save All Files");
    await until("the result of the changed plan on the disk", () => onDisk("codereview.cfg") === before.replace("issuerepo: golang/go", "# The home of the project: golang.org/x/mod\nissuerepo: golang/go"));
    await w().page.locator(".tab.dirty").waitFor({ state: "detached" });
    await w().open(file);
  }],

  ["steer a task while it runs", async () => {
    const before = onDisk("codereview.cfg");
    await escalate(w(), "number codereview.cfg");
    await w().command("tandem: Tasks of the Deep Model");
    await row(w(), "1. number slowly").waitFor();
    await row(w(), "running").waitFor();
    await press(w(), "number codereview.cfg", "comment");
    await w().answer("count to two only, please");
    await w().press("Enter");
    await until("the result", async () => (await row(w(), "number codereview.cfg").innerText()).includes("1 of 1 steps"));
    await press(w(), "number codereview.cfg", "check");
    await w().page.locator('.tab.dirty[data-resource-name="codereview.cfg"]').waitFor();
    await w().command("File: Save All Files");
    await until("what was steered on the disk", () => onDisk("codereview.cfg") === before.replace("issuerepo: golang/go", "# one\n# two\nissuerepo: golang/go"));
    await w().page.locator(".tab.dirty").waitFor({ state: "detached" });
    await w().command("Notifications: Clear All Notifications");
    await w().open(file);
  }],

  ["what is typed while a task runs is named before it is accepted", async () => {
    const before = onDisk(file);
    for (let n = 1; n <= Number(process.env.E2E_CONFLICTS ?? 1); n++) {
      hold();
      await escalate(w(), `name the reader of builds, ${n}`);
      await w().command("tandem: Tasks of the Deep Model");
      await row(w(), `builds, ${n}`).waitFor();
      await w().open(file);
      await w().press("Control+End");
      await w().type(`\nfunc typed${n}(v string) (string, string, bool) { return parseBuild(v) }\n`);
      goOn();
      await w().command("tandem: Tasks of the Deep Model");
      await until("the result", async () => (await row(w(), `builds, ${n}`).innerText()).includes("1 of 1 steps"));
      await press(w(), `builds, ${n}`, "check");
      await w().page.locator(".notification-toast", { hasText: "parseBuild is declared nowhere" }).locator(".monaco-text-button", { hasText: "Apply anyway" }).first().waitFor();
      await w().command("Notifications: Clear All Notifications");
      await w().open(file);
      await w().save();
      check("what was typed is there, and nothing else", onDisk(file).includes(`func typed${n}`) && !onDisk(file).includes("readBuild"));
      await w().press("Control+End", "Shift+ArrowUp", "Delete");
      await w().save();
      check("what was typed is gone, and nothing else", onDisk(file).trimEnd() === before.trimEnd());
    }
  }],

  ["cancel a task, resume it, reject its result", async () => {
    const before = onDisk("codereview.cfg");
    await escalate(w(), "count in codereview.cfg");
    await w().command("tandem: Tasks of the Deep Model");
    await row(w(), "1. count slowly").waitFor();
    await press(w(), "count in codereview.cfg", "debug-stop");
    await row(w(), "cancelled").waitFor();
    await press(w(), "count in codereview.cfg", "play");
    await until("the result", async () => (await row(w(), "count in codereview.cfg").innerText()).includes("1 of 1 steps"));
    await press(w(), "count in codereview.cfg", "close");
    await row(w(), "rejected").waitFor();
    check("the file is as it was", onDisk("codereview.cfg") === before);
    await w().command("View: Show Explorer");
    await w().command("Notifications: Clear All Notifications");
    await w().open(file);
  }],
];
