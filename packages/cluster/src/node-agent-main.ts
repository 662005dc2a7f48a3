/**
 * The `node-agent` process: `node-agent.mjs --home DIR`. With a command it does that and ends:
 * `image exists|import|list|remove …`, `copy-store TARGET`, `teardown [--purge]`.
 */
import { systemClock } from '@podvisor/base';
import { parseArgs } from 'node:util';
import { instancePaths, readInstanceConfig } from '@podvisor/sys';
import { pino } from 'pino';
import { copyStoreCommand } from './commands/copy-store.ts';
import { imageCommand } from './commands/image.ts';
import { teardownCommand } from './commands/teardown.ts';
import { runNodeAgent } from './run-node-agent.ts';
import { fatalTo, runUntilEnded } from './run-until-ended.ts';

const log = pino({ base: { component: 'node-agent' } });
const fatal = fatalTo(log);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { home: { type: 'string' }, purge: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.home === undefined) throw new Error('--home DIR is missing: the directory with config.json');
  const paths = instancePaths(values.home);
  const [command, ...args] = positionals;
  if (command === 'image') process.exit(await imageCommand(paths, args));
  if (command === 'copy-store') process.exit(copyStoreCommand(paths, args));
  if (command === 'teardown') process.exit(await teardownCommand(paths, values.purge, log));
  if (command !== undefined) throw new Error(`unknown command "${command}"`);
  const config = readInstanceConfig(values.home);
  await runUntilEnded(log, runNodeAgent({ paths, config, clock: systemClock, log }));
}

process.on('unhandledRejection', fatal);
main().catch(fatal);
