/** What can be done to a VM from the page. Pure. */
import { type Action, creationCommand, type Target } from './action.ts';
import type { VmRow } from './rows.ts';
import { commonText } from '../texts/common.ts';
import { vmActionLabels } from '../texts/vms.ts';

export const SUBRESOURCES = 'subresources.kubevirt.io';

const isRunning = ({ status }: VmRow): boolean => status === 'Running';
const isStopped = ({ status, isAlone }: VmRow): boolean => !isAlone && ['Stopped', 'Halted'].includes(status);

/** A row is a VM, or a VMI that no VM owns. */
const resourceOf = ({ isAlone }: VmRow): string => (isAlone ? 'virtualmachineinstances' : 'virtualmachines');

function subresource(
  id: keyof typeof vmActionLabels,
  kind: 'virtualmachines' | 'virtualmachineinstances',
  isGrave: boolean,
  fits: Action<VmRow>['fits'],
): Action<VmRow> {
  return {
    id,
    label: vmActionLabels[id],
    isGrave,
    fits,
    request: ({ namespace, name }) => ({
      method: 'PUT',
      path: `/apis/${SUBRESOURCES}/v1/namespaces/${namespace}/${kind}/${name}/${id}`,
      body: '{}',
    }),
    right: (namespace) => ({
      verb: 'update',
      group: SUBRESOURCES,
      resource: kind,
      subresource: id,
      namespace,
    }),
    command: ({ namespace, name }) =>
      `virtctl ${id} ${id === 'pause' || id === 'unpause' ? 'vmi ' : ''}${name} -n ${namespace}`,
  };
}

export const vmActions: readonly Action<VmRow>[] = [
  subresource('start', 'virtualmachines', false, isStopped),
  subresource('stop', 'virtualmachines', true, (row) => !row.isAlone && !isStopped(row)),
  subresource('restart', 'virtualmachines', true, (row) => !row.isAlone && isRunning(row)),
  subresource('pause', 'virtualmachineinstances', false, isRunning),
  subresource('unpause', 'virtualmachineinstances', false, ({ status }) => status === 'Paused'),
  {
    ...subresource('migrate', 'virtualmachines', false, (row) => !row.isAlone && isRunning(row)),
    hindrance: ({ cannotMove }) => cannotMove,
  },
  {
    id: 'delete',
    label: commonText.delete,
    isGrave: true,
    fits: () => true,
    request: (row) => ({
      method: 'DELETE',
      path: `/apis/kubevirt.io/v1/namespaces/${row.namespace}/${resourceOf(row)}/${row.name}`,
    }),
    right: (namespace, row) => ({
      verb: 'delete',
      group: 'kubevirt.io',
      resource: resourceOf(row),
      namespace,
    }),
    command: ({ namespace, name, isAlone }) =>
      `kubectl delete ${isAlone ? 'vmi' : 'vm'} ${name} -n ${namespace}`,
  },
];

const CLONE_GROUP = 'clone.kubevirt.io';

interface CloneSource extends Target {
  readonly namespace: string;
}

/** Another VM like a VM or as a snapshot has it, with disks of its own, called `NAME-clone` after its source. */
export function cloneAction<T extends CloneSource>(
  kind: 'VirtualMachine' | 'VirtualMachineSnapshot',
  fits: (target: T) => boolean,
): Action<T> {
  const apiGroup = kind === 'VirtualMachine' ? 'kubevirt.io' : 'snapshot.kubevirt.io';
  const cloneOf = ({ namespace, name }: T): object => ({
    apiVersion: `${CLONE_GROUP}/v1beta1`,
    kind: 'VirtualMachineClone',
    metadata: { generateName: `${name}-`, namespace },
    spec: {
      source: { apiGroup, kind, name },
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: `${name}-clone` },
    },
  });
  return {
    id: 'clone',
    label: vmActionLabels.clone,
    isGrave: false,
    fits,
    request: (row) => ({
      method: 'POST',
      path: `/apis/${CLONE_GROUP}/v1beta1/namespaces/${row.namespace}/virtualmachineclones`,
      body: JSON.stringify(cloneOf(row)),
    }),
    right: (namespace) => ({
      verb: 'create',
      group: CLONE_GROUP,
      resource: 'virtualmachineclones',
      namespace,
    }),
    command: (row) => creationCommand(cloneOf(row)),
  };
}

export const cloneVm = cloneAction<VmRow>('VirtualMachine', ({ isAlone }) => !isAlone);

/** The actions whose command a fix of `virtctl why` names for this VM. */
export function fixActions(fix: string, row: VmRow): readonly Action<VmRow>[] {
  const commands = [...fix.matchAll(/`virtctl ([a-z]+)(?: vmi)? ([^\s`]+)`/g)];
  return vmActions.filter(
    ({ id, fits }) => fits(row) && commands.some(([, verb, name]) => verb === id && name === row.name),
  );
}
