// Writes workspace/names/globals.txt: the names of values that TypeScript's libraries
// declare for browsers, workers and the language itself; and members.txt: the members that
// these and the declarations of Node.js have. Run it as
// node tools/oracle/globals.mjs MODULES OUT MEMBERS, where MODULES is a node_modules folder
// with typescript and @types/node.
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [modules, out, members] = process.argv.slice(2);
const ts = createRequire(resolve(modules, 'x.js'))('typescript');
const lib = resolve(modules, 'typescript/lib');
const files = readdirSync(lib).filter((name) => /^lib\..*\.d\.ts$/.test(name)).map((name) => join(lib, name));
const program = ts.createProgram(files, { noLib: true, types: [] });
const symbols = program.getTypeChecker().getSymbolsInScope(program.getSourceFiles()[0], ts.SymbolFlags.Value);
writeFileSync(out, symbols.map((s) => `${s.name}\n`).sort().join(''));

const names = new Set();
const visit = (node) => {
  const declares = ts.isMethodSignature(node) || ts.isPropertySignature(node) || ts.isMethodDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isAccessor(node) || ts.isFunctionDeclaration(node);
  if (declares && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
  ts.forEachChild(node, visit);
};
const runtime = resolve(modules, '@types/node');
for (const file of [...files, ...readdirSync(runtime, { recursive: true }).filter((name) => name.endsWith('.d.ts')).map((name) => join(runtime, name))]) {
  visit(ts.createSourceFile(file, ts.sys.readFile(file), ts.ScriptTarget.Latest));
}
writeFileSync(members, [...names].map((name) => `${name}\n`).sort().join(''));
