/**
 * A home without IPv4: nodes, API server, Services, DNS, policies and guests have IPv6 alone; a guest gets it by DHCPv6
 * and router advertisements, and keeps its address when it migrates. It migrates because it changes to another network
 * under a binding plugin, which no running Pod can follow. Two nodes, two guests; the tests build on each other.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KubernetesObject, VirtualMachineInstance } from '@podvisor/api';
import { defineResource, resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { command, Instance, root } from '../support/instance.ts';
import { networkVm } from '../support/guests/network-vm.ts';
import { allowBindings, MANAGED_TAP, POD_NETWORK } from '../support/network-world.ts';

const PATIENCE_MS = 400_000;
const policies = defineResource<KubernetesObject & { readonly spec: object }>(
  'NetworkPolicy',
  'networkpolicies',
  'networking.k8s.io/v1',
);

const definitions = defineResource<KubernetesObject & { readonly spec: { readonly config: string } }>(
  'NetworkAttachmentDefinition',
  'network-attachment-definitions',
  'k8s.cni.cncf.io/v1',
);
/** Further networks, each a bridge of this name on every node. */
const SIDES = ['side-a', 'side-b'] as const;

describe('IPv6 alone', { concurrency: 1 }, () => {
  let instance: Instance;
  let prefix: string;
  const vmi = (name: string): Promise<VirtualMachineInstance | undefined> =>
    instance.client.find(resources.virtualMachineInstances, { namespace: 'default', name });
  const address = async (name: string): Promise<string> => {
    const [first = '', ...more] = (await vmi(name))?.status?.interfaces?.[0]?.ipAddresses ?? [];
    assert.ok(first.startsWith(`${prefix}:`) && more.length === 0, `${name} has ${first} ${more.join(' ')}`);
    return first;
  };
  const page = async (host: string, path: string): Promise<string> =>
    (await fetch(`http://[${host}]/cgi-bin/${path}`, { signal: AbortSignal.timeout(20_000) })).text();
  /** What `name` finds out, asked until it is as expected: an emulated guest may be slow. */
  const ask = (name: string, what: string, answer: RegExp): Promise<string> =>
    eventually(`${name}: ${what}`, 120_000, async () => {
      const text = await page(await address(name), `do?${what}`);
      assert.match(text, answer);
      return text;
    });

  /** Of the guest's second NIC. */
  const linkLocal = async (name: string): Promise<string> =>
    /eth1: [^]*?inet6 (fe80:[0-9a-f:]+)/.exec(await page(await address(name), 'net'))?.[1] ??
    assert.fail('no link-local address on eth1');
  const answersOn = async (node: string, bridge: string, its: string): Promise<boolean> => {
    const ping = ['ping', '-6', '-c', '1', '-W', '5', `${its}%${bridge}`];
    return (
      (await command('ip', ['netns', 'exec', `${instance.name}-${node}`, ...ping], process.env)).code === 0
    );
  };

  before(async () => {
    instance = await Instance.prepare();
    prefix = `fd00:${instance.podCidr.split('.')[1]}`;
    const flags = ['--nodes', '2', '--api-port', String(instance.apiPort), '--pod-cidr', `${prefix}::/64`];
    // The manifest brings the guest's image along.
    const { code, stdout, stderr } = await instance.podvisor(['up', `${root}/examples/hello.yaml`, ...flags]);
    assert.equal(code, 0, stdout + stderr);
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await allowBindings(instance);
    for (const name of SIDES)
      await instance.client.create(definitions, {
        apiVersion: 'k8s.cni.cncf.io/v1',
        kind: 'NetworkAttachmentDefinition',
        metadata: { name, namespace: 'default' },
        spec: { config: JSON.stringify({ cniVersion: '0.4.0', type: 'bridge', bridge: name }) },
      });
    // Both on one node, so that one has the other as its neighbour.
    assert.equal((await instance.kubectl('cordon', 'node-2')).code, 0);
    const nic = { name: 'default', masquerade: {} };
    const side = { name: 'side', binding: { name: MANAGED_TAP } };
    const sideNetwork = { name: 'side', multus: { networkName: SIDES[0] } };
    await instance.client.create(
      resources.virtualMachines,
      networkVm('mover', [nic, side], [...POD_NETWORK, sideNetwork]),
    );
    await instance.client.create(resources.virtualMachines, networkVm('neighbour', [nic], POD_NETWORK));
    for (const name of ['mover', 'neighbour'])
      await eventually(`${name} is Running`, 120_000, async () =>
        (await vmi(name))?.status?.phase === 'Running' ? true : undefined,
      );
    assert.equal((await instance.kubectl('uncordon', 'node-2')).code, 0);
  });
  after(() => instance?.purge());

  test('nodes, API server and DNS have IPv6 addresses', async () => {
    const { items } = await instance.client.list(resources.nodes, {});
    for (const { status } of items)
      assert.deepEqual(
        status?.addresses
          ?.filter(({ type }) => type === 'InternalIP')
          .map(({ address: ip }) => ip.includes(':')),
        [true],
      );
    const { stdout } = await instance.kubectl('get', 'service', 'kubernetes', '-o', 'json');
    const { spec } = JSON.parse(stdout) as { spec: { clusterIP: string; ipFamilies: string[] } };
    assert.equal(spec.clusterIP, `${prefix}::fffe:0:0:1`);
    assert.deepEqual(spec.ipFamilies, ['IPv6']);
  });

  test('a guest has its address by DHCPv6, its way out by advertisement, and names', async () => {
    const text = await eventually('mover shows its network', PATIENCE_MS, async () =>
      page(await address('mover'), 'net'),
    );
    assert.match(text, /inet6 fd10:0:2::2\//);
    assert.match(text, /default via fe80::1 dev eth0/);
    assert.doesNotMatch(text, /inet 10\./);
    assert.match(text, new RegExp(`nameserver ${prefix}::fffe:0:0:a`));
    await ask('mover', 'dns=kubernetes.default.svc.cluster.local', /fffe:0:0:1/);
  });

  test('a Service leads to a guest, by name and from another guest', async () => {
    await eventually('neighbour shows its network', PATIENCE_MS, async () =>
      page(await address('neighbour'), 'net'),
    );
    const { code, stderr } = await instance.virtctl(
      ...['expose', 'vmi', 'mover', '--name', 'web', '--port', '80'],
    );
    assert.equal(code, 0, stderr);
    await ask('neighbour', 'get=http://web.default.svc.cluster.local/cgi-bin/net', /fd10:0:2::2/);
    const { stdout } = await instance.kubectl(
      'get',
      'endpointslices',
      '-l',
      'kubernetes.io/service-name=web',
      '-o',
      'json',
    );
    assert.match(stdout, /"addressType": "IPv6"/);
  });

  test('a policy keeps others out, and lets them in again', async () => {
    const url = `http://[${await address('mover')}]/cgi-bin/net`;
    await ask('neighbour', `get=${url}`, /fd10:0:2::2/);
    const policy = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'alone', namespace: 'default' },
      spec: { podSelector: { matchLabels: { app: 'mover' } }, policyTypes: ['Ingress'] },
    };
    await instance.client.create(policies, policy);
    await ask('neighbour', `ping=${await address('mover')}`, /100% packet loss/);
    await instance.client.delete(policies, policy.metadata);
    await ask('neighbour', `get=${url}`, /fd10:0:2::2/);
  });

  test('the address moves with the guest: the machine and old neighbours find it at once', async () => {
    const [before, from] = [await address('mover'), (await vmi('mover'))?.status?.nodeName];
    assert.ok(await answersOn(String(from), SIDES[0], await linkLocal('mover')), 'on its first network');
    await instance.client.patch(
      resources.virtualMachines,
      { namespace: 'default', name: 'mover' },
      {
        type: 'json',
        body: [{ op: 'replace', path: '/spec/template/spec/networks/1/multus/networkName', value: SIDES[1] }],
      },
    );
    const to = await eventually('the guest is elsewhere, and waits for nothing', PATIENCE_MS, async () => {
      const { nodeName, conditions = [] } = (await vmi('mover'))?.status ?? {};
      const isDone = nodeName !== from && !conditions.some(({ type }) => type === 'MigrationRequired');
      return isDone ? nodeName : undefined;
    });
    assert.equal(await address('mover'), before);
    await eventually('the guest answers on the other network', 30_000, async () =>
      (await answersOn(to, SIDES[1], await linkLocal('mover'))) ? true : undefined,
    );
    assert.match(await eventually('the machine', 30_000, () => page(before, 'net')), /fd10:0:2::2/);
    await ask('neighbour', `get=http://[${before}]/cgi-bin/net`, /fd10:0:2::2/);
    await ask('mover', `ping=${await address('neighbour')}`, /1 packets received/);
  });
});
