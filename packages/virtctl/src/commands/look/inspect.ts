/** expand, objectgraph, permitted-devices, config: looking without touching. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { accessFlags } from '../../access/flags.ts';
import { clusterAccess, kubeconfigPaths } from '../../access/kubeconfig.ts';
import { openSession } from '../../kube-access.ts';
import { fromYaml, toYaml } from '../../output/yaml.ts';
import { at, listOf, plainOf, textOf } from '../../plain.ts';
import { getJson, objectPath } from '../../requests.ts';
import { failure } from '../../run-program.ts';
import { say, sayJson, type Shell } from '../../shell.ts';
import { subresourcePath } from '../../subresource-path.ts';

export function addInspectCommands(program: Command, shell: Shell): void {
  addExpand(program, shell);
  addObjectGraph(program, shell);
  addPermittedDevices(program, shell);
  addConfig(program, shell);
}

function printed(shell: Shell, value: unknown, format: string): void {
  if (format === 'yaml') shell.stdout.write(toYaml(value));
  else if (format === 'json') sayJson(shell, value);
  else throw new Error(`error not supported output format defined: ${format}`);
}

function addExpand(program: Command, shell: Shell): void {
  program
    .command('expand')
    .description('Show a VM with its instance type and preference filled in.')
    .option('--vm <name>', 'VM of the cluster')
    .option('-f, --file <file>', 'manifest')
    .option('-o, --output <format>', 'yaml or json', 'yaml')
    .action(async (flags: { vm?: string; file?: string; output: string }, self: Command) => {
      if ((flags.vm === undefined) === (flags.file === undefined))
        throw new Error('exactly one of --vm and --file must be given');
      const { client, namespace } = openSession(self, shell);
      if (flags.vm !== undefined) {
        const path = subresourcePath('virtualmachines', namespace, flags.vm, 'expand-spec');
        const expanded = await getJson(client, path).catch((error: unknown) => {
          throw failure(`error expanding VirtualMachine - ${flags.vm} in namespace - ${namespace}:`, error);
        });
        return printed(shell, expanded, flags.output);
      }
      const manifest = withEmptyParts(fromYaml(readFileSync(flags.file ?? '', 'utf8')));
      const expanded = await client
        .request({
          method: 'PUT',
          path: `/apis/subresources.kubevirt.io/v1/namespaces/${encodeURIComponent(namespace)}/expand-vm-spec`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(manifest),
        })
        .catch((error: unknown) => {
          throw failure('error expanding VirtualMachine from file:', error);
        });
      return printed(shell, expanded, flags.output);
    });
}

/** The parts that KubeVirt's types always have, also when a manifest leaves them out. */
function withEmptyParts(manifest: unknown): unknown {
  const vm = plainOf(manifest);
  const spec = plainOf(vm['spec']);
  const template = plainOf(spec['template']);
  const inner = plainOf(template['spec']);
  const domain = { resources: {}, devices: {}, ...plainOf(inner['domain']) };
  return {
    ...vm,
    metadata: plainOf(vm['metadata']),
    spec: {
      ...spec,
      template: { ...template, metadata: plainOf(template['metadata']), spec: { ...inner, domain } },
    },
    status: plainOf(vm['status']),
  };
}

function addObjectGraph(program: Command, shell: Shell): void {
  program
    .command('objectgraph <name>')
    .description('Show what a VM depends on and what depends on it.')
    .option('--vmi', 'NAME is a VMI', false)
    .option('--exclude-optional', 'leave out what a VM can do without', false)
    .option('-l, --selector <selector>', 'only objects with these labels')
    .option('-o, --output <format>', 'yaml or json', 'json')
    .action(
      async (
        name: string,
        flags: { vmi: boolean; excludeOptional: boolean; selector?: string; output: string },
        self: Command,
      ) => {
        const { client, namespace } = openSession(self, shell);
        const kind = flags.vmi ? 'virtualmachineinstances' : 'virtualmachines';
        const body = {
          includeOptionalNodes: !flags.excludeOptional,
          ...(flags.selector === undefined
            ? {}
            : {
                labelSelector: {
                  matchLabels: Object.fromEntries(flags.selector.split(',').map((pair) => pair.split('='))),
                },
              }),
        };
        const graph = await client.request({
          method: 'GET',
          path: subresourcePath(kind, namespace, name, 'objectgraph'),
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        printed(shell, graph, flags.output);
      },
    );
}

function addPermittedDevices(program: Command, shell: Shell): void {
  program
    .command('permitted-devices')
    .description('List the host devices that VMs may use.')
    .action(async (_flags: unknown, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const list = await getJson(client, objectPath('kubevirt.io/v1', namespace, 'kubevirts'));
      const permitted = at(listOf(at(list, 'items'))[0], 'spec', 'configuration', 'permittedHostDevices');
      const names = (kinds: readonly string[]): string =>
        kinds
          .flatMap((kind) => listOf(at(permitted, kind)))
          .map((device) => textOf(at(device, 'resourceName')) ?? '')
          .join(',');
      say(shell, 'Permitted Devices: ');
      say(
        shell,
        `Host Devices: \n${names(['pciHostDevices', 'usb'])} \nGPU Devices: \n${names(['mediatedDevices'])}`,
      );
    });
}

function addConfig(program: Command, shell: Shell): void {
  program
    .command('config')
    .description('Show which cluster, user and namespace commands use.')
    .action((_flags: unknown, self: Command) => {
      const flags = accessFlags(self);
      const access = clusterAccess(flags, shell.env);
      const who =
        access.certificate !== undefined
          ? 'client certificate'
          : access.username !== undefined
            ? `password of ${access.username}`
            : 'token';
      say(shell, `kubeconfig: ${kubeconfigPaths(flags, shell.env).join(', ') || 'none'}`);
      say(shell, `server:     ${access.server}`);
      say(shell, `namespace:  ${access.namespace ?? 'default'}`);
      say(shell, `signs in by ${who}${flags.as === undefined ? '' : `, acts as ${flags.as}`}`);
    });
}
