/**
 * The `cluster` process: `cluster.mjs --home DIR`. With a command it does that and ends:
 * `image exists|import …`, `teardown [--purge]`.
 */
import { parseArgs } from 'node:util';
import { instancePaths, readInstanceConfig, systemClock } from '@podvisor/sys';
import { pino } from 'pino';
import { imageCommand } from './commands/image.ts';
import { teardownCommand } from './commands/teardown.ts';
import { runCluster } from './run-cluster.ts';

/** A clean end takes less; a hanging one must not keep the supervisor waiting. */
const CLOSE_TIMEOUT_MS = 10_000;

const log = pino({ name: 'cluster' });

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { home: { type: 'string' }, purge: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.home === undefined) throw new Error('--home DIR is missing: the directory with config.json');
  const [command, ...args] = positionals;
  if (command === 'image') process.exit(await imageCommand(instancePaths(values.home), args));
  if (command === 'teardown')
    process.exit(await teardownCommand(instancePaths(values.home), values.purge, log));
  if (command !== undefined) throw new Error(`unknown command "${command}"`);
  const starting = runCluster({
    paths: instancePaths(values.home),
    config: readInstanceConfig(values.home),
    clock: systemClock,
    log,
    onBroken: fatal,
  });
  const end = (signal: string): void => {
    log.info({ signal }, 'ending; Pods go on');
    setTimeout(() => process.exit(0), CLOSE_TIMEOUT_MS).unref();
    starting.then((cluster) => cluster.close()).then(() => process.exit(0), fatal);
  };
  process.once('SIGTERM', () => end('SIGTERM'));
  process.once('SIGINT', () => end('SIGINT'));
  await starting;
}

function fatal(error: unknown): void {
  log.fatal({ err: error }, 'the cluster process cannot go on');
  process.exit(1);
}

process.on('unhandledRejection', fatal);
main().catch(fatal);
