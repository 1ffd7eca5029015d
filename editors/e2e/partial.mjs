// Accepting a suggestion word by word, where the editor has closed a bracket by itself.
import * as fs from "node:fs";
import * as path from "node:path";
import { check, goOn, hold, onDisk, until, workspace } from "./rig.mjs";

const file = "semver/parts.go";
const start = "package semver\n\nfunc parts(list, nearby, others []string) bool {\n\t\n\treturn false\n}\n";

export function partial(workbench) {
  return [
    ["accept a suggestion in parts at a bracket that was closed", async () => {
      const w = await opened(workbench());
      await w.type("if len(li");
      await w.ghost("st == 0 {"); // the bracket is in the text already
      await nextWord(w);
      await w.ghost(" == 0 {");
      await nextWord(w); // over the bracket
      await w.ghost(" == 0 {");
      await w.shot("accepted-in-parts");
      await w.press("Tab");
      await w.noGhost();
      await reads(w, "\tif len(list) == 0 {");
    }],

    ["accept it in parts while the completion list is open", async () => {
      const w = await opened(workbench());
      await w.type("if len(ne");
      await w.press("Control+Space");
      await w.page.locator(".suggest-widget .monaco-list-row", { hasText: "nearby" }).waitFor();
      await w.ghost("arby == 1 {");
      await w.shot("completion-list");
      await toTheEnd(w);
      await reads(w, "\tif len(nearby) == 1 {");
    }],

    ["a suggestion that is announced line by line ends as a whole block", async () => {
      const w = await opened(workbench(), "package semver\n\nfunc noBlocks(blocks []string) string {\n\t\n\treturn \"\"\n}\n");
      hold();
      await w.type("if len(blocks");
      await w.ghost("== 0 {");
      check("the rest is not there yet", !(await w.ghostText()).includes("none"));
      goOn();
      await w.ghost('return "none"');
      await w.shot("whole-block");
      await w.press("Tab");
      await w.noGhost();
      await reads(w, "\tif len(blocks) == 0 {", '\t\treturn "none"', "\t}");
    }],

    ["accept it in parts beside another provider's", async () => {
      const w = await opened(workbench());
      await w.type("if len(ot");
      await until("the other provider's text or tandem's", async () => (await w.ghostText()).startsWith("her"));
      await until("tandem's, after the other's", async () => {
        if ((await w.ghostText()).includes("== 2 {")) {
          return true;
        }
        await w.press("Alt+]");
        return false;
      });
      await w.shot("beside-another-provider");
      await toTheEnd(w);
      await reads(w, "\tif len(others) == 2 {");
    }],
  ];
}

/** Opens the file with the cursor on its empty line. */
async function opened(w, text = start) {
  fs.writeFileSync(path.join(workspace, file), text);
  await w.open(file);
  await w.goTo(4, 2);
  await w.press("End");
  return w;
}

/** Presses the key that accepts the next word, and waits until the cursor has moved. */
async function nextWord(w) {
  const place = () => w.page.locator('[id="status.editor.selection"]').innerText();
  const before = await place();
  await w.press("Control+ArrowRight");
  await until("the cursor to move", async () => (await place()) !== before);
}

/** Accepts word after word until nothing is left. */
async function toTheEnd(w) {
  for (let words = 0; words < 12 && (await w.ghostText()) !== ""; words++) {
    await nextWord(w);
    await until("what is left, or the end of the line", async () => (await w.ghostText()) !== "" || (await w.page.locator(".view-line").nth(3).innerText()).trimEnd().endsWith("{"));
  }
  await w.noGhost();
}

/** Checks the lines on the disk, from the one that was empty on, then closes the file and removes it. */
async function reads(w, ...want) {
  await w.press("Escape");
  await w.save();
  await until(`the lines ${JSON.stringify(want)} on the disk`, () => onDisk(file).split("\n").slice(3, 3 + want.length).join("\n") === want.join("\n"));
  await w.command("View: Close Editor");
  fs.rmSync(path.join(workspace, file));
  await w.open("semver/semver.go");
}
