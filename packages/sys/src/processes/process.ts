/** Long-lived child processes: started attached (supervised) or detached (outliving us). */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Appended to; both stdout and stderr. Without it the output is dropped. */
  readonly logFile?: string;
  /** Runs in its own session and survives our end. */
  readonly detached?: boolean;
  readonly uid?: number;
  readonly gid?: number;
  /** Keep stdout/stderr as pipes on the handle instead of a log file. */
  readonly pipe?: boolean;
  /**
   * Connection that becomes its standard input, and blocks: programs that write a frame piece by piece count on that.
   * Descriptors above the first three stay as Node has them, which never block. The caller closes its own copy.
   */
  readonly connection?: Socket;
}

/** A started process. `exited` resolves with its exit code, or with `signal` when one ended it. */
export interface StartedProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  kill(signal?: NodeJS.Signals): void;
}

/** Starts `command`; rejects when it cannot be executed. */
export async function startProcess(
  command: string,
  args: readonly string[],
  options: StartOptions = {},
): Promise<StartedProcess> {
  const log = options.logFile === undefined ? undefined : openSync(options.logFile, 'a', 0o600);
  const sink = options.pipe ? 'pipe' : (log ?? 'ignore');
  const child = spawn(command, [...args], {
    stdio: [options.connection ?? 'ignore', sink, sink],
    detached: options.detached ?? false,
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  if (log !== undefined) closeSync(log);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  if (options.detached) child.unref();
  return { pid: child.pid ?? -1, child, exited, kill: (signal = 'SIGTERM') => void child.kill(signal) };
}

/** True when a process with this id exists (also a zombie counts as gone). */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Start time of a process in clock ticks since boot: with the pid it names a process for ever. */
export function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the name in field 2 may hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
