/**
 * The serial console of a guest in this terminal. Ctrl+] (0x1d) leaves, everything else goes to the guest;
 * the terminal is put back whatever happens. Without a terminal (a pipe) it copies bytes both ways.
 */
import { messageOf, StatusError } from '@podvisor/base';
import type { Command } from 'commander';
import type WebSocket from 'ws';
import { openSession } from '../../kube-access.ts';
import { type Shell, tell } from '../../shell.ts';
import { subresourcePath } from '../../subresource-path.ts';
import { dialWhenRunning } from '../../streams/dial-when-running.ts';

const ESCAPE = 0x1d;

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
        const end = await relay(socket, shell);
        if (end === 'ended')
          tell(shell, `Disconnected: ${name} has stopped, or another client has connected to its console.`);
        if (end !== 'dropped') break;
        // Only a person can tell what was missed or said again; a pipe would take it for the guest's next words.
        if (shell.stdin.isTTY !== true) break;
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

const KEEP_ALIVE_MS = 20_000;
/** Closed on purpose, with or without a code (RFC 6455, section 7.4.1); everything else is an accident. */
const ON_PURPOSE: ReadonlySet<number> = new Set([1000, 1005]);

/** The user left, the server closed the connection, or it broke. */
type End = 'left' | 'ended' | 'dropped';

/** Copies bytes until either side ends or the user leaves. */
async function relay(socket: WebSocket, { stdin, stdout, stderr }: Shell): Promise<End> {
  const ended = Promise.withResolvers<End>();
  let answered = true;
  const keepAlive = setInterval(() => {
    if (!answered) socket.terminate();
    answered = false;
    socket.ping();
  }, KEEP_ALIVE_MS);
  socket.on('pong', () => {
    answered = true;
  });
  const onData = (chunk: Buffer): void => {
    const escape = stdin.isTTY === true ? chunk.indexOf(ESCAPE) : -1;
    if (escape < 0) socket.send(chunk);
    else {
      if (escape > 0) socket.send(chunk.subarray(0, escape));
      ended.resolve('left');
      socket.close();
    }
  };
  socket.on('message', (data: Buffer) => {
    if (stdout.write(data)) return;
    // A slow terminal slows the guest's output down; nothing piles up here.
    socket.pause();
    stdout.once('drain', () => socket.resume());
  });
  socket.on('close', (code: number) => ended.resolve(ON_PURPOSE.has(code) ? 'ended' : 'dropped'));
  socket.on('error', () => ended.resolve('dropped'));
  stdin.on('data', onData);
  socket.resume();
  if (stdin.isTTY === true) stdin.setRawMode?.(true);
  try {
    return await ended.promise;
  } finally {
    clearInterval(keepAlive);
    if (stdin.isTTY === true) stdin.setRawMode?.(false);
    stdin.off('data', onData);
    stdin.pause();
    stderr.write('\n');
  }
}
