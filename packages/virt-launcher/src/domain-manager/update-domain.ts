/** Makes a running domain follow its VMI: devices that came or went, links, discs, disks that grew. */
import { growsInPlace, type SyncOptions, type VirtualMachineInstance } from '@podvisor/api';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import { type Domain, domainFromXml } from '@podvisor/translate';
import { rawDisk, withRawDisks } from '../backup/tracked-disks.ts';
import { domainFacts } from '../domain/domain-facts.ts';
import { LauncherError } from '../launcher-error.ts';
import { buildOptions } from './build-options.ts';
import type { DomainContext } from './context.ts';
import { applyDeviceChange } from './device-changes/apply.ts';
import { askAgain } from './device-changes/ask-again.ts';
import { frozenChange } from './device-changes/frozen.ts';
import { growDisks } from './device-changes/grow-disks.ts';
import { type DeviceChange, planDeviceChanges } from './device-changes/plan.ts';
import { applyGrowth, planGrowth } from '../migration/grow.ts';
import { followHibernation } from '../hibernation/save.ts';
import { followMemorySnapshot } from '../memory-snapshot/follow.ts';
import { followMemoryDump } from './memory-dump.ts';
import { followNetworks, stopDhcpServer } from './network-change.ts';
import { startDhcpServers } from './start-domain.ts';

export async function updateDomain(
  context: DomainContext,
  domain: DomainRef,
  vmi: VirtualMachineInstance,
  options: SyncOptions,
): Promise<void> {
  context.credentials.configure(vmi.spec.accessCredentials ?? []);
  const { connection } = context.session;
  const live = domainFromXml(await connection.getXml(domain));
  const { diskTargets } = domainFacts(live);
  const known = await buildOptions(connection, vmi, options);
  const wanted = await context.builder.rebuild(vmi, known, diskTargets, context.signal);
  const changes = planDeviceChanges({
    vmi,
    live: withRawDisks(live),
    wanted,
    hotplugDirectory: context.builder.hotplugDirectory,
    attachedInterfaces: new Set(options.interfaces.map(({ name }) => name)),
  });
  if (changes.some(({ kind }) => kind === 'attach-interface')) await startDhcpServers(context, known);
  const failures: unknown[] = [];
  await followNetworks(context, domain, live, known).catch((error: unknown) => failures.push(error));
  for (const change of changes) {
    context.log.info({ change: change.kind, device: change.name }, 'changing a device of the running domain');
    // One device that cannot follow does not hold up the others.
    await changeDevice(context, domain, change).catch((error: unknown) => failures.push(error));
    if (change.kind === 'detach-interface') await forgetInterface(context, change.name);
    if (change.kind === 'detach-interface' || change.kind === 'detach-disk')
      askAgain(context, domain, change);
  }
  const now = changes.length === 0 ? live : domainFromXml(await connection.getXml(domain));
  // Those that were plugged before their leases could be taken.
  context.leases.take(withRawDisks(now));
  const hasGrown = await growDisks(connection, domain, now, options).catch((error: unknown) => {
    failures.push(error);
    return true;
  });
  await followMemoryDump(context, domain, vmi);
  const isLarger = await growInPlace(connection, domain, vmi, now).catch((error: unknown) => {
    failures.push(error);
    return true;
  });
  if (changes.length > 0 || hasGrown || isLarger) await context.observer.refresh();
  if (failures[0] !== undefined) throw failures[0];
  const frozen =
    context.runState.startedAs === undefined ? undefined : frozenChange(context.runState.startedAs, vmi);
  if (frozen !== undefined) throw new LauncherError(frozen);
  await followHibernation(context, domain, vmi, options);
  await followMemorySnapshot(context, domain, vmi, options);
}

/** CPUs and memory that no migration will bring. True when there were any. */
async function growInPlace(
  connection: LibvirtConnection,
  domain: DomainRef,
  vmi: VirtualMachineInstance,
  live: Domain,
): Promise<boolean> {
  if (!growsInPlace(vmi)) return false;
  const growths = planGrowth(vmi, live);
  for (const growth of growths) await applyGrowth(connection, domain, growth);
  return growths.length > 0;
}

async function changeDevice(context: DomainContext, domain: DomainRef, change: DeviceChange): Promise<void> {
  const { connection } = context.session;
  if (change.kind !== 'attach-disk') return await applyDeviceChange(connection, domain, change);
  const disks = [rawDisk(change.device)];
  await context.leases.claimDevices(disks);
  await applyDeviceChange(connection, domain, change);
  try {
    context.leases.take({ devices: { disks } });
  } catch (error) {
    // Another one was faster, or the storage does not answer: the guest must not have the disk.
    const back = { kind: 'detach-disk', name: change.name } as const;
    await applyDeviceChange(connection, domain, back).finally(() => askAgain(context, domain, back));
    throw error;
  }
}

/** It may come back on another network, as another NIC. */
async function forgetInterface(context: DomainContext, name: string): Promise<void> {
  context.podInterfaces.delete(name);
  await stopDhcpServer(context, name);
}
