// The scenarios in real VS Code.
import * as fs from "node:fs";
import * as path from "node:path";
import { Workbench } from "./workbench.mjs";
import { check, onDisk, out, scenarios, serverLog, serverPid, until } from "./rig.mjs";

const here = path.dirname(new URL(import.meta.url).pathname);
const file = "semver/semver.go";
const lineOf = (text) => onDisk(file).split("\n").findIndex((l) => l.includes(text)) + 1;

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
const initialized = () => (fs.existsSync(serverLog) ? fs.readFileSync(serverLog, "utf8").split("msg=initialized").length - 1 : 0);

const list = [
  ["start: the server inside the extension serves", async () => {
    w = await Workbench.start([process.env.E2E_VSIX, packLinter()]);
    await w.open(file);
    await until("the server to be initialized", () => initialized() === 1);
    await w.shows(".statusbar-item", "quick");
  }],

  ["type, see ghost text, accept it, undo only that", async () => {
    await w.press("Control+End");
    await w.type("\n// Newest returns the highest version of a list.\nfunc Newest(list []string) string {\n");
    await w.ghost("Sort(list)");
    await w.ghost("return list[len(list)-1]");
    await w.shot("ghost-text");
    await w.press("Tab");
    await w.noGhost();
    await w.save();
    const accepted = onDisk(file);
    check("the accepted text is in the file", accepted.endsWith("func Newest(list []string) string {\n\tSort(list)\n\treturn list[len(list)-1]\n}\n") ||
      accepted.endsWith("func Newest(list []string) string {\n\tSort(list)\n\treturn list[len(list)-1]\n}"));
    await w.press("Control+z");
    await w.save();
    check("undo took the accepted text", !onDisk(file).includes("return list[len(list)-1]"));
    check("undo left what was typed", onDisk(file).includes("func Newest(list []string) string {\n\t"));
    await w.press("Control+Shift+z");
    await w.save();
    check("redo brings it back", onDisk(file) === accepted);
  }],

  ["edit a selection with an instruction, see the change, accept it", async () => {
    const before = onDisk(file);
    const line = lineOf("func Prerelease(");
    await w.goTo(line);
    for (let i = 0; i < 7; i++) {
      await w.press("Shift+ArrowDown");
    }
    await w.press("Control+Alt+e");
    await w.answer("rename pv to parsed");
    await w.press("Enter");
    await w.lens("Accept");
    await w.shows(".review-widget", "return parsed.prerelease");
    await w.shot("edit-proposal");
    check("nothing is changed before it is accepted", onDisk(file) === before && !(await w.page.locator(".tab.active.dirty").count()));
    await (await w.lens("Accept")).click();
    await w.noProposal();
    await w.save();
    check("the selection is edited, and nothing else", onDisk(file) === before.replace(prerelease, prerelease.replaceAll("pv", "parsed")));
  }],

  ["reject an edit", async () => {
    const before = onDisk(file);
    await w.goTo(lineOf("func Build("));
    await w.press("Shift+End");
    await w.press("Control+Alt+e");
    await w.answer("rename v to version");
    await w.press("Enter");
    await (await w.lens("Reject")).click();
    await w.noProposal();
    check("the file is as it was", onDisk(file) === before && !(await w.page.locator(".tab.active.dirty").count()));
  }],

  ["fix a problem that a linter found", async () => {
    const line = lineOf("func MajorMinor(") + 1;
    await w.goTo(line);
    await w.press("End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    await w.type("s"); // parse(v) becomes parsse(v)
    await w.page.locator(".squiggly-error").first().waitFor();
    await w.press("ArrowLeft", "ArrowLeft");
    await w.action("Fix with tandem: undefined: parsse");
    await (await w.lens("Accept")).click();
    await w.noProposal();
    await w.gone(".squiggly-error");
    await w.save();
    check("the name is right again", !onDisk(file).includes("parsse") && onDisk(file).includes("func MajorMinor(v string) string {\n\tpv, ok := parse(v)"));
  }],

  ["hover over a symbol", async () => {
    await w.goTo(lineOf("slices.SortFunc(list, compareVersion)"), 32); // the tab counts as four columns
    await w.hover("func compareVersion(a, b string) int", "Defined in semver/semver.go");
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
    check("the question is gone and nothing else", onDisk(file) === before);
  }],

  ["ask a question, read the answer beside the code", async () => {
    await w.command("tandem: Ask a Question");
    await w.answer("where is compareVersion called");
    await w.press("Enter");
    await w.page.locator('.tab[data-resource-name="answer.md"]').waitFor();
    await w.shows(".view-lines", "semver/semver.go:");
    await w.shot("answer");
    await w.press("Control+w");
    await w.open(file);
  }],

  ["escalate, follow the task, accept the result", async () => {
    const before = onDisk(file);
    await w.goTo(lineOf("func compareVersion("));
    for (let i = 0; i < 7; i++) {
      await w.press("Shift+ArrowDown");
    }
    await w.command("tandem: Escalate to the Deep Model");
    await w.answer("rename cmp to order in compareVersion");
    await w.press("Enter");
    await w.lens("Accept");
    await w.shot("task-proposal");
    check("nothing is changed before it is accepted", onDisk(file) === before);
    await w.focus();
    await w.press("Control+Alt+Enter");
    await w.noProposal();
    await w.command("File: Save All");
    await until("the result on disk", () => onDisk(file).includes("order := Compare(a, b)\n\tif order != 0 {\n\t\treturn order\n\t}"));
  }],

  ["the server is killed, and nothing is lost", async () => {
    const pid = serverPid();
    await w.press("Control+End");
    await w.type("\n// typed before\n");
    process.kill(pid, "SIGKILL");
    await w.type("// typed while there was no server\n");
    await until("a new server", () => initialized() === 2 && serverPid() && serverPid() !== pid);
    await w.shows(".statusbar-item", "quick");
    await w.type("// Oldest returns the lowest version of a list.\nfunc Oldest(list []string) string {\n");
    await w.ghost("return list[0]");
    await w.press("Tab");
    await w.noGhost();
    await w.save();
    check("everything typed is there", onDisk(file).includes("// typed before\n// typed while there was no server\n// Oldest returns"));
    check("and what was accepted", onDisk(file).includes("func Oldest(list []string) string {\n\tSort(list)\n\treturn list[0]\n}"));
  }],
];

/** Packs the linter that runs next to tandem as an extension of its own. */
function packLinter() {
  const vsix = path.join(out, "linter.vsix");
  const vsce = path.join(here, "../vscode/node_modules/@vscode/vsce/vsce");
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const done = spawnSync(process.execPath, [vsce, "package", "--allow-missing-repository", "--skip-license", "--no-dependencies", "--out", vsix],
    { cwd: path.join(here, "linter"), encoding: "utf8" });
  check(`the linter is packed: ${done.stderr}`, done.status === 0);
  return vsix;
}

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
