/**
 * The pipeline's handoffs (ARCHITECTURE.md), read back from the objects: which happened, when, and which is
 * the first that did not. Pure: the same objects give the same story, live or after the fact.
 */
import {
  HANDOFFS_ANNOTATION,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';

export interface Handoff {
  /** 1 … 11. */
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly done: boolean;
  /** Milliseconds since the epoch; absent when it is known to have happened but not when. */
  readonly atMs?: number;
  /** What an operator sees when it is done. */
  readonly sight: string;
}

export interface PipelineObjects {
  readonly vm?: VirtualMachine;
  readonly vmi?: VirtualMachineInstance;
  readonly pod?: Pod;
}

const NODE_PHASES = ['Scheduled', 'Running', 'Succeeded', 'Failed'];

/** All handoffs in order. */
export function handoffsOf({ vm, vmi, pod }: PipelineObjects): readonly Handoff[] {
  const declared = vm ?? vmi;
  const phase = vmi?.status?.phase ?? '';
  const node = nodeTimes(vmi);
  const computing = pod?.status?.containerStatuses?.find((c) => c.name === 'compute')?.state;
  const podStarted = timeOf(computing?.running?.startedAt ?? computing?.terminated?.startedAt);
  const podRuns = computing?.running !== undefined || computing?.terminated !== undefined;
  const running = phase === 'Running' || phase === 'Succeeded';
  const handedOver = NODE_PHASES.includes(phase) && vmi?.status?.nodeName !== undefined;
  const nodeName = vmi?.status?.nodeName ?? pod?.spec.nodeName ?? 'its node';
  const step = (
    number: number,
    from: string,
    to: string,
    done: boolean,
    sight: string,
    atMs: number | undefined,
  ): Handoff => ({ number, from, to, done, sight, ...(done && atMs !== undefined ? { atMs } : {}) });
  return [
    step(
      1,
      'user',
      'API server',
      declared !== undefined,
      'the object exists',
      timeOf(declared?.metadata?.creationTimestamp),
    ),
    step(
      2,
      'API server',
      'virt-api',
      declared !== undefined,
      'defaults filled in',
      timeOf(declared?.metadata?.creationTimestamp),
    ),
    step(
      3,
      'virt-controller',
      'VMI',
      vmi !== undefined,
      'VMI Pending',
      timeOf(vmi?.metadata?.creationTimestamp),
    ),
    step(
      4,
      'virt-controller',
      'launcher Pod',
      pod !== undefined,
      'VMI Scheduling',
      timeOf(pod?.metadata.creationTimestamp),
    ),
    step(5, 'scheduler and kubelet', 'Pod', podRuns, `Pod Running on ${nodeName}`, podStarted),
    step(6, 'virt-launcher', 'node', node.has(6) || running, 'the launcher takes commands', node.get(6)),
    step(
      7,
      'virt-controller',
      'virt-handler',
      handedOver,
      `VMI Scheduled on ${nodeName}`,
      phaseTime(vmi, 'Scheduled'),
    ),
    step(8, 'virt-handler', 'Pod network', node.has(8) || running, 'guest NIC can be plugged', node.get(8)),
    step(
      9,
      'virt-handler',
      'virt-launcher',
      node.has(9) || running,
      'disks, DHCP and domain XML built',
      node.get(9),
    ),
    step(10, 'virt-launcher', 'libvirt and QEMU', node.has(10) || running, 'domain running', node.get(10)),
    step(
      11,
      'virt-launcher',
      'virt-handler',
      running,
      'VMI Running',
      node.get(11) ?? phaseTime(vmi, 'Running'),
    ),
  ];
}

function nodeTimes(vmi: VirtualMachineInstance | undefined): ReadonlyMap<number, number> {
  const text = vmi?.metadata?.annotations?.[HANDOFFS_ANNOTATION];
  if (text === undefined) return new Map();
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return new Map();
    return new Map(
      Object.entries(parsed)
        .map(([number, at]) => [Number(number), Number(at)] as const)
        .filter(([, at]) => Number.isFinite(at)),
    );
  } catch {
    return new Map(); // somebody else's annotation: the times are a help, not a need
  }
}

function phaseTime(vmi: VirtualMachineInstance | undefined, phase: string): number | undefined {
  return timeOf(
    vmi?.status?.phaseTransitionTimestamps?.find((t) => t.phase === phase)?.phaseTransitionTimestamp,
  );
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
