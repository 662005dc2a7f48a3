/**
 * The network of Pods over two nodes, of both families, played without guests, so that the network alone is seen.
 * Addresses belong to the VM: the Pod that a migration makes on another node gets those of the Pod in which the guest
 * runs, and traffic follows when the guest is said to run there. NetworkPolicies hold on one bridge and between nodes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KubernetesObject, Pod } from '@podvisor/api';
import { urlHost } from '@podvisor/base';
import { defineResource, KubeClient, resources } from '@podvisor/kube';
import { EMBEDDED_LAUNCHER_IMAGE } from '@podvisor/sys';
import { eventually } from '../support/eventually.ts';
import { command, Instance } from '../support/instance.ts';

const networkPolicies = defineResource<KubernetesObject & { readonly spec: object }>(
  'NetworkPolicy',
  'networkpolicies',
  'networking.k8s.io/v1',
);
const addressesOf = ({ status }: Pod): readonly string[] => (status?.podIPs ?? []).map(({ ip }) => ip);
const READY = 'kubevirt.io/migration-target-ready-timestamp';

describe('the network of Pods', { concurrency: 1 }, () => {
  let instance: Instance;
  /** Pods of VMs are virt-controller's alone, so the test plays it where it makes one. */
  let controller: KubeClient;
  const find = (name: string): Promise<Pod | undefined> =>
    instance.client.find(resources.pods, { namespace: 'default', name });
  const running = (name: string): Promise<Pod> =>
    eventually(`${name} runs`, 60_000, async () => {
      const pod = await find(name);
      return pod?.status?.phase === 'Running' && pod.status.podIP !== undefined ? pod : undefined;
    });
  /** A Pod that answers every connection to port 80 with its own name. */
  const create = async (
    name: string,
    node: string,
    labels: Readonly<Record<string, string>>,
  ): Promise<Pod> => {
    const client = Object.keys(labels).length === 0 ? instance.client : controller;
    await client.create(resources.pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels },
      spec: {
        nodeName: node,
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: 'answer',
            image: EMBEDDED_LAUNCHER_IMAGE,
            command: ['socat', 'TCP6-LISTEN:80,ipv6only=0,fork,reuseaddr', `SYSTEM:echo ${name}`],
          },
        ],
      },
    });
    return await running(name);
  };
  /** Who answers at the address, asked from the machine and from inside another Pod. */
  const whoAnswers = async (address: string, asker: string): Promise<readonly string[]> => {
    const args = ['-T', '2', '-u', `TCP:${urlHost(address)}:80,connect-timeout=2`, 'STDOUT'];
    const [machine, pod] = await Promise.all([
      command('socat', args, process.env, 5_000),
      instance.kubectl('exec', asker, '--', 'socat', ...args),
    ]);
    return [machine.stdout.trim(), pod.stdout.trim()];
  };
  const answeredBy = async (addresses: readonly string[], asker: string, name: string): Promise<void> => {
    for (const address of addresses)
      await eventually(`${asker} and the machine hear ${name} at ${address}`, 20_000, async () => {
        assert.deepEqual(await whoAnswers(address, asker), [name, name]);
        return true;
      });
  };
  const handOver = (name: string): Promise<unknown> =>
    controller.patch(
      resources.pods,
      { namespace: 'default', name },
      { type: 'merge', body: { metadata: { annotations: { [READY]: new Date().toISOString() } } } },
    );
  const remove = async (name: string): Promise<void> => {
    await instance.client.delete(resources.pods, { namespace: 'default', name });
    await eventually(`${name} is gone`, 30_000, async () =>
      (await find(name)) === undefined ? true : undefined,
    );
  };

  before(async () => {
    instance = await Instance.prepare();
    const net = instance.podCidr.split('.')[1];
    const cidrs = `${instance.podCidr},fd00:${net}::/64`;
    const flags = ['--api-port', String(instance.apiPort), '--pod-cidr', cidrs];
    // A home that has grown: its first node is the machine itself, the second has a network of its own.
    for (const nodes of ['1', '2']) {
      const { code, stdout, stderr } = await instance.podvisor(['up', '--nodes', nodes, ...flags]);
      assert.equal(code, 0, stdout + stderr);
    }
    controller = KubeClient.fromKubeconfig(`${instance.home}/pki/virt-controller.kubeconfig`, 'test');
  });
  after(async () => {
    await controller?.close();
    await instance?.purge();
  });

  for (const [home, away, vmi] of [
    ['node-1', 'node-2', '6a000000-0000-4000-8000-000000000001'],
    ['node-2', 'node-1', '6a000000-0000-4000-8000-000000000002'],
  ] as const) {
    test(`${home} to ${away}: it goes to the other node at the hand-over, and traffic of old neighbours with it`, async () => {
      const [source, neighbour] = await Promise.all([
        create('source', home, { 'kubevirt.io/created-by': vmi }),
        create('neighbour', home, {}),
      ]);
      const addresses = addressesOf(source);
      assert.equal(addresses.length, 2, addresses.join(' '));
      await answeredBy(addresses, 'neighbour', 'source');
      const target = await create('target', away, {
        'kubevirt.io/created-by': vmi,
        'kubevirt.io/migrationJobUID': 'm-1',
      });
      assert.deepEqual(addressesOf(target), addresses);
      await answeredBy(addresses, 'neighbour', 'source');
      await handOver('target');
      await answeredBy(addresses, 'neighbour', 'target');
      await remove('source');
      await answeredBy(addresses, 'neighbour', 'target');
      // And the other way round: from the new node to a neighbour of the old one, as if on one cable.
      await answeredBy(addressesOf(neighbour), 'target', 'neighbour');
    });

    test(`${away} to ${home}: nobody else gets it meanwhile; it comes home, and is free afterwards`, async () => {
      const addresses = addressesOf(await running('target'));
      const back = await create('back', home, {
        'kubevirt.io/created-by': vmi,
        'kubevirt.io/migrationJobUID': 'm-2',
      });
      assert.deepEqual(addressesOf(back), addresses);
      await handOver('back');
      await answeredBy(addresses, 'neighbour', 'back');
      await remove('target');
      await answeredBy(addresses, 'neighbour', 'back');
      const holder = await command(
        'grep',
        ['-rl', back.metadata.uid ?? '', `${instance.home}/nodes/${home}/ipam`],
        process.env,
      );
      for (const address of addresses) assert.match(holder.stdout, new RegExp(`${address}$`, 'm'));
      await Promise.all(['back', 'neighbour'].map(remove));
      for (const address of addresses)
        await eventually(`${address} is free`, 10_000, async () => {
          const args = [`${instance.home}/nodes/${home}/ipam`, '-name', address];
          const { stdout } = await command('find', args, process.env);
          return stdout.trim() === '' ? true : undefined;
        });
    });
  }

  test('a NetworkPolicy: only who is named gets in, on the same node and from another', async () => {
    const web = { app: 'web' };
    const [server] = await Promise.all([
      create('server', 'node-1', { app: 'server' }),
      create('friend', 'node-1', web),
      create('far-friend', 'node-2', web),
      create('stranger', 'node-1', {}),
      create('far-stranger', 'node-2', {}),
    ]);
    const address = server.status?.podIP ?? '';
    const asks = async (asker: string): Promise<string> => {
      const args = ['-T', '2', '-u', `TCP:${address}:80,connect-timeout=1`, 'STDOUT'];
      return (await instance.kubectl('exec', asker, '--', 'socat', ...args)).stdout.trim();
    };
    const all = ['friend', 'far-friend', 'stranger', 'far-stranger'];
    const answers = (): Promise<readonly string[]> => Promise.all(all.map(asks));
    await eventually('all get in', 20_000, async () => {
      assert.deepEqual(await answers(), ['server', 'server', 'server', 'server']);
      return true;
    });
    await instance.client.create(networkPolicies, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'web-only', namespace: 'default' },
      spec: {
        podSelector: { matchLabels: { app: 'server' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [{ podSelector: { matchLabels: web } }], ports: [{ port: 80 }] }],
      },
    });
    await eventually('only friends get in', 20_000, async () => {
      assert.deepEqual(await answers(), ['server', 'server', '', '']);
      return true;
    });
    const out = await instance.kubectl(
      ...['exec', 'server', '--', 'socat', '-T', '1', '-u'],
      ...[`TCP:${(await running('friend')).status?.podIP}:80,connect-timeout=1`, 'STDOUT'],
    );
    assert.equal(out.stdout, '', 'and nothing gets out');
    await instance.client.delete(networkPolicies, { namespace: 'default', name: 'web-only' });
    await eventually('all get in again', 20_000, async () => {
      assert.deepEqual(await answers(), ['server', 'server', 'server', 'server']);
      return true;
    });
  });
});
