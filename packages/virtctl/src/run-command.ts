/** Runs a commander program; an error becomes one clear line (and its cause as detail) and exit code 1. */
import type { Command } from 'commander';
import { toldError } from './output/told-error.ts';

export async function runCommand(program: Command, argv: readonly string[]): Promise<void> {
  // While a server is away we wait on timers and sockets that do not hold the process.
  setInterval(() => undefined, 2 ** 30);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    console.error(`${program.name()}: ${toldError(error).join('\n')}`);
    process.exitCode = 1;
  }
  // Keep-alive connections would hold the process for seconds after the work is done.
  process.exit();
}
