/** The frame of a component that works while it leads: signals, the lease, and how the process ends. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, messageOf, systemClock } from '@podvisor/base';
import type { KubeClient } from './client/client.ts';
import { runLeaderElection } from './controller/leader-election.ts';
import type { Log } from './log.ts';

export interface ComponentLog extends Log {
  fatal(fields: object, message: string): void;
}

export interface LeadingOptions {
  readonly client: KubeClient;
  /** Of the lease. */
  readonly name: string;
  readonly namespace: string;
  /** Absent: made of the host's name. */
  readonly identity?: string | undefined;
  readonly clock?: Clock;
  readonly log: ComponentLog;
  /** Runs while we lead; a failure ends the process. */
  lead(signal: AbortSignal): Promise<void>;
}

/** Resolves when `stop` ended it. A lease that is lost, or a `lead` that fails, ends the process. */
export async function runWhileLeading(options: LeadingOptions, stop: AbortSignal): Promise<void> {
  const { client, name, namespace, identity, clock = systemClock, log, lead } = options;
  let running: Promise<void> = Promise.resolve();
  await runLeaderElection(
    {
      client,
      leaseName: name,
      namespace,
      identity: identity ?? `${hostname()}_${randomUUID()}`,
      clock,
      log,
      onStarted: (signal) => {
        log.info({ namespace }, 'leading');
        running = lead(signal).catch((error: unknown) => {
          if (!signal.aborted) endWith(log, error, `${name} ended`);
        });
      },
      onLost: () => endWith(log, new Error('the lease was not renewed in time'), 'leadership lost'),
    },
    stop,
  );
  await running;
  await client.close();
}

/** Runs a program until SIGTERM or SIGINT, and ends the process: 0 when `main` returns, 1 with its error when not. */
export async function runComponent(
  name: string,
  log: ComponentLog,
  main: (stop: AbortSignal) => Promise<void>,
): Promise<never> {
  const stop = new AbortController();
  // Waiting for a lease or for an API server that is away is done by timers that do not hold the process.
  setInterval(() => undefined, 2 ** 30);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => stop.abort(new Error(signal)));
  try {
    await main(stop.signal);
  } catch (error) {
    return endWith(log, error, `${name} cannot run`);
  }
  process.exit(0);
}

function endWith(log: ComponentLog, error: unknown, message: string): never {
  log.fatal({ error: messageOf(error) }, message);
  process.exit(1);
}
