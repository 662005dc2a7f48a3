/**
 * How the Pod's network becomes the guest's, with real guests: masquerade (by DHCP with ports, and by network data of
 * cloud-init), bridge and passt, both families, both ways; further NICs through NetworkAttachmentDefinitions (a
 * bridge with MTU 1400, a macvlan with MTU 9000, a binding plugin), links, hotplug and unplug, and a virt-handler that is killed
 * while it builds the network. The tests build on each other. `network-matrix.ts` is the long form. On a cluster of
 * somebody else: the bindings, where this machine and the Pods reach each other.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { after, before, describe, test, type TestContext } from 'node:test';
import type {
  Interface,
  InterfaceStatus,
  KubernetesObject,
  Network,
  VirtualMachineInstance,
} from '@podvisor/api';
import { defineResource, resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { isForeign, lacks, needsEmbedded, openHome } from '../support/home.ts';
import { command, type Instance, root } from '../support/instance.ts';
import { networkVm, withQueues } from '../support/guests/network-vm.ts';
import {
  allowBindings,
  DHCP_NETWORK_DATA,
  makeCable,
  MANAGED_TAP,
  machineAddress,
  OutsideServer,
  POD_NETWORK,
  staticNetworkData,
} from '../support/network-world.ts';

const SECOND_NET = '10.77.1';
const MAC = '02:aa:bb:00:00:01';
const JUMBO_NET = '10.77.2';
const OTHER_NET = '10.77.3';
const PLUGIN_NET = '10.77.4';
/** Each way, family and guest; the long form sends a gigabyte. */
const BULK_BYTES = 1_048_576;
const definitions = defineResource<KubernetesObject & { readonly spec: { readonly config: string } }>(
  'NetworkAttachmentDefinition',
  'network-attachment-definitions',
  'k8s.cni.cncf.io/v1',
);

describe('network', { concurrency: 1 }, () => {
  let instance: Instance;
  let cable: (Disposable & { readonly near: string }) | undefined;
  let server: OutsideServer | undefined;
  const vmi = (name: string): Promise<VirtualMachineInstance | undefined> =>
    instance.client.find(resources.virtualMachineInstances, { namespace: 'default', name });
  const interfaceOf = async (name: string, nic: string): Promise<InterfaceStatus | undefined> =>
    (await vmi(name))?.status?.interfaces?.find((i) => i.name === nic);
  // A guest may have its IPv4 address some seconds before its IPv6 address.
  const address = (name: string, family: 4 | 6 = 4): Promise<string> =>
    eventually(`${name} has an IPv${family} address`, 120_000, async () =>
      (await interfaceOf(name, 'default'))?.ipAddresses?.find((ip) => ip.includes(':') === (family === 6)),
    );
  const fetchText = async (host: string): Promise<string> =>
    (await fetch(`http://${host}/cgi-bin/net`, { signal: AbortSignal.timeout(15_000) })).text();
  // Four guests boot at once, by emulation: on a busy machine that takes minutes.
  const view = (name: string): Promise<string> =>
    eventually(`${name} shows its network`, 400_000, async () => fetchText(await address(name)));
  const ping = async (host: string, ...more: string[]): Promise<boolean> =>
    (await command('ping', ['-c', '1', '-W', '2', ...more, host], process.env)).code === 0;
  const patchNic = (name: string, index: number, change: object): Promise<unknown> =>
    instance.client.patch(
      resources.virtualMachines,
      { namespace: 'default', name },
      {
        type: 'json',
        body: Object.entries(change).map(([field, value]) => ({
          op: 'add',
          path: `/spec/template/spec/domain/devices/interfaces/${index}/${field}`,
          value,
        })),
      },
    );

  /** Further networks are bridges and a cable of this machine. */
  const needsNetworksOfMachine = (t: TestContext): boolean =>
    needsEmbedded(t, 'further networks are bridges and a cable of this machine');
  let families: readonly (4 | 6)[] = [4, 6];
  const lacksIpv6 = (t: TestContext): boolean => lacks(t, families.includes(6), 'Pods with IPv6 addresses');

  before(async () => {
    instance = await openHome();
    server = await OutsideServer.start();
    if (isForeign) await allowBindings(instance);
    else await makeHome();
    await makeGuests();
    if (isForeign) families = await familiesOfPods();
  });

  const familiesOfPods = async (): Promise<readonly (4 | 6)[]> => {
    await address('two');
    const { items } = await instance.client.list(resources.pods, { labelSelector: 'app=two' });
    const isSix = items[0]?.status?.podIPs?.some(({ ip }) => ip?.includes(':')) === true;
    return isSix ? [4, 6] : [4];
  };

  /** A home of both families, and its further networks. */
  const makeHome = async (): Promise<void> => {
    const net = instance.podCidr.split('.')[1];
    const { code, stdout, stderr } = await instance.podvisor([
      'up',
      '--no-wait',
      `${root}/examples/hello.yaml`,
      ...['--api-port', String(instance.apiPort)],
      ...['--pod-cidr', `${instance.podCidr},fd00:${net}::/64`],
    ]);
    assert.equal(code, 0, stdout + stderr);
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await allowBindings(instance);
    cable = makeCable(instance.apiPort, `${JUMBO_NET}.1/24`, 9000);
    const config = {
      cniVersion: '0.4.0',
      plugins: [
        {
          type: 'bridge',
          bridge: `pvt${instance.apiPort}`,
          mtu: 1400,
          isGateway: true,
          ipam: { type: 'host-local', subnet: `${SECOND_NET}.0/24` },
        },
        { type: 'tuning' },
      ],
    };
    await instance.client.create(definitions, {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: 'blue', namespace: 'default' },
      spec: { config: JSON.stringify(config) },
    });
    // No addresses: the guest has its own.
    const bare = { cniVersion: '0.4.0', type: 'bridge', bridge: `pvq${instance.apiPort}` };
    await instance.client.create(definitions, {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: 'bare', namespace: 'default' },
      spec: { config: JSON.stringify(bare) },
    });
    const { plugins, ...rest } = config;
    const other = {
      ...plugins[0],
      bridge: `pvo${instance.apiPort}`,
      ipam: { type: 'host-local', subnet: `${OTHER_NET}.0/24` },
    };
    await instance.client.create(definitions, {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: 'green', namespace: 'default' },
      spec: { config: JSON.stringify({ ...rest, ...other }) },
    });
    const jumbo = {
      cniVersion: '0.4.0',
      type: 'macvlan',
      master: cable.near,
      mode: 'passthru',
      mtu: 9000,
      ipam: { type: 'host-local', subnet: `${JUMBO_NET}.0/24` },
    };
    await instance.client.create(definitions, {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: 'jumbo', namespace: 'default' },
      spec: { config: JSON.stringify(jumbo) },
    });
  };

  /** A guest of each binding; the first and the third have further NICs where there are further networks. */
  const makeGuests = async (): Promise<void> => {
    const further = <T>(...items: T[]): readonly T[] => (isForeign ? [] : items);
    const multus = (name: string): Network => ({ name, multus: { networkName: name } });
    const guests = [
      networkVm(
        'two',
        [
          { name: 'default', masquerade: {}, ports: [{ port: 80 }] },
          ...further<Interface>({ name: 'blue', bridge: {}, macAddress: MAC }, { name: 'jumbo', bridge: {} }),
        ],
        [...POD_NETWORK, ...further(multus('blue'), multus('jumbo'))],
      ),
      withQueues(networkVm('bridged', [{ name: 'default', bridge: {} }], POD_NETWORK), 2),
      networkVm(
        'static',
        [
          { name: 'default', masquerade: {} },
          ...further<Interface>({ name: 'bare', binding: { name: MANAGED_TAP } }),
        ],
        [...POD_NETWORK, ...further(multus('bare'))],
        staticNetworkData(instance.podCidr, ...further(`${PLUGIN_NET}.2/24`)),
      ),
      networkVm('passt', [{ name: 'default', passtBinding: {} }], POD_NETWORK, DHCP_NETWORK_DATA),
    ];
    // virt-api hears of the gate of passt a moment after it was written.
    for (const guest of guests)
      await eventually(`${guest.metadata?.name} is declared`, 30_000, async () => {
        await instance.client.create(resources.virtualMachines, guest);
        return true;
      });
  };
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await instance?.purge();
    cable?.[Symbol.dispose]();
  });

  test('virt-handler dies in the middle of phase 1: the next one finishes it', async (t) => {
    if (needsEmbedded(t, 'sees on this machine when phase 1 begins')) return;
    const pid = await instance.pidOf('virt-handler-node-1');
    await eventually('phase 1 has begun', 60_000, () => (hasBridge(instance.name) ? true : undefined));
    process.kill(pid, 'SIGKILL');
    await eventually('two is Running', 60_000, async () =>
      (await vmi('two'))?.status?.phase === 'Running' ? true : undefined,
    );
    assert.notEqual(await instance.pidOf('virt-handler-node-1'), pid);
  });

  test('masquerade: private addresses inside, only listed ports from outside', async () => {
    const text = await view('two');
    assert.match(text, /inet 10\.0\.2\.2\/24/);
    assert.match(text, /default via 10\.0\.2\.1/);
    const pod = await address('two');
    await assert.rejects(fetch(`http://${pod}:81/`, { signal: AbortSignal.timeout(2_000) }), /fetch failed/);
  });

  test('IPv6: address by DHCPv6, default route by advertisement, reachable from outside', async (t) => {
    if (lacksIpv6(t)) return;
    const host = `[${await address('two', 6)}]`;
    const text = await eventually('the page over IPv6', 90_000, () => fetchText(host));
    assert.match(text, /inet6 fd10:0:2::2\//);
    assert.match(text, /default via fe80::1 dev eth0/);
    await assert.rejects(fetch(`http://${host}:81/`, { signal: AbortSignal.timeout(2_000) }), /fetch failed/);
  });

  test('a Service of both families leads to the guest by both, and loses one when told to', async (t) => {
    if (lacksIpv6(t)) return;
    const expose = ['expose', 'vm', 'two', '--port', '80', '--ip-family', 'IPv6,IPv4'];
    const vague = await instance.virtctl(...expose, '--name', 'vague');
    assert.match(vague.stderr, /when multiple IP families are specified/);
    const made = await instance.virtctl(
      ...expose,
      '--name',
      'both',
      '--ip-family-policy',
      'RequireDualStack',
    );
    assert.equal(made.code, 0, made.stderr);
    const addresses = async (): Promise<readonly string[]> => {
      const { stdout } = await instance.kubectl('get', 'service', 'both', '-o', 'json');
      const { spec } = JSON.parse(stdout) as { spec: { clusterIPs: string[] } };
      return spec.clusterIPs;
    };
    const [six = '', four = '', ...more] = await addresses();
    assert.deepEqual([six.includes(':'), four.includes(':'), more], [true, false, []]);
    for (const host of [`[${six}]`, four])
      await eventually(`the guest answers at ${host}`, 60_000, () => fetchText(host));
    const patch = JSON.stringify({ spec: { ipFamilyPolicy: 'SingleStack' } });
    assert.equal((await instance.kubectl('patch', 'service', 'both', '-p', patch)).code, 0);
    assert.deepEqual(await addresses(), [six]);
    const { items } = await instance.client.list(resources.nodes, {});
    const own = items[0]?.status?.addresses?.filter(({ type }) => type === 'InternalIP') ?? [];
    assert.deepEqual(
      own.map(({ address: ip }) => ip.includes(':')),
      [false, true],
    );
  });

  test('a second NIC through a NetworkAttachmentDefinition, with its MAC address and MTU', async (t) => {
    if (needsNetworksOfMachine(t)) return;
    const text = await view('two');
    const second = /inet (10\.77\.1\.\d+)\/24/.exec(text)?.[1];
    assert.ok(second, text);
    assert.match(text, /eth1: .* mtu 1400/);
    assert.match(text, new RegExp(`link/ether ${MAC}`));
    // The first one may be lost while an emulated guest is slow to say where it is.
    await eventually('a packet of 1400 bytes passes whole', 20_000, async () =>
      (await ping(second, '-M', 'do', '-s', '1372')) ? true : undefined,
    );
    assert.ok(!(await ping(second, '-M', 'do', '-s', '1373')), 'a larger one does not');
    const status = await interfaceOf('two', 'blue');
    assert.equal(status?.mac, MAC);
    assert.equal(status?.ipAddress, second);
    assert.equal(status?.linkState, 'up');
    assert.equal(status?.queueCount, 1);
    assert.match(status?.podInterfaceName ?? '', /^pod[0-9a-f]{11}$/);
    assert.match(status?.infoSource ?? '', /^domain(, guest-agent)?, multus-status$/);
  });

  test('addresses that a migration would change are named before there is one', async (t) => {
    if (needsNetworksOfMachine(t)) return;
    const conditionOf = async (name: string): Promise<string | undefined> =>
      (await vmi(name))?.status?.conditions?.find(({ type }) => type === 'AddressesKept')?.message;
    const message = (await conditionOf('two')) ?? assert.fail('no condition AddressesKept');
    assert.match(message, /interface blue: 10\.77\.1\.\d+ .*; interface jumbo: 10\.77\.2\.\d+ /);
    assert.doesNotMatch(message, /interface default/);
    // A network without addresses, and the Pod network, which keeps them here.
    assert.equal(await conditionOf('static'), undefined);
  });

  test('a macvlan with frames of 9000 bytes', async (t) => {
    if (needsNetworksOfMachine(t)) return;
    const text = await view('two');
    const third = /inet (10\.77\.2\.\d+)\/24/.exec(text)?.[1];
    assert.ok(third, text);
    assert.match(text, /eth2: .* mtu 9000/);
    // The first one may be lost while an emulated guest is slow to say where it is.
    await eventually('a packet of 9000 bytes passes whole', 20_000, async () =>
      (await ping(third, '-M', 'do', '-s', '8972')) ? true : undefined,
    );
  });

  test('bridge and passt: the guest has the addresses of the Pod', async () => {
    for (const name of ['bridged', 'passt']) {
      await eventually(`${name} has its addresses and a way out`, 120_000, async () => {
        const text = await view(name);
        for (const family of families) {
          assert.ok(text.includes(`inet${family === 6 ? '6' : ''} ${await address(name, family)}/`), text);
          const gateway = family === 6 ? 'fe80::[0-9a-f:]+' : '[0-9.]+';
          assert.match(text, new RegExp(`default via ${gateway} dev eth0`));
        }
        return true;
      });
    }
    for (const family of families) assert.ok(await ping(await address('bridged', family)));
  });

  test('a queue for each vCPU: of the guest, in the status', async () => {
    assert.match(await view('bridged'), /queues rx-0 rx-1 tx-0 tx-1/);
    assert.equal((await interfaceOf('bridged', 'default'))?.queueCount, 2);
    assert.doesNotMatch(await view('two'), /rx-1/);
  });

  test('a queue for each vCPU: of the TAP', async (t) => {
    if (needsEmbedded(t, 'looks into the network of a Pod on this machine')) return;
    const [pod = ''] = Object.keys((await vmi('bridged'))?.status?.activePods ?? {});
    const details = execFileSync('ip', ['-n', `${instance.name}-${pod}`, '-d', 'link', 'show', 'tap0'], {
      encoding: 'utf8',
    });
    assert.match(details, /multi_queue .*numqueues 2 /);
  });

  test('network data of cloud-init: addresses, routes, MTU and name servers as it says', async () => {
    const text = await view('static');
    assert.match(text, /eth0: .* mtu 1450/);
    assert.match(text, /inet 10\.0\.2\.2\/24/);
    assert.match(text, /inet6 fd10:0:2::2\/120/);
    assert.match(text, /search example\.test svc\.cluster\.local/);
  });

  test('a binding plugin (managedTap) gives the guest a cable and nothing else', async (t) => {
    if (needsNetworksOfMachine(t)) return;
    const text = await view('static');
    assert.match(text, new RegExp(`inet ${PLUGIN_NET}\\.2/24`));
    execFileSync('ip', ['addr', 'add', `${PLUGIN_NET}.1/24`, 'dev', `pvq${instance.apiPort}`]);
    await eventually('the guest answers', 20_000, async () =>
      (await ping(`${PLUGIN_NET}.2`)) ? true : undefined,
    );
    const status = await interfaceOf('static', 'bare');
    assert.equal(status?.linkState, 'up');
    assert.match(status?.infoSource ?? '', /^domain(, guest-agent)?, multus-status$/);
    const { stdout } = await instance.virtctl('why', 'vm/static');
    assert.match(stdout, /bare \(plugin\): Pod NIC ✓ → bridge ✓ → TAP ✓ → guest address/);
  });

  /** Asks a guest to do something; one that a busy machine emulates may be slow: what it says in the end counts. */
  const ask = (name: string, host: string, what: string, answer: RegExp): Promise<string> =>
    eventually(`${name} by ${host}: ${what}`, 120_000, async () => {
      const signal = AbortSignal.timeout(60_000);
      const text = await (await fetch(`http://${host}/cgi-bin/do?${what}`, { signal })).text();
      assert.match(text, answer);
      return text;
    });
  const GUESTS = ['two', 'bridged', 'static', 'passt'];

  test('every guest resolves names of the cluster', async (t) => {
    const dns = await instance.client.find(resources.services, {
      namespace: 'kube-system',
      name: 'kube-dns',
    });
    if (lacks(t, dns !== undefined, 'a name server (Service kube-system/kube-dns)')) return;
    const get = ['get', 'service', 'kubernetes', '-o', 'jsonpath={.spec.clusterIP}'];
    const { stdout: api } = await instance.kubectl(...get);
    const answer = new RegExp(`Address.*${api.replaceAll('.', String.raw`\.`)}\\b`);
    // The name server of network data is the embedded home's.
    for (const name of isForeign ? GUESTS.filter((guest) => guest !== 'static') : GUESTS)
      await ask(name, await address(name), 'dns=kubernetes.default.svc.cluster.local', answer);
  });

  test('every guest reaches Pods and the world, and is reached, by every family', async () => {
    const { port } = server ?? assert.fail('no server');
    await Promise.all(
      GUESTS.map(async (name, i) => {
        const host4 = await address(name);
        const neighbour = await address(GUESTS[(i + 1) % GUESTS.length] ?? '');
        await ask(name, host4, `get=http://${neighbour}/cgi-bin/net`, /inet /);
        await ask(name, host4, `ping=${machineAddress(host4)}`, /1 packets received/);
        for (const family of families) {
          const own = await address(name, family);
          const [host, outside] = [own, machineAddress(own)].map((ip) => (family === 6 ? `[${ip}]` : ip));
          const url = `http://${outside}:${port}`;
          await ask(name, host4, `get=${url}/hello`, /^hello from outside$/);
          await ask(name, host4, `size=${url}/bytes/${BULK_BYTES}`, new RegExp(`^\\s*${BULK_BYTES}\\s*$`));
          const sent = await ask(name, host ?? '', `send=${BULK_BYTES / 65_536}`, /^/);
          assert.equal(sent.length, BULK_BYTES, name);
        }
      }),
    );
  });

  test('a link goes down and up while the guest runs', async (t) => {
    if (needsNetworksOfMachine(t)) return;
    const second = (await interfaceOf('two', 'blue'))?.ipAddress ?? '';
    for (const state of ['down', 'up'] as const) {
      await patchNic('two', 1, { state });
      await eventually(`link ${state}`, 20_000, async () =>
        (await interfaceOf('two', 'blue'))?.linkState === state ? true : undefined,
      );
      await eventually(`ping with link ${state}`, 10_000, async () =>
        (await ping(second)) === (state === 'up') ? true : undefined,
      );
    }
    const vm = await instance.client.get(resources.virtualMachines, { namespace: 'default', name: 'two' });
    assert.ok(!vm.status?.conditions?.some(({ type }) => type === 'RestartRequired'));
  });

  test('another network for a running guest, at once: the NIC stays, the guest asks for an address anew', async (t) => {
    if (needsNetworksOfMachine(t)) return;
    const before = await interfaceOf('two', 'blue');
    await instance.client.patch(
      resources.virtualMachines,
      { namespace: 'default', name: 'two' },
      {
        type: 'json',
        body: [{ op: 'replace', path: '/spec/template/spec/networks/1/multus/networkName', value: 'green' }],
      },
    );
    const now = await eventually('the status shows the other network', 30_000, async () => {
      const status = await interfaceOf('two', 'blue');
      return status?.ipAddress?.startsWith(`${OTHER_NET}.`) === true ? status : undefined;
    });
    assert.equal(now.mac, MAC);
    assert.notEqual(now.podInterfaceName, before?.podInterfaceName);
    await eventually('the guest has the address of the other network', 60_000, async () => {
      const text = await fetchText(await address('two'));
      return text.includes(`inet ${now.ipAddress}/24`) && !text.includes(`inet ${before?.ipAddress}/`)
        ? true
        : undefined;
    });
    assert.ok(await ping(now.ipAddress ?? ''));
    await eventually('the Pod has left the old network', 20_000, async () => {
      const { items } = await instance.client.list(resources.pods, { labelSelector: 'app=two' });
      const status = items[0]?.metadata.annotations?.['k8s.v1.cni.cncf.io/network-status'] ?? '';
      return status.includes('default/green') && !status.includes('default/blue') ? true : undefined;
    });
    await eventually('nothing is left to do', 20_000, async () => {
      const types = (await vmi('two'))?.status?.conditions?.map(({ type }) => type) ?? [];
      return types.includes('MigrationRequired') || types.includes('Synchronized') ? undefined : true;
    });
    const vm = await instance.client.get(resources.virtualMachines, { namespace: 'default', name: 'two' });
    assert.ok(!vm.status?.conditions?.some(({ type }) => type === 'RestartRequired'));
  });

  test('virtctl net draws the way of a packet', async () => {
    const { code, stdout, stderr } = await instance.virtctl('net', 'vm/two');
    assert.equal(code, 0, stderr);
    const order = [
      'default (masquerade)',
      'eth0  ',
      'tcp dport 80',
      'k6t-eth0',
      'tap0',
      '10.0.2.2/24',
      ...(isForeign ? [] : ['blue (bridge)', 'mtu 9000  macvlan passthru']),
    ];
    const places = order.map((part) => stdout.indexOf(part));
    assert.ok(
      places.every((place, i) => place > (places[i - 1] ?? -1)),
      stdout,
    );
  });

  test('a NIC is unplugged: guest, status and Pod let go of it', async (t) => {
    if (needsNetworksOfMachine(t)) return;
    await patchNic('two', 1, { state: 'absent' });
    // A guest may miss the question; it is asked again every few seconds.
    await eventually('the interface is gone', 60_000, async () => {
      const now = await vmi('two');
      const names = now?.spec.domain.devices.interfaces?.map(({ name }) => name);
      const left = ['default', 'jumbo'];
      assert.deepEqual([names, now?.status?.interfaces?.map(({ name }) => name)], [left, left]);
      return true;
    });
    await eventually('the VM forgets it, and needs no restart', 20_000, async () => {
      const { spec, status } = await instance.client.get(resources.virtualMachines, {
        namespace: 'default',
        name: 'two',
      });
      const names = spec.template?.spec?.domain.devices.interfaces?.map(({ name }) => name) ?? [];
      const types = status?.conditions?.map(({ type }) => type) ?? [];
      return names.includes('blue') || types.includes('RestartRequired') ? undefined : true;
    });
    await eventually('the guest does not show the NIC', 20_000, async () =>
      /eth1/.test(await fetchText(await address('two'))) ? undefined : true,
    );
    await eventually('the Pod has left the network', 20_000, async () => {
      const { items } = await instance.client.list(resources.pods, { labelSelector: 'app=two' });
      const status = items[0]?.metadata.annotations?.['k8s.v1.cni.cncf.io/network-status'] ?? '';
      return status !== '' && !status.includes('green') ? true : undefined;
    });
  });
});

/** A namespace of this instance where phase 1 has made its bridge. */
function hasBridge(instance: string): boolean {
  const mine = readdirSync('/run/netns').filter((name) => name.startsWith(`${instance}-`));
  return mine.some((name) => {
    try {
      return execFileSync('ip', ['-n', name, '-br', 'link'], { encoding: 'utf8' }).includes('k6t-eth0');
    } catch {
      return false; // went away while we looked
    }
  });
}
