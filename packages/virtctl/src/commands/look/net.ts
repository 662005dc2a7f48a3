/** `virtctl net vm/x`: the path of a packet from the Pod's interface to the guest's, with live counters. */
import type { Command } from 'commander';
import type { InterfacePicture, NetworkPath } from '@podvisor/api';
import { openSession } from '../../kube-access.ts';
import { drawInterface } from '../../net/draw.ts';
import { getJson } from '../../requests.ts';
import { failure } from '../../run-program.ts';
import { say, sayJson, type Shell } from '../../shell.ts';
import { subresourcePath } from '../../subresource-path.ts';

const DEFAULT_WATCH_MS = 1000;
const CLEAR_SCREEN = '\x1b[H\x1b[2J';

export function addNetCommand(program: Command, shell: Shell): void {
  program
    .command('net <vm>')
    .description("Path of a packet from the Pod's interface to the guest's, with counters and rules.")
    .option('-w, --watch', 'draw it again every second, with what was added since')
    .option('-o, --output <format>', 'json: the facts instead of the picture')
    .action(async (target: string, flags: { watch?: boolean; output?: string }, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const name = target.replace(/^(vm|vmi|virtualmachine|virtualmachineinstance)s?\//, '');
      const path = subresourcePath('virtualmachineinstances', namespace, name, 'networkpath');
      const look = async (): Promise<readonly InterfacePicture[]> => {
        const found = await getJson<Partial<NetworkPath>>(client, path);
        return found.interfaces ?? [];
      };
      let pictures = await look().catch((error: unknown) => {
        throw failure(`Error getting the network of VirtualMachineInstance ${name},`, error);
      });
      if (flags.output === 'json') return sayJson(shell, pictures);
      if (pictures.length === 0) return say(shell, `${name} has no interface that the node prepared.`);
      const draw = (before?: readonly InterfacePicture[]): string =>
        pictures
          .map((picture) =>
            drawInterface(
              picture,
              before?.find((b) => b.name === picture.name),
            ),
          )
          .join('\n\n');
      say(shell, draw());
      if (flags.watch !== true) return;
      const stop = shell.interrupted();
      while (!stop.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, DEFAULT_WATCH_MS);
          stop.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
        });
        if (stop.aborted) return;
        const before = pictures;
        pictures = await look();
        shell.stdout.write(CLEAR_SCREEN);
        say(shell, draw(before));
      }
    });
}
