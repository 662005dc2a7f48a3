/** exec and attach: streams into a container for the API server. */
import { statSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { run, startInteractive } from '@podvisor/sys';
import type { ContainerProcess, ExecOptions } from '@podvisor/home-contract';
import { execInContainer } from '../container/exec.ts';
import type { KubeletContext } from '../context.ts';
import { bundleOf, runState } from '../pod/records.ts';
import type { ContainerRecord } from '../pod/types.ts';
import { followLines } from './follow-file.ts';
import { latestOnly } from './latest-only.ts';
import { formatLogLine, parseLogLine } from './log-lines.ts';
import { tellTerminalSize } from './terminal-size.ts';

export async function execProcess(
  context: KubeletContext,
  record: ContainerRecord,
  command: readonly string[],
  options: ExecOptions,
  signal: AbortSignal,
): Promise<ContainerProcess> {
  const process = await execInContainer(context, record, { command, terminal: options.tty }, signal);
  if (!options.stdin) process.stdin.end();
  if (!options.stdout) process.stdout.resume();
  if (!options.stderr || options.tty) process.stderr.resume();
  const resize = latestOnly<TerminalSize>((size) => resizeTerminalOf(process.pid, size));
  return {
    stdin: options.stdin ? process.stdin : undefined,
    stdout: options.stdout ? process.stdout : undefined,
    stderr: options.stderr && !options.tty ? process.stderr : undefined,
    resize: (columns, rows) => {
      if (options.tty) resize({ columns, rows });
    },
    exit: process.exited,
  };
}

interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** runc passes on the size of the terminal it was given, which is the one that its parent's child has open. */
async function resizeTerminalOf(pid: number, { columns, rows }: TerminalSize): Promise<void> {
  try {
    const { stdout } = await run('pgrep', ['--parent', String(pid)]);
    const terminal = await readlink(`/proc/${stdout.trim().split('\n')[0]}/fd/0`);
    await run('stty', ['-F', terminal, 'columns', String(columns), 'rows', String(rows)]);
  } catch {
    // The process ended meanwhile; a size is only a request.
  }
}

/**
 * attach: output comes from the log (from now on), input goes to conmon's socket. That socket keeps packet
 * boundaries (SOCK_SEQPACKET), which Node does not speak; socat does.
 */
export async function attachProcess(
  context: KubeletContext,
  record: ContainerRecord,
  options: ExecOptions,
  signal: AbortSignal,
): Promise<ContainerProcess> {
  const bundle = bundleOf(context, record);
  const input = options.stdin
    ? await startInteractive('socat', ['-u', '-', 'UNIX-CONNECT:attach,type=5'], { cwd: bundle, signal })
    : undefined;
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const lines = followLines(
    {
      path: join(bundle, 'log'),
      start: () => statSync(join(bundle, 'log')).size,
      follow: true,
      exitDirectory: context.exitDir,
      ended: () => runState(context, record).kind === 'exited',
    },
    signal,
  );
  const exit = (async () => {
    for await (const raw of lines) {
      const line = parseLogLine(raw);
      if (line === undefined) continue;
      const target = line.stream === 'stderr' ? streams.stderr : streams.stdout;
      target.write(formatLogLine(line, false, false));
    }
    streams.stdout.end();
    streams.stderr.end();
    input?.kill();
    const state = runState(context, record);
    return state.kind === 'exited' ? state.exitCode : 0;
  })();
  return {
    stdin: input?.stdin,
    stdout: options.stdout ? streams.stdout : undefined,
    stderr: options.stderr && !options.tty ? streams.stderr : undefined,
    resize: (columns, rows) => {
      if (record.terminal === true) tellTerminalSize(bundle, columns, rows);
    },
    exit,
  };
}
