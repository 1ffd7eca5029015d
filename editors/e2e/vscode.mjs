// The scenarios in real VS Code.
import * as fs from "node:fs";
import * as path from "node:path";
import { lightbulb, Workbench } from "./workbench.mjs";
import { check, initialized, lineOf as lineIn, onDisk, out, scenarios, serverLog, serverPid, until } from "./rig.mjs";
import { packed } from "./linter.mjs";
import { nextEdits } from "./next_edits.mjs";
import { partial } from "./partial.mjs";
import { moreFiles, streamed } from "./streamed.mjs";
import { tasks } from "./tasks.mjs";

const here = path.dirname(new URL(import.meta.url).pathname);
const file = "semver/semver.go";
const lineOf = (text) => lineIn(file, text);

const prerelease = `func Prerelease(v string) string {
	pv, ok := parse(v)
	if !ok {
		return ""
	}
	return pv.prerelease
}
`;

const manifest = JSON.parse(fs.readFileSync(path.join(here, "../vscode/package.json"), "utf8"));
check("the extension asks for no proposed API", manifest.enabledApiProposals === undefined);

let w;

const list = [
  ["start: the server inside the extension serves", async () => {
    moreFiles();
    w = await Workbench.start([process.env.E2E_VSIX, packed()], { "editor.formatOnSave": true });
    await w.open(file);
    await until("the server to be initialized", () => initialized() === 1);
    await w.shows(".statusbar-item", "quick");
  }],

  ["type, see ghost text, accept it, undo only that", async () => {
    await w.press("Control+End");
    await w.type("\n// nextPart splits off the first part.\nfunc nextPart(x string, i int) (part, rest string) {\nreturn x");
    await w.ghost("[:i], x[i:]");
    await w.shot("ghost-text");
    await w.press("Tab");
    await w.noGhost();
    await w.save();
    const accepted = onDisk(file);
    check("the accepted text is in the file", accepted.trimEnd().endsWith("(part, rest string) {\n\treturn x[:i], x[i:]\n}"));
    await w.press("Control+z");
    await w.save();
    await until("undo took the accepted text", () => onDisk(file).trimEnd().endsWith("return x\n}"));
    await w.press("Control+Shift+z");
    await w.save();
    await until("redo brings it back", () => onDisk(file) === accepted);
  }],

  ...partial(() => w),

  ...streamed(() => w),

  ["review: the findings are problems of the file", async () => {
    const before = onDisk(file);
    await w.command("tandem: Review this File");
    const problems = async () => Number((await w.texts('[id="status.problems"]')).join("").replace(/\D/g, "") || 0);
    await until("a finding", async () => (await problems()) > 0);
    await w.goTo(lineOf("func compareVersion("), 8);
    await w.hover("compareVersion has no comment");
    await w.shot("review");
    await w.press("Escape");
    await w.type("x");
    await until("the finding to go with the text that it is about", async () => (await problems()) === 0);
    await w.press("Backspace");
    await w.save();
    await until("the file is as it was", () => onDisk(file) === before);
  }],

  ["fix a problem that a linter found", async () => {
    const line = lineOf("func MajorMinor(") + 1;
    await w.goTo(line);
    await w.press("End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    await w.type("s"); // parse(v) becomes parsse(v)
    await w.page.locator(".squiggly-error").first().waitFor();
    await w.press("ArrowLeft", "ArrowLeft");
    await w.command("tandem: Fix the Problem at the Cursor");
    const accept = await w.lens("Accept");
    await w.shot("fix");
    await accept.click();
    await w.noProposal();
    await w.gone(".squiggly-error");
    await w.save();
    check("the name is right again", !onDisk(file).includes("parsse") && onDisk(file).includes("func MajorMinor(v string) string {\n\tpv, ok := parse(v)"));
  }],

  ["the menu has what the page promises, the lightbulb what is to fix, the palette what can be done", async () => {
    await w.goTo(lineOf("func compareVersion("), 8);
    const asked = () => fs.readFileSync(serverLog, "utf8").split('"method":"textDocument/codeAction"').length;
    const before = asked();
    await w.goTo(lineOf("func Max("), 6);
    await until("the editor to ask what to fix", () => asked() > before);
    check("no lightbulb where nothing is to fix", (await w.page.locator(lightbulb).count()) === 0);
    const titles = await w.actions();
    check(`Ctrl+. has ${titles.join("; ")}`, ["Edit with tandem…", "Document with tandem", "Write a test with tandem", "Explain with tandem", "Review this file with tandem"].every((t) => titles.includes(t)));
    const decided = await w.commands("tandem: Accept");
    check(`nothing is to accept: ${decided.join("; ")}`, !decided.some((t) => t.startsWith("tandem: Accept")));
  }],

  ["document, reject it", async () => {
    const before = onDisk(file);
    await w.goTo(lineOf("func compareVersion("), 8);
    await w.command("tandem: Document");
    await w.shows(".review-widget .comment-body", "// compareVersion orders versions, and equal ones by their text.");
    await (await w.lens("Reject")).click();
    await w.noProposal();
    await w.save();
    await until("rejecting restores every byte", () => onDisk(file) === before);
  }],

  ["test: written into another file, looked at, accepted", async () => {
    const before = onDisk(file);
    await w.goTo(lineOf("func Max("), 6);
    await w.command("tandem: Write a Test");
    await (await w.lens("1 other file")).click();
    await w.shows(".monaco-diff-editor .view-lines", "func TestMaxOfTwo(t *testing.T) {");
    await w.shot("test-in-another-file");
    check("nothing is written before it is accepted", !fs.existsSync(path.join(out, "mod/semver/max_test.go")));
    await w.page.locator('.editor-actions .action-label[aria-label^="Accept"]').click();
    await until("the test on the disk", async () => {
      await w.command("File: Save All Files");
      return onDisk("semver/max_test.go").includes("func TestMaxOfTwo(");
    });
    check("the file itself is as it was", onDisk(file) === before);
    fs.rmSync(path.join(out, "mod/semver/max_test.go"));
    await w.open(file);
    await w.noProposal();
  }],

  ...nextEdits(() => w),

  ["hover over a symbol", async () => {
    await w.goTo(lineOf("slices.SortFunc(list, compareVersion)"), 32); // the tab counts as four columns
    await w.hover("Used in ", "Last changed on ");
    await w.shot("hover-symbol");
    await w.press("Escape");
  }],

  ["hover over a question", async () => {
    const before = onDisk(file);
    const line = lineOf("slices.SortFunc(list, compareVersion)");
    await w.goTo(line);
    await w.press("End", "Enter");
    await w.type("// ?? where is compareVersion called");
    await w.goTo(line + 1, 12);
    await w.hover("semver/semver.go:");
    await w.shot("hover-question");
    await w.press("Escape", "Control+Shift+k");
    await w.save();
    await until("the question is gone and nothing else", () => onDisk(file) === before);
  }],

  ["ask, follow a citation, see what the model was shown, ask further", async () => {
    await w.command("tandem: Ask a Question");
    await w.answer("where is compareVersion called");
    await w.press("Enter");
    const answer = w.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
    await answer.locator("section", { hasText: "semver/semver.go:167" }).waitFor();
    await answer.locator("#question").fill("and who calls Sort");
    await answer.locator("#question").press("Enter");
    await answer.locator("section", { hasText: "declared at semver/semver.go:166" }).waitFor();
    await answer.locator(".sources").first().waitFor();
    await w.shot("answer");
    await answer.locator("a", { hasText: "semver/semver.go:162" }).first().click();
    await until("the code to be opened there", async () => (await w.page.locator('[id="status.editor.selection"]').innerText()).includes("Ln 162"));
    await answer.locator("a", { hasText: "What the model was shown" }).last().click();
    await w.page.locator('.tab[data-resource-name^="shown-"]').waitFor();
    await w.shows(".view-lines", "You are the coding model");
    await w.command("View: Close All Editors");
    await w.open(file);
  }],

  ...tasks(() => w),

  ["the server is killed, and nothing is lost", async () => {
    const [pid, starts] = [serverPid(), initialized()];
    await w.press("Control+End");
    await w.type("\n// typed before\n");
    process.kill(pid, "SIGKILL");
    await w.type("// typed while there was no server\n");
    await until("a new server", () => initialized() === starts + 1 && serverPid() && serverPid() !== pid);
    await w.shows(".statusbar-item", "quick");
    await w.type("// lastPart splits off the last part.\nfunc lastPart(x string, i int) (part, rest string) {\nreturn x");
    await w.ghost("[:i], x[i:]");
    await w.press("Tab");
    await w.noGhost();
    await w.save();
    await until("everything typed is there", () => onDisk(file).includes("// typed before\n// typed while there was no server\n// lastPart splits"));
    await until("and what was accepted", () => onDisk(file).includes("func lastPart(x string, i int) (part, rest string) {\n\treturn x[:i], x[i:]\n}"));
  }],
];

let ok = false;
try {
  ok = await scenarios(list, async () => {
    await w?.shot("failure").catch(() => undefined);
    await w?.command("Notifications: Show Notifications").then(() => w.shot("failure-notifications")).catch(() => undefined);
  });
} finally {
  await w?.stop();
}
process.exit(ok ? 0 : 1);
