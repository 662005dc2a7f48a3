/** Defines and starts the domain, everything the guest needs before its first instruction included. */
import type { SyncOptions, VirtualMachineInstance } from '@podvisor/api';
import { CREATE_FLAG, type DomainRef, type LibvirtConnection, UNDEFINE_FLAG } from '@podvisor/libvirt';
import { explain, LauncherError } from '../launcher-error.ts';
import type { DomainContext } from './context.ts';

export async function startDomain(
  context: DomainContext,
  vmi: VirtualMachineInstance,
  options: SyncOptions,
): Promise<void> {
  if (context.hookSidecars > 0)
    throw new LauncherError(
      'hook sidecars are declared for this virtual machine, but they are not built yet',
    );
  context.stages.reached('sync-received');
  const [xml] = await Promise.all([
    context.builder.build(vmi, options, context.startSignal),
    startDhcpServers(context, options),
  ]);
  context.stages.reached('disks-prepared');
  if (context.life.terminating)
    throw new LauncherError('the virtual machine was not started because its Pod is being terminated');
  const { connection } = context.session;
  const defined = await connection.defineXml(xml).catch((error: unknown) => {
    throw explain('libvirt did not accept the definition of the virtual machine', error);
  });
  context.stages.reached('domain-defined');
  await context.observer.hold(() => run(context, connection, defined, vmi.spec.startStrategy === 'Paused'));
}

/** Starts QEMU with its CPUs stopped, connects the console, and only then lets the guest run: no byte is missed. */
async function run(
  context: DomainContext,
  connection: LibvirtConnection,
  defined: DomainRef,
  stayPaused: boolean,
): Promise<void> {
  const domain = await connection.create(defined, CREATE_FLAG.paused).catch(async (error: unknown) => {
    // A domain that never ran is no domain: left defined, it would look like a run that ended.
    await connection
      .undefine(defined, UNDEFINE_FLAG.keepNvram)
      .catch((failure: unknown) =>
        context.log.warn({ failure }, 'could not undefine a domain that did not start'),
      );
    throw explain('QEMU could not be started', error);
  });
  context.life.started = true;
  context.stages.reached('domain-started');
  const { serialSocket } = context.readFacts(await connection.getXml(domain));
  if (serialSocket !== undefined)
    await context.console.connect(serialSocket).catch((error: unknown) => {
      context.log.warn({ error }, 'the serial console cannot be read');
    });
  if (stayPaused) {
    context.life.userPaused = true;
    return;
  }
  if (context.life.terminating) return; // it will be ended where it stands
  await connection.resume(domain);
  context.stages.reached('domain-running');
}

async function startDhcpServers(context: DomainContext, options: SyncOptions): Promise<void> {
  await Promise.all(
    options.interfaces
      .filter((attachment) => attachment.dhcp !== undefined && !context.dhcpServers.has(attachment.name))
      .map(async (attachment) => {
        context.dhcpServers.set(attachment.name, await context.dhcp.start(attachment));
      }),
  ).catch((error: unknown) => {
    throw explain('the DHCP server for the guest could not be started', error);
  });
}
