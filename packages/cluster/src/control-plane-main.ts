/** The `control-plane` process: `control-plane.mjs --home DIR`. */
import { systemClock } from '@podvisor/base';
import { parseArgs } from 'node:util';
import { instancePaths } from '@podvisor/sys';
import { pino } from 'pino';
import { readMachineFacts } from './machine-facts.ts';
import { runControlPlane } from './run-control-plane.ts';
import { fatalTo, runUntilEnded } from './run-until-ended.ts';

const log = pino({ base: { component: 'control-plane' } });
const fatal = fatalTo(log);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { home: { type: 'string' } } });
  if (values.home === undefined) throw new Error('--home DIR is missing: the directory with config.json');
  const paths = instancePaths(values.home);
  const facts = readMachineFacts(paths);
  await runUntilEnded(log, runControlPlane({ paths, facts, clock: systemClock, log, onBroken: fatal }));
}

process.on('unhandledRejection', fatal);
main().catch(fatal);
