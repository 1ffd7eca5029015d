// Renames and changes of parameters in a real project, in real VS Code beside the project's
// own language server, by Tab alone: series.lua's places and judge.
// Environment: SERIES_FILETYPE, SERIES_SERVER (none: VS Code's own), RENAMES, SIGNATURES, SEED, ONLY, SERIES_LOOK.
import * as fs from "node:fs";
import * as net from "node:net";
import * as path from "node:path";
import { spawnSync } from "node:child_process";
import { Workbench } from "./workbench.mjs";
import { check, out, serverLog, until, workspace } from "./rig.mjs";

const here = path.dirname(new URL(import.meta.url).pathname);
const vscode = path.join(here, "../vscode");
const language = process.env.SERIES_FILETYPE;
const renames = Number(process.env.RENAMES ?? 20);
const signatures = Number(process.env.SIGNATURES ?? 12);
const extension = { go: ".go", python: ".py", typescript: ".ts", rust: ".rs", java: ".java" }[language];
const argument = { go: "extra int", python: "extra", typescript: "extra: number", rust: "extra: usize", java: "int extra" }[language];
const comment = { go: /^\s*\/\//, python: /^\s*#/, typescript: /^\s*[/*]/, rust: /^\s*\/\//, java: /^\s*[/*]/ }[language];
/** How long a person looks at a declaration before it is changed, in milliseconds. */
const look = Number(process.env.SERIES_LOOK ?? 2500);

let state = Number(process.env.SEED ?? 1);
const random = (n) => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor(state / 65536) % n;
};
function shuffled(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const linesOf = (file) => fs.readFileSync(file, "utf8").split("\n");

/** Packs the bridge with what it is made of, as an extension of its own. */
function packed() {
  const folder = path.join(out, "bridge");
  fs.cpSync(path.join(here, "bridge"), folder, { recursive: true });
  const run = (file, ...args) => {
    const done = spawnSync(file, args, { cwd: folder, encoding: "utf8", env: { ...process.env, NODE_PATH: path.join(vscode, "node_modules") } });
    check(`${file}: ${done.stdout}${done.stderr}`, done.status === 0);
  };
  run(path.join(vscode, "node_modules/esbuild/bin/esbuild"), "bridge.js", "--bundle", "--platform=node", "--external:vscode", "--outfile=out.js", "--log-level=error");
  const vsix = path.join(out, "bridge.vsix");
  run(process.execPath, path.join(vscode, "node_modules/@vscode/vsce/vsce"), "package", "--allow-missing-repository", "--skip-license", "--no-dependencies", "--out", vsix);
  return vsix;
}

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address();
  server.close();
  return port;
}

const port = await freePort();
process.env.SERIES_PORT = String(port);
let w;

async function ask(what, values = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/${what}`, { method: "POST", body: JSON.stringify(values) });
  const body = await response.text();
  if (!response.ok) {
    throw new Error(`${what}: ${body}`);
  }
  return JSON.parse(body);
}

async function open(file, place) {
  await ask("open", { path: file, line: 0, character: 0 });
  await ask("open", { path: file, ...place });
  await w.page.locator(`.tab.active[data-resource-name="${path.basename(file)}"]`).waitFor();
}

/** What is drawn of a next edit: what decorations add to lines in view. */
const offered = () => w.page.evaluate(() => [...document.querySelectorAll(".view-lines span")].map((e) => getComputedStyle(e, "::after").content).filter((c) => c.length > 4 && c.startsWith('"')).join("\n"));

/** How often the server has answered that it has no next edit. */
const none = () => fs.readFileSync(serverLog, "utf8").split('no next edit').length;

/** Waits for what is offered: until it is drawn, or the server has had nothing for a second. */
async function next(before) {
  for (let end = Date.now() + 15_000, answered = false; Date.now() < end; await pause(30)) {
    const shown = await offered();
    if (shown !== "") {
      return shown;
    }
    if (!answered && none() > before) {
      [answered, end] = [true, Date.now() + 1000];
    }
  }
  return "";
}

/** Presses Tab until nothing is offered. visit is called with each place that the cursor comes to. */
async function walk(most, visit) {
  const other = async (probe, before, ms) => {
    for (const end = Date.now() + ms; (await probe()) === before && Date.now() < end; ) {
      await pause(30);
    }
  };
  const cursor = async () => JSON.stringify(await ask("cursor"));
  for (let i = 0, answers = none(); i < most; i++) {
    const shown = await next(answers);
    if (shown === "") {
      return;
    }
    const before = await cursor();
    answers = none();
    await w.press("Tab");
    await other(cursor, before, 2000);
    await other(offered, shown, 2000); // what is drawn may be older than the key
    visit(await ask("cursor"));
  }
}

/** The lines that a rename leads to, by file, and how many places it has. */
function renamed(edit) {
  const want = new Map();
  let places = 0;
  for (const file of edit) {
    const lines = linesOf(file.path);
    const starts = lines.map((_, i) => lines.slice(0, i).reduce((n, l) => n + l.length + 1, 0));
    let text = lines.join("\n");
    const offset = (line, character) => starts[line] + character;
    for (const e of [...file.edits].sort((a, b) => b.line - a.line || b.character - a.character)) {
      text = text.slice(0, offset(e.line, e.character)) + e.text + text.slice(offset(e.endLine, e.endCharacter));
    }
    want.set(file.path, text.split("\n"));
    places += want.get(file.path).filter((l, i) => l !== lines[i]).length; // some servers write all of a file in one piece
  }
  return { want, places };
}

/** How many of the lines that want changes are as it has them, and which lines are otherwise. */
function compared(want, got) {
  const r = { all: 0, done: 0, outside: [], missed: [] };
  for (const file of new Set([...want.keys(), ...got.keys()])) {
    const was = linesOf(file);
    const [wanted, now] = [want.get(file) ?? was, got.get(file) ?? was];
    for (let i = 0; i < Math.max(was.length, wanted.length, now.length); i++) {
      const where = `${path.basename(file)}:${i + 1}: `;
      if (wanted[i] !== was[i]) {
        r.all++;
        if (now[i] === wanted[i]) {
          r.done++;
        } else {
          r.missed.push(where + wanted[i]);
        }
      }
      if (now[i] !== was[i] && now[i] !== wanted[i] && !comment.test(now[i] ?? "")) {
        r.outside.push(where + now[i]);
      }
    }
  }
  return r;
}

const changed = async () => new Map((await ask("changed")).map((d) => [d.path, d.text.split("\n")]));

// The numbers of VS Code's symbol kinds are those of the protocol less one.
const callable = new Set([5, 11, 8]);
const renameable = new Set([4, 5, 6, 7, 9, 10, 11, 12, 13, 21, 22]);
const isWord = /[\w$]/;

/** The declarations of a file, each with the place of its name; of functions a parameter too. */
async function declarations(file) {
  const lines = linesOf(file);
  const list = [];
  for (const s of await ask("symbols", { path: file })) {
    const name = /([A-Za-z_]\w*)$/.exec(s.name.replace(/\(.*/s, ""))?.[1];
    const line = lines[s.line] ?? "";
    let column = name ? line.indexOf(name, s.character) : -1;
    while (column >= 0 && (isWord.test(line[column - 1] ?? "") || isWord.test(line[column + name.length] ?? ""))) {
      column = line.indexOf(name, column + 1);
    }
    if (column < 0 || !renameable.has(s.kind) || name.length < 2 || /^(__|[Tt]est|constructor$|main$|init$)/.test(name)) {
      continue;
    }
    const after = line.slice(column + name.length);
    list.push({ name, line: s.line, character: column, call: callable.has(s.kind) && after.startsWith("(") && line.includes(")") && !/^\s*\/\//.test(line) });
    const parameter = callable.has(s.kind) && language !== "java" && /^\(([A-Za-z_]\w*)[,: ]/.exec(after)?.[1];
    if (parameter && !["self", "cls", "this"].includes(parameter) && parameter.length > 1) {
      list.push({ name: parameter, line: s.line, character: column + name.length + 1, parameter: true });
    }
  }
  return list;
}

const inside = (file) => file.startsWith(workspace + path.sep);

async function rename(file, d) {
  const place = { path: file, line: d.line, character: d.character };
  const uses = (await ask("references", place)).filter((r) => r.path !== file || r.line !== d.line || r.character !== d.character);
  if (uses.length === 0 || uses.length > 40) {
    return undefined;
  }
  if (!(await ask("definition", place)).some((t) => t.path === file && t.line === d.line)) {
    return undefined; // a use that is listed as a symbol, such as a key of an object
  }
  const now = `${d.name}Next`;
  const edit = await ask("rename", { ...place, name: now });
  if (!edit || edit.some((f) => !inside(f.path))) {
    return undefined;
  }
  const { want, places } = renamed(edit);
  if (!(want.get(file)?.[d.line] ?? "").startsWith(now, d.character)) {
    return undefined; // a use, or a property and its variable at once: no declaration of the name alone
  }
  await open(file, { line: d.line, character: d.character });
  await pause(look);
  await open(file, { line: d.line, character: d.character, endCharacter: d.character + d.name.length });
  await w.type(now);
  await w.press("Home"); // else a suggestion would be shown there
  await walk(3 * places + 6, () => undefined);
  return { what: `${d.name} ${path.basename(file)}:${d.line + 1}`, ...compared(want, await changed()) };
}

async function signature(file, d) {
  const lines = linesOf(file);
  const calls = new Set();
  for (const r of await ask("references", { path: file, line: d.line, character: d.character })) {
    if (!inside(r.path)) {
      return undefined;
    }
    const line = linesOf(r.path)[r.line] ?? "";
    if (line.startsWith(`${d.name}(`, r.character) && !(r.path === file && r.line === d.line)) {
      calls.add(`${r.path}:${r.line}`);
    }
  }
  if (calls.size === 0 || calls.size > 40) {
    return undefined;
  }
  let column = d.character + d.name.length + 1;
  const receiver = /^(&?(mut )?self,? ?|cls,? ?)/.exec(lines[d.line].slice(column))?.[0] ?? "";
  column += receiver.length;
  let text = argument;
  if (receiver && !receiver.includes(",")) {
    text = `, ${text}`;
  } else if (lines[d.line][column] !== ")") {
    text = `${text}, `;
  }
  await open(file, { line: d.line, character: d.character });
  await pause(look);
  await open(file, { line: d.line, character: column });
  await w.type(text);
  await w.press("Home");
  const visited = new Set();
  await walk(3 * calls.size + 6, (c) => visited.add(`${c.path}:${c.line}`));
  const outside = [];
  for (const [name, now] of await changed()) {
    const was = linesOf(name);
    for (let i = 0; i < Math.max(was.length, now.length); i++) {
      if (was[i] !== now[i] && !(name === file && i === d.line)) {
        outside.push(`${path.basename(name)}:${i + 1}: ${now[i]}`);
      }
    }
  }
  const missed = [...calls].filter((c) => !visited.has(c)).map((c) => path.basename(c));
  return { what: `${d.name}( ${path.basename(file)}:${d.line + 1}`, all: calls.size, done: calls.size - missed.length, outside, missed };
}

const only = new RegExp(process.env.ONLY ?? "");
const skipped = /(_test\.go|\.test\.ts|\.d\.ts)$|\/target\/|node_modules|\/\./;
const files = shuffled(fs.readdirSync(workspace, { recursive: true }).map((f) => path.join(workspace, f)).filter((f) => f.endsWith(extension) && only.test(f) && !skipped.test(f.slice(workspace.length)) && fs.statSync(f).isFile()).sort());
const total = { rename: { cases: 0, whole: 0, all: 0, done: 0, outside: 0 }, signature: { cases: 0, whole: 0, all: 0, done: 0, outside: 0 } };

function count(kind, r) {
  const t = total[kind];
  t.cases++;
  t.all += r.all;
  t.done += r.done;
  t.outside += r.outside.length;
  t.whole += r.all === r.done && r.outside.length === 0 ? 1 : 0;
  const list = (title, lines) => (lines.length > 0 ? `, ${title}: ${lines.join(" | ")}` : "");
  console.log(`${kind.padEnd(9)} ${r.what.padEnd(50)} ${r.done} of ${r.all}${list("missed", r.missed)}${list("outside", r.outside)}`);
}

async function tried(kind, run, file, d) {
  const r = await run(file, d);
  if (r) {
    count(kind, r);
    await ask("restore");
    await open(file, { line: 0, character: 0 });
  }
  return r !== undefined;
}

try {
  w = await Workbench.start([process.env.E2E_VSIX, packed()], { "typescript.tsserver.log": "off" });
  await until("the bridge", () => ask("cursor"));
  await until("tandem", () => fs.readFileSync(serverLog, "utf8").includes("msg=initialized"));
  await until("the language server to know a file", async () => {
    await open(files[0], { line: 0, character: 0 });
    return (await declarations(files[0])).length > 0 || (files.length > 1 && files.push(files.shift()) === 0);
  });
  for (const file of files) {
    if (total.rename.cases >= renames && total.signature.cases >= signatures) {
      break;
    }
    await open(file, { line: 0, character: 0 });
    const taken = { rename: 0, parameter: 0, signature: 0 };
    for (const d of shuffled(await declarations(file))) {
      const kind = d.parameter ? "parameter" : "rename";
      if (taken.rename + taken.parameter < 3 && taken[kind] < 2 && total.rename.cases < renames && (await tried("rename", rename, file, d))) {
        taken[kind]++;
      }
      if (d.call && taken.signature < 2 && total.signature.cases < signatures && (await tried("signature", signature, file, d))) {
        taken.signature++;
      }
    }
    await ask("restore");
  }
  for (const [kind, t] of Object.entries(total)) {
    console.log(`${language} ${kind}: ${t.cases} cases, places ${t.done} of ${t.all} (${((100 * t.done) / Math.max(t.all, 1)).toFixed(1)} %), whole ${t.whole}, lines outside ${t.outside}`);
  }
} finally {
  await w?.shot("end").catch(() => undefined);
  await w?.stop();
}
process.exit(0);
