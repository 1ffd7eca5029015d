// Writes workspace/tokens/testdata/golden.jsonl: texts and the ids that npm
// tiktoken gives them, for tests that have no Node.
//
//   node golden.mjs NODE_MODULES OUT
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { edges, soup } from './texts.mjs';

const [modules, out] = process.argv.slice(2);
const { get_encoding } = createRequire(`${modules}/`)('tiktoken');

const lines = [];
for (const encoding of ['o200k_base', 'cl100k_base']) {
  const reference = get_encoding(encoding);
  for (const text of [...edges, ...Array.from(soup(7, 150), ([, text]) => text)]) {
    lines.push(JSON.stringify({ encoding, text, ids: Array.from(reference.encode_ordinary(text)) }));
  }
  reference.free();
}
writeFileSync(out, lines.join('\n') + '\n');
