/**
 * An interface whose network is served by another NIC of the Pod than before: phase 1 has moved its TAP. DHCP follows,
 * and the guest sees its link go and come back, as when a cable is put into another socket, so that it asks for an
 * address anew.
 */
import { sleep } from '@podvisor/base';
import type { DomainRef } from '@podvisor/libvirt';
import type { Domain } from '@podvisor/translate';
import type { BuildOptions, DomainContext } from './context.ts';
import { applyDeviceChange } from './device-changes/apply.ts';
import { startDhcpServers } from './start-domain.ts';

/** Long enough for a guest to see that the link is gone: it only learns that it changed, and then looks. */
const UNPLUGGED_MS = 1_000;

export async function followNetworks(
  context: DomainContext,
  domain: DomainRef,
  live: Domain,
  options: BuildOptions,
): Promise<void> {
  const moved = options.interfaces.filter(
    ({ name, podInterface }) => (context.podInterfaces.get(name) ?? podInterface) !== podInterface,
  );
  for (const { name } of moved) {
    await stopDhcpServer(context, name);
    context.dhcpLeases.delete(name);
  }
  if (moved.length === 0) return;
  await startDhcpServers(context, options);
  const names = new Set(moved.map(({ name }) => `ua-${name}`));
  const devices = (live.devices?.interfaces ?? []).filter(
    ({ alias, link }) => names.has(alias?.name ?? '') && link?.state !== 'down',
  );
  for (const state of ['down', 'up'] as const) {
    for (const device of devices) {
      const name = device.alias?.name?.slice('ua-'.length) ?? '';
      const change = { kind: 'set-link' as const, name, device: { ...device, link: { state } } };
      await applyDeviceChange(context.session.connection, domain, change);
    }
    if (state === 'down') await sleep(context.clock, UNPLUGGED_MS, context.signal);
  }
  // Last: if anything failed before, all of it is done again.
  for (const { name, podInterface } of moved) context.podInterfaces.set(name, podInterface);
}

/** Nobody serves the interface any more. */
export async function stopDhcpServer({ dhcpServers }: DomainContext, name: string): Promise<void> {
  const server = dhcpServers.get(name);
  dhcpServers.delete(name);
  await server?.[Symbol.asyncDispose]();
}
