/** The nodes as the page shows them, and keeping new guests away from one. Pure. */
import type { KubernetesObject, VirtualMachineInstance } from '@podvisor/api';
import type { NodeObject } from '../live/use-collection.ts';
import type { Action } from './action.ts';
import type { Tone } from './rows.ts';
import { amountOf, bytesText } from './units.ts';
import { nodesText } from '../texts/nodes.ts';

export interface NodeRow {
  readonly name: string;
  readonly status: string;
  readonly tone: Tone;
  readonly isCordoned: boolean;
  /** What is left for new Pods; without a look at Pods, what there is in all. */
  readonly room: string;
  readonly guests: readonly { readonly namespace: string; readonly name: string }[];
}

export function nodeRows(
  nodes: ReadonlyMap<string, NodeObject>,
  vmis: ReadonlyMap<string, VirtualMachineInstance>,
  pods?: ReadonlyMap<string, ScheduledPod>,
): readonly NodeRow[] {
  const podsOf =
    pods === undefined ? undefined : Map.groupBy(pods.values(), ({ spec }) => spec?.nodeName ?? '');
  const guestsOf = Map.groupBy(vmis.values(), ({ status }) => status?.nodeName ?? '');
  return [...nodes.values()].map(({ metadata, spec, status }) => {
    const name = metadata?.name ?? '';
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    return {
      name,
      status: ready === 'True' ? 'Ready' : ready === 'Unknown' ? 'Unknown' : 'NotReady',
      tone: ready === 'True' ? 'good' : 'bad',
      isCordoned: spec?.unschedulable === true,
      room: roomText(status?.allocatable ?? {}, podsOf && (podsOf.get(name) ?? [])),
      guests: (guestsOf.get(name) ?? []).map((vmi) => ({
        namespace: vmi.metadata?.namespace ?? '',
        name: vmi.metadata?.name ?? '',
      })),
    };
  });
}

/** The parts of a Pod that count for the room of its node. */
export interface ScheduledPod extends KubernetesObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly { readonly resources?: { readonly requests?: Requests } }[];
    readonly overhead?: Requests;
  };
  readonly status?: { readonly phase?: string };
}

type Requests = Readonly<Record<string, string>>;

/** As the scheduler counts: what Pods ask for, not what they use. */
function roomText(allocatable: Requests, pods: readonly ScheduledPod[] | undefined): string {
  const [cpus, memory] = (['cpu', 'memory'] as const).map((what) => amountOf(allocatable[what]));
  if (pods === undefined) return nodesText.room(cpus, bytesText(memory ?? 0));
  const left = (['cpu', 'memory'] as const).map(
    (what) => amountOf(allocatable[what]) - pods.reduce((sum, pod) => sum + asked(pod, what), 0),
  );
  const [cpusLeft = 0, memoryLeft = 0] = left.map((value) => Math.max(0, value));
  return nodesText.roomLeft(Number(cpusLeft.toFixed(1)), cpus, bytesText(memoryLeft), bytesText(memory ?? 0));
}

function asked({ spec, status }: ScheduledPod, what: 'cpu' | 'memory'): number {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  const all = [...(spec?.containers ?? []).map(({ resources }) => resources?.requests), spec?.overhead];
  return all.reduce((sum, requests) => sum + amountOf(requests?.[what]), 0);
}

/** Of a cordoned node: how far its guests have gone, from how many there were when somebody began to look. */
export function drainWords(guests: number, atFirst: number, moving: number): string {
  if (guests === 0) return nodesText.noGuestLeft;
  const gone = nodesText.haveGone(atFirst - guests, atFirst);
  return moving === 0 ? gone : `${gone}, ${nodesText.onTheWay(moving)}`;
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
  cordon('cordon', nodesText.cordon),
  cordon('uncordon', nodesText.uncordon),
];
