/**
 * The serial console of a guest in this terminal. Ctrl+] (0x1d) leaves, everything else goes to the guest;
 * the terminal is put back whatever happens. Without a terminal (a pipe) it copies bytes both ways.
 */
import type { Command } from 'commander';
import type WebSocket from 'ws';
import { type AccessFlags, connect, namespaceOf } from '../kube-access.ts';
import { subresourcePath } from '../subresource-path.ts';

const ESCAPE = 0x1d;

export function addConsoleCommand(program: Command): void {
  program
    .command('console <name>')
    .description("Connect to a guest's serial console. Ctrl+] leaves.")
    .option('--timeout <minutes>', 'minutes to wait for the guest to be there', '5')
    .action(async (name: string, flags: { timeout: string }, self: Command) => {
      const access = self.optsWithGlobals<AccessFlags>();
      const path = subresourcePath('virtualmachineinstances', namespaceOf(access), name, 'console');
      const signal = AbortSignal.timeout(Number(flags.timeout) * 60_000);
      const socket = await connect(access).dial(path, { protocols: ['plain.kubevirt.io'] }, signal);
      process.stderr.write(
        `Successfully connected to ${name} console. Press Ctrl+] or Ctrl+5 to exit console.\n`,
      );
      await relay(socket);
      // The client keeps connections alive; the command is over.
      process.exit(0);
    });
}

/** Copies bytes until either side ends or the user leaves. */
async function relay(socket: WebSocket): Promise<void> {
  const { stdin, stdout } = process;
  const ended = Promise.withResolvers<void>();
  const onData = (chunk: Buffer): void => {
    const escape = stdin.isTTY ? chunk.indexOf(ESCAPE) : -1;
    if (escape < 0) socket.send(chunk);
    else {
      if (escape > 0) socket.send(chunk.subarray(0, escape));
      socket.close();
      ended.resolve();
    }
  };
  socket.on('message', (data: Buffer) => stdout.write(data));
  socket.on('close', () => ended.resolve());
  socket.on('error', (error) => ended.reject(error));
  stdin.on('data', onData);
  if (stdin.isTTY) stdin.setRawMode(true);
  try {
    await ended.promise;
  } finally {
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.off('data', onData);
    stdin.pause();
    process.stderr.write('\n');
  }
}
