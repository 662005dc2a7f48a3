/**
 * The serial console of a guest in this terminal. Ctrl+] (0x1d) leaves, everything else goes to the guest;
 * the terminal is put back whatever happens. Without a terminal (a pipe) it copies bytes both ways.
 */
import { messageOf } from '@podvisor/base';
import type { Command } from 'commander';
import type WebSocket from 'ws';
import { openSession } from '../kube-access.ts';
import { type Shell, tell } from '../shell.ts';
import { subresourcePath } from '../subresource-path.ts';
import { dialWhenRunning } from '../streams/dial-when-running.ts';

const ESCAPE = 0x1d;

export function addConsoleCommand(program: Command, shell: Shell): void {
  program
    .command('console <vmi>')
    .description("Connect to a guest's serial console. Ctrl+] leaves.")
    .option('--timeout <minutes>', 'minutes to wait for the guest to be there', '5')
    .action(async (name: string, flags: { timeout: string }, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const path = subresourcePath('virtualmachineinstances', namespace, name, 'console');
      const minutes = Number(flags.timeout);
      if (!(minutes > 0)) throw new Error(`--timeout must be a number of minutes, not "${flags.timeout}"`);
      const dial = (signal: AbortSignal): Promise<WebSocket> =>
        client.dial(path, { protocols: ['plain.kubevirt.io'] }, signal);
      const waiting = (error: unknown): void => tell(shell, `waiting for ${name}: ${messageOf(error)}`);
      const socket = await dialWhenRunning(dial, { timeoutMs: minutes * 60_000, waiting });
      tell(shell, `Successfully connected to ${name} console. Press Ctrl+] or Ctrl+5 to exit console.`);
      await relay(socket, shell);
    });
}

/** Copies bytes until either side ends or the user leaves. */
async function relay(socket: WebSocket, { stdin, stdout, stderr }: Shell): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const onData = (chunk: Buffer): void => {
    const escape = stdin.isTTY === true ? chunk.indexOf(ESCAPE) : -1;
    if (escape < 0) socket.send(chunk);
    else {
      if (escape > 0) socket.send(chunk.subarray(0, escape));
      socket.close();
      ended.resolve();
    }
  };
  socket.on('message', (data: Buffer) => {
    if (stdout.write(data)) return;
    // A slow terminal slows the guest's output down; nothing piles up here.
    socket.pause();
    stdout.once('drain', () => socket.resume());
  });
  socket.on('close', () => ended.resolve());
  socket.on('error', (error) => ended.reject(error));
  stdin.on('data', onData);
  socket.resume();
  if (stdin.isTTY === true) stdin.setRawMode?.(true);
  try {
    await ended.promise;
  } finally {
    if (stdin.isTTY === true) stdin.setRawMode?.(false);
    stdin.off('data', onData);
    stdin.pause();
    stderr.write('\n');
  }
}
