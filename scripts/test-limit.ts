/**
 * Loaded before each program of tests (`node --import`). What tests leave open (a child process, a server) would keep
 * their program alive for ever, and with it the whole run: a test's time limit ends the test, not its program. Such a
 * program ends here, as failed, and says what was open.
 */
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** How long a program may take in all, in milliseconds: set by the runner. */
export const LIMIT_VARIABLE = 'PODVISOR_TEST_PROGRAM_LIMIT_MS';
/** How its last words begin. */
export const LIMIT_WORDS = 'program of tests ended:';
/** How long a program may live after its last test: what waited for somebody who died gives up by then. */
const REST_MS = 60_000;
/** How long its own handlers have to clean up before it ends all the same. */
const CLEAN_UP_MS = 30_000;

// Worker threads and forks of a program of tests get its arguments, and are not meant.
if (isMainThread && process.argv[1]?.endsWith('.test.ts') === true && process.send === undefined) {
  const limitMs = Number(process.env[LIMIT_VARIABLE]);
  if (limitMs > 0) setTimeout(() => end(`still running after ${limitMs / 1000} s`), limitMs).unref();
  after(() => setTimeout(() => end('its tests are over, but something is left open'), REST_MS).unref());
}

function end(why: string): void {
  const open = process.getActiveResourcesInfo().join(', ');
  console.error(`${LIMIT_WORDS} ${process.argv[1] ?? ''}: ${why} (open: ${open})`);
  process.exitCode = 1;
  setTimeout(() => process.exit(1), CLEAN_UP_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}
