/** The nodes as the page shows them, and keeping new guests away from one. Pure. */
import type { VirtualMachineInstance } from '@podvisor/api';
import type { NodeObject } from '../live/use-collection.ts';
import type { Action } from './action.ts';
import type { Tone } from './rows.ts';

export interface NodeRow {
  readonly name: string;
  readonly status: string;
  readonly tone: Tone;
  readonly isCordoned: boolean;
  readonly cpus: string;
  readonly memory: string;
  readonly guests: readonly { readonly namespace: string; readonly name: string }[];
}

export function nodeRows(
  nodes: ReadonlyMap<string, NodeObject>,
  vmis: ReadonlyMap<string, VirtualMachineInstance>,
): readonly NodeRow[] {
  const guestsOf = Map.groupBy(vmis.values(), ({ status }) => status?.nodeName ?? '');
  return [...nodes.values()].map(({ metadata, spec, status }) => {
    const name = metadata?.name ?? '';
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    return {
      name,
      status: ready === 'True' ? 'Ready' : ready === 'Unknown' ? 'Unknown' : 'NotReady',
      tone: ready === 'True' ? 'good' : 'bad',
      isCordoned: spec?.unschedulable === true,
      cpus: status?.allocatable?.['cpu'] ?? '',
      memory: status?.allocatable?.['memory'] ?? '',
      guests: (guestsOf.get(name) ?? []).map((vmi) => ({
        namespace: vmi.metadata?.namespace ?? '',
        name: vmi.metadata?.name ?? '',
      })),
    };
  });
}

function cordon(id: 'cordon' | 'uncordon', label: string): Action<NodeRow> {
  const unschedulable = id === 'cordon';
  return {
    id,
    label,
    isGrave: false,
    fits: ({ isCordoned }) => isCordoned !== unschedulable,
    request: ({ name }) => ({
      method: 'PATCH',
      path: `/api/v1/nodes/${name}`,
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ spec: { unschedulable } }),
    }),
    right: () => ({ verb: 'patch', group: '', resource: 'nodes', namespace: '' }),
    command: ({ name }) => `kubectl ${id} ${name}`,
  };
}

export const nodeActions: readonly Action<NodeRow>[] = [
  cordon('cordon', 'Cordon'),
  cordon('uncordon', 'Uncordon'),
];
