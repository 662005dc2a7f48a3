/**
 * Runs one system tool to its end. Output is bounded, a failure says which tool, which arguments and
 * what the tool wrote; a signal or a timeout ends the tool. Nothing is ever passed through a shell.
 */
import { type SpawnOptions, spawn } from 'node:child_process';

export interface RunOptions {
  /** Text or bytes for standard input. */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** Bytes of output kept; default 4 MiB. More is an error. */
  readonly maxOutputBytes?: number;
  /** Exit codes that are not failures; default only 0. */
  readonly okCodes?: readonly number[];
  readonly signal?: AbortSignal;
  /** What it writes to standard output, as it comes. */
  readonly onStdout?: (text: string) => void;
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** A tool could not be started, failed, wrote too much or took too long. */
export class ToolError extends Error {
  readonly kind: 'missing' | 'failed' | 'timeout' | 'output';
  readonly tool: string;
  readonly code: number | undefined;
  readonly stderr: string;

  constructor(kind: ToolError['kind'], tool: string, message: string, stderr = '', code?: number) {
    super(message);
    this.name = 'ToolError';
    this.kind = kind;
    this.tool = tool;
    this.stderr = stderr;
    this.code = code;
  }
}

/** Runs `tool` with `args`; resolves when it ended well, throws ToolError otherwise. */
export function run(tool: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const limit = options.maxOutputBytes ?? 4 * 1024 * 1024;
  const timeoutMs = options.timeoutMs ?? 30_000;
  const spawnOptions: SpawnOptions = { stdio: ['pipe', 'pipe', 'pipe'] };
  if (options.env !== undefined) spawnOptions.env = { ...process.env, ...options.env };
  if (options.cwd !== undefined) spawnOptions.cwd = options.cwd;
  if (options.signal !== undefined) spawnOptions.signal = options.signal;

  return new Promise((resolve, reject) => {
    const child = spawn(tool, [...args], spawnOptions);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    let failure: ToolError | undefined;
    const give = (error: ToolError): void => {
      failure ??= error;
      child.kill('SIGKILL');
    };
    const keep = (list: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) give(new ToolError('output', tool, `${tool} wrote more than ${limit} bytes`));
      else list.push(chunk);
    };
    child.stdout?.on('data', keep(out));
    const { onStdout } = options;
    if (onStdout !== undefined) child.stdout?.on('data', (chunk: Buffer) => onStdout(chunk.toString('utf8')));
    child.stderr?.on('data', keep(err));
    const timer = setTimeout(
      () =>
        give(new ToolError('timeout', tool, `${describe(tool, args)} did not end within ${timeoutMs} ms`)),
      timeoutMs,
    );
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(
        error.code === 'ENOENT'
          ? new ToolError('missing', tool, `${tool} is not installed`)
          : new ToolError('failed', tool, `${describe(tool, args)} could not be run: ${error.message}`),
      );
    });
    child.on('close', (code, sig) => {
      clearTimeout(timer);
      const stdout = Buffer.concat(out).toString('utf8');
      const stderr = Buffer.concat(err).toString('utf8');
      if (failure !== undefined) reject(failure);
      else if (code !== null && (options.okCodes ?? [0]).includes(code)) resolve({ stdout, stderr, code });
      else {
        const text = stderr.trim() || stdout.trim();
        const how = code === null ? `was ended by ${sig}` : `failed with exit code ${code}`;
        reject(
          new ToolError('failed', tool, `${describe(tool, args)} ${how}: ${text}`, stderr, code ?? undefined),
        );
      }
    });
    // A tool that ends before it read all its input is judged by its exit code, not by the broken pipe.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}

function describe(tool: string, args: readonly string[]): string {
  const line = [tool, ...args].join(' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
