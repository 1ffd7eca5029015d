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

const [tandem, modules, work, megabytes, ...roots] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { get_encoding } = require('tiktoken');
const mostBytesPerFile = 300_000;
const longestRun = 2_000; // the reference is quadratic on text that does not split

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

const edges = [
  '', ' ', '\n', '\r\n', '\t', '  \n  ', 'a\n \n b', 'a \r\n\r\n  \r b', ' \u00a0\u2003x', '\u0085\u2028\u2029 y', '   x', ' \t x', 'x   ', '\n\n\n', ' \n', '\u200b \u200b',
  "I'm I'M we'LL they'Ve don't 'S 'x ''s I'\u017f I'\u017fe \u017f's K's \u212a'S", "A's AB'S aB'd \u02b0's \u0301's a\u0301's A\u0301'll \u0301'S",
  'HTTPServer getHTTPResponse XMLHttpRequest aBcDeF ABcd \u01c5A \u01c5a \u02b0B B\u02b0B B\u02b0Bc \u4e2dA \u4e2dAb A\u4e2dB A\u4e2dBc AB\u0301CD AB\u0301CDe',
  '\u0301', ' \u0301', '.\u0301', '\u0301A', '\u0301AB', '\u0301a', ' \u0301A', '\u0301\u0301', 'A\u0301', '\n\u0301', '!\u0301\u0301A', '\u0301.\u0301/\n',
  '1234567 12 1 \u0661\u0662\u0663\u0664 \u00bd\u00be\u2167\u3007', '_a __init__ $x @y #z -1 --flag', '//// /// // / \n// \n/\n/ //\r\n/x', '.\n/', ' .\r\n//x', ' /', '/ a', '({[<>]})\n\n\t}',
  '<|endoftext|><|fim_prefix|> <|im_start|>user', '\u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{1f1e9}\u{1f1ea}\ufe0f \u{1f44d}\u{1f3fd}', '\ufeffpackage x', '\ud800', 'a\udc00b', '\ufffd\ufffd',
  '\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0928\u092e\u0938\u094d\u0924\u0947 \u0645\u0631\u062d\u0628\u0627 \u3053\u3093\u306b\u3061\u306f \uc548\ub155 \u05e9\u05dc\u05d5\u05dd',
  'a'.repeat(longestRun), ' '.repeat(longestRun), '\n'.repeat(longestRun), 'A'.repeat(longestRun), '\u0301'.repeat(500), '='.repeat(longestRun), '1'.repeat(longestRun),
  ' '.repeat(300) + 'x', '\t'.repeat(65) + '\n' + ' '.repeat(63), 'ab'.repeat(longestRun / 2), '\0\x01\x7f', 'xyz'.repeat(21) + 'x', 'q'.repeat(63), 'q'.repeat(64), 'q'.repeat(65),
];

// everyCodePoint puts each code point where it shows its class.
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

// soup makes texts of the characters that the pattern treats differently.
function* soup(seed, count) {
  const alphabet = [..." \t\n\r/'.!aAsSlLdDtTzZ019_\u00a0\u0301\u0308\u4e2d\u02b0\u01c5\u017f\u212a\u00e9\u00c9\u0663\u2028\u200b\ufeff\u{1d400}\u{1f600}", '\r\n', "'s", "'LL", '  ', '//'];
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let i = 0; i < count; i++) {
    let text = '';
    for (let n = 1 + Math.floor(next() * 60); n > 0; n--) text += alphabet[Math.floor(next() * alphabet.length)];
    yield [`soup ${seed}/${i}`, text];
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
console.log(await compare('cl100k_base', everyCodePoint()), '(every code point)');
console.log(await compare('cl100k_base', files(2e6)), '(files)');
if (failures > 0) {
  console.error(`${failures} texts differ from npm tiktoken 1.0.22`);
  process.exit(1);
}
console.log('every id equals npm tiktoken 1.0.22');
