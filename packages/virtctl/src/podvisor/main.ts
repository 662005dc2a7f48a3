/** podvisor: the embedded home on this machine. */
import { runCommand } from '../run-command.ts';
import { buildPodvisor } from './supervisor/program.ts';

const program = buildPodvisor(process.env['PODVISOR_ROOT'] ?? '').exitOverride((error) =>
  process.exit(error.exitCode),
);
await runCommand(program, process.argv);
