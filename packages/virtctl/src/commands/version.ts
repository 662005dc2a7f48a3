import type { Command } from 'commander';
import { type AccessFlags, connect } from '../kube-access.ts';
import { VERSION } from '../version.ts';

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('Version of this program and of the server.')
    .option('-c, --client', 'client version only', false)
    .action(async (flags: { client: boolean }, self: Command) => {
      console.log(`Client Version: ${VERSION}`);
      if (flags.client) return;
      const server = await connect(self.optsWithGlobals<AccessFlags>()).request<{ gitVersion?: string }>({
        method: 'GET',
        path: '/apis/subresources.kubevirt.io/v1/version',
      });
      console.log(`Server Version: ${server.gitVersion ?? 'unknown'}`);
    });
}
