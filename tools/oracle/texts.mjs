// Texts on which tokenizers differ.

export const longestRun = 2_000; // the reference is quadratic on text that does not split

export const edges = [
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

// soup generates random texts of the characters that the pattern treats differently.
export function* soup(seed, count) {
  const alphabet = [..." \t\n\r/'.!aAsSlLdDtTzZ019_\u00a0\u0301\u0308\u4e2d\u02b0\u01c5\u017f\u212a\u00e9\u00c9\u0663\u2028\u200b\ufeff\u{1d400}\u{1f600}", '\r\n', "'s", "'LL", '  ', '//'];
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let i = 0; i < count; i++) {
    let text = '';
    for (let n = 1 + Math.floor(next() * 60); n > 0; n--) text += alphabet[Math.floor(next() * alphabet.length)];
    yield [`soup ${seed}/${i}`, text];
  }
}
