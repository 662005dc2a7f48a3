/** Runs the DHCP servers of one NIC from JSON options in argv; started by tests as an unprivileged user. */
import type { Dhcp6Config, DhcpConfig } from '@podvisor/api';
import { DhcpServer } from '../dhcp/server.ts';
import { Dhcp6Server } from '../dhcp6/server.ts';

interface Options {
  readonly device: string;
  readonly mac: string;
  readonly config?: DhcpConfig;
  readonly config6?: Dhcp6Config;
}

const { device, mac, config, config6 } = JSON.parse(process.argv[2] ?? '{}') as Options;
const onError = (error: Error): void => {
  throw error;
};
if (config !== undefined) await DhcpServer.start({ device, mac, config, onError });
if (config6 !== undefined) await Dhcp6Server.start({ device, config: config6, onError });
process.stdout.write('ready\n');
