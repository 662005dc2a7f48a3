/** Which of libvirt's events become events of the VMI. Pure. */
import { type DomainEvent, LIFECYCLE_EVENT } from '@podvisor/libvirt';
import type { Notice } from './command-server/watch-domain.ts';

/** Aliases of our own making carry this prefix. */
const USER_ALIAS = 'ua-';
const NO_SPACE = 'enospc';

/** The notice for an event, if it is one that a user should read. */
export function noticeOf(event: DomainEvent): Notice | undefined {
  if (event.kind === 'lifecycle' && event.event === LIFECYCLE_EVENT.crashed)
    return { type: 'Warning', reason: 'GuestPanicked', message: 'The guest operating system has panicked.' };
  if (event.kind !== 'ioError') return undefined;
  const volume = event.alias.startsWith(USER_ALIAS) ? event.alias.slice(USER_ALIAS.length) : event.alias;
  const what = event.reason === NO_SPACE ? 'not enough space on volume' : 'IO error at the volume';
  return { type: 'Warning', reason: 'IOerror', message: `VM Paused due to ${what}: ${volume}` };
}
