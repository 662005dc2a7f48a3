/** top: the VMs of a namespace, what they have and what they use. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { type Command, Option } from 'commander';
import { openSession } from '../../kube-access.ts';
import { table } from '../../output/table.ts';
import { toYaml } from '../../output/yaml.ts';
import { at, listOf } from '../../plain.ts';
import { getJson } from '../../requests.ts';
import { say, sayJson, type Shell, tell } from '../../shell.ts';
import { subresourcePath } from '../../subresource-path.ts';
import { TOP_HEADER, topCells, topRows, WIDE_HEADER } from '../../top/rows.ts';

const ASKED_AT_ONCE = 8;

interface TopFlags {
  readonly allNamespaces: boolean;
  readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'name';
  readonly selector?: string;
}

export function addTopCommand(program: Command, shell: Shell): void {
  program
    .command('top')
    .description('VMs with their CPUs and memory, and what they use of it.')
    .option('-A, --all-namespaces', 'of all namespaces', false)
    .option('-l, --selector <selector>', 'only those with these labels')
    .addOption(
      new Option('-o, --output <format>', 'table, wide, json, yaml or name')
        .choices(['table', 'wide', 'json', 'yaml', 'name'])
        .default('table'),
    )
    .action(async (flags: TopFlags, self: Command) => {
      const session = openSession(self, shell);
      const where = {
        ...(flags.allNamespaces ? {} : { namespace: session.namespace }),
        ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
      };
      const [vms, vmis, metrics] = await Promise.all([
        session.client.list(resources.virtualMachines, where),
        session.client.list(resources.virtualMachineInstances, where),
        launcherMetrics(session.client, where.namespace),
      ]);
      const rows = topRows({
        vms: vms.items,
        vmis: vmis.items,
        metrics: metrics instanceof StatusError ? [] : metrics,
        stats: await guestStats(session.client, vmis.items),
        nowMs: shell.now(),
      });
      if (flags.output === 'json') return sayJson(shell, rows);
      if (flags.output === 'yaml') return void shell.stdout.write(toYaml(rows));
      if (flags.output === 'name')
        return rows.forEach(({ name }) => say(shell, `virtualmachine.kubevirt.io/${name}`));
      if (rows.length === 0)
        return tell(
          shell,
          flags.allNamespaces ? 'No VMs found.' : `No VMs found in ${session.namespace} namespace.`,
        );
      const wide = flags.output === 'wide';
      const header = wide ? WIDE_HEADER : TOP_HEADER;
      const named = (cells: readonly string[], first: string): readonly string[] =>
        flags.allNamespaces ? [first, ...cells] : cells;
      say(
        shell,
        table(
          named(header, 'namespace'),
          rows.map((row) => named(topCells(row, wide), row.namespace)),
        ),
      );
      if (metrics instanceof StatusError) tell(shell, whyUnknown(metrics));
    });
}

/** Why nobody knows what is used. Pure. */
export function whyUnknown({ reason, message }: StatusError): string {
  const why =
    reason === 'Forbidden'
      ? `you may not read metrics (${message})`
      : reason === 'NotFound'
        ? 'this cluster serves no metrics (metrics.k8s.io). A metrics-server brings it'
        : `metrics cannot be read now (${message})`;
  return `What they use is not known: ${why}.`;
}

/** What libvirt counts, of the guests that run; those that cannot be asked are left out. A few at a time. */
async function guestStats(
  client: KubeClient,
  vmis: readonly VirtualMachineInstance[],
): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  const running = vmis.filter(({ status }) => status?.phase === 'Running').values();
  const ask = async (): Promise<void> => {
    for (const { metadata } of running) {
      const { namespace = '', name = '', uid = '' } = metadata ?? {};
      const path = subresourcePath('virtualmachineinstances', namespace, name, 'domainstats');
      await getJson(client, path).then(
        (stats) => found.set(uid, stats),
        () => undefined,
      );
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
  return found;
}

/** PodMetrics of the launchers, or why there are none. */
async function launcherMetrics(
  client: KubeClient,
  namespace: string | undefined,
): Promise<readonly unknown[] | StatusError> {
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  try {
    const list = await client.request({
      method: 'GET',
      path: `/apis/metrics.k8s.io/v1beta1${place}/pods`,
      query: { labelSelector: 'kubevirt.io=virt-launcher' },
    });
    return listOf(at(list, 'items'));
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}
