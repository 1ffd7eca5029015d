// The scenarios of the edit that comes next.
import * as fs from "node:fs";
import { check, lineOf, onDisk, serverLog, until } from "./rig.mjs";
import { reset } from "./streamed.mjs";

const file = "semver/semver.go";

/** The texts that decorations add to the lines in view, such as what a next edit writes. */
export async function added(w) {
  const list = await w.page.evaluate(() =>
    [...document.querySelectorAll(".view-lines span")].map((e) => getComputedStyle(e, "::after").content).filter((text) => text.startsWith('"')).map((text) => text.slice(1, -1)));
  return list.map((text) => text.replaceAll("\u00a0", " ").trim()).filter(Boolean);
}

/** How far the hint to jump is from the cursor, in pixels from left to right, and how many arrows the gutter has. */
async function hintAtCursor(w) {
  return w.page.evaluate(() => {
    const hint = [...document.querySelectorAll(".view-lines span")].find((e) => getComputedStyle(e, "::after").content.includes("to jump"));
    const cursor = document.querySelector(".cursors-layer .cursor").getBoundingClientRect();
    const arrows = [...document.querySelectorAll(".glyph-margin-widgets .cgmr")].filter((e) => getComputedStyle(e).backgroundImage.includes("svg"));
    return { distance: Math.abs(hint.getBoundingClientRect().right - cursor.left), arrows: arrows.length };
  });
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
  return logged('no next edit');
}

function logged(message) {
  return fs.readFileSync(serverLog, "utf8").split(message).length;
}

/** Dismisses what is offered. An offer may go and come back between two looks, while what was typed before is still on its way. */
async function dismissed(w) {
  const before = logged('suggestion rejected');
  await until("the server to know that it was dismissed", async () => {
    await w.press("Escape");
    return logged('suggestion rejected') > before;
  });
  await notOffered(w);
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
    await until("it is applied and nothing else", () => onDisk(file) === before.replace("version strings.\ntype ByVersion []string", "version strings. It sorts them in place.\ntype ByVersion []string // in place"));
    await w().press("Control+z");
    await w().save();
    await until("one undo takes it back and nothing else", () => onDisk(file) === before.replace("version strings.\ntype ByVersion", "version strings. It sorts them in place.\ntype ByVersion"));
    await reset(w(), before, "sorts them in place");
  }],

  ["next edit far away: jump, then apply", async () => {
    const before = onDisk(file);
    const call = lineOf(file, "return comparePrerelease(");
    await rename(w(), lineOf(file, "func comparePrerelease("), 6, "orderPrerelease");
    await offered(w(), `Tab to jump to line ${call}`);
    const hint = await hintAtCursor(w());
    check(`the hint is at the cursor, and an arrow in the gutter: ${JSON.stringify(hint)}`, hint.distance < 3 && hint.arrows === 1);
    await w().shot("next-edit-far");
    await w().press("Tab");
    await cursorIn(w(), call);
    await w().shows(".view-lines", "return comparePrerelease(");
    await offered(w(), "orderPrerelease");
    await w().shot("next-edit-jumped");
    await w().press("Tab");
    await w().shows(".view-lines", "return orderPrerelease(");
    await w().save();
    await until("the call is changed too", () => onDisk(file) === before.replaceAll("comparePrerelease(", "orderPrerelease("));
    await reset(w(), before, "return orderPrerelease(");
  }],

  ["next edit dismissed: no place of its change is offered again", async () => {
    const before = onDisk(file);
    const line = lineOf(file, "func isBadNum(");
    await rename(w(), line, 6, "badNumber");
    await offered(w(), "Tab to jump to line");
    await dismissed(w());
    await w().goTo(line + 1);
    await w().press("End");
    const asked = answeredNone();
    await w().type(" // bad"); // a change asks again, above some of the places
    await w().save();
    await until("the server to have nothing to offer", () => answeredNone() > asked);
    check("no place is offered again", (await added(w())).length === 0);
    await until("the calls are as they were", () => onDisk(file).split("isBadNum(").length === before.split("isBadNum(").length - 1);
    await reset(w(), before, "func badNumber(");
  }],

  ["next edit typed along: the rest stays, and Tab writes it", async () => {
    const before = onDisk(file);
    const line = lineOf(file, "type ByVersion []string");
    await comment(w(), line - 1);
    await offered(w(), "// in place");
    await w().goTo(line);
    await w().press("End");
    await w().type(" // in");
    await until("the rest alone", async () => (await added(w())).some((t) => t === "place"));
    await w().press("Home");
    await until("the cursor at the line's beginning", async () => (await w().page.locator('[id="status.editor.selection"]').innerText()).includes(`Ln ${line}, Col 1`));
    check("the rest is still offered where the cursor has left it", (await added(w())).some((t) => t === "place"));
    await w().press("Tab");
    await w().shows(".view-lines", "type ByVersion []string // in place");
    await w().save();
    await until("it is what was offered and nothing else", () => onDisk(file) === before.replace("version strings.\ntype ByVersion []string", "version strings. It sorts them in place.\ntype ByVersion []string // in place"));
    await reset(w(), before, "sorts them in place");
  }],

  ["next edit typed against: it goes", async () => {
    const before = onDisk(file);
    const line = lineOf(file, "type ByVersion []string");
    await w().goTo(1); // else what follows would bring back what the last scenario took away last
    await w().press("Home");
    await w().type("x");
    await w().press("Backspace");
    await comment(w(), line - 1);
    await offered(w(), "// in place");
    await w().goTo(line);
    await w().press("End");
    await w().type(" /* other");
    await until("the edit to be gone", async () => !(await added(w())).some((t) => t.includes("place")));
    await w().save();
    await until("only what was typed is there", () => onDisk(file).includes("type ByVersion []string /* other\n"));
    await reset(w(), before, "sorts them in place");
  }],

  ["next edit in another file: jump, apply, undo", async () => {
    const before = onDisk(file);
    const other = "semver/semver_test.go";
    const there = onDisk(other);
    await rename(w(), lineOf(file, "func Build("), 6, "BuildOf");
    await offered(w(), "BuildOf"); // in the comment, which is of this file
    await w().press("Tab");
    await w().page.waitForTimeout(500);
    await w().press("Tab");
    await offered(w(), `Tab to jump to`);
    await w().press("Tab");
    await until("another file", async () => !(await w().page.locator('.tab.active[data-resource-name="semver.go"]').isVisible()));
    await offered(w(), "BuildOf");
    await w().press("Tab");
    await until("the call to be changed", async () => (await w().page.locator(".view-lines").first().innerText()).replaceAll("\u00a0", " ").includes("BuildOf("));
    await w().press("Control+z");
    await until("the call to be as it was", async () => !(await w().page.locator(".view-lines").first().innerText()).replaceAll("\u00a0", " ").includes("BuildOf("));
    await w().open(file);
    await w().save();
    await reset(w(), before, "func BuildOf(");
    check("the other file is as it was", onDisk(other) === there);
  }],

  ["next edit beside a suggestion and a snippet: Tab is theirs", async () => {
    const before = onDisk(file);
    await rename(w(), lineOf(file, "func comparePrerelease("), 6, "orderPrerelease");
    await offered(w(), "Tab to jump to line");
    await w().goTo(lineOf(file, "// Canonical returns"));
    await w().press("Home", "Enter", "ArrowUp");
    await w().type("zzpair");
    await offered(w(), "Tab to jump to line");
    await w().press("Control+Space");
    await w().page.locator(".suggest-widget.visible .monaco-list-row").first().waitFor();
    await w().press("Tab");
    await w().shows(".view-lines", "zz(one, two)");
    await w().press("Tab");
    await w().type("2");
    await w().press("Tab");
    await w().shows(".view-lines", "zz(one, 2)");
    await w().press("Escape");
    await w().save();
    await until("the call is as it was", () => onDisk(file).includes("return comparePrerelease("));
    await reset(w(), before, "func orderPrerelease(");
  }],
];
