/** Texts: patterns, and what CEL's extension for strings has beyond the library's own functions. */
import type { Environment } from '@marcbachmann/cel-js';
import { type GoPattern, goPattern } from '../../pattern/go-pattern.ts';
import { spend } from '../cel-budget.ts';
import { declaring, namespace } from './declare.ts';
import { formatted } from './formatted.ts';

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > BigInt(characters.length)) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

/** `count` below zero means all. */
function replace(text: string, from: string, to: string, count = -1n): string {
  const parts = text.split(from);
  // What comes of it may be as long as both multiplied.
  spend((parts.length * to.length) / 10);
  if (count < 0n) return text.replaceAll(from, () => to);
  const changed = parts.slice(0, Number(count) + 1).join(to);
  const kept = parts.slice(Number(count) + 1);
  return [changed, ...kept].join(from);
}

/** A pattern that is about to be held against the text: both lengths count. */
export function patternFor(text: string, pattern: string): GoPattern {
  spend(text.length * 0.1 * Math.max(1, pattern.length * 0.25));
  return goPattern(pattern);
}

const matches = (text: string, pattern: string): string[] => patternFor(text, pattern).findAll(text);

export function declareTexts(env: Environment): void {
  const f = declaring(env);
  f(
    'string.find(string): string',
    (text: string, pattern: string) => patternFor(text, pattern).find(text) ?? '',
  );
  f('string.findAll(string): list<string>', matches);
  f('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
    limit < 0n ? matches(text, pattern) : matches(text, pattern).slice(0, Number(limit)),
  );
  f('string.matchesPattern(string): bool', (text: string, pattern: string) =>
    patternFor(text, pattern).test(text),
  );
  f('string.replace(string, string): string', replace);
  f('string.replace(string, string, int): string', replace);
  f('string.charAt(int): string', charAt);
  f('string.reverse(): string', (text: string) => [...text].toReversed().join(''));
  f('string.format(list): string', formatted);
  namespace(env, 'strings', { 'quote(string): string': (text: string) => JSON.stringify(text) });
}
