/** The connection to libvirtd. Every event is given to those whom it concerns, and the domain is looked at again. */
import { type DomainEvent, LibvirtConnection, LIFECYCLE_EVENT } from '@podvisor/libvirt';
import { NETWORK_INTERFACES } from '../guest-agent/poller.ts';
import { LibvirtSession } from '../domain/libvirt-session.ts';
import { noticeOf } from '../notices.ts';
import type { LauncherParts } from './parts.ts';

export function launcherSession(parts: LauncherParts): LibvirtSession {
  const { libvirtd, libvirt, clock, log } = parts.options;
  return new LibvirtSession({
    connect: async (signal) => {
      await libvirtd.listening(signal);
      return LibvirtConnection.open({ socketPath: libvirt.socket, signal });
    },
    onEvent: (event) => dispatch(event, parts),
    onConnected: () => {
      void parts.observer.refresh();
      void parts.backups.reconnected();
    },
    onLost: () => parts.observer.lost(),
    clock,
    log,
  });
}

function dispatch(event: DomainEvent, parts: LauncherParts): void {
  if (event.kind === 'migrationIteration') {
    parts.migration.passed(event.iteration);
    return;
  }
  if (event.kind === 'lifecycle' && event.event === LIFECYCLE_EVENT.suspended)
    parts.runState.stoppedAtMs = parts.options.clock.elapsed();
  parts.ioErrors.event(event);
  parts.backups.event(event);
  parts.removals.event(event);
  const notice = noticeOf(event);
  if (notice !== undefined) parts.watchers.notify(notice);
  // The guest sees its NICs come and go; what it said before is not so any more.
  if (event.kind === 'deviceAdded' || event.kind === 'deviceRemoved')
    void parts.agent.askNow(NETWORK_INTERFACES);
  void parts.observer.refresh();
}
