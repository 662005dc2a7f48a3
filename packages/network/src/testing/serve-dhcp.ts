/** Runs a DhcpServer from JSON options in argv; started by tests as an unprivileged user in a namespace. */
import { DhcpServer, type DhcpServerOptions } from '../dhcp/server.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as DhcpServerOptions;
await DhcpServer.start({
  ...options,
  onError: (error) => {
    throw error;
  },
});
process.stdout.write('ready\n');
