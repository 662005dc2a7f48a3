/** An API server alone in a process: `server-main.ts SETTINGS.json`. Prints a line when it serves. */
import { systemClock } from '@podvisor/base';
import { readFileSync } from 'node:fs';
import { startApiServer } from '../../packages/apiserver/src/index.ts';
import type { ApiServerOptions } from '../../packages/apiserver/src/options.ts';

export type ServerSettings = Omit<ApiServerOptions, 'clock' | 'log' | 'onBroken'>;

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ServerSettings;
// Requests that fail are part of the test: they are no news.
await startApiServer({
  ...settings,
  clock: systemClock,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  onBroken: (error) => {
    console.error(error.message);
    process.exit(1);
  },
});
console.log('serving');
