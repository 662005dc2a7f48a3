/** What is known of the domain: libvirt's word, with what the launcher's other parts know of the guest. */
import { readFile } from 'node:fs/promises';
import { domainFromXml } from '@podvisor/translate';
import { withRawDisks } from '../backup/tracked-disks.ts';
import { claimDiskBytes } from '../disks/disk-bytes.ts';
import { type DomainFacts, domainFacts } from '../domain/domain-facts.ts';
import { DomainObserver } from '../domain/domain-observer.ts';
import { imageBytes } from '../disks/image-sizes.ts';
import { incomingState } from '../migration/incoming.ts';
import { qemuLogTail } from '../domain/qemu-log.ts';
import type { LauncherParts } from './parts.ts';

export function launcherObserver(parts: LauncherParts): DomainObserver {
  const { flags, libvirt, clock, log } = parts.options;
  const { domainName, runState } = parts;
  return new DomainObserver({
    leases: parts.dhcpLeases,
    domainName,
    vmiUid: flags.uid,
    connection: () => parts.session.connection,
    readFacts,
    guestFacts: () => parts.agent.facts,
    accessCredentials: () => parts.credentials.report,
    memoryDump: () => runState.memoryDump,
    hibernation: () => runState.hibernation,
    memorySnapshot: () => runState.memorySnapshot?.state,
    backup: () => parts.backups.state,
    shutdownRequestedAt: () => runState.shutdownRequestedAt,
    diskTroubles: () => parts.ioErrors.troubles,
    lease: () => parts.guestLease.state,
    migration: (libvirt) =>
      parts.migration.state ??
      (runState.incoming === undefined ? undefined : incomingState(runState.incoming, libvirt)),
    qemuPid: () => parts.qemuPid(),
    qemuLastWords: () => qemuLogTail(libvirt.qemuLog(domainName)),
    clock,
    log,
  });
}

export function readFacts(xml: string): DomainFacts {
  const domain = domainFromXml(xml);
  const plain = withRawDisks(domain);
  return {
    ...domainFacts(domain, plain),
    diskBytes: claimDiskBytes(plain),
    imageBytes: imageBytes(domain),
  };
}

/** Undefined while QEMU is starting or ending. */
export async function readPid(path: string): Promise<number | undefined> {
  try {
    const pid = Number((await readFile(path, 'utf8')).trim());
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined; // no file: no pid is the honest answer
  }
}
