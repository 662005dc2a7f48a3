/** Inputs that once broke something: one file each, in `cases/<target>/`, fed again by every run. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = join(import.meta.dirname, '../cases');

export interface Case {
  readonly name: string;
  readonly input: Uint8Array;
}

/** All parsers that something is kept for. */
export function keptTargets(): readonly string[] {
  return readdirSync(directory).toSorted();
}

export function casesOf(target: string): readonly Case[] {
  const own = join(directory, target);
  if (!existsSync(own)) return [];
  return readdirSync(own)
    .toSorted()
    .map((name) => ({ name, input: Uint8Array.from(readFileSync(join(own, name))) }));
}

/** Where the input is kept from now on. */
export function keepCase(target: string, input: Uint8Array): string {
  const name = createHash('sha256').update(input).digest('hex').slice(0, 12);
  const path = join(directory, target, name);
  mkdirSync(join(directory, target), { recursive: true });
  writeFileSync(path, input);
  return path;
}
