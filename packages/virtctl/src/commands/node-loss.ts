/** `get-ha`: which VMs survive the loss of their node. `fence`: somebody's word that a node's machine is off. */
import { annotations, type FenceRequest, type Node } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { type Command, Option } from 'commander';
import { openSession } from '../kube-access.ts';
import { survivalRows, survivalSummary } from '../node-loss/survival.ts';
import { table } from '../output/table.ts';
import { say, sayJson, type Shell, tell } from '../shell.ts';

interface HaFlags {
  readonly allNamespaces: boolean;
  readonly output: 'table' | 'json';
}

interface FenceFlags {
  readonly confirmedOff: boolean;
  readonly force: boolean;
  readonly undo: boolean;
}

export function addNodeLossCommands(program: Command, shell: Shell): void {
  program
    .command('get-ha')
    .description('Which VMs would start elsewhere when their node is lost, and why the others would not.')
    .option('-A, --all-namespaces', 'of all namespaces', false)
    .addOption(
      new Option('-o, --output <format>', 'table or json').choices(['table', 'json']).default('table'),
    )
    .action(async (flags: HaFlags, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const where = flags.allNamespaces ? {} : { namespace };
      const [vms, vmis, nodes] = await Promise.all([
        client.list(resources.virtualMachines, where),
        client.list(resources.virtualMachineInstances, where),
        client.list(resources.nodes, {}),
      ]);
      const rows = survivalRows({ vms: vms.items, vmis: vmis.items, nodes: nodes.items });
      if (flags.output === 'json') return sayJson(shell, rows);
      if (rows.length === 0) return tell(shell, 'No VMs run.');
      const cells = rows.map((row) => [row.namespace, row.name, row.node, row.survives, row.why]);
      say(shell, table(['namespace', 'name', 'node', 'survives', 'why'], cells));
      survivalSummary(rows).forEach((line) => say(shell, line));
    });

  program
    .command('fence <node>')
    .description('Say that the machine of a lost node is off, so that its VMs may start elsewhere.')
    .option('--confirmed-off', 'its power is off: you have looked, or turned it off yourself', false)
    .option('--force', 'also while the node is heard of; two runners of a VM destroy its disks', false)
    .option('--undo', 'take it back, as far as nothing has followed yet', false)
    .action(async (name: string, flags: FenceFlags, self: Command) => {
      const { client } = openSession(self, shell);
      const { items: nodes } = await client.list(resources.nodes, {});
      const node = nodes.find(({ metadata }) => metadata.name === name);
      const refusal = fenceRefusal(name, node, nodes, flags);
      if (refusal !== undefined) throw new Error(refusal);
      const request: FenceRequest = {
        at: new Date(shell.now()).toISOString(),
        ...(flags.force ? { forced: true } : {}),
      };
      const value = flags.undo ? null : JSON.stringify(request);
      const body = { metadata: { annotations: { [annotations.fence]: value } } };
      await client.patch(resources.nodes, { name }, { type: 'merge', body });
      say(
        shell,
        flags.undo
          ? `Node ${name} is not said to be off any more.`
          : `Node ${name} is said to be off: its VMs start elsewhere as soon as it has not been heard of for a while. Watch with: virtctl get-ha -A`,
      );
    });
}

/** Why the word is not taken; undefined: it is. Pure. */
export function fenceRefusal(
  name: string,
  node: Node | undefined,
  nodes: readonly Node[],
  { confirmedOff, force, undo }: FenceFlags,
): string | undefined {
  if (node === undefined)
    return `there is no node "${name}"; there are ${nodes.map(({ metadata }) => metadata.name).join(', ')}. VMs of a node that was deleted start elsewhere by themselves`;
  if (undo) {
    if (confirmedOff || force) return '--undo goes with neither --confirmed-off nor --force';
    return node.metadata.annotations?.[annotations.fence] === undefined
      ? `nobody has said that node ${name} is off`
      : undefined;
  }
  if (!confirmedOff)
    return `make sure that the machine of node ${name} is off, and then say so: virtctl fence ${name} --confirmed-off. A VM that still runs there would be started twice, which destroys its disks`;
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True' && !force)
    return `node ${name} is Ready: it is heard of, so its machine is not off. If it was turned off just now, wait until it is not Ready any more; --force starts its VMs elsewhere although they may run`;
  return undefined;
}
