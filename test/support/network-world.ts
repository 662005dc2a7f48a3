/** What the network tests need around their guests. */
import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Network } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import type { Instance } from './instance.ts';

export const POD_NETWORK: readonly Network[] = [{ name: 'default', pod: {} }];

/** DHCP and nothing else, said by cloud-init. */
export const DHCP_NETWORK_DATA = [
  'version: 2',
  'ethernets:',
  '  eth0:',
  '    dhcp4: true',
  '    dhcp6: true',
  '',
].join('\n');

/**
 * All that a masqueraded guest would get by DHCP, with a smaller MTU and other search domains; `second`: address of a
 * further NIC.
 */
export function staticNetworkData(podCidr: string, second?: string): string {
  return [
    'version: 2',
    'ethernets:',
    '  eth0:',
    '    addresses:',
    '      - 10.0.2.2/24',
    '      - "fd10:0:2::2/120"',
    '    gateway4: 10.0.2.1',
    '    routes:',
    '      - to: "::/0"',
    '        via: "fe80::1"',
    '    mtu: 1450',
    '    nameservers:',
    '      search: [example.test, svc.cluster.local]',
    '      addresses:',
    `        - ${podCidr.split('.').slice(0, 2).join('.')}.96.10`,
    ...(second === undefined ? [] : ['  eth1:', '    addresses:', `      - ${second}`]),
    '',
  ].join('\n');
}

/** Binding plugin that leaves all addressing to the guest. */
export const MANAGED_TAP = 'managed';

/** The passt binding is behind a gate; plugins are registered. */
export async function allowBindings({ client }: Instance): Promise<void> {
  const key = { namespace: 'kubevirt', name: 'kubevirt' };
  const { spec } = await client.get(resources.kubeVirts, key);
  const gates = spec.configuration?.developerConfiguration?.featureGates ?? [];
  const configuration = {
    developerConfiguration: { featureGates: [...new Set([...gates, 'PasstBinding'])] },
    network: { binding: { [MANAGED_TAP]: { domainAttachmentType: 'managedTap' } } },
  };
  await client.patch(resources.kubeVirts, key, { type: 'merge', body: { spec: { configuration } } });
}

/** Where whoever has `address` finds this machine: the address that the machine would write to it from. */
export function machineAddress(address: string): string {
  const [route] = JSON.parse(
    execFileSync('ip', ['-j', 'route', 'get', address], { encoding: 'utf8' }),
  ) as readonly { readonly prefsrc?: string }[];
  if (route?.prefsrc === undefined) throw new Error(`this machine has no way to ${address}`);
  return route.prefsrc;
}

/** A cable on this machine: a plugin takes its `near` end, the machine has `address` at the other. */
export function makeCable(id: number, address: string, mtu: number): Disposable & { readonly near: string } {
  const [near, far] = [`pvm${id}`, `pvw${id}`];
  const ip = (...args: string[]): void => void execFileSync('ip', args);
  ip('link', 'add', near, 'mtu', String(mtu), 'type', 'veth', 'peer', 'name', far, 'mtu', String(mtu));
  ip('link', 'set', near, 'up');
  ip('addr', 'add', address, 'dev', far);
  ip('link', 'set', far, 'up');
  return { near, [Symbol.dispose]: () => ip('link', 'del', near) };
}

/** A web server of the machine, for guests to reach: `/hello` greets, `/bytes/N` gives N bytes. */
export class OutsideServer implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<OutsideServer> {
    const server = createServer((request, response) => {
      const bytes = /^\/bytes\/(\d+)$/.exec(request.url ?? '')?.[1];
      if (bytes === undefined) return void response.end('hello from outside');
      response.writeHead(200, { 'content-length': bytes });
      send(Number(bytes));
      function send(left: number): void {
        if (left === 0) return void response.end();
        const size = Math.min(left, 1 << 20);
        response.write(Buffer.alloc(size), (error) => (error ? response.destroy() : send(left - size)));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '::', resolve));
    return new OutsideServer(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
