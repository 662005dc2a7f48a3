/** runc, verb by verb. `root` is its state directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type InteractiveProcess, startInteractive } from './interactive.ts';
import { run, ToolError } from './run.ts';

/** Starts a created container. */
export async function runcStart(root: string, id: string): Promise<void> {
  await run('runc', ['--root', root, 'start', id]);
}

/** Sends a signal to the first process, or to all; a container that is gone or stopped is fine. */
export async function runcKill(
  root: string,
  id: string,
  signal: string,
  scope: 'first' | 'all' = 'first',
): Promise<void> {
  try {
    await run('runc', ['--root', root, 'kill', ...(scope === 'all' ? ['--all'] : []), id, signal]);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Forgets a container, killing what is left of it; one that does not exist is fine. */
export async function runcDelete(root: string, id: string): Promise<void> {
  // runc keeps all that it knows of a container there, from before its first process until it is deleted.
  if (!existsSync(join(root, id))) return;
  try {
    await run('runc', ['--root', root, 'delete', '--force', id]);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** A process inside a container, with pipes. `processFile` holds the OCI process. */
export function runcExec(
  root: string,
  id: string,
  processFile: string,
  signal?: AbortSignal,
): Promise<InteractiveProcess> {
  return startInteractive(
    'runc',
    ['--root', root, 'exec', '--process', processFile, id],
    signal === undefined ? {} : { signal },
  );
}

/**
 * As `runcExec`, on a pseudo-terminal. `script` brings the terminal; the arguments travel in the
 * environment, so that its shell never reads them as words.
 */
export function runcExecTerminal(
  root: string,
  id: string,
  processFile: string,
  signal?: AbortSignal,
): Promise<InteractiveProcess> {
  const command = 'exec runc --root "$RUNC_ROOT" exec --tty --process "$RUNC_PROCESS" "$RUNC_ID"';
  return startInteractive('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    env: { RUNC_ROOT: root, RUNC_PROCESS: processFile, RUNC_ID: id, SHELL: '/bin/sh' },
    ...(signal === undefined ? {} : { signal }),
  });
}

function isGone(error: unknown): boolean {
  return (
    error instanceof ToolError &&
    /does not exist|container not running|process already finished|no such process/i.test(error.message)
  );
}
