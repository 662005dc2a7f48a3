/** A tool whose three streams stay in our hands while it runs. */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ToolError } from './run.ts';

export interface InteractiveProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Exit code; 137 when a signal ended it. Resolves after both outputs are closed. */
  readonly exited: Promise<number>;
  kill(signal?: NodeJS.Signals): void;
}

export interface InteractiveOptions {
  /** Added to ours. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Ends the tool with SIGKILL. */
  readonly signal?: AbortSignal;
}

/** Starts `tool`; rejects when it cannot be executed. */
export async function startInteractive(
  tool: string,
  args: readonly string[],
  options: InteractiveOptions = {},
): Promise<InteractiveProcess> {
  const child = spawn(tool, [...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const exited = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? 137));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ToolError(
          error.code === 'ENOENT' ? 'missing' : 'failed',
          tool,
          `${tool} could not be started: ${error.message}`,
        ),
      ),
    );
  });
  const kill = (signal: NodeJS.Signals = 'SIGKILL'): void => void child.kill(signal);
  const onAbort = (): void => kill();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  void exited.then(() => options.signal?.removeEventListener('abort', onAbort));
  // The reader of the other side may leave first; the exit code tells the rest.
  child.stdin.on('error', () => {});
  return {
    pid: child.pid ?? -1,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    kill,
  };
}
