/**
 * A guest that counts on its serial port, and a person who reads along in a terminal: `virtctl console --share`, which
 * seeks a connection that was lost and gets the last output first. What it shows may stand there twice; it must not lack
 * a number.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../eventually.ts';
import { type Instance, root } from '../instance.ts';
import { GuestShell } from './guest-shell.ts';

const QUIET = '/tmp/quiet';

/** What is missing between the first and the last number that was read, and how often the client came back. Pure. */
export function readCounts(text: string): {
  readonly last: number;
  readonly missing: readonly number[];
  readonly returns: number;
} {
  const numbers = new Set([...text.matchAll(/count-(\d+)\./g)].map(([, digits]) => Number(digits)));
  const [first, last] = [Math.min(...numbers), Math.max(...numbers, 0)];
  const missing: number[] = [];
  for (let number = first; number < last; number++) if (!numbers.has(number)) missing.push(number);
  return { last, missing, returns: text.split('console again').length - 1 };
}

export class CountingConsole implements AsyncDisposable {
  readonly #instance: Instance;
  readonly #name: string;
  readonly #terminal: ChildProcess;
  #text = '';

  private constructor(instance: Instance, name: string) {
    this.#instance = instance;
    this.#name = name;
    const words = ['-q', '-c', `${root}/bin/virtctl console --share ${name}`, '/dev/null'];
    this.#terminal = spawn('script', words, { env: instance.env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#terminal.stdout?.on('data', (chunk: Buffer) => (this.#text += chunk.toString('latin1')));
  }

  /** Resolves when the guest counts and the terminal shows it. */
  static async start(instance: Instance, name: string): Promise<CountingConsole> {
    const shell = await GuestShell.open(instance, name);
    const loop = `n=0; while [ ! -e ${QUIET} ]; do n=$((n + 1)); echo count-$n. > /dev/ttyS0; usleep 50000; done`;
    await shell.run(`rm -f ${QUIET}; (${loop}) & true`);
    await shell.close();
    const counting = new CountingConsole(instance, name);
    await counting.reachesAnother(1);
    return counting;
  }

  counts(): ReturnType<typeof readCounts> {
    return readCounts(this.#text);
  }

  /** Resolves when the guest has counted on by `numbers`, and the terminal shows it. */
  async reachesAnother(numbers: number): Promise<void> {
    const wanted = this.counts().last + numbers;
    await eventually(`the console shows ${wanted}`, 90_000, () =>
      this.counts().last >= wanted ? true : undefined,
    );
  }

  /** Nobody reads any more, and the guest is quiet. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#terminal.kill('SIGTERM');
    if (this.#terminal.exitCode === null && this.#terminal.signalCode === null)
      await once(this.#terminal, 'exit');
    const shell = await GuestShell.open(this.#instance, this.#name);
    await shell.run(`touch ${QUIET}`);
    await shell.close();
  }
}
