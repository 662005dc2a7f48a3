/** How long a migration may take to get its target ready. Pure. */
import { annotations, type Pod, type VirtualMachineInstanceMigration } from '@podvisor/api';
import { podCondition } from '../vmi/pod-state.ts';

type Migration = VirtualMachineInstanceMigration;

const UNSCHEDULABLE_SECONDS = 5 * 60;
const PENDING_SECONDS = 15 * 60;
/** From the hand-off until the source begins. Two virt-handlers act in it; one that is away is back long before. */
const PREPARE_MS = 2 * 60_000;

/** A wait that has ended, with its reason; or one that goes on. */
export type Wait =
  | { readonly kind: 'over'; readonly why: string }
  | { readonly kind: 'open'; readonly leftMs: number };

/** The wait for a target Pod to run. */
export function podWait(migration: Migration, pod: Pod, nowMs: number): Wait {
  const age = nowMs - (Date.parse(pod.metadata.creationTimestamp ?? '') || nowMs);
  const cause = unschedulable(pod);
  const limits: readonly (readonly [seconds: number, why: string])[] = [
    ...(cause === undefined
      ? []
      : [
          [
            seconds(migration, annotations.migrationUnschedulablePodTimeoutSeconds, UNSCHEDULABLE_SECONDS),
            `the target pod could not be scheduled: ${cause}`,
          ] as const,
        ]),
    [
      seconds(migration, annotations.migrationPendingPodTimeoutSeconds, PENDING_SECONDS),
      'the target pod did not start in time',
    ],
  ];
  const over = limits.find(([limit]) => age >= limit * 1000);
  if (over !== undefined) return { kind: 'over', why: `${over[1]} (waited ${over[0]} s)` };
  return { kind: 'open', leftMs: Math.min(...limits.map(([limit]) => limit * 1000)) - age };
}

/** The wait for both nodes to get ready. */
export function prepareWait({ status }: Migration, nowMs: number): Wait {
  const stamp = status?.phaseTransitionTimestamps?.find(({ phase }) => phase === 'PreparingTarget');
  const since = Date.parse(stamp?.phaseTransitionTimestamp ?? '') || nowMs;
  const leftMs = since + PREPARE_MS - nowMs;
  if (leftMs > 0) return { kind: 'open', leftMs };
  const who = status?.phase === 'TargetReady' ? 'virt-handler of the source node' : 'the target node';
  return { kind: 'over', why: `${who} did not get ready within ${PREPARE_MS / 1000} s` };
}

/** Why the scheduler finds no node; undefined when it has not said so. */
export function unschedulable(pod: Pod): string | undefined {
  const scheduled = podCondition(pod, 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable') return undefined;
  return scheduled.message ?? 'no node fits';
}

function seconds({ metadata }: Migration, key: string, otherwise: number): number {
  const value = Number(metadata?.annotations?.[key] ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : otherwise;
}
