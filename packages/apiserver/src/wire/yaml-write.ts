/** Writes JSON values as YAML the way sigs.k8s.io/yaml does: sorted by the caller, two-space maps, flush lists. */
import { isObject, isRawNumber, type Json } from './json.ts';
import { hasControl } from './control-characters.ts';
import { yaml11Scalar } from './yaml11.ts';

export function toYaml(value: Json | undefined): string {
  if (isObject(value) && Object.keys(value).length > 0) return block(value, 0);
  if (Array.isArray(value) && value.length > 0) return block(value, 0);
  return `${inline(value ?? null)}\n`;
}

function block(value: Json, indent: number): string {
  const pad = ' '.repeat(indent);
  if (Array.isArray(value)) {
    return value
      .map((item) => {
        if (isBlock(item)) {
          const text = block(item, indent + 2);
          return `${pad}- ${text.slice(indent + 2)}`;
        }
        return `${pad}- ${scalar(item, indent + 2)}\n`;
      })
      .join('');
  }
  if (!isObject(value)) return `${pad}${inline(value)}\n`;
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => {
      const head = `${pad}${plainOrQuoted(key)}:`;
      if (item === undefined || !isBlock(item)) return `${head} ${scalar(item ?? null, indent + 2)}\n`;
      return `${head}\n${block(item, Array.isArray(item) ? indent : indent + 2)}`;
    })
    .join('');
}

function isBlock(value: Json): boolean {
  return (Array.isArray(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);
}

function scalar(value: Json, indent: number): string {
  if (typeof value === 'string' && value.includes('\n')) {
    const chomp = value.endsWith('\n\n') ? '+' : value.endsWith('\n') ? '' : '-';
    const lines = (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n');
    if (!/^\s/.test(value))
      return `|${chomp}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`;
  }
  return inline(value);
}

function inline(value: Json): string {
  if (value === null) return 'null';
  if (isRawNumber(value)) return value.rawJSON;
  if (typeof value === 'string') return plainOrQuoted(value);
  if (Array.isArray(value)) return '[]';
  return isObject(value) ? '{}' : String(value);
}

const LOOKS_OTHER =
  /^(true|false|null|~|yes|no|on|off|y|n|True|False|TRUE|FALSE|Null|NULL|Yes|No|YES|NO|On|Off|ON|OFF|Y|N)$/;
const NUMBER =
  /^[-+]?(\.?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|0x[0-9a-fA-F_]+|0o?[0-7_]+|\.(inf|Inf|INF|nan|NaN|NAN))$/;
const DATE = /^\d{4}-\d{1,2}-\d{1,2}([Tt ].*)?$/;

function plainOrQuoted(text: string): string {
  if (text === '') return '""';
  if (LOOKS_OTHER.test(text) || NUMBER.test(text) || DATE.test(text) || yaml11Scalar(text) !== undefined)
    return JSON.stringify(text);
  if (hasControl(text)) return JSON.stringify(text);
  if (/^[\s\-?:,[\]{}#&*!|>'"%@`]/.test(text) || /: |:$| #|\s$/.test(text)) {
    if (/^[-?:](?=[^\s])/.test(text) && !/: |:$| #|\s$/.test(text)) return text;
    return `'${text.replaceAll("'", "''")}'`;
  }
  return text;
}
