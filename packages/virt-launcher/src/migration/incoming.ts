/** The target's side: everything is made ready for a guest that comes with its memory from another node. */
import type { SyncOptions, TargetMigration, VirtualMachineInstance } from '@podvisor/api';
import { parseUid } from '@podvisor/base';
import { DOMAIN_STATE, type LibvirtState } from '@podvisor/libvirt';
import { type Domain, type DomainDisk, domainFromXml } from '@podvisor/translate';
import { withRawDisks } from '../backup/tracked-disks.ts';
import { buildOptions } from '../domain-manager/build-options.ts';
import type { DomainContext } from '../domain-manager/context.ts';
import { requireDomain } from '../domain-manager/context.ts';
import { startDhcpServers } from '../domain-manager/start-domain.ts';
import { fitImages } from '../disks/image-sizes.ts';
import { ensureScript } from '../hibernation/shared-memory.ts';
import { explain, LauncherError } from '../launcher-error.ts';
import { applyGrowth, planGrowth } from './grow.ts';
import { giveDevices, networkDevicesOf } from './network-devices.ts';
import { setClock } from './set-clock.ts';

/** virDomainRunningReason and virDomainPausedReason. */
const RUNNING_STAGES: Readonly<Record<number, TargetMigration['stage']>> = { 10: 'post-copy', 11: 'broken' };
const PAUSED_STAGES: Readonly<Record<number, TargetMigration['stage']>> = {
  2: 'waiting',
  11: 'waiting',
  12: 'post-copy',
  13: 'broken',
};
const PAUSED_BY_USER = 1;

/** Makes disks and DHCP ready. The domain itself comes from the source. Idempotent by migration. */
export function prepareTarget(
  context: DomainContext,
  vmi: VirtualMachineInstance,
  options: SyncOptions,
): Promise<void> {
  return context.mutex.run(async () => {
    const uid = parseUid(vmi.status?.migrationState?.migrationUid);
    if (uid === undefined) throw new LauncherError('the VMI says nothing about a migration');
    const { runState } = context;
    if (runState.incoming === uid) return;
    if (runState.started || runState.incoming !== undefined)
      throw new LauncherError('this launcher has had a virtual machine and cannot take in another');
    if (runState.terminating) throw new LauncherError('the Pod is being terminated');
    const signal = context.startSignal;
    const known = await buildOptions(context.session.connection, vmi, options);
    const [domain] = await Promise.all([
      context.builder.build(
        vmi,
        { ...known, incoming: uid },
        context.hooks.preCloudInitIso(vmi, signal),
        signal,
      ),
      startDhcpServers(context, known),
      ensureScript(context.sharedMemory),
    ]).catch((error: unknown) => {
      throw explain('the target of the migration could not be prepared', error);
    });
    await context.leases.takeForCopy(copiedDisks(domain, options));
    runState.incomingLease = options.lease;
    runState.networkDevices = networkDevicesOf(domain);
    fitImages(domain, vmi);
    runState.incoming = uid;
    runState.startedAs = vmi;
    runState.builtAs = domain;
    context.stages.reached('migration-target-prepared');
  });
}

/** Disks that are on other claims here than on the source, and are written before the guest comes. */
function copiedDisks({ devices }: Domain, { volumes = {} }: SyncOptions): readonly DomainDisk[] {
  return (devices?.disks ?? []).filter(({ alias }) => {
    const volume = alias?.name?.replace(/^ua-/, '') ?? '';
    return volumes[volume]?.copiedBytes !== undefined;
  });
}

/** How far the guest has come. Pure. */
export function incomingState(uid: string, { state, reason }: LibvirtState): TargetMigration {
  const stages = state === DOMAIN_STATE.paused ? PAUSED_STAGES : RUNNING_STAGES;
  const isAlive = state === DOMAIN_STATE.paused || state === DOMAIN_STATE.running;
  return { role: 'target', uid, stage: (isAlive ? stages[reason] : undefined) ?? 'arrived' };
}

/**
 * The guest is ours now: a user's pause goes on being one, its clock is set, and it gets the CPUs and the memory that
 * were waiting for this move. Idempotent. A guest that cannot grow is ours all the same: that is told at the end.
 */
export async function finalizeTarget(context: DomainContext, vmi: VirtualMachineInstance): Promise<void> {
  const { connection, domain } = await requireDomain(context, 'finish the migration of');
  const { state, reason } = await connection.state(domain);
  if (state === DOMAIN_STATE.paused && reason === PAUSED_BY_USER) context.runState.userPaused = true;
  const live = domainFromXml(await connection.getXml(domain));
  context.leases.takeOver(withRawDisks(live));
  await context.guestLease.keep(context.runState.incomingLease, await context.qemuPid());
  if (context.runState.incoming !== undefined) await context.builder.arrived(vmi, context.runState.incoming);
  context.stages.reached('migration-finalized');
  void setClock(context);
  try {
    for (const growth of planGrowth(vmi, live)) await applyGrowth(connection, domain, growth);
    await giveDevices(connection, domain, context.runState.networkDevices ?? []);
  } finally {
    await context.observer.refresh();
  }
}
