/**
 * What to do when a migration broke after its memory was split between both ends. Pure. Each end has pages that the
 * other lacks, so neither may go on alone: a broken connection is replaced, and only an end that is proven to be gone
 * makes the guest a lost one.
 */
import { DOMAIN_STATE, type LibvirtState } from '@podvisor/libvirt';
import { isActive, stateName } from '../../domain/domain-state.ts';
import { incomingState } from '../incoming.ts';

/** `still`: all of it was sent, or nothing was; `broken`: QEMU waits for another connection; `unknown`: no answer. */
export type SourceEnd = 'runs' | 'still' | 'post-copy' | 'broken' | 'gone' | 'unknown';
export type TargetEnd = 'waiting' | 'post-copy' | 'broken' | 'arrived' | 'gone' | 'unknown';

export type Remedy =
  /** The memory was never split: the guest is where it was. */
  | 'stayed'
  | 'handed-over'
  | 'lost'
  /** Let the guest run on the target; the rest of its memory follows. */
  | 'finish'
  /** Both ends wait for another connection. */
  | 'resume'
  | 'wait';

/** virDomainPausedReason. */
const PAUSED_POSTCOPY = 12;
const PAUSED_POSTCOPY_FAILED = 13;

export function sourceEnd(libvirt: LibvirtState | undefined): SourceEnd {
  if (libvirt === undefined || !isActive(stateName(libvirt))) return 'gone';
  if (libvirt.state !== DOMAIN_STATE.paused) return 'runs';
  if (libvirt.reason === PAUSED_POSTCOPY) return 'post-copy';
  return libvirt.reason === PAUSED_POSTCOPY_FAILED ? 'broken' : 'still';
}

export function targetEnd(libvirt: LibvirtState | undefined): TargetEnd {
  if (libvirt === undefined || !isActive(stateName(libvirt))) return 'gone';
  return incomingState('', libvirt).stage;
}

export interface Attempts {
  /** The target was told to let the guest run. */
  readonly isFinishAsked: boolean;
  /**
   * Both ends have answered for so long that they would be whole by now. A QEMU whose device waits for a page holds
   * its own monitor up: nobody can tell it of a new connection, and it cannot tell that the old one broke.
   */
  readonly isOverdue: boolean;
}

export function remedyFor(source: SourceEnd, target: TargetEnd, attempts: Attempts): Remedy {
  const { isFinishAsked, isOverdue } = attempts;
  if (target === 'arrived') return 'handed-over';
  if (source === 'unknown') return 'wait';
  // The switch to post-copy came too late or not at all.
  if (source === 'runs' || (source === 'still' && !isFinishAsked)) return 'stayed';
  if (target === 'gone') return source === 'still' ? 'stayed' : 'lost';
  if (target === 'unknown') return 'wait';
  const isBroken = source === 'broken' || source === 'gone' || target === 'broken';
  if (isBroken && isOverdue) return 'lost';
  if (target === 'post-copy') return 'wait';
  if (target === 'waiting') return source === 'gone' ? 'lost' : 'finish';
  if (source === 'gone') return 'lost';
  return source === 'broken' ? 'resume' : 'wait';
}
