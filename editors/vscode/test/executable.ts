import * as assert from "node:assert";
import * as path from "node:path";
import { absoluteProgram } from "../src/executable";

const bundled = path.resolve("/ext/bin/tandem");
const onPath = path.resolve("/usr/bin/tandem");
const PATH = [".", "", "bin", path.resolve("/usr/bin")].join(path.delimiter);

/** setting, the files there are, the program that is started */
const cases: [string | undefined, string[], string][] = [
	[undefined, [bundled, onPath], bundled],
	[undefined, [onPath, "tandem", "./tandem", "bin/tandem"], onPath],
	[undefined, ["tandem", "./tandem", "bin/tandem"], bundled],
	["tandem", [bundled, onPath], onPath],
	["tandem", ["tandem", "./tandem"], bundled],
	["./tandem", ["./tandem", "tandem"], bundled],
	[path.resolve("/opt/tandem"), [bundled], path.resolve("/opt/tandem")],
];
for (const [setting, files, want] of cases) {
	const got = absoluteProgram(setting, bundled, "tandem", { PATH }, (file) => files.includes(file));
	assert.strictEqual(got, want, `setting ${setting}, files ${files}`);
	assert.ok(path.isAbsolute(got), `${got} is started by a name that is looked for in the workspace`);
}
