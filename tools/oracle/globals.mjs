// Writes workspace/names/globals.txt: the names of values that TypeScript's libraries
// declare for browsers, workers and the language itself. Run it as
// node tools/oracle/globals.mjs MODULES OUT, where MODULES is a node_modules folder with
// typescript.
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [modules, out] = process.argv.slice(2);
const ts = createRequire(resolve(modules, 'x.js'))('typescript');
const lib = resolve(modules, 'typescript/lib');
const files = readdirSync(lib).filter((name) => /^lib\..*\.d\.ts$/.test(name)).map((name) => join(lib, name));
const program = ts.createProgram(files, { noLib: true, types: [] });
const symbols = program.getTypeChecker().getSymbolsInScope(program.getSourceFiles()[0], ts.SymbolFlags.Value);
writeFileSync(out, symbols.map((s) => `${s.name}\n`).sort().join(''));
