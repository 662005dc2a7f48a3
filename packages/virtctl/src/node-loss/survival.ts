/** Which VMs would run again when their node is lost, and why the others would not. Pure. */
import {
  labels,
  type Node,
  type VirtualMachine,
  type VirtualMachineInstance,
  vmiConditions,
} from '@podvisor/api';

export interface SurvivalRow {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly survives: 'yes' | 'no' | 'lost';
  readonly why: string;
}

export interface SurvivalInput {
  readonly vms: readonly VirtualMachine[];
  readonly vmis: readonly VirtualMachineInstance[];
  readonly nodes: readonly Node[];
}

const RESTARTS = new Set(['Always', 'RerunOnFailure']);

/** Guests that run, by node and name. */
export function survivalRows({ vms, vmis, nodes }: SurvivalInput): readonly SurvivalRow[] {
  const vmOf = (vmi: VirtualMachineInstance): VirtualMachine | undefined =>
    vms.find(
      ({ metadata }) =>
        metadata?.name === vmi.metadata?.name && metadata?.namespace === vmi.metadata?.namespace,
    );
  return vmis
    .filter(({ status }) => status?.phase === 'Running')
    .map((vmi) => {
      const { namespace = '', name = '' } = vmi.metadata ?? {};
      const node = vmi.status?.nodeName ?? '';
      return { namespace, name, node, ...survival(vmi, vmOf(vmi), nodes) };
    })
    .toSorted((a, b) =>
      `${a.node}/${a.namespace}/${a.name}`.localeCompare(`${b.node}/${b.namespace}/${b.name}`),
    );
}

function survival(
  vmi: VirtualMachineInstance,
  vm: VirtualMachine | undefined,
  nodes: readonly Node[],
): Pick<SurvivalRow, 'survives' | 'why'> {
  const condition = (wanted: string) => vmi.status?.conditions?.find(({ type }) => type === wanted);
  const lost = condition(vmiConditions.nodeLost);
  if (lost?.status === 'True') return { survives: 'lost', why: lost.message ?? '' };
  const no = (why: string): Pick<SurvivalRow, 'survives' | 'why'> => ({ survives: 'no', why });
  if (vm === undefined) return no('it has no VirtualMachine that would start it again');
  const strategy = vm.spec.runStrategy ?? (vm.spec.running === true ? 'Always' : 'Halted');
  if (!RESTARTS.has(strategy)) return no(`its run strategy is ${strategy}: nobody starts it again`);
  const fenced = condition(vmiConditions.fencedByLease);
  if (fenced === undefined) return no('its node has not said yet whether it keeps a lease');
  if (fenced.status !== 'True') return no(`${fenced.reason}: ${fenced.message}`);
  const others = nodes.filter(
    ({ metadata, spec }) =>
      metadata.name !== vmi.status?.nodeName &&
      metadata.labels?.[labels.schedulable] === 'true' &&
      spec?.unschedulable !== true,
  );
  if (others.length === 0) return no('no other node takes VMs');
  return { survives: 'yes', why: fenced.message ?? '' };
}

/** One line for each node that has guests. */
export function survivalSummary(rows: readonly SurvivalRow[]): readonly string[] {
  return [...new Set(rows.map(({ node }) => node))].map((node) => {
    const here = rows.filter((row) => row.node === node);
    const many = here.filter(({ survives }) => survives === 'yes').length;
    return `If node ${node} is lost, ${many} of ${here.length} ${here.length === 1 ? 'VM' : 'VMs'} start elsewhere by themselves.`;
  });
}
