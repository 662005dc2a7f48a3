/** virt-handler: the node agent. Parses flags, runs, exits. */
import { messageOf, systemClock } from '@podvisor/base';
import pino from 'pino';
import { parseFlags } from './flags.ts';
import { runHandler } from './handler.ts';

const log = pino({ base: { component: 'virt-handler' } });
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    log.info({ signal }, 'virt-handler stops; virtual machines go on');
    stop.abort();
  });

try {
  const onLogLevel = (level: string): void => void (log.level = level);
  await runHandler(
    { flags: parseFlags(process.argv.slice(2)), clock: systemClock, log, onLogLevel },
    stop.signal,
  );
  process.exit(0);
} catch (error) {
  if (stop.signal.aborted) process.exit(0);
  log.fatal({ error }, `virt-handler failed: ${messageOf(error)}`);
  process.exit(1);
}
