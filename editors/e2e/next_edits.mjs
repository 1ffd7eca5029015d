// The scenarios of the edit that comes next.
import * as fs from "node:fs";
import { check, lineOf, onDisk, serverLog, until } from "./rig.mjs";
import { reset } from "./streamed.mjs";

const file = "semver/semver.go";

/** The texts that decorations add to the lines in view, such as what a next edit writes. */
async function added(w) {
  const list = await w.page.evaluate(() =>
    [...document.querySelectorAll(".view-lines span")].map((e) => getComputedStyle(e, "::after").content).filter((text) => text.startsWith('"')).map((text) => text.slice(1, -1)));
  return list.map((text) => text.replaceAll("\u00a0", " ").trim()).filter(Boolean);
}

async function offered(w, text) {
  return until(`the next edit “${text}”`, async () => (await added(w)).some((t) => t.includes(text)));
}

async function notOffered(w) {
  return until("no next edit", async () => (await added(w)).length === 0);
}

/** Writes another name where one begins, and leaves the place, so that no ghost text is offered there. */
async function rename(w, line, column, name) {
  await w.goTo(line, column);
  await w.press("Control+Shift+ArrowRight");
  await w.type(name);
  await w.press("Home");
}

/** How often the server has answered that it has no next edit. */
function answeredNone() {
  return fs.readFileSync(serverLog, "utf8").split('msg="no next edit"').length;
}

/** Writes the comment from which the model concludes what comes next. */
async function comment(w, line) {
  await w.goTo(line);
  await w.press("End");
  await w.type(" It sorts them in place.");
  await w.press("Home");
}

async function cursorIn(w, line) {
  return until(`the cursor in line ${line}`, async () => (await w.page.locator('[id="status.editor.selection"]').innerText()).includes(`Ln ${line},`));
}

export const nextEdits = (w) => [
  ["next edit near the cursor: apply it, undo it alone", async () => {
    const before = onDisk(file);
    const line = lineOf(file, "type ByVersion []string");
    await comment(w(), line - 1);
    await offered(w(), "// in place");
    await w().shot("next-edit");
    await w().press("Tab"); // it is one line away: nothing to jump to
    await w().shows(".view-lines", "type ByVersion []string // in place");
    await w().save();
    check("it is applied and nothing else", onDisk(file) === before.replace("version strings.\ntype ByVersion []string", "version strings. It sorts them in place.\ntype ByVersion []string // in place"));
    await w().press("Control+z");
    await w().save();
    check("one undo takes it back and nothing else", onDisk(file) === before.replace("version strings.\ntype ByVersion", "version strings. It sorts them in place.\ntype ByVersion"));
    await reset(w(), before, "sorts them in place");
  }],

  ["next edit far away: jump, then apply", async () => {
    const before = onDisk(file);
    const call = lineOf(file, "return comparePrerelease(");
    await rename(w(), lineOf(file, "func comparePrerelease("), 6, "orderPrerelease");
    await offered(w(), `Tab to jump to line ${call}`);
    await w().shot("next-edit-far");
    await w().press("Tab");
    await cursorIn(w(), call);
    await w().shows(".view-lines", "return comparePrerelease(");
    await offered(w(), "orderPrerelease");
    await w().shot("next-edit-jumped");
    await w().press("Tab");
    await w().shows(".view-lines", "return orderPrerelease(");
    await w().save();
    check("the call is changed too", onDisk(file) === before.replaceAll("comparePrerelease(", "orderPrerelease("));
    await reset(w(), before, "return orderPrerelease(");
  }],

  ["next edit dismissed: not offered again", async () => {
    const before = onDisk(file);
    const line = lineOf(file, "func parseBuild(");
    await rename(w(), line, 6, "readBuild");
    await offered(w(), "Tab to jump to line");
    await w().press("Escape");
    await notOffered(w());
    const asked = answeredNone();
    await w().goTo(line + 1);
    await w().press("End");
    await w().type(" // read"); // a change asks again
    await until("the server to have nothing to offer", () => answeredNone() > asked);
    check("it is not offered again", (await added(w())).length === 0);
    await w().save();
    check("the call is as it was", onDisk(file).split("parseBuild(").length === before.split("parseBuild(").length - 1);
    await reset(w(), before, "func readBuild(");
  }],
];
