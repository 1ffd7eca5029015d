// What every driver of an editor needs: waiting for states, the workspace, the
// server's process, and the report of the results.
import * as fs from "node:fs";
import * as path from "node:path";

export const out = process.env.E2E_OUT;
export const cache = process.env.E2E_CACHE;
export const workspace = path.join(out, "mod");
export const serverLog = path.join(out, "server.log");

/** Long enough for a loaded machine; only a failing scenario reaches it. E2E_PATIENCE, in seconds, is for a slower one. */
export const timeout = Number(process.env.E2E_PATIENCE ?? 60) * 1000;

/** Waits until probe returns a truthy value and returns it. A probe that throws is called again. */
export async function until(what, probe) {
  const end = Date.now() + timeout;
  let reason = "";
  while (Date.now() < end) {
    try {
      const got = await probe();
      if (got) {
        return got;
      }
    } catch (e) {
      reason = `: ${e.message.split("\n")[0]}`;
    }
    await new Promise((done) => setTimeout(done, 40));
  }
  throw new Error(`waited in vain for ${what}${reason}`);
}

/** A file of the workspace as it is on the disk. */
export function onDisk(file) {
  return fs.readFileSync(path.join(workspace, file), "utf8");
}

/** The number of the line of a file on the disk that holds a text. */
export function lineOf(file, text) {
  return onDisk(file).split(/\r?\n/).findIndex((l) => l.includes(text)) + 1;
}

/** How often a server has been initialized in this run. */
export function initialized() {
  return fs.existsSync(serverLog) ? fs.readFileSync(serverLog, "utf8").split("msg=initialized").length - 1 : 0;
}

/** Keeps the model in the middle of its answers, however slow the machine is; goOn lets it write the rest. */
export function hold() {
  fs.writeFileSync(path.join(out, "hold"), "");
}

export function goOn() {
  fs.rmSync(path.join(out, "hold"));
}

export function check(what, ok) {
  if (!ok) {
    throw new Error(`not so: ${what}`);
  }
}

/** The server's process: the one with this run's log in its command line. */
export function serverPid() {
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const argv = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (argv[1] === "serve" && argv.includes(serverLog)) {
        return Number(pid);
      }
    } catch {
      // the process ended meanwhile
    }
  }
  return undefined;
}

/**
 * Runs scenarios in order, prints the result of each, and stops at the first failure, unless E2E_GO_ON is set.
 * E2E_ONLY, a regular expression, chooses among those after the first.
 */
export async function scenarios(list, onFailure) {
  const only = new RegExp(process.env.E2E_ONLY ?? "");
  let good = true;
  for (const [name, run] of list.filter(([name], i) => i === 0 || only.test(name))) {
    const begin = Date.now();
    try {
      await run();
      console.log(`ok    ${name}  ${((Date.now() - begin) / 1000).toFixed(1)} s`);
    } catch (e) {
      console.log(`FAIL  ${name}  ${((Date.now() - begin) / 1000).toFixed(1)} s\n      ${e.stack}`);
      await onFailure(name);
      good = false;
      if (!process.env.E2E_GO_ON) {
        break;
      }
    }
  }
  return good;
}
