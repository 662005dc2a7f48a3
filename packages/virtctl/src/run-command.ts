/** Runs a commander program; an error becomes one clear line (and its cause as detail) and exit code 1. */
import { messageOf } from '@podvisor/base';
import type { Command } from 'commander';

export async function runCommand(program: Command, argv: readonly string[]): Promise<void> {
  // While a server is away we wait on timers and sockets that do not hold the process.
  setInterval(() => undefined, 2 ** 30);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    console.error(`${program.name()}: ${messageOf(error)}`);
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause !== undefined) console.error(`  because: ${messageOf(cause)}`);
    process.exitCode = 1;
  }
  // Keep-alive connections would hold the process for seconds after the work is done.
  process.exit();
}
