/** guestosinfo, userlist, fslist: what the guest agent says, as JSON. */
import type { Command } from 'commander';
import { openSession } from '../../kube-access.ts';
import { getJson } from '../../requests.ts';
import { failure } from '../../run-program.ts';
import { sayJson, type Shell } from '../../shell.ts';
import { subresourcePath } from '../../subresource-path.ts';

interface Question {
  readonly name: string;
  readonly subresource: string;
  readonly summary: string;
  readonly trouble: string;
}

const QUESTIONS: readonly Question[] = [
  {
    name: 'guestosinfo',
    subresource: 'guestosinfo',
    summary: 'Guest operating system as its agent reports it.',
    trouble: 'Error getting guestosinfo of VirtualMachineInstance',
  },
  {
    name: 'userlist',
    subresource: 'userlist',
    summary: 'Users logged in to the guest.',
    trouble: 'Error listing users of VirtualMachineInstance',
  },
  {
    name: 'fslist',
    subresource: 'filesystemlist',
    summary: 'File systems of the guest.',
    trouble: 'Error listing filesystems of VirtualMachineInstance',
  },
];

export function addGuestInfoCommands(program: Command, shell: Shell): void {
  for (const { name, subresource, summary, trouble } of QUESTIONS) {
    program
      .command(`${name} <vmi>`)
      .description(summary)
      .action(async (object: string, _flags: unknown, self: Command) => {
        const { client, namespace } = openSession(self, shell);
        const path = subresourcePath('virtualmachineinstances', namespace, object, subresource);
        const info = await getJson(client, path).catch((error: unknown) => {
          throw failure(`${trouble} ${object},`, error);
        });
        sayJson(shell, info);
      });
  }
}
