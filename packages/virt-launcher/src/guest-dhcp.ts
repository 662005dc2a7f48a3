/** DHCP servers for the guest's NICs, of IPv4 and IPv6, with `network`. */
import { Dhcp6Server, DhcpServer } from '@podvisor/network';
import type { DhcpStarter } from './domain-manager/context.ts';
import { LauncherError } from './launcher-error.ts';
import type { Log } from './log.ts';

export function guestDhcp(log: Log): DhcpStarter {
  return {
    start: async ({ name, bridge, mac, dhcp, dhcp6 }) => {
      if (bridge === undefined) throw new LauncherError(`interface ${name} has no bridge to serve DHCP on`);
      const onError = (error: Error): void =>
        log.error({ interface: name, error }, 'the DHCP server of a NIC has a problem');
      await using servers = new AsyncDisposableStack();
      if (dhcp !== undefined)
        servers.use(await DhcpServer.start({ device: bridge, mac, config: dhcp, onError }));
      if (dhcp6 !== undefined)
        servers.use(await Dhcp6Server.start({ device: bridge, config: dhcp6, onError }));
      return servers.move();
    },
  };
}
