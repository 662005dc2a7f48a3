/** DHCP servers for the guest's NICs, with `network`. */
import { DhcpServer } from '@podvisor/network';
import type { DhcpStarter } from './domain-manager/context.ts';
import { LauncherError } from './launcher-error.ts';
import type { Log } from './log.ts';

export function guestDhcp(log: Log): DhcpStarter {
  return {
    start: ({ name, bridge, mac, dhcp }) => {
      if (bridge === undefined || dhcp === undefined)
        throw new LauncherError(`interface ${name} has no bridge to serve DHCP on`);
      return DhcpServer.start({
        device: bridge,
        mac,
        config: dhcp,
        onError: (error) => log.error({ interface: name, error }, 'the DHCP server of a NIC has a problem'),
      });
    },
  };
}
