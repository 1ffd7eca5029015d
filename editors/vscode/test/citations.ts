import * as assert from "node:assert";
import { citationsIn } from "../src/citations";

const at = (uri: string, line: number) => ({ uri, range: { start: { line: line - 1 } } });
const cited = [at("file:///w/semver/semver.go", 167), at("file:///w/a%20b/x.go", 3)];
const names = (text: string) => citationsIn(text, cited).map((c) => `${text.slice(c.start, c.end)} ${c.uri} ${c.line}`);

assert.deepStrictEqual(names("see `semver/semver.go:167`, or ./semver/semver.go:167."), [
	"semver/semver.go:167 file:///w/semver/semver.go 167",
	"./semver/semver.go:167 file:///w/semver/semver.go 167",
]);
assert.deepStrictEqual(names("semver.go:166 and other/semver.go:167 and ver/semver.go:167"), []);
assert.deepStrictEqual(names("b/x.go:3"), []);
assert.deepStrictEqual(names("x.go:3"), ["x.go:3 file:///w/a%20b/x.go 3"]);
