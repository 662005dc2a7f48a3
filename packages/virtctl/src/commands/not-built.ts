/** Commands of virtctl whose feature does not exist here yet: one clear sentence instead of a puzzle. */
import type { Command } from 'commander';
import { openSession } from '../kube-access.ts';
import { post } from '../requests.ts';
import { failure } from '../run-program.ts';
import { say, type Shell } from '../shell.ts';
import { toYaml } from '../output/yaml.ts';

export function addNotBuiltCommands(program: Command, shell: Shell): void {
  refuse(
    program.command('guestfs'),
    'Open a shell with libguestfs on a PVC.',
    'guestfs is not available: there is no libguestfs image for it yet; mount the volume in a VM instead (virtctl addvolume)',
  );
  const template = program.command('template').description('Work with VirtualMachineTemplates.');
  template
    .command('process <name>')
    .description('Process a VirtualMachineTemplate on the server.')
    .option('-o, --output <format>', 'yaml or json', 'yaml')
    .option('-p, --param <key=value...>', 'value of a parameter')
    .action(async (name: string, flags: { output: string; param?: readonly string[] }, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const path = `/apis/subresources.template.kubevirt.io/v1beta1/namespaces/${namespace}/virtualmachinetemplates/${name}/process`;
      const parameters = (flags.param ?? []).map((pair) => [
        pair.slice(0, pair.indexOf('=')),
        pair.slice(pair.indexOf('=') + 1),
      ]);
      const body = parameters.length === 0 ? {} : { parameters: Object.fromEntries(parameters) };
      const result = await post(client, path, body).catch((error: unknown) => {
        throw failure(`error processing remote VirtualMachineTemplate ${namespace}/${name}:`, error);
      });
      if (flags.output === 'json') say(shell, JSON.stringify(result, null, 2));
      else shell.stdout.write(toYaml(result));
    });
  refuse(
    template.command('convert'),
    'Convert an OpenShift template.',
    'template convert is not available: VirtualMachineTemplates do not exist here yet',
  );
  refuse(
    template.command('create'),
    'Create a template from a VM.',
    'template create is not available: VirtualMachineTemplates do not exist here yet',
  );
}

function refuse(command: Command, summary: string, sentence: string): void {
  command
    .description(`${summary} (not available yet)`)
    .argument('[words...]')
    .allowUnknownOption()
    .action(() => {
      throw new Error(sentence);
    });
}
