/** What a sync has to do, decided from what is observed. Pure. */
import type { DomainStateName, DomainStateReason } from '@podvisor/api';

export interface SyncObservation {
  /** Undefined: libvirt says that there is no such domain. */
  readonly domain?: { readonly state: DomainStateName; readonly reason: DomainStateReason };
  readonly started: boolean;
  readonly terminating: boolean;
  readonly userPaused: boolean;
  /** The guest comes from another node, or is on its way to one. */
  readonly isMigrating: boolean;
  /** The guest stands still while it is saved, or is saved. */
  readonly isHibernating?: boolean;
  /** The guest's memory is being written to a snapshot: it may stand still, and goes on by itself. */
  readonly isSnapshotting?: boolean;
}

export type SyncAction =
  | { readonly kind: 'start' }
  /** A start that was interrupted before it let the guest run. */
  | { readonly kind: 'resume' }
  /** What else is declared waits: the claim goes when the snapshot is over, and with that comes another sync. */
  | { readonly kind: 'follow-snapshot' }
  | { readonly kind: 'none' }
  | { readonly kind: 'refuse'; readonly why: string };

export function planSync({
  domain,
  started,
  terminating,
  userPaused,
  isMigrating,
  isHibernating = false,
  isSnapshotting = false,
}: SyncObservation): SyncAction {
  if (isMigrating)
    return {
      kind: 'refuse',
      why: 'the virtual machine is being migrated; it is changed when it has arrived',
    };
  if (isHibernating)
    return { kind: 'refuse', why: 'the virtual machine is being hibernated; nothing else is done to it' };
  if (isSnapshotting) return { kind: 'follow-snapshot' };
  const active = domain !== undefined && !['Shutoff', 'Crashed', 'NoState'].includes(domain.state);
  if (active) {
    const leftByUs = domain.state === 'Paused' && domain.reason === 'User' && !userPaused && !terminating;
    return { kind: leftByUs ? 'resume' : 'none' };
  }
  // The run is over: virt-handler reads the final state and the Pod ends.
  if (started) return { kind: 'none' };
  if (terminating)
    return { kind: 'refuse', why: 'the virtual machine was not started because its Pod is being terminated' };
  return { kind: 'start' };
}
