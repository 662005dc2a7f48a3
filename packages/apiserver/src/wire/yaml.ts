/**
 * YAML as Kubernetes reads and writes it: YAML 1.1 booleans and octal numbers on input (also as keys), block
 * style with quoted look-alikes on output.
 */
import { setMember } from '@podvisor/base';
import {
  binaryTag,
  boolYaml11Tag,
  floatCoreTag,
  intYaml11Tag,
  load,
  mapTag,
  mergeTag,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
} from 'js-yaml';
import type { Json, JsonObject } from './json.ts';
import { MAX_DEPTH } from './nesting.ts';

/** YAML 1.1 as Kubernetes reads it, except that dates stay text. */
const SCHEMA = new Schema([
  nullYaml11Tag,
  boolYaml11Tag,
  intYaml11Tag,
  floatCoreTag,
  strTag,
  mapTag,
  seqTag,
  mergeTag,
  binaryTag,
]);

/** The text is not YAML; the message is of Go's parser where we know it. */
export class YamlError extends Error {}

export interface YamlDocument {
  readonly value: Json;
  /** Lines of keys that were set twice, in go-yaml's words. */
  readonly duplicates: string[];
}

/** Values that a document may have once its aliases are written out; more than a body can hold without them. */
const MAX_VALUES = 2_000_000;

/** Reads one document. */
export function parseYaml(text: string): YamlDocument {
  const duplicates = duplicateLines(text);
  let value: unknown;
  try {
    value = load(text, { json: true, schema: SCHEMA });
  } catch (error) {
    throw new YamlError(error instanceof RangeError ? TOO_DEEP : problemOf(error));
  }
  return { value: normalise(value, { left: MAX_VALUES }, 0), duplicates };
}

const TOO_DEEP = `yaml: nested too deeply: more than ${MAX_DEPTH} levels`;

function problemOf(error: unknown): string {
  const mark = (error as { mark?: { line?: number } }).mark;
  const reason = (error as { reason?: string }).reason ?? String(error);
  return `yaml: line ${(mark?.line ?? 0) + 1}: ${/unexpected end|end of the stream|flow collection/.test(reason) ? 'did not find expected node content' : reason}`;
}

function normalise(value: unknown, budget: { left: number }, depth: number): Json {
  budget.left -= 1;
  if (budget.left < 0) throw new YamlError('yaml: document contains excessive aliasing');
  if (depth > MAX_DEPTH) throw new YamlError(TOO_DEEP);
  if (Array.isArray(value)) return value.map((item) => normalise(item, budget, depth + 1));
  if (typeof value === 'object' && value !== null) {
    const out: JsonObject = {};
    for (const [key, item] of Object.entries(value)) setMember(out, key, normalise(item, budget, depth + 1));
    return out;
  }
  if (typeof value === 'number' && Object.is(value, -0)) return 0;
  return value === undefined ? null : (value as Json);
}

/** Finds keys set twice in block mappings; enough for what people write by hand. */
function duplicateLines(text: string): string[] {
  const found: string[] = [];
  const levels: { indent: number; keys: Set<string> }[] = [];
  text.split('\n').forEach((line, i) => {
    const match = /^(\s*)(- )?("?)([^\s#"'{[&*!|>%@`-][^:"]*)\3:(\s|$)/.exec(line);
    if (match === null) return;
    const [, space = '', dash, , key = ''] = match;
    const indent = space.length + (dash === undefined ? 0 : 2);
    while ((levels.at(-1)?.indent ?? -1) > indent) levels.pop();
    if (levels.at(-1)?.indent !== indent || dash !== undefined) {
      if (levels.at(-1)?.indent === indent) levels.pop();
      levels.push({ indent, keys: new Set() });
    }
    const { keys } = levels.at(-1) ?? { keys: new Set<string>() };
    if (keys.has(key)) found.push(`line ${i + 1}: key "${key}" already set in map`);
    keys.add(key);
  });
  return found;
}
