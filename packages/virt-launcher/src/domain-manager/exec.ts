/** Runs a command inside the guest through the agent; what probes use. */
import { sleep } from '@podvisor/base';
import { explain, LauncherError } from '../launcher-error.ts';
import { askAgent } from './agent.ts';
import type { DomainContext } from './context.ts';

const MAX_OUTPUT_BYTES = 1024 * 1024;
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 500;

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
}

export async function exec(
  context: DomainContext,
  command: string,
  args: readonly string[],
  timeoutSeconds: number,
  longestLookMs = LONGEST_LOOK_MS,
): Promise<ExecResult> {
  try {
    const started = await askAgent(context, 'guest-exec', {
      path: command,
      arg: args,
      'capture-output': true,
    });
    const pid = field(started, 'pid');
    if (typeof pid !== 'number') throw new LauncherError('the guest agent did not start the command');
    const deadline = context.clock.elapsed() + timeoutSeconds * 1000;
    // The agent has no event for the end of a command, so it has to be asked.
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, longestLookMs)) {
      const status = await askAgent(context, 'guest-exec-status', { pid });
      if (field(status, 'exited') === true) return result(status);
      if (context.clock.elapsed() >= deadline)
        throw new LauncherError(`the command did not end within ${timeoutSeconds} s`);
      await sleep(context.clock, wait, context.signal);
    }
  } catch (error) {
    throw explain('the command could not be run in the guest', error);
  }
}

export async function guestPing(context: DomainContext, timeoutSeconds: number): Promise<void> {
  await askAgent(context, 'guest-ping', undefined, timeoutSeconds).catch((error: unknown) => {
    throw explain('the guest agent does not answer', error);
  });
}

function result(status: unknown): ExecResult {
  const exitCode = field(status, 'exitcode') ?? field(status, 'signal');
  const out = field(status, 'out-data');
  const stdout = Buffer.from(typeof out === 'string' ? out : '', 'base64').subarray(0, MAX_OUTPUT_BYTES);
  return { exitCode: typeof exitCode === 'number' ? exitCode : -1, stdout };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
