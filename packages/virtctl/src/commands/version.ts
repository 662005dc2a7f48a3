/** version: of this program and of the server, in the form of Go's struct that scripts know. */
import type { Command } from 'commander';
import { openSession } from '../kube-access.ts';
import { plainOf, textOf } from '../plain.ts';
import { getJson } from '../requests.ts';
import { say, type Shell } from '../shell.ts';
import { VERSION } from '../version.ts';

const GROUP = '/apis/subresources.kubevirt.io';
const FIELDS = ['gitVersion', 'gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform'];

export function addVersionCommand(program: Command, shell: Shell): void {
  program
    .command('version')
    .description('Version of this program and of the server.')
    .option('-c, --client', 'client version only', false)
    .action(async (flags: { client: boolean }, self: Command) => {
      const platform = `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`;
      say(shell, `Client Version: ${infoText({ gitVersion: VERSION, compiler: 'node', platform })}`);
      if (flags.client) return;
      const { client } = openSession(self, shell);
      // The group tells which version it prefers; all of ours and of KubeVirt's answer v1.
      const group = plainOf(await getJson(client, GROUP));
      const version = textOf(plainOf(group['preferredVersion'])['version']) ?? 'v1';
      say(shell, `Server Version: ${infoText(await getJson(client, `${GROUP}/${version}/version`))}`);
    });
}

function infoText(info: unknown): string {
  const known = plainOf(info);
  const fields = FIELDS.map((key) => {
    const name = `${key[0]?.toUpperCase()}${key.slice(1)}`;
    return `${name}:${JSON.stringify(textOf(known[key]) ?? '')}`;
  });
  return `version.Info{${fields.join(', ')}}`;
}
