/**
 * All that the web page says stands in packages/console/src/texts, by view: whoever wants another word, or another
 * language, changes nothing else. Commands, paths and the words of the API are no texts.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';

const source = join(import.meta.dirname, '../../packages/console/src');

/** Attributes and properties whose words somebody reads or hears. */
const SAID = /^(?:alt|aria-label|done|heading|headings|label|placeholder|problem|title|what)$/;
/** Functions whose argument is shown. */
const SAYING = /^(?:set(?:State|Problem|Words|Done)|Error|Refusal|confirm)$/;
const LETTER = /\p{L}/u;
const PROSE = /\p{L}[\p{L}’]*[,;:]? \p{L}/u;
/** Commands, and what only a browser reads. */
const COMMAND = /^(?:kubectl |virtctl |\.\/podvisor |\(prefers-)/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node)['type'] === 'string';
}

function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText') return String(node['value']);
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateElement') return undefined;
  return String((node['value'] as { readonly cooked: string }).cooked);
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return '';
  if (value.type === 'JSXNamespacedName') return `${nameOf(value['namespace'])}:${nameOf(value['name'])}`;
  return String(value['name'] ?? value['value'] ?? '');
}

/** Literals of `code` that a user would read. */
function visibleLiterals(path: string, code: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node, isShown: boolean): void => {
    const text = textOf(node);
    if (text !== undefined) {
      const isText = node.type === 'JSXText' || isShown ? LETTER.test(text) : PROSE.test(text);
      if (isText && !COMMAND.test(text.trim()))
        found.push(`${path}:${code.slice(0, node.start).split('\n').length}: ${text.trim()}`);
      return;
    }
    if (isCommand(node)) return;
    for (const [key, value] of Object.entries(node))
      for (const child of (Array.isArray(value) ? value : [value]).filter(isNode))
        if (!isSilent(node, key)) visit(child, isShownIn(node, key, isShown));
  };
  visit(parseSync(path, code).program as unknown as Node, false);
  return found;
}

function isCommand(node: Node): boolean {
  const [first] = node.type === 'TemplateLiteral' ? (node['quasis'] as readonly Node[]) : [];
  return first !== undefined && COMMAND.test(textOf(first) ?? '');
}

/** Parts that nobody is shown: modules' names, keys, what is compared, classes, types. */
function isSilent(node: Node, key: string): boolean {
  if (/^(?:Import|TS|Export(?:All|Specifier))/.test(node.type)) return true;
  if (node.type === 'BinaryExpression') return node['operator'] !== '+';
  if (node.type === 'MemberExpression') return key === 'property';
  if (node.type === 'Property') return key === 'key';
  return (
    node.type === 'JSXAttribute' && !SAID.test(nameOf(node['name'])) && !/^on[A-Z]/.test(nameOf(node['name']))
  );
}

function isShownIn(node: Node, key: string, isShown: boolean): boolean {
  switch (node.type) {
    case 'JSXExpressionContainer':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'TemplateLiteral':
    case 'ArrayExpression':
    case 'BinaryExpression':
      return isShown && key !== 'test';
    case 'JSXAttribute':
      return SAID.test(nameOf(node['name']));
    case 'JSXElement':
    case 'JSXFragment':
      return key === 'children';
    case 'Property':
      return SAID.test(nameOf(node['key']));
    case 'CallExpression':
    case 'NewExpression':
      return key === 'arguments' && SAYING.test(nameOf(node['callee']));
    default:
      return false;
  }
}

test('the words of the page stand in one place', () => {
  const files = globSync('{page,views,model,live}/**/*.{ts,tsx}', { cwd: source });
  assert.ok(files.length > 40, 'the files of the page are looked at');
  const found = files
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => visibleLiterals(file, readFileSync(join(source, file), 'utf8')));
  assert.deepEqual(found, [], 'texts belong into packages/console/src/texts');
});

test('such words are found wherever they stand', () => {
  const literals = (code: string): readonly string[] =>
    visibleLiterals('x.tsx', code).map((one) => one.replace(/^.*?: /, ''));
  for (const [code, words] of [
    ['const a = <p>Hello {name}</p>;', ['Hello']],
    ['const a = <p>{isOver ? "over" : text.on}</p>;', ['over']],
    ['const a = <input placeholder="name" />;', ['name']],
    ['const a = <input title={`${x} days`} />;', ['days']],
    ['const a = { label: "Stop" };', ['Stop']],
    ['setState("connected");', ['connected']],
    ['throw new Error("gone");', ['gone']],
    ['const a = flag ? "two words" : "";', ['two words']],
    ['const a = <p class="notice bad" role="alert">{text.x}</p>;', []],
    ['const a = <Command text={`virtctl console ${name}`} />;', []],
    ['import { a } from "two words"; const b = x === "Running";', []],
  ] as const)
    assert.deepEqual(literals(code), words, code);
});
