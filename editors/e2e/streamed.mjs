// The scenarios of edits that are drawn beside the document while they are written, and until they are accepted.
import * as fs from "node:fs";
import * as path from "node:path";
import { check, goOn, hold, initialized, lineOf, onDisk, serverPid, until, workspace } from "./rig.mjs";

const file = "semver/semver.go";

/** Files that the workspace does not have: one of CR LF lines, and one of 50,000 lines. */
export function moreFiles() {
  fs.writeFileSync(path.join(workspace, "crlf.go"), "package mod\r\n\r\nfunc greeting() string {\r\n\treturn \"hello\"\r\n}\r\n");
  fs.writeFileSync(path.join(workspace, "big.go"), `package mod\n\n${Array.from({ length: 50_000 }, (_, i) => `var v${i} = 1\n`).join("")}`);
}

/** Selects the function that begins with a text, and asks for an edit. */
async function ask(w, declaration, instruction, { file: name = file, lines = 7, deep = false } = {}) {
  await w.goTo(lineOf(name, declaration));
  for (let i = 0; i < lines; i++) {
    await w.press("Shift+ArrowDown");
  }
  await w.press("Control+Alt+e");
  await w.box();
  await w.shows(".quick-input-message", "tokens");
  if (deep) {
    await w.page.locator(".quick-input-titlebar .action-label").last().click();
    await w.shows(".quick-input-message", "deep:");
  }
  await w.answer(instruction);
  await w.press("Enter");
}

const ready = (w) => w.lens("Accept");
const over = (w) => w.noProposal();
/** Waits for a text that would come, in a note below the lines that would go. */
const proposes = (w, text) => w.shows(".review-widget .comment-body", text);

/** Writes the file as it was before a scenario, and waits until the editor, which shows a text that goes, has read it. */
export async function reset(w, before, gone) {
  await w.goTo(onDisk(file).split("\n").findIndex((l) => l.includes(gone)) + 1);
  fs.writeFileSync(path.join(workspace, file), before);
  await until("the text of before in the editor", async () => !(await w.texts(".view-lines")).join("").includes(gone));
}

export const streamed = (w) => [
  ["an edit is written into the text, accepted, and undone at once", async () => {
    const before = onDisk(file);
    await ask(w(), "func Prerelease(", "name the parsed version");
    await ready(w());
    await proposes(w(), "parsed, ok := parse(v)");
    await w().shot("streamed-edit");
    check("nothing is written to the disk", onDisk(file) === before);
    await w().press("Control+Alt+Enter");
    await over(w());
    await w().save();
    const after = onDisk(file);
    check("the edit is there", after === before.replace("\tpv, ok := parse(v)\n\tif !ok {\n\t\treturn \"\"\n\t}\n\treturn pv.prerelease", "\tparsed, ok := parse(v)\n\tif !ok {\n\t\treturn \"\"\n\t}\n\treturn parsed.prerelease"));
    await w().press("Control+z");
    await w().save();
    await until("one undo takes all of it back", () => onDisk(file) === before);
  }],

  ["try again, look at both answers, ask the deep model, steer", async () => {
    const before = onDisk(file);
    await ask(w(), "func Prerelease(", "name the parsed version");
    await ready(w());
    await proposes(w(), "return p.prerelease");
    await w().press("Control+Alt+d");
    await proposes(w(), "return deeply.prerelease");
    await w().shows(".codelens-decoration", "answer 2 of 2");
    await (await w().lens("More…")).click();
    await w().shows(".quick-input-widget", "Alternatives");
    check("the list says who wrote it", ((await w().page.locator(".quick-input-widget input").first().getAttribute("placeholder")) ?? "").startsWith("deep: "));
    await w().shot("streamed-edit-more");
    await w().press("Escape");
    await w().focus();
    await w().press("Control+Alt+a");
    await proposes(w(), "return p.prerelease");
    await w().press("Control+Alt+s");
    await w().answer("call it version, please");
    await w().press("Enter");
    await proposes(w(), "return version.prerelease");
    await w().shows(".codelens-decoration", "answer 3 of 3");
    await w().press("Control+Alt+Backspace");
    await over(w());
    await w().save();
    await until("rejecting restores every byte", () => onDisk(file) === before);
  }],

  ["accept one change and reject the other", async () => {
    const before = onDisk(file);
    await ask(w(), "func compareVersion(", "order instead of cmp");
    await ready(w());
    await w().draws(
      "",
      "note: // compareVersion orders versions, and equal ones by their text.",
      "func compareVersion(a, b string) int {",
      "lens: Accept this | Reject this",
      "cmp := Compare(a, b)",
      "if cmp != 0 {",
      "return cmp",
      "note: order := Compare(a, b)",
      "note: if order != 0 {",
      "note: return order",
    );
    check("nothing is in the document, let alone on the disk", onDisk(file) === before && (await w().page.locator(".tab.active.dirty").count()) === 0);
    check("a row has at most five lenses", (await w().texts(".codelens-decoration")).every((row) => row.split("|").length <= 5));
    await w().goTo(lineOf(file, "func compareVersion(") + 2);
    await w().shot("removed-text");
    await w().press("Control+Alt+y");
    await until("one change to be left", async () => !(await w().texts(".codelens-decoration")).join("").includes("Accept this"));
    await w().press("Control+Alt+u");
    await over(w());
    await w().save();
    await until("one change is made", () => onDisk(file) === before.replace("\tcmp := Compare(a, b)\n\tif cmp != 0 {\n\t\treturn cmp", "\torder := Compare(a, b)\n\tif order != 0 {\n\t\treturn order"));
    await w().press("Control+z");
    await w().save();
    await until("and can be undone", () => onDisk(file) === before);
  }],

  ["accept one change, and steer: the edit continues from what was accepted", async () => {
    const before = onDisk(file);
    await ask(w(), "func compareVersion(", "order instead of cmp");
    await ready(w());
    await w().goTo(lineOf(file, "func compareVersion(") + 2);
    await w().press("Control+Alt+y");
    await until("one change to be left", async () => !(await w().texts(".codelens-decoration")).join("").includes("Accept this"));
    await w().press("Control+Alt+s");
    await w().answer("call it rank, please");
    await w().press("Enter");
    await proposes(w(), "return rank");
    await w().shows(".codelens-decoration", "answer 2 of 2");
    await w().press("Control+Alt+Enter");
    await over(w());
    await w().save();
    await until("both changes are made", () => onDisk(file) === before.replace("\tcmp := Compare(a, b)\n\tif cmp != 0 {\n\t\treturn cmp", "\trank := Compare(a, b)\n\tif rank != 0 {\n\t\treturn rank"));
    await reset(w(), before, "rank := Compare");
  }],

  ["light, dark and high contrast: what is new is marked", async () => {
    const before = onDisk(file);
    await ask(w(), "func compareVersion(", "order instead of cmp");
    await ready(w());
    for (const [theme, kind, name] of [["Light Modern", "vs", "light"], ["Dark High Contrast", "hc-black", "high-contrast"], ["Light High Contrast", "hc-light", "high-contrast-light"], ["Dark Modern", "vs-dark", "dark"]]) {
      await w().theme(theme, kind);
      await until(`lines with a border in ${name}`, () => w().page.evaluate(() =>
        [...document.querySelectorAll(".view-overlays .cdr")].some((e) => parseFloat(getComputedStyle(e).borderLeftWidth) >= 2)));
      await w().shot(`streamed-edit-${name}`);
    }
    await w().press("Control+Alt+Backspace");
    await over(w());
    await w().save();
    await until("rejecting restores every byte", () => onDisk(file) === before);
  }],

  ["type elsewhere and save while it is written, then reject", async () => {
    const before = onDisk(file);
    hold();
    await ask(w(), "func Build(", "say what each step does");
    await w().draws("if !ok {", 'return ""', "note: // Nothing more is known of it,", "note: // so the answer is empty,");
    await w().shot("writing");
    await w().press("Control+Home");
    await w().type("// typed meanwhile ");
    await w().press("Control+s");
    await until("what was typed and no half answer on the disk", () => onDisk(file) === `// typed meanwhile ${before}`); // the editor writes a file in parts
    goOn();
    await w().goTo(lineOf(file, "func Build("));
    await ready(w());
    await proposes(w(), "// It begins with a plus sign.");
    await w().press("Control+Alt+Backspace");
    await over(w());
    await w().save();
    await until("rejecting restores every byte and keeps what was typed", () => onDisk(file) === `// typed meanwhile ${before}`);
    await reset(w(), before, "typed meanwhile");
  }],

  ["what an edit breaks in other files is completed", async () => {
    const before = onDisk(file);
    await ask(w(), "func Prerelease(", "give it a longer name");
    const lens = await w().lens("Complete at 3 places");
    await lens.click();
    await w().lens("and 2 other files");
    await w().lens("Accept");
    check("it no longer breaks anything", !(await w().texts(".codelens-decoration")).join("").includes("Complete at"));
    check("nothing is written to the disk", onDisk(file) === before);
    await w().press("Control+Alt+Backspace");
    await over(w());
  }],

  ["auto-save after 100 ms and format on save: nothing reaches the disk before it is accepted", async () => {
    const before = onDisk(file);
    await w().command("File: Toggle Auto Save");
    const kinds = [["func Prerelease(", "say what is returned", "// or is empty."], ["func compareVersion(", "order instead of cmp", "order := Compare(a, b)"]];
    const count = Number(process.env.E2E_EDITS ?? 4);
    let typed = "//typed";
    const saved = () => onDisk(file).startsWith(before) && onDisk(file).slice(before.length).replaceAll(" ", "") === typed; // whether the formatter has run or not
    for (let i = 0; i < count; i++) {
      const [declaration, instruction, text] = kinds[i % kinds.length];
      await ask(w(), declaration, instruction);
      await ready(w());
      await proposes(w(), text);
      await w().press("Control+End");
      await w().type(`${i ? "" : typed},${i}  `);
      typed += `,${i}`;
      if (i % 2) {
        await w().press("Control+s"); // formats what auto-save has not saved yet
      }
      await until("what was typed to be saved, and nothing else", saved);
      await w().page.waitForTimeout(300); // longer than another save takes
      check(`edit ${i + 1} is in no file`, saved());
      await w().press("Control+Alt+Backspace");
      await over(w());
    }
    await ask(w(), "func Prerelease(", "say what is returned");
    await ready(w());
    await w().press("Control+Alt+Enter");
    await until("what was accepted to be saved by itself", () => onDisk(file).includes("// or is empty."));
    await w().page.waitForTimeout(500); // until VS Code has it from the disk's side: what is undone before, it takes for saved
    await w().press("Control+z");
    await until("one undo to take it back", saved);
    await w().command("File: Toggle Auto Save");
    await reset(w(), before, "//typed");
    console.log(`      ${count} edits, 0 bytes of them on the disk before acceptance`);
  }],

  ["two edits at once", async () => {
    const before = onDisk(file);
    hold();
    await ask(w(), "func Build(", "say what each step does");
    await w().lens("is writing");
    await ask(w(), "func Prerelease(", "say what is returned");
    goOn();
    await proposes(w(), "// or is empty.");
    await w().goTo(lineOf(file, "func Prerelease(") + 5);
    await until("both to be written", async () => !/is (writing|checking)/.test((await w().texts(".codelens-decoration")).join("\n")));
    await w().shot("two-edits");
    await w().press("Control+Alt+Enter");
    await w().shows(".view-lines", "// or is empty.");
    await w().goTo(lineOf(file, "func Build(") + 4);
    await ready(w());
    await proposes(w(), "// It begins with a plus sign.");
    await w().press("Control+Alt+Backspace");
    await over(w());
    await w().save();
    await until("one is made", () => onDisk(file) === before.replace("\treturn pv.prerelease", "\t// The suffix begins with a hyphen,\n\t// or is empty.\n\treturn pv.prerelease"));
    await reset(w(), before, "begins with a hyphen");
  }],

  ["typing inside ends the stream, and nothing typed is lost", async () => {
    const before = onDisk(file);
    hold();
    await ask(w(), "func Build(", "say what each step does");
    await proposes(w(), "// Nothing more is known of it,");
    await w().goTo(lineOf(file, "func Build(") + 2);
    await w().press("End");
    await w().type(" // I know more.");
    await w().shows(".codelens-decoration", "you typed in it");
    goOn();
    await w().press("Control+Alt+Enter");
    await over(w());
    await w().save();
    await until("what was typed is there, and the change that it is in is not", () => onDisk(file) ===
      before.replace(/(func Build\(.*\n)([\s\S]*?if !ok \{)/, "$1\t// A version that cannot be parsed has no build suffix.\n$2 // I know more."));
    await reset(w(), before, "I know more");
  }],

  ["the server is killed while it writes: the text is as before", async () => {
    const before = onDisk(file);
    const [pid, starts] = [serverPid(), initialized()];
    hold();
    await ask(w(), "func Build(", "say what each step does");
    await proposes(w(), "// Nothing more is known of it,");
    process.kill(pid, "SIGKILL");
    goOn();
    await over(w());
    await w().shows(".notification-toast", "stopped");
    await w().press("Control+Alt+e", "Escape");
    await until("a new server", () => initialized() === starts + 1);
    await w().save();
    await until("the text is as it was", () => onDisk(file) === before);
    await w().command("Notifications: Clear All Notifications");
  }],

  ["a file of CR LF lines stays one", async () => {
    const text = onDisk("crlf.go");
    await w().open("crlf.go");
    await ask(w(), "func greeting(", "greet the world", { file: "crlf.go", lines: 3 });
    await ready(w());
    await w().press("Control+Alt+Enter");
    await over(w());
    await w().save();
    await until("every line ends in CR LF", () => onDisk("crlf.go") === text.replace("\treturn \"hello\"", "\t// The whole world.\r\n\treturn \"hello, world\""));
    await w().open(file);
  }],

  ["50,000 lines", async () => {
    const text = onDisk("big.go");
    await w().open("big.go");
    await ask(w(), "var v25000 ", "make it two", { file: "big.go", lines: 1 });
    await ready(w());
    await proposes(w(), "var v25000 = 2 // two");
    await w().press("Control+Alt+Backspace");
    await over(w());
    await w().save();
    await until("rejecting restores every byte", () => onDisk("big.go") === text);
    await w().open(file);
  }],
];
