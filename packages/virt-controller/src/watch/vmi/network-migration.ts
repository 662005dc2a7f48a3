/**
 * Whether a change of a running VMI's networks needs a migration: condition `MigrationRequired`. False while the Pod
 * may still be plugged in by whoever does that on this cluster, True when it takes a new Pod; the workload updater
 * then migrates the VMI. Pure.
 */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { type Condition, findCondition, removeCondition, setCondition } from '../conditions.ts';
import { canBeReplaced, otherDefinition } from './replaced-networks.ts';

const TYPE = 'MigrationRequired';
const REQUIRED = 'AutoMigrationDueToLiveUpdate';
const PENDING = 'AutoMigrationPending';
/** How long a Pod may take to be plugged into a network, where somebody plugs running Pods. */
const PLUG_MS = 15_000;

export interface NetworkMigration {
  readonly conditions: readonly Condition[];
  /** Look again then: time alone turns False into True. */
  readonly requeueAfterMs?: number;
}

/** The VMI's conditions with the verdict about its networks in `pod`, which runs the guest. */
export function withNetworkMigration(
  vmi: VirtualMachineInstance,
  pod: Pod,
  conditions: readonly Condition[],
  nowMs: number,
): NetworkMigration {
  const changes = networkChanges(vmi, pod);
  if (vmi.status?.phase !== 'Running' || changes.length === 0)
    return { conditions: removeCondition(conditions, TYPE) };
  const old = findCondition(conditions, TYPE);
  const sinceMs = old?.status === 'False' ? Date.parse(String(old.lastTransitionTime)) : nowMs;
  const leftMs = sinceMs + PLUG_MS - nowMs;
  const isRequired = old?.status === 'True' || changes.some(({ isLive }) => !isLive) || !(leftMs > 0);
  const what = changes.map(({ text }) => text).join('; ');
  const next = isRequired
    ? { status: 'True', reason: REQUIRED, message: `${what}; ${wayOut(vmi)}` }
    : { status: 'False', reason: PENDING, message: `${what}; waits for the Pod to be plugged in` };
  return {
    conditions: setCondition(conditions, { type: TYPE, ...next }, nowMs),
    ...(isRequired ? {} : { requeueAfterMs: leftMs }),
  };
}

interface NetworkChange {
  readonly text: string;
  /** A running Pod can follow, if somebody plugs it. */
  readonly isLive: boolean;
}

function networkChanges(vmi: VirtualMachineInstance, pod: Pod): readonly NetworkChange[] {
  const reported = new Set((vmi.status?.interfaces ?? []).map(({ name }) => name));
  return (vmi.spec.networks ?? []).flatMap((network): readonly NetworkChange[] => {
    const { multus, name } = network;
    const nic = vmi.spec.domain.devices.interfaces?.find((candidate) => candidate.name === name);
    if (multus === undefined || multus.default === true || nic === undefined || nic.state === 'absent')
      return [];
    if (!reported.has(name)) {
      // Others are there from the start, under whatever name their plugin gives them.
      if (nic.bridge === undefined && nic.sriov === undefined) return [];
      return [{ text: `interface ${name} is to be plugged in`, isLive: nic.sriov === undefined }];
    }
    const before = otherDefinition(vmi, pod, network);
    if (before === undefined) return [];
    const text = `interface ${name} changes from network ${before} to ${multus.networkName}`;
    return [{ text, isLive: canBeReplaced(nic) }];
  });
}

/** What has to happen, in words for the one who waits. */
function wayOut({ status }: VirtualMachineInstance): string {
  const verdict = findCondition(status?.conditions, 'LiveMigratable');
  return verdict?.status === 'False'
    ? `that takes a migration, and the VM cannot migrate (${verdict.message}): restart it`
    : 'that takes a migration, which the workload updater makes (workloadUpdateMethods: LiveMigrate)';
}
