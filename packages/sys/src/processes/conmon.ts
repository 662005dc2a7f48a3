/**
 * Creates a container under conmon: a tiny parent (about 1 MB) that outlives us, writes the log and the
 * exit file. We learn the result over conmon's sync pipe, so nothing is polled.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ToolError } from './run.ts';

export interface CreateContainerOptions {
  readonly id: string;
  /** Directory with `config.json`; the attach socket and the `oom` mark appear in it. */
  readonly bundle: string;
  /** State directory of runc; should not survive a reboot. */
  readonly runcRoot: string;
  /** Log in the CRI format (`time stream F|P text`). */
  readonly logPath: string;
  /** Bytes after which the log starts anew. */
  readonly logMaxBytes: number;
  /** When the container ends, a file named after its id appears here, holding the exit code. */
  readonly exitDir: string;
  readonly terminal: boolean;
  /** Keeps standard input open for attach. */
  readonly stdin: boolean;
  /** Standard input stays open after the first attach ends. */
  readonly leaveStdinOpen: boolean;
  /** Milliseconds; default 60,000. */
  readonly timeoutMs?: number;
}

export interface CreatedContainer {
  /** First process of the container. */
  readonly pid: number;
  /** conmon itself. */
  readonly monitorPid: number;
}

/** Creates (does not start) the container. */
export async function createContainer(options: CreateContainerOptions): Promise<CreatedContainer> {
  const monitorFile = join(options.bundle, 'monitor.pid');
  const args = [
    ...['--api-version', '1', '--cid', options.id, '--cuuid', options.id, '--name', options.id],
    ...['--runtime', runtimePath(), '--runtime-arg', '--root', '--runtime-arg', options.runcRoot],
    ...['--bundle', options.bundle, '--full-attach', '--conmon-pidfile', monitorFile],
    ...['--container-pidfile', join(options.bundle, 'pid')],
    ...['--log-path', `k8s-file:${options.logPath}`, '--log-size-max', String(options.logMaxBytes)],
    ...['--exit-dir', options.exitDir, '--no-sync-log'],
    ...(options.terminal ? ['--terminal'] : []),
    ...(options.stdin ? ['--stdin'] : []),
    ...(options.leaveStdinOpen ? ['--leave-stdin-open'] : []),
  ];
  const child = spawn('conmon', args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // conmon keeps running long after us: it gets no more of our environment than it needs.
    env: { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', _OCI_SYNCPIPE: '3' },
    cwd: options.bundle,
  });
  const timeoutMs = options.timeoutMs ?? 60_000;
  const pid = await new Promise<number>((resolve, reject) => {
    let stderr = '';
    let text = '';
    const sync = child.stdio[3] as Readable;
    const finish = (fn: () => void): void => {
      clearTimeout(timer);
      sync.destroy();
      child.stderr?.destroy();
      fn();
    };
    const fail = (why: string): void =>
      finish(() => reject(new ToolError('failed', 'conmon', `container ${options.id}: ${why}`, stderr)));
    const timer = setTimeout(() => fail(`was not created within ${timeoutMs} ms`), timeoutMs);
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-8192);
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ENOENT' ? 'conmon is not installed' : error.message),
    );
    sync.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(0, 65_536);
      const report = parseSync(text);
      if (report === undefined) return;
      if (report.pid > 0) finish(() => resolve(report.pid));
      else fail(report.message || stderr.trim() || 'could not be created');
    });
    sync.on('end', () => fail(stderr.trim() || 'conmon ended without a word'));
  });
  return { pid, monitorPid: Number(readFileSync(monitorFile, 'utf8').trim()) };
}

/** conmon executes the runtime without looking into PATH. */
function runtimePath(): string {
  const dirs = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/bin'];
  const found = dirs.map((dir) => `${dir}/runc`).find((path) => existsSync(path));
  if (found === undefined) throw new ToolError('missing', 'runc', 'runc is not installed');
  return found;
}

/** One JSON line: `{"data": PID}`, or a negative number with a message. */
function parseSync(text: string): { readonly pid: number; readonly message: string } | undefined {
  const end = text.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const report = JSON.parse(text.slice(0, end)) as { data?: number; message?: string };
    return { pid: report.data ?? -1, message: (report.message ?? '').trim() };
  } catch {
    return { pid: -1, message: `conmon reported ${text.slice(0, 200)}` };
  }
}
