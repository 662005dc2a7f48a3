/** guestosinfo, userlist, fslist: what the guest agent says, as JSON. */
import type { Command } from 'commander';
import { type AccessFlags, connect, namespaceOf } from '../kube-access.ts';
import { subresourcePath } from '../subresource-path.ts';

const COMMANDS: readonly (readonly [name: string, subresource: string, summary: string])[] = [
  ['guestosinfo', 'guestosinfo', 'Guest operating system as its agent reports it.'],
  ['userlist', 'userlist', 'Users logged in to the guest.'],
  ['fslist', 'filesystemlist', 'File systems of the guest.'],
];

export function addGuestInfoCommands(program: Command): void {
  for (const [name, subresource, summary] of COMMANDS) {
    program
      .command(`${name} <name>`)
      .description(summary)
      .action(async (object: string, _flags: unknown, self: Command) => {
        const access = self.optsWithGlobals<AccessFlags>();
        const path = subresourcePath('virtualmachineinstances', namespaceOf(access), object, subresource);
        const info = await connect(access).request<unknown>({ method: 'GET', path });
        console.log(JSON.stringify(info, null, 2));
      });
  }
}
