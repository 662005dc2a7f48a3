/**
 * What this node knows about a domain, in three values. `unknown` never deletes, fails or restarts
 * anything: only a launcher's own word, or the proven end of its Pod, makes a domain `absent`.
 */
import type { DomainState } from '@podvisor/api';

export type DomainView =
  | { readonly kind: 'present'; readonly domain: DomainState }
  | { readonly kind: 'absent'; readonly proof: AbsenceProof }
  | { readonly kind: 'unknown'; readonly why: string; readonly sinceMs: number };

/** Why a domain cannot exist. */
export type AbsenceProof =
  /** The launcher answered that it has no domain. */
  | 'launcher-says-so'
  /** The kubelet reported that the launcher's container ended, and with it everything it ran. */
  | 'pod-ended';

/** States in which a guest, and so QEMU, is there. */
export function isAlive(domain: DomainState): boolean {
  return domain.state !== 'Shutoff' && domain.state !== 'Crashed' && domain.state !== 'NoState';
}

/** The guest ran and is off. A shut-off domain of unknown reason was only just defined. */
export function isOver(domain: DomainState): boolean {
  if (domain.state === 'Crashed') return true;
  return domain.state === 'Shutoff' && domain.reason !== '' && domain.reason !== 'Unknown';
}
