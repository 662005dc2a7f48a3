/** Defines and starts the domain, everything the guest needs before its first instruction included. */
import type { InterfaceAttachment, SyncOptions, VirtualMachineInstance } from '@podvisor/api';
import { betweenFailPoints } from '@podvisor/base';
import { CREATE_FLAG, type DomainRef, type LibvirtConnection, UNDEFINE_FLAG } from '@podvisor/libvirt';
import { type Domain, domainFromXml, domainToXml } from '@podvisor/translate';
import { withRawDisks } from '../backup/tracked-disks.ts';
import { hasDeviceTags } from '../domain/device-tags.ts';
import { killProcess } from '../fence/kill-process.ts';
import { NETWORK_INTERFACES } from '../guest-agent/poller.ts';
import { findState, type LoadableState } from '../hibernation/find-state.ts';
import { beginTake, letGoOfState, loadState, takeState } from '../hibernation/wake.ts';
import { explain, LauncherError } from '../launcher-error.ts';
import { giveIdentity } from '../memory-snapshot/identity.ts';
import { setClock } from '../migration/set-clock.ts';
import { requireOpened } from '../disks/opened-images.ts';
import { buildOptions } from './build-options.ts';
import type { BuildOptions, DomainContext } from './context.ts';

export async function startDomain(
  context: DomainContext,
  vmi: VirtualMachineInstance,
  options: SyncOptions,
): Promise<void> {
  context.stages.reached('sync-received');
  const signal = context.startSignal;
  const known = await buildOptions(context.session.connection, vmi, options);
  const edit = context.hooks.preCloudInitIso(vmi, signal);
  // Places of devices are libvirt's to give: a ConfigDrive that tells them is written, and edited, after the define.
  const tagged = hasDeviceTags(vmi);
  const alone = context.guestLease.proveAlone(options.lease, signal);
  // Waited for below: a failure in between must not be an unhandled one.
  alone.catch(() => undefined);
  const [domain] = await Promise.all([
    context.builder.build(vmi, known, tagged ? async (_kind, data) => data : edit, signal),
    startDhcpServers(context, known),
  ]);
  context.stages.reached('disks-prepared');
  const xml = await context.hooks.onDefineDomain(domainToXml(domain), vmi, signal);
  if (context.runState.terminating)
    throw new LauncherError('the virtual machine was not started because its Pod is being terminated');
  const { connection } = context.session;
  const takeLeases = async (live: Domain): Promise<void> => {
    const proof = await alone;
    if (proof !== undefined) context.leases.follow(proof.image, proof.epoch);
    context.leases.take(live);
    await context.guestLease.keep(options.lease, await context.qemuPid(), proof);
  };
  context.runState.builtAs = domain;
  await using state = await findState(context, vmi, domain, options);
  if (state !== undefined) {
    await context.observer.hold(() => wake(context, connection, state, vmi, takeLeases));
    return;
  }
  await context.observer.hold(async () => {
    const defined = await connection.defineXml(xml).catch((error: unknown) => {
      throw explain('libvirt did not accept the definition of the virtual machine', error);
    });
    context.stages.reached('domain-defined');
    if (tagged)
      await context.builder.tagDevices(vmi, domainFromXml(await connection.getXml(defined)), edit, signal);
    const started = await start(context, connection, defined).catch(async (error: unknown) => {
      // A domain that never ran is no domain: left defined, it would look like a run that ended.
      await connection
        .undefine(defined, UNDEFINE_FLAG.keepNvram)
        .catch((failure: unknown) =>
          context.log.warn({ failure }, 'could not undefine a domain that did not start'),
        );
      throw explain('QEMU could not be started', error);
    });
    await run(context, connection, started, vmi, vmi.spec.startStrategy === 'Paused', takeLeases);
  });
}

/** The guest comes from its hibernated state. What was true before it slept is true again, but for the time. */
async function wake(
  context: DomainContext,
  connection: LibvirtConnection,
  state: LoadableState,
  vmi: VirtualMachineInstance,
  takeLeases: (live: Domain) => Promise<void>,
): Promise<void> {
  const { clock, log } = context;
  const beganMs = clock.elapsed();
  await context.leases.claimDevices(withRawDisks(domainFromXml(state.meta.xml)).devices?.disks ?? []);
  const domain = await loadState(context, connection, state);
  const loadedMs = clock.elapsed();
  try {
    await beginTake(context, state);
    const live = withRawDisks(domainFromXml(await connection.getXml(domain)));
    await betweenFailPoints('wake-lease', () => takeLeases(live));
    await takeState(context, state);
  } catch (error) {
    await forget(context, connection, domain);
    throw error;
  }
  const staysPaused = state.meta.isPaused || vmi.spec.startStrategy === 'Paused';
  await run(context, connection, domain, vmi, staysPaused, takeLeases);
  letGoOfState(context, state);
  const ranMs = clock.elapsed();
  const times = { loadMs: Math.round(loadedMs - beganMs), goOnMs: Math.round(ranMs - loadedMs) };
  if (!state.newIdentity) {
    log.info(times, 'the guest goes on from its state');
    return void setClock(context);
  }
  // Before anybody hears that it runs.
  await giveIdentity(context, vmi, state.macs).catch(async (error: unknown) => {
    await connection.destroy(domain);
    throw error;
  });
  log.info(
    { ...times, identityMs: Math.round(clock.elapsed() - ranMs) },
    'the guest goes on as one of its own',
  );
}

/**
 * A guest that was loaded and executed nothing: nothing of it is left, and the next try begins anew. QEMU ends also where
 * libvirtd does not answer: a later sync must not find a guest that only stands still. Its lease is not given back: this
 * launcher tries again, and whoever reads late that it has ended would be wrong by then.
 */
async function forget(
  { guestLease, qemuPid, log }: DomainContext,
  connection: LibvirtConnection,
  domain: DomainRef,
): Promise<void> {
  const tried = (what: string) => (failure: unknown) => log.warn({ failure }, what);
  const pid = await qemuPid();
  await connection.destroy(domain).catch((failure: unknown) => {
    tried('libvirt did not end a guest that was not woken')(failure);
    if (pid !== undefined) killProcess(pid);
  });
  await connection
    .undefine(domain, UNDEFINE_FLAG.keepNvram)
    .catch(tried('could not undefine a guest that was not woken'));
  await guestLease.end({ isGivenBack: false });
}

/** QEMU's CPUs are stopped. Connects the console, and only then lets the guest run: no byte is missed. */
async function run(
  context: DomainContext,
  connection: LibvirtConnection,
  domain: DomainRef,
  vmi: VirtualMachineInstance,
  staysPaused: boolean,
  takeLeases: (live: Domain) => Promise<void>,
): Promise<void> {
  context.runState.started = true;
  context.runState.startedAs = vmi;
  context.stages.reached('domain-started');
  context.credentials.configure(vmi.spec.accessCredentials ?? []);
  const live = await connection.getXml(domain);
  try {
    await takeLeases(withRawDisks(domainFromXml(live)));
  } catch (error) {
    await connection.destroy(domain);
    throw error;
  }
  const { serialSocket } = context.readFacts(live);
  if (serialSocket !== undefined)
    await context.console.connect(serialSocket).catch((error: unknown) => {
      context.log.warn({ error }, 'the serial console cannot be read');
    });
  if (staysPaused) {
    context.runState.userPaused = true;
    return;
  }
  if (context.runState.terminating) return; // it will be ended where it stands
  await connection.resume(domain);
  context.stages.reached('domain-running');
}

/** QEMU opens the disks here, and locks them. */
async function start(
  { leases, qemuPid }: DomainContext,
  connection: LibvirtConnection,
  defined: DomainRef,
): Promise<DomainRef> {
  const disks = withRawDisks(domainFromXml(await connection.getXml(defined))).devices?.disks ?? [];
  await leases.claimDevices(disks);
  const domain = await connection.create(defined, CREATE_FLAG.paused);
  try {
    const pid = await qemuPid();
    if (pid !== undefined) requireOpened(disks, pid);
    return domain;
  } catch (error) {
    await connection.destroy(domain);
    throw error;
  }
}

/** Serves DHCP (or passt, which does more) on every interface that wants it and has no server yet. */
export async function startDhcpServers(context: DomainContext, options: BuildOptions): Promise<void> {
  for (const { name, podInterface } of options.interfaces)
    if (!context.podInterfaces.has(name)) context.podInterfaces.set(name, podInterface);
  await Promise.all(
    options.interfaces
      .filter(
        ({ name, dhcp, dhcp6, passt }) =>
          // Where libvirt starts passt itself, there is nothing to serve.
          [dhcp, dhcp6, options.passtInterface && passt].some((service) => service !== undefined) &&
          !context.dhcpServers.has(name),
      )
      .map(async (attachment) => {
        const onLease = (address: string): void => noteLease(context, attachment, address);
        context.dhcpServers.set(attachment.name, await context.dhcp.start(attachment, onLease));
      }),
  ).catch((error: unknown) => {
    throw explain('the network of the guest could not be served', error);
  });
}

/** How long a guest takes to use what it was given. */
const SETTLED_MS = 1_000;

/** Renewals of the same address are no news. */
function noteLease(
  { dhcpLeases, observer, agent, clock }: DomainContext,
  { name, dhcp }: Pick<InterfaceAttachment, 'name' | 'dhcp'>,
  address: string,
): void {
  // The lease that is shown is the one of IPv4, where there is one; of IPv6 it counts that the guest has something to tell.
  const key = address.includes(':') && dhcp !== undefined ? `${name}/ipv6` : name;
  if (dhcpLeases.get(key)?.address === address) return;
  dhcpLeases.set(key, { address, at: new Date(clock.now()).toISOString() });
  void observer.refresh();
  clock.after(SETTLED_MS, () => void agent.askNow(NETWORK_INTERFACES));
}
