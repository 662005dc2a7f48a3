/** Texts: patterns, and what CEL's extension for strings has beyond the library's own functions. */
import type { Environment } from '@marcbachmann/cel-js';
import { goPattern } from '../../pattern/go-pattern.ts';
import { declaring, namespace } from './declare.ts';
import { formatted } from './formatted.ts';

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > BigInt(characters.length)) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

/** `count` below zero means all. */
function replace(text: string, from: string, to: string, count = -1n): string {
  if (count < 0n) return text.replaceAll(from, () => to);
  const parts = text.split(from);
  const changed = parts.slice(0, Number(count) + 1).join(to);
  const kept = parts.slice(Number(count) + 1);
  return [changed, ...kept].join(from);
}

const matches = (text: string, pattern: string): string[] =>
  [...text.matchAll(new RegExp(goPattern(pattern), 'gu'))].map(([match]) => match);

export function declareTexts(env: Environment): void {
  const f = declaring(env);
  f(
    'string.find(string): string',
    (text: string, pattern: string) => goPattern(pattern).exec(text)?.[0] ?? '',
  );
  f('string.findAll(string): list<string>', matches);
  f('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
    limit < 0n ? matches(text, pattern) : matches(text, pattern).slice(0, Number(limit)),
  );
  f('string.matchesPattern(string): bool', (text: string, pattern: string) => goPattern(pattern).test(text));
  f('string.replace(string, string): string', replace);
  f('string.replace(string, string, int): string', replace);
  f('string.charAt(int): string', charAt);
  f('string.reverse(): string', (text: string) => [...text].toReversed().join(''));
  f('string.format(list): string', formatted);
  namespace(env, 'strings', { 'quote(string): string': (text: string) => JSON.stringify(text) });
}
