// What every driver of an editor needs: waiting for states, the workspace, the
// server's process, and a report of what was seen.
import * as fs from "node:fs";
import * as path from "node:path";

export const out = process.env.E2E_OUT;
export const cache = process.env.E2E_CACHE;
export const workspace = path.join(out, "mod");
export const serverLog = path.join(out, "server.log");

/** Long enough for a loaded machine; no scenario waits for it to pass. */
const patience = 60_000;

/** Waits until probe is truthy and returns what it gave. A probe that throws is asked again. */
export async function until(what, probe) {
  const end = Date.now() + patience;
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

/** Runs scenarios in order, tells of each, and stops at the first that fails. */
export async function scenarios(list, onFailure) {
  for (const [name, run] of list) {
    const begin = Date.now();
    try {
      await run();
      console.log(`ok    ${name}  ${((Date.now() - begin) / 1000).toFixed(1)} s`);
    } catch (e) {
      console.log(`FAIL  ${name}  ${((Date.now() - begin) / 1000).toFixed(1)} s\n      ${e.stack}`);
      await onFailure(e);
      return false;
    }
  }
  return true;
}
