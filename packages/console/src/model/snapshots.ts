/** Snapshots of a VM: what is shown of them, taking, restoring and deleting them. Pure. */
import type { VirtualMachineSnapshot } from '@podvisor/api';
import { type Action, creationCommand } from './action.ts';
import type { Tone } from './rows.ts';
import { commonText } from '../texts/common.ts';
import { snapshotActionLabels } from '../texts/snapshots.ts';

const GROUP = 'snapshot.kubevirt.io';
const VERSION = 'v1beta1';
const machine = (name: string) => ({ apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name });

export interface SnapshotRow {
  readonly namespace: string;
  readonly name: string;
  readonly vm: string;
  readonly takenAt: string;
  readonly state: string;
  readonly tone: Tone;
  readonly isReady: boolean;
  /** What was special about it: Online, GuestAgent, … */
  readonly notes: string;
}

/** Those of one VM, newest first. */
export function snapshotsOf(
  snapshots: ReadonlyMap<string, VirtualMachineSnapshot>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): readonly SnapshotRow[] {
  return [...snapshots.values()]
    .filter(({ metadata, spec }) => metadata?.namespace === namespace && spec.source.name === name)
    .map((snapshot) => rowOf(namespace, name, snapshot))
    .toSorted((a, b) => (a.takenAt < b.takenAt ? 1 : -1));
}

function rowOf(namespace: string, vm: string, { metadata, status }: VirtualMachineSnapshot): SnapshotRow {
  const isReady = status?.readyToUse === true;
  const isFailed = status?.phase === 'Failed' || status?.error !== undefined;
  return {
    namespace,
    name: metadata?.name ?? '',
    vm,
    takenAt: status?.creationTime ?? metadata?.creationTimestamp ?? '',
    state: status?.error?.message ?? (isReady ? 'Ready' : (status?.phase ?? 'InProgress')),
    tone: isFailed ? 'bad' : isReady ? 'good' : 'busy',
    isReady,
    notes: (status?.indications ?? []).join(', '),
  };
}

function creation(resource: string, namespace: string, object: object) {
  return {
    method: 'POST' as const,
    path: `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/${resource}`,
    body: JSON.stringify(object),
  };
}

/** A new snapshot of the VM, with a name that the server makes. */
export const takeSnapshot: Action<{ readonly namespace: string; readonly name: string }> = {
  id: 'snapshot',
  label: snapshotActionLabels.take,
  isGrave: false,
  fits: () => true,
  request: ({ namespace, name }) =>
    creation('virtualmachinesnapshots', namespace, snapshotOf(namespace, name)),
  right: (namespace) => ({ verb: 'create', group: GROUP, resource: 'virtualmachinesnapshots', namespace }),
  command: ({ namespace, name }) => creationCommand(snapshotOf(namespace, name)),
};

const snapshotOf = (namespace: string, name: string): object => ({
  apiVersion: `${GROUP}/${VERSION}`,
  kind: 'VirtualMachineSnapshot',
  metadata: { generateName: `${name}-`, namespace },
  spec: { source: machine(name) },
});

const restoreOf = ({ namespace, name, vm }: SnapshotRow): object => ({
  apiVersion: `${GROUP}/${VERSION}`,
  kind: 'VirtualMachineRestore',
  metadata: { generateName: `${vm}-`, namespace },
  spec: { target: machine(vm), virtualMachineSnapshotName: name },
});

export const snapshotActions: readonly Action<SnapshotRow>[] = [
  {
    id: 'restore',
    label: snapshotActionLabels.restore,
    isGrave: true,
    fits: ({ isReady }) => isReady,
    request: (row) => creation('virtualmachinerestores', row.namespace, restoreOf(row)),
    right: (namespace) => ({ verb: 'create', group: GROUP, resource: 'virtualmachinerestores', namespace }),
    command: (row) => creationCommand(restoreOf(row)),
  },
  {
    id: 'delete',
    label: commonText.delete,
    isGrave: true,
    fits: () => true,
    request: ({ namespace, name }) => ({
      method: 'DELETE',
      path: `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/virtualmachinesnapshots/${name}`,
    }),
    right: (namespace) => ({ verb: 'delete', group: GROUP, resource: 'virtualmachinesnapshots', namespace }),
    command: ({ namespace, name }) => `kubectl delete vmsnapshot ${name} -n ${namespace}`,
  },
];
