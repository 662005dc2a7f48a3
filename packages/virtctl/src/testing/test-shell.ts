/** A shell that keeps what a command writes, and programs that it would have become. */
import { PassThrough, Writable } from 'node:stream';
import type { Shell } from '../shell.ts';

export class Became extends Error {
  readonly words: readonly string[];

  constructor(words: readonly string[], advice?: string) {
    super(['exit status 255', ...(advice === undefined ? [] : [advice])].join('\n'));
    this.words = words;
  }
}

export interface TestShell extends Shell {
  readonly stdin: PassThrough;
  /** Standard output so far. */
  output(): string;
  errors(): string;
  became(): readonly string[] | undefined;
  /** Presses Ctrl+C. */
  interrupt(): void;
}

export function testShell(env: Readonly<Record<string, string>> = {}): TestShell {
  const out: string[] = [];
  const err: string[] = [];
  const sink = (into: string[]): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        into.push(chunk.toString('utf8'));
        done();
      },
    });
  const interrupt = new AbortController();
  let became: readonly string[] | undefined;
  let names = 0;
  return {
    stdin: new PassThrough(),
    stdout: sink(out),
    stderr: sink(err),
    env,
    self: ['virtctl'],
    random: (length) => String(++names).padStart(length, 'x'),
    now: Date.now,
    interrupted: () => interrupt.signal,
    interrupt: () => interrupt.abort(),
    become(tool, args, advice) {
      became = [tool, ...args];
      throw new Became(became, advice);
    },
    output: () => out.join(''),
    errors: () => err.join(''),
    became: () => became,
  };
}
