/** Everything a decision about one VMI rests on, read once and then only looked at. */
import { isFinalVmiPhase, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import type { DomainView } from '../launcher-client/domain-view.ts';

/** What is known about the VMI object. */
export type VmiKnowledge =
  /** It is ours: the object says that it runs on this node. */
  | { readonly kind: 'ours'; readonly vmi: VirtualMachineInstance }
  /** The API server said that there is no object with this UID any more. */
  | { readonly kind: 'gone' }
  /** It exists and runs elsewhere now. */
  | { readonly kind: 'elsewhere' }
  /** It is not in our cache, and the API server could not tell why. */
  | { readonly kind: 'unknown' };

/** When the guest was asked to shut down, as far as this process remembers. */
export interface ShutdownMemory {
  readonly firstAskedMs?: number;
  readonly lastAskedMs?: number;
}

export interface Situation {
  readonly vmi: VmiKnowledge;
  readonly view: DomainView;
  /** A launcher answers on the checked socket. */
  readonly connected: boolean;
  /** Since when we have been trying to reach the launcher. */
  readonly linkSinceMs: number;
  readonly pod: Pod | undefined;
  /** A migration is under way whose target may run the guest. */
  readonly mayRunOnTarget: boolean;
  readonly shutdown: ShutdownMemory;
  /** The launcher was given the spec as it is now. */
  readonly isSpecSynced: boolean;
  /** Why the guest did not get the CPUs or the memory that its last move was for. */
  readonly changeFailure?: string;
  /** The Pod's NIC of each interface, as network phase 1 used it. */
  readonly podInterfaces?: ReadonlyMap<string, string>;
  /** Claims that were plugged into the launcher Pod, by volume. */
  readonly plugged: ReadonlySet<string>;
  /** libvirt knows no model for this node's CPU: a guest that has the host's cannot leave it. */
  readonly lacksHostModel?: boolean;
  /** What the installation says about addresses of its Pod network (`AddressFacts.promise`). */
  readonly addressPromise?: string;
  /** SELinux context of the launcher's process, `none` without SELinux; undefined: it cannot be told now. */
  readonly seLinuxContext?: string;
  /** A sync failed; it is not tried again before this time, whatever wakes us. 0: none failed. */
  readonly syncNotBeforeMs: number;
  readonly nowMs: number;
}

/** Grace period of a VMI without one. */
const DEFAULT_GRACE_SECONDS = 30;

export function gracePeriodMs(vmi: VirtualMachineInstance): number {
  return (vmi.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000;
}

export function isFinal(vmi: VirtualMachineInstance): boolean {
  return isFinalVmiPhase(vmi.status?.phase);
}

/** How the launcher's container ended, or undefined while it may still run. */
export function podEnd(pod: Pod | undefined): { readonly exitCode: number } | undefined {
  const ended = pod?.status?.containerStatuses?.find((c) => c.name === 'compute')?.state?.terminated;
  if (ended !== undefined) return { exitCode: ended.exitCode };
  if (pod?.status?.phase === 'Succeeded') return { exitCode: 0 };
  if (pod?.status?.phase === 'Failed') return { exitCode: 1 };
  return undefined;
}
