/** Who answers on the guest's NICs: DHCP servers of IPv4 and IPv6, with `network`, or passt, which is its own. */
import { Dhcp6Server, DhcpServer } from '@podvisor/network';
import { PASST_PORT } from '../domain-manager/build-options.ts';
import type { DhcpStarter } from '../domain-manager/context.ts';
import { LauncherError } from '../launcher-error.ts';
import type { Log } from '../log.ts';
import { servePasst } from './passt-link.ts';

export function guestDhcp(log: Log): DhcpStarter {
  return {
    start: async ({ name, bridge, podInterface, mac, dhcp, dhcp6, passt }, onLease) => {
      if (passt !== undefined) return servePasst({ port: PASST_PORT, podInterface, config: passt, log });
      if (bridge === undefined) throw new LauncherError(`interface ${name} has no bridge to serve DHCP on`);
      const onError = (error: Error): void =>
        log.error({ interface: name, error }, 'the DHCP server of a NIC has a problem');
      await using servers = new AsyncDisposableStack();
      if (dhcp !== undefined)
        servers.use(await DhcpServer.start({ device: bridge, mac, config: dhcp, onError, onLease }));
      if (dhcp6 !== undefined)
        servers.use(await Dhcp6Server.start({ device: bridge, config: dhcp6, onError, onLease }));
      return servers.move();
    },
  };
}
