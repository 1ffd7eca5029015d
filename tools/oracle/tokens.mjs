// Compares `tandem tokens` with npm tiktoken 1.0.22, id by id: Unicode edge
// cases, every code point in several surroundings, raw bytes that are not UTF-8, and real
// files of every kind until the wanted number of bytes is reached.
//
//   node tokens.mjs TANDEM NODE_MODULES WORKDIR MEGABYTES ROOT...
import { spawn, execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { edges, longestRun, soup } from './texts.mjs';

const [tandem, modules, work, megabytes, ...roots] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { get_encoding } = require('tiktoken');
const mostBytesPerFile = 300_000;

let failures = 0;
function fail(encoding, name, text, got, want) {
  if (++failures > 20) return;
  let at = 0;
  while (at < want.length && want[at] === got[at]) at++;
  console.error(`DIFFERS ${encoding} ${name}: token ${at} of ${want.length}: got ${got.slice(at, at + 6)}, want ${want.slice(at, at + 6)}` +
    (text.length < 80 ? ` in ${JSON.stringify(text)}` : ''));
}

// compare sends every [name, text] through one tandem process.
async function compare(encoding, cases) {
  const reference = get_encoding(encoding);
  const child = spawn(tandem, ['tokens', '--jsonl', '--encoding', encoding], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
  let count = 0, bytes = 0, tokens = 0;
  for (const [name, text] of cases) {
    child.stdin.write(JSON.stringify({ id: name, text }) + '\n');
    const want = reference.encode_ordinary(text);
    const { value, done } = await answers.next();
    if (done) throw new Error('tandem tokens ended early');
    const { count: n, ids } = JSON.parse(value);
    if (n !== ids.length || ids.length !== want.length || ids.some((id, i) => id !== want[i])) fail(encoding, name, text, ids, want);
    count++; bytes += Buffer.byteLength(text); tokens += want.length;
  }
  child.stdin.end();
  reference.free();
  return `${encoding}: ${count} texts, ${(bytes / 1e6).toFixed(1)} MB, ${tokens} tokens`;
}

// everyCodePoint puts each code point into contexts that depend on its class.
function* everyCodePoint() {
  for (let first = 0; first < 0x110000; first += 64) {
    let text = '';
    for (let point = first; point < first + 64; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const c = String.fromCodePoint(point);
      text += `A${c}Bc 1${c}2 .${c}, \u4e2d${c}D's a${c}${c}'ll ${c}${c} x\n${c}\n`;
    }
    yield [`U+${first.toString(16)}`, text];
  }
}

function* files(limit) {
  const queue = roots.filter(existsSync);
  const spent = new Map(); // bytes by extension: no kind may take more than a quarter
  let total = 0;
  while (queue.length > 0 && total < limit) {
    const dir = queue.shift();
    let entries;
    try { entries = readdirSync(dir).sort(); } catch { continue; }
    for (const entry of entries) {
      const path = join(dir, entry);
      let info;
      try { info = lstatSync(path); } catch { continue; }
      if (info.isDirectory()) { queue.push(path); continue; }
      const kind = entry.includes('.') ? entry.slice(entry.lastIndexOf('.')) : '';
      if (!info.isFile() || info.size === 0 || info.size > mostBytesPerFile || (spent.get(kind) ?? 0) > limit / 4 || total >= limit) continue;
      let text;
      try { text = readFileSync(path, 'utf8'); } catch { continue; }
      if (new RegExp(`[^\\s]{${longestRun},}`, 'u').test(text)) continue;
      spent.set(kind, (spent.get(kind) ?? 0) + info.size);
      total += info.size;
      yield [path, text];
    }
  }
  if (total < limit) throw new Error(`only ${total} bytes of files under ${roots.join(' ')}: name more folders`);
}

// invalid compares files of bytes that are not UTF-8, as Node decodes them.
function invalid() {
  const reference = get_encoding('o200k_base');
  const raw = [[0xff], [0xc3], [0xe2, 0x82], [0xe2, 0x82, 0x41], [0xf0, 0x9f, 0x98], [0xf0, 0x9f, 0x98, 0xf0, 0x9f], [0xed, 0xa0, 0x80], [0xc0, 0xaf],
    [0xf4, 0x90, 0x80, 0x80], [0xe0, 0x80, 0x80], [0xf0, 0x80, 0x80], [0x61, 0x80, 0xbf, 0x62], [0xf8, 0x88, 0x80], [0x20, 0xe4, 0xb8, 0x0a, 0x2f]];
  for (let i = 0; i < 40; i++) raw.push(Array.from({ length: 200 }, (_, j) => (i * 7919 + j * j * 31 + (j ^ i) * 17) & 255));
  for (const bytes of raw) {
    const path = join(work, 'invalid.bin');
    writeFileSync(path, Buffer.from(bytes));
    const got = execFileSync(tandem, ['tokens', '--ids', path], { encoding: 'utf8' }).trim();
    const want = Array.from(reference.encode_ordinary(readFileSync(path, 'utf8')));
    if (got !== want.join(' ')) fail('o200k_base', `bytes ${bytes.slice(0, 8)}`, '', got.split(' ').map(Number), want);
  }
  reference.free();
  return `o200k_base: ${raw.length} files that are not UTF-8`;
}

const named = edges.map((text, i) => [`edge ${i}`, text]);
console.log(await compare('o200k_base', named), '(edges)');
console.log(await compare('o200k_base', everyCodePoint()), '(every code point)');
console.log(await compare('o200k_base', soup(1, 20_000)), '(random mixtures)');
console.log(invalid());
console.log(await compare('o200k_base', files(megabytes * 1e6)), '(files)');
console.log(await compare('cl100k_base', named), '(edges)');
console.log(await compare('cl100k_base', soup(2, 5_000)), '(random mixtures)');
console.log(await compare('cl100k_base', files(2e6)), '(files)');
if (failures > 0) {
  console.error(`${failures} texts differ from npm tiktoken 1.0.22`);
  process.exit(1);
}
console.log('every id equals npm tiktoken 1.0.22');
