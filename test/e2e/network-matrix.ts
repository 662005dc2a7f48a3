/**
 * The long form of network.test.ts: every binding × families × way of configuration with real guests, and a gigabyte
 * through each, both ways. Run by itself: `node test/e2e/network-matrix.ts [--megabytes 1024] [--families dual]`.
 * The embedded home has IPv4 or both families; IPv6 alone is tested per binding in packages/network.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import type { Interface } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { Instance, root } from '../support/instance.ts';
import { networkVm } from '../support/network-vm.ts';
import {
  allowPasst,
  DHCP_NETWORK_DATA,
  OutsideServer,
  POD_NETWORK,
  staticNetworkData,
} from '../support/network-world.ts';

const BINDINGS: Readonly<Record<string, Partial<Interface>>> = {
  masquerade: { masquerade: {} },
  bridge: { bridge: {} },
  passt: { passtBinding: {} },
};
const BOOT_MS = 600_000;

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    families: { type: 'string', default: 'ipv4,dual' },
  },
});
const blocks = Number(values.megabytes) * 16;
for (const families of values.families.split(',')) await withFamilies(families === 'dual' ? [4, 6] : [4]);

async function withFamilies(families: readonly (4 | 6)[]): Promise<void> {
  const instance = await Instance.prepare();
  try {
    await using server = await OutsideServer.start();
    const net = instance.podCidr.split('.')[1];
    const cidrs = [instance.podCidr, ...(families.includes(6) ? [`fd00:${net}::/64`] : [])].join(',');
    const hello = `${root}/examples/hello.yaml`;
    const up = await instance.podvisor([
      'up',
      hello,
      '--api-port',
      String(instance.apiPort),
      '--pod-cidr',
      cidrs,
    ]);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await allowPasst(instance);
    for (const [binding, nic] of Object.entries(BINDINGS))
      for (const way of ['dhcp', 'network-data']) {
        const name = `${binding}-${way}`;
        const data = binding === 'masquerade' ? staticNetworkData(instance.podCidr) : DHCP_NETWORK_DATA;
        const vm = networkVm(
          name,
          [{ name: 'default', ...nic }],
          POD_NETWORK,
          way === 'dhcp' ? undefined : data,
        );
        await instance.client.create(resources.virtualMachines, vm);
        await check(instance, name, families, {
          4: `10.${net}.0.1:${server.port}`,
          6: `[fd00:${net}::1]:${server.port}`,
        });
        await instance.client.delete(resources.virtualMachines, { namespace: 'default', name });
      }
  } finally {
    await instance.purge();
  }
}

/** Address, default route, DNS, ping, TCP and bulk both ways. Throws at the first that is not so. */
async function check(
  instance: Instance,
  name: string,
  families: readonly (4 | 6)[],
  outside: Readonly<Record<4 | 6, string>>,
): Promise<void> {
  const address = async (family: 4 | 6): Promise<string> => {
    const vmi = await instance.client.get(resources.virtualMachineInstances, { namespace: 'default', name });
    const all = vmi.status?.interfaces?.[0]?.ipAddresses ?? [];
    const found = all.find((ip) => ip.includes(':') === (family === 6)) ?? assert.fail(`no IPv${family} yet`);
    return family === 6 ? `[${found}]` : found;
  };
  const get = async (host: string, path: string): Promise<Response> => {
    const response = await fetch(`http://${host}/cgi-bin/${path}`);
    assert.equal(response.status, 200);
    return response;
  };
  const view = await eventually(`${name} shows its network`, BOOT_MS, async () =>
    (await get(await address(4), 'net')).text(),
  );
  assert.match(view, /default via \d/);
  const host = await address(4);
  assert.match(await (await get(host, 'do?dns=kubernetes.default.svc.cluster.local')).text(), /\.96\.1\b/);
  assert.match(await (await get(host, `do?ping=${outside[4].split(':')[0]}`)).text(), /1 packets received/);
  for (const family of families) {
    if (family === 6) assert.match(view, /default via fe80:/);
    const bytes = blocks * 65_536;
    let started = performance.now();
    const came = await (await get(host, `do?size=http://${outside[family]}/bytes/${bytes}`)).text();
    assert.equal(Number(came), bytes);
    const inward = rate(bytes, started);
    started = performance.now();
    const body = (await get(await address(family), `do?send=${blocks}`)).body ?? assert.fail('no body');
    let sent = 0;
    for await (const chunk of body) sent += chunk.length;
    assert.equal(sent, bytes);
    console.log(
      `${name}, IPv${family} (${families.length} families): to the guest ${inward}, from it ${rate(bytes, started)}`,
    );
  }
}

function rate(bytes: number, started: number): string {
  return `${((bytes * 8) / ((performance.now() - started) * 1e6)).toFixed(2)} Gbit/s`;
}
