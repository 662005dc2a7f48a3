/** `-w/--wait`: stay until what was asked for has happened. */
import type { Command } from 'commander';
import { durationMs } from './access/command-client.ts';
import type { Shell } from './shell.ts';

export interface WaitFlags {
  readonly wait: boolean;
  readonly waitTimeout: string;
}

/** Adds the two flags; `meaning` says what is waited for. */
export function addWaitFlags(command: Command, meaning: string): Command {
  return command
    .option('-w, --wait', `${meaning}, with progress`, false)
    .option('--wait-timeout <time>', 'how long to wait', '5m');
}

/** Ends the wait: at Ctrl+C or when the time is over. */
export function waitSignal({ waitTimeout }: WaitFlags, shell: Shell): AbortSignal {
  const timeout = AbortSignal.timeout(durationMs(waitTimeout, '--wait-timeout'));
  return AbortSignal.any([timeout, shell.interrupted()]);
}
