/** The commands that operators look with: logs and objectives. */
import type { Command } from 'commander';
import { type LogsFlags, logs } from './logs/logs.ts';
import { slo } from './monitoring/slo.ts';

export function addWatchingCommands(program: Command): void {
  program
    .command('logs [component]')
    .description(
      'Show what the processes of the home log, in the order of time; a component is one of them, or virt-launcher.',
    )
    .option('-f, --follow', 'go on with what comes', false)
    .option('--vm <name>', 'only what concerns this VM: NAME, or NAMESPACE/NAME')
    .option('--since <time>', 'only what is newer: 90s, 10m, 2h, 1d, or a time such as 2026-01-31T12:00:00Z')
    .option('-o, --output <format>', 'text or json', 'text')
    .action(async (component: string | undefined, flags: LogsFlags) => {
      const stop = new AbortController();
      // Whoever reads may have enough, as `head` has.
      process.stdout.on('error', () => process.exit(0));
      process.once('SIGINT', () => stop.abort());
      await logs(component, flags, stop.signal);
    });
  program
    .command('slo')
    .description('Show how the home meets its objectives (SPECIFICATION.md).')
    .option('-o, --output <format>', 'text or json', 'text')
    .action(async (flags: { output: string }) => {
      if (!(await slo(flags.output))) process.exitCode = 1;
    });
}
