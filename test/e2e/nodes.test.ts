/**
 * Three nodes on one machine, a VM on each: placement, the network between them, consoles through every
 * node's virt-handler, a node that is cut off, one whose power fails, fewer nodes, and nothing left at the
 * end although everything was killed. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { eventually } from '../support/eventually.ts';
import { command, Conversation, Instance, root } from '../support/instance.ts';
import { podProcesses } from '../support/pod-processes.ts';
import { instanceProcesses, NOTHING, tracesOf } from '../support/traces.ts';
import { rowsOf } from '../support/pages-of-docs/page-rows.ts';
import { typeRow } from '../support/pages-of-docs/type-row.ts';

const NUMBERS = [1, 2, 3] as const;

describe('three nodes', { concurrency: 1 }, () => {
  let instance: Instance;
  const bootIds = new Map<number, string>();
  const vmi = (number: number) =>
    instance.client.get(resources.virtualMachineInstances, { namespace: 'default', name: `vm-${number}` });
  const address = async (number: number): Promise<string> =>
    (await vmi(number)).status?.interfaces?.[0]?.ipAddress ?? '';
  const page = async (number: number): Promise<string> =>
    (await fetch(`http://${await address(number)}/`, { signal: AbortSignal.timeout(2_000) })).text();
  const pings = async (number: number): Promise<boolean> =>
    (await command('ping', ['-c', '1', '-W', '2', await address(number)], process.env)).code === 0;
  const ready = async (number: number): Promise<string | undefined> =>
    (await instance.client.get(resources.nodes, { name: `node-${number}` })).status?.conditions?.find(
      ({ type }) => type === 'Ready',
    )?.status;

  before(async () => {
    instance = await Instance.prepare();
  });
  after(() => instance?.purge());

  test('up --nodes 3 brings a VM up on each node', async () => {
    const manifest = `${instance.home}.json`;
    const items = NUMBERS.map((number) =>
      bootIdVm(`vm-${number}`, { 'kubernetes.io/hostname': `node-${number}` }),
    );
    writeFileSync(manifest, items.map((item) => JSON.stringify(item)).join('\n---\n'));
    const { code, stdout, stderr } = await instance.up('--nodes', '3', manifest);
    rmSync(manifest);
    assert.equal(code, 0, stdout + stderr);
    const network = instance.podCidr.replace(/0\.0\/16$/, '');
    for (const number of NUMBERS) {
      assert.match(stdout, new RegExp(`vm-${number} is Running on node-${number}, address`));
      assert.ok((await address(number)).startsWith(`${network}${number - 1}.`));
    }
    const { stdout: nodes } = await instance.podvisor(['node', 'list']);
    for (const number of NUMBERS)
      assert.match(nodes, new RegExp(`node-${number} +ready, takes VMs, 1 VM, address ${network}255\\.`));
  });

  test('the host reaches the guest on every node', async () => {
    for (const number of NUMBERS) {
      const bootId = await eventually(`vm-${number} serves its boot id`, 400_000, () => page(number));
      assert.match(bootId, /^[0-9a-f-]{36}$/m);
      bootIds.set(number, bootId);
      assert.ok(await pings(number));
    }
    assert.equal(new Set(bootIds.values()).size, 3);
  });

  test('each console works, and guests reach guests on other nodes', async () => {
    await Promise.all(
      NUMBERS.map(async (number) => {
        const other = await address((number % 3) + 1);
        const console = new Conversation(`${root}/bin/virtctl`, ['console', `vm-${number}`], instance.env);
        try {
          console.say('\n');
          await console.hear(/login: /, 30_000);
          console.say('root\n');
          await console.hear(/Password: /);
          console.say('hello\n');
          await console.hear(/# /);
          console.say(`ping -c 1 -W 5 ${other} > /dev/null && echo reached=$((1 + 1))\n`);
          await console.hear(/reached=2/, 20_000);
        } finally {
          console.end();
          await console.exited();
        }
      }),
    );
  });

  test('Pods spread over the nodes; cordon and taints keep them away', async () => {
    const placed = async (names: readonly string[]): Promise<string[]> => {
      for (const name of names) await instance.client.create(resources.pods, sleeper(name));
      const nodes = await Promise.all(
        names.map((name) =>
          eventually(`${name} runs`, 20_000, async () => {
            const pod = await instance.client.get(resources.pods, { namespace: 'default', name });
            return pod.status?.phase === 'Running' ? pod.spec.nodeName : undefined;
          }),
        ),
      );
      for (const name of names) await instance.client.delete(resources.pods, { namespace: 'default', name });
      return nodes.toSorted();
    };
    assert.deepEqual(await placed(['a', 'b', 'c']), ['node-1', 'node-2', 'node-3']);
    assert.equal((await instance.kubectl('cordon', 'node-1')).code, 0);
    assert.equal((await instance.kubectl('taint', 'nodes', 'node-2', 'dedicated=us:NoSchedule')).code, 0);
    assert.deepEqual(await placed(['d', 'e']), ['node-3', 'node-3']);
    assert.equal((await instance.kubectl('uncordon', 'node-1')).code, 0);
    assert.equal((await instance.kubectl('taint', 'nodes', 'node-2', 'dedicated-')).code, 0);
  });

  test('a node that is cut off becomes Unknown; its VM goes on and is started nowhere else', async () => {
    const before = await vmi(2);
    // The cookbook's row, on the home that has its three nodes already.
    const rows = rowsOf('nodes', 'cookbook.md');
    assert.equal(rows.length, 1);
    const typed = await typeRow(instance, 'cookbook.md', rows[0] ?? '', { vm: 'hello' });
    assert.match(typed, /READY after[\s\S]*node-2 is cut off/);
    assert.equal(await pings(2), false);
    assert.ok(await pings(1));
    const pod = (await instance.client.list(resources.pods, { labelSelector: 'app=vm-2' })).items[0];
    const { code, stderr } = await instance.kubectl('exec', `pod/${pod?.metadata.name}`, '--', 'true');
    assert.notEqual(code, 0);
    assert.match(stderr, /kubelet of node "node-2".* does not answer/);
    await eventually('node-2 is Unknown', 60_000, async () =>
      (await ready(2)) === 'Unknown' ? true : undefined,
    );
    assert.match((await instance.podvisor(['status'])).stdout, /node-2 +cut off, unknown/);
    assert.match((await instance.virtctl('why', 'vm/vm-2')).stdout, /Node gone \(node-gone\)/);

    const healed = await instance.podvisor(['node', 'heal', 'node-2']);
    assert.equal(healed.code, 0, healed.stderr);
    assert.equal(await ready(2), 'True');
    assert.equal(await eventually('the guest answers', 10_000, () => page(2)), bootIds.get(2));
    const now = await vmi(2);
    assert.equal(now.metadata?.uid, before.metadata?.uid);
    assert.equal(now.status?.phase, 'Running');
    const { items } = await instance.client.list(resources.pods, { labelSelector: 'app=vm-2' });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.uid),
      [pod?.metadata.uid],
    );
    // It does not only answer, it obeys: a command goes through virt-api to this node and back.
    assert.equal((await instance.virtctl('pause', 'vm', 'vm-2')).code, 0);
    assert.equal((await instance.virtctl('unpause', 'vm', 'vm-2')).code, 0);
  });

  test('a power cut takes the VM with it, unheard; with the power it starts anew', async () => {
    const before = await vmi(3);
    assert.equal((await instance.podvisor(['node', 'kill', 'node-3'])).code, 0);
    const { items } = await instance.client.list(resources.pods, { labelSelector: 'app=vm-3' });
    // A process without a command line has ended and only waits to be reaped.
    const alive = podProcesses(items[0]?.metadata.uid ?? '-').filter(({ command }) => command !== '');
    assert.deepEqual(alive, []);
    assert.equal((await vmi(3)).metadata?.uid, before.metadata?.uid);
    assert.equal((await vmi(3)).status?.phase, 'Running', 'nobody knows yet, so nobody says so');
    assert.equal((await instance.podvisor(['node', 'heal', 'node-3'])).code, 0);
    await eventually('vm-3 runs anew', 400_000, async () => {
      const now = await vmi(3);
      return now.metadata?.uid !== before.metadata?.uid && now.status?.phase === 'Running' ? true : undefined;
    });
    assert.equal(await page(1), bootIds.get(1));
  });

  test('a node goes only when it is empty', async () => {
    const refused = await instance.podvisor(['up', '--nodes', '2']);
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, /node-3 still has 1 Pod .*kubectl drain node-3/);
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'vm-3' });
    const drained = await instance.kubectl('drain', 'node-3', '--delete-emptydir-data', '--force');
    assert.equal(drained.code, 0, drained.stderr);
    const { code, stdout, stderr } = await instance.podvisor(['up', '--nodes', '2']);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /node-3 is removed/);
    const { items } = await instance.client.list(resources.nodes, {});
    assert.deepEqual(items.map(({ metadata }) => metadata.name).toSorted(), ['node-1', 'node-2']);
    const { namespaces, links } = tracesOf(instance.home, instance.name);
    assert.ok(![...namespaces, ...links].some((name) => name.endsWith('-3')));
    assert.equal(await page(2), bootIds.get(2), 'VMs did not notice');
  });

  test('down --purge leaves nothing, although everything was killed', async () => {
    const { home, name } = instance;
    assert.ok(tracesOf(home, name).links.length > 2, 'there is something to leave behind');
    for (const { pid } of instanceProcesses(home, name))
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It went with another one.
      }
    const { code, stdout, stderr } = await instance.podvisor(['down', '--purge']);
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(tracesOf(home, name), NOTHING);
    const { stdout: routes } = await command('ip', ['route'], process.env);
    assert.ok(!routes.includes(instance.podCidr.replace(/0\.0\/16$/, '')), routes);
  });
});

function sleeper(name: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      containers: [
        { name: 'main', image: 'podvisor.local/virt-launcher:embedded', command: ['/bin/sleep', '600'] },
      ],
      terminationGracePeriodSeconds: 0,
    },
  };
}
