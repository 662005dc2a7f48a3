/** What can be done to a VM from the page: the request, the right it needs, and the command that does the same. Pure. */
import type { Question } from '../live/access.ts';
import type { ApiRequest } from '../live/requests.ts';
import type { VmRow } from './rows.ts';

export interface Action {
  readonly id: 'start' | 'stop' | 'restart' | 'pause' | 'unpause' | 'migrate' | 'delete';
  readonly label: string;
  /** Asks before it is done. */
  readonly isGrave: boolean;
  readonly fits: (row: VmRow) => boolean;
  readonly request: (row: VmRow) => ApiRequest;
  readonly right: (namespace: string) => Question;
  readonly command: (row: VmRow) => string;
}

const SUBRESOURCES = 'subresources.kubevirt.io';

const isRunning = ({ status }: VmRow): boolean => status === 'Running';
const isStopped = ({ status, isAlone }: VmRow): boolean => !isAlone && ['Stopped', 'Halted'].includes(status);

function subresource(
  id: Action['id'],
  label: string,
  kind: 'virtualmachines' | 'virtualmachineinstances',
  isGrave: boolean,
  fits: Action['fits'],
): Action {
  return {
    id,
    label,
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

export const actions: readonly Action[] = [
  subresource('start', 'Start', 'virtualmachines', false, isStopped),
  subresource('stop', 'Stop', 'virtualmachines', true, (row) => !row.isAlone && !isStopped(row)),
  subresource('restart', 'Restart', 'virtualmachines', true, (row) => !row.isAlone && isRunning(row)),
  subresource('pause', 'Pause', 'virtualmachineinstances', false, isRunning),
  subresource('unpause', 'Unpause', 'virtualmachineinstances', false, ({ status }) => status === 'Paused'),
  subresource('migrate', 'Migrate', 'virtualmachines', false, (row) => !row.isAlone && isRunning(row)),
  {
    id: 'delete',
    label: 'Delete',
    isGrave: true,
    fits: () => true,
    request: ({ namespace, name, isAlone }) => ({
      method: 'DELETE',
      path: `/apis/kubevirt.io/v1/namespaces/${namespace}/${isAlone ? 'virtualmachineinstances' : 'virtualmachines'}/${name}`,
    }),
    right: (namespace) => ({ verb: 'delete', group: 'kubevirt.io', resource: 'virtualmachines', namespace }),
    command: ({ namespace, name, isAlone }) =>
      `kubectl delete ${isAlone ? 'vmi' : 'vm'} ${name} -n ${namespace}`,
  },
];
