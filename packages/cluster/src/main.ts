/** The `cluster` process: `cluster.mjs --home DIR`. */
import { parseArgs } from 'node:util';
import { instancePaths, readInstanceConfig, systemClock } from '@podvisor/sys';
import { pino } from 'pino';
import { runCluster } from './run-cluster.ts';

/** A clean end takes less; a hanging one must not keep the supervisor waiting. */
const CLOSE_TIMEOUT_MS = 10_000;

const log = pino({ name: 'cluster' });

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { home: { type: 'string' } } });
  if (values.home === undefined) throw new Error('--home DIR is missing: the directory with config.json');
  const starting = runCluster({
    paths: instancePaths(values.home),
    config: readInstanceConfig(values.home),
    clock: systemClock,
    log,
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
