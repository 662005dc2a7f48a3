/** usbredir: a USB device of this machine in a guest, through the tool `usbredirect`. */
import { createServer } from 'node:net';
import { startProcess } from '@podvisor/sys';
import type { Command } from 'commander';
import { openSession } from '../../kube-access.ts';
import { failure } from '../../run-program.ts';
import { say, type Shell } from '../../shell.ts';
import { relaySocket } from '../../streams/relay.ts';
import { subresourcePath } from '../../subresource-path.ts';
import { isInPath } from './vnc.ts';

export function addUsbredirCommand(program: Command, shell: Shell): void {
  program
    .command('usbredir <device> [vmi]')
    .description('Give a USB device (vendor:product or bus-device) to a guest.')
    .option('--no-launch', 'only listen; the USB client is started by hand')
    .action(async (first: string, second: string | undefined, flags: { launch: boolean }, self: Command) => {
      // Without the tool to start, only the guest has to be named.
      const [device, name] = second === undefined ? ['', first] : [first, second];
      if (flags.launch && device === '')
        throw new Error('accepts 2 arg(s), received 1: virtctl usbredir DEVICE VMI');
      if (flags.launch && !isInPath('usbredirect', shell))
        throw new Error(
          'Error on finding usbredirect in $PATH: exec: "usbredirect": executable file not found in $PATH',
        );
      const { client, namespace } = openSession(self, shell);
      const path = subresourcePath('virtualmachineinstances', namespace, name, 'usbredir');
      const socket = await client.dial(path, { protocols: ['plain.kubevirt.io'] }).catch((error: unknown) => {
        throw failure(`Can't access VMI ${name}:`, error);
      });
      const server = createServer({ noDelay: true });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
      });
      const bound = server.address();
      const address = `127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
      const relayed = new Promise<void>((resolve, reject) => {
        server.once('connection', (local) => {
          relaySocket(socket, local).then(resolve, reject);
        });
        shell.interrupted().addEventListener('abort', () => resolve(), { once: true });
      });
      if (flags.launch) await startProcess('usbredirect', ['--device', device, '--to', address]);
      else say(shell, `User can connect usb client at: ${address}`);
      await relayed;
      server.close();
    });
}
