/** Events, and the VM that each is about. Pure. */
import type { EventObject } from '../live/use-collection.ts';

type About = EventObject['involvedObject'];

/** Whoever writes events fills one of three fields. */
export function eventAt({ lastTimestamp, eventTime, metadata }: EventObject): string {
  return lastTimestamp ?? eventTime ?? metadata?.creationTimestamp ?? '';
}

/** Is it about this VM, its VMI or a launcher Pod of it? */
export function isAboutVm(about: About, vm: string): boolean {
  return about?.name === vm || (about?.kind === 'Pod' && launcherOf(about.name ?? '') === vm);
}

/** The VM that an event leads to, when it is about one. */
export function vmOfEvent(about: About): string | undefined {
  if (about?.kind === 'VirtualMachine' || about?.kind === 'VirtualMachineInstance') return about.name;
  return about?.kind === 'Pod' ? launcherOf(about.name ?? '') : undefined;
}

/** `virt-launcher-NAME-SUFFIX`: the suffix has no hyphen, a name may have some. */
function launcherOf(pod: string): string | undefined {
  return /^virt-launcher-(.+)-[^-]+$/.exec(pod)?.[1];
}
