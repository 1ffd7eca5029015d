// The extension that runs next to tandem, packed.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { check, out } from "./rig.mjs";

const here = path.dirname(new URL(import.meta.url).pathname);

/** Packs the linter as an extension of its own, or under another name, and returns the file. */
export function packed(other = {}) {
  const folder = path.join(out, "linter");
  fs.cpSync(path.join(here, "linter"), folder, { recursive: true });
  const manifest = path.join(folder, "package.json");
  fs.writeFileSync(manifest, JSON.stringify({ ...JSON.parse(fs.readFileSync(manifest, "utf8")), ...other }));
  const vsix = path.join(out, "linter.vsix");
  const vsce = path.join(here, "../vscode/node_modules/@vscode/vsce/vsce");
  const done = spawnSync(process.execPath, [vsce, "package", "--allow-missing-repository", "--skip-license", "--no-dependencies", "--out", vsix], { cwd: folder, encoding: "utf8" });
  check(`the linter is packed: ${done.stderr}`, done.status === 0);
  return vsix;
}
