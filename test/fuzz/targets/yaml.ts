/** YAML bodies. */
import { sortedText } from '../../../packages/apiserver/src/wire/json.ts';
import { parseYaml, YamlError } from '../../../packages/apiserver/src/wire/yaml.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';

export const target: FuzzTarget = {
  seeds: [
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "v"\n  multi: |\n    one\n    two\n',
    'a: &x [1, 2, {b: c}]\nb: *x\n<<: {m: n}\nc: !!binary aGVsbG8=\nd: 0o17\ne: yes\nf: 1_000\ng: .inf\n',
    '- - a\n  - ? k\n    : v\n- >-\n  folded\n  text\n- {x: 1, y: [~, null]}\n',
  ].map(bytes),
  words: [
    '&a ',
    '*a',
    '<<: *a\n',
    '!!binary ',
    '!!int ',
    '!!map ',
    '? ',
    ': ',
    '- ',
    '|\n',
    '>-\n',
    '{',
    '}',
    '[',
    ']',
    '__proto__: ',
    'constructor: ',
    '\n---\n',
    '...\n',
    '%YAML 1.1\n',
    '0x',
    '0b1',
    '.nan',
    '"',
    "'",
    '#',
    '\t',
  ],
  refuses: (error) => error instanceof YamlError,
  feed: (input) => {
    const { value } = parseYaml(text(input));
    expect(typeof sortedText(value) === 'string', 'a document can be written as JSON');
  },
};
