/** The serial console of a guest in this terminal. */
import { messageOf, StatusError } from '@podvisor/base';
import type { Command } from 'commander';
import type WebSocket from 'ws';
import { openSession } from '../../kube-access.ts';
import { type Shell, tell } from '../../shell.ts';
import { subresourcePath } from '../../subresource-path.ts';
import { dialWhenRunning } from '../../streams/dial-when-running.ts';
import { relayTerminal } from '../../streams/terminal.ts';

export function addConsoleCommand(program: Command, shell: Shell): void {
  program
    .command('console <vmi>')
    .description("Connect to a guest's serial console. Ctrl+] leaves.")
    .option('--timeout <minutes>', 'minutes to wait for the guest to be there', '5')
    .option(
      '--share',
      'stay beside other viewers instead of ending theirs; the last output comes first',
      false,
    )
    .action(async (name: string, flags: { timeout: string; share: boolean }, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const path = subresourcePath('virtualmachineinstances', namespace, name, 'console');
      const minutes = Number(flags.timeout);
      if (!(minutes > 0)) throw new Error(`--timeout must be a number of minutes, not "${flags.timeout}"`);
      const dial = (signal: AbortSignal): Promise<WebSocket> =>
        client.dial(
          path,
          { protocols: ['plain.kubevirt.io'], ...(flags.share && { query: { share: true } }) },
          signal,
        );
      const waiting = (error: unknown): void => tell(shell, `waiting for ${name}: ${messageOf(error)}`);
      let socket: WebSocket | undefined = await dialWhenRunning(dial, {
        timeoutMs: minutes * 60_000,
        waiting,
      });
      tell(shell, `Successfully connected to ${name} console. Press Ctrl+] or Ctrl+5 to exit console.`);
      while (socket !== undefined) {
        const end = await relayTerminal(socket, shell);
        if (end === 'ended')
          tell(shell, `Disconnected: ${name} has stopped, or another client has connected to its console.`);
        if (end !== 'dropped') break;
        // Only a person can tell what was missed or said again; a pipe would take it for the guest's next words.
        if (shell.stdin.isTTY !== true) {
          tell(shell, `The connection was lost: ${name} has ended, or nobody took its output in time.`);
          break;
        }
        socket = await redial(dial);
        tell(
          shell,
          socket === undefined
            ? `The connection was lost. ${name} has ended, or nobody answers: virtctl why ${name} tells.`
            : `The connection was lost; connected to ${name} console again.`,
        );
      }
    });
}

const REDIAL_MS = 60_000;
/** One try: who does not answer by then may be one that has died meanwhile. */
const DIAL_MS = 5_000;

/** Tries to get a lost connection back; undefined when the guest is gone or nobody answers. */
async function redial(dial: (signal: AbortSignal) => Promise<WebSocket>): Promise<WebSocket | undefined> {
  const over = Date.now() + REDIAL_MS;
  for (;;) {
    try {
      return await dial(AbortSignal.timeout(DIAL_MS));
    } catch (error) {
      if (error instanceof StatusError && isFinal(error)) return undefined;
      if (Date.now() > over) return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The server says no: the guest has ended. A path that is not there means that virt-api is not there yet. */
function isFinal({ code, details }: StatusError): boolean {
  return code === 404 ? details?.name !== undefined : code < 500;
}
