/** The shell of a real process. */
import { randomText, type Shell } from './shell.ts';

export function processShell(): Shell {
  let interrupt: AbortController | undefined;
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    self: [process.execPath, process.argv[1] ?? ''],
    random: randomText,
    now: Date.now,
    interrupted() {
      if (interrupt === undefined) {
        const controller = new AbortController();
        interrupt = controller;
        process.once('SIGINT', () => controller.abort());
      }
      return interrupt.signal;
    },
    become,
  };
}

/**
 * Hands the terminal to another program (ssh): it needs the real one, with its size and its job control.
 * A small script stands between, because virtctl itself ends with 1 whatever code the tool gave.
 */
function become(tool: string, args: readonly string[], advice = ''): never {
  const ending = '[ $code -ne 255 ] || [ -z "$advice" ] || echo "$advice" >&2';
  const script = `advice=$1; shift; "$@"; code=$?; [ $code -eq 0 ] || { echo "exit status $code" >&2; ${ending}; exit 1; }`;
  if (process.execve === undefined) throw new Error(`${tool} cannot be started on this platform`);
  process.execve('/bin/sh', ['sh', '-c', script, 'sh', advice, tool, ...args], process.env);
  throw new Error(`${tool} could not be started`);
}
