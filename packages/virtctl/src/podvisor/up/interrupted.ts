/** Ctrl+C while `up` waits: the home goes on starting, because its processes are not children of this terminal. */

/** What is said then. */
export const INTERRUPTED =
  '\nInterrupted. What was started goes on: `podvisor up` follows it again, `podvisor status` shows it, `podvisor down` ends it.';

/** From now on Ctrl+C says what it means for the home, and ends this command with the code of a signal. */
export function tellWhenInterrupted(): void {
  process.once('SIGINT', () => {
    console.error(INTERRUPTED);
    process.exit(130);
  });
}
