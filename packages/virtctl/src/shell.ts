/**
 * What surrounds a command: its streams, environment, chance and time. Passed in, so that a whole command
 * runs in a test as it runs in a terminal.
 */
import { randomInt } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { colouredLines, plainJson } from './output/plain-text.ts';

/** Standard input; a terminal can be put into raw mode. */
type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

export interface Shell {
  readonly stdin: Input;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words that start this program again, e.g. `['node', 'virtctl.mjs']`. */
  readonly self: readonly string[];
  /** Lower-case letters and digits without those that are mistaken for others. */
  random(length: number): string;
  now(): number;
  /** Aborts at Ctrl+C; from the first call on, Ctrl+C no longer ends the process by itself. */
  interrupted(): AbortSignal;
  /**
   * Becomes another program; returns only if that fails. `advice` is the last line where the program ends with 255, by
   * which ssh and scp say that they have reached nobody.
   */
  become(tool: string, args: readonly string[], advice?: string): never;
}

/** Writes one line to standard output, whoever wrote the text: control characters are blanks. */
export function say(shell: Shell, line: string): void {
  shell.stdout.write(`${colouredLines(line)}\n`);
}

/** The whole of a value, for programs. */
export function sayJson(shell: Shell, value: unknown): void {
  shell.stdout.write(`${plainJson(value)}\n`);
}

/** Writes one line to standard error, as `say` does. */
export function tell(shell: Shell, line: string): void {
  shell.stderr.write(`${colouredLines(line)}\n`);
}

/** A line of the log that goes to standard error while a tunnel is open. */
export function log(shell: Shell, level: 'info' | 'error', msg: string): void {
  const timestamp = new Date(shell.now()).toISOString();
  tell(shell, JSON.stringify({ component: 'portforward', level, msg, timestamp }));
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Text for generated names, in Kubernetes' alphabet: no vowels, so no words by accident. */
export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
