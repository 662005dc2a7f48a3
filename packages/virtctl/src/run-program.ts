/** Runs one command line; an error becomes one clear line (and its cause as detail) and exit code 1. */
import { messageOf } from '@podvisor/base';
import { type Command, CommanderError } from 'commander';
import { normalizeSwitches } from './arguments.ts';
import { toldError } from './output/told-error.ts';
import { type Shell, tell } from './shell.ts';

/** An exit code that is not an error to talk about. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** Resolves with the exit code. `words` are those after the program's name. */
export async function runProgram(program: Command, words: readonly string[], shell: Shell): Promise<number> {
  try {
    await program.parseAsync([...normalizeSwitches(words, program)], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof ExitCode) return error.code;
    // The parser has said what is wrong already.
    if (error instanceof CommanderError) return error.exitCode;
    for (const line of toldError(error)) tell(shell, line);
    return 1;
  }
}

/** An error whose message is the caller's words and the server's, as virtctl prints them. */
export function failure(what: string, error: unknown): Error {
  return new Error(`${what} ${messageOf(error)}`, { cause: error });
}
