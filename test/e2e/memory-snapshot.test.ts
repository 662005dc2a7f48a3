/**
 * Snapshots with memory, against real QEMU: disks and memory of one instant, and VMs that go on from there, in place
 * and beside the first. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { PersistentVolumeClaim, VirtualMachine, VirtualMachineRestoreSpec } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { cloneSnapshot } from '../support/clone-snapshot.ts';
import { eventually } from '../support/eventually.ts';
import { GuestPage } from '../support/guests/guest-page.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { Instance } from '../support/instance.ts';
import { pools, SNAPSHOT_API, vmRestores, vmSnapshots } from '../support/storage-resources.ts';

const NAMESPACE = 'default';
const VM = 'origin';
const SNAPSHOT = { namespace: NAMESPACE, name: 'instant' };
const MODES = { files: 'Filesystem', device: 'Block' } as const;

const claims = Object.entries(MODES).map(
  ([name, volumeMode]): PersistentVolumeClaim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: NAMESPACE },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage: '16Mi' } } },
  }),
);

/** With a disk in a file and one on a device, `/dev/vdc` and `/dev/vdd`. */
function vmWithDisks(): VirtualMachine {
  const vm = bootIdVm(VM);
  const { spec, ...template } = vm.spec.template;
  assert.ok(spec);
  const { devices } = spec.domain;
  const disks = [
    ...(devices.disks ?? []),
    ...Object.keys(MODES).map((name) => ({ name, disk: { bus: 'virtio' as const } })),
  ];
  const volumes = [
    ...(spec.volumes ?? []),
    ...Object.keys(MODES).map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
  ];
  const domain = { ...spec.domain, devices: { ...devices, disks } };
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec: { ...spec, domain, volumes } } } };
}

describe('snapshots with memory', { concurrency: 1 }, () => {
  let instance: Instance;
  let guest: GuestShell;
  let bootId: string;

  const vmOf = (name: string) =>
    instance.client.find(resources.virtualMachines, { namespace: NAMESPACE, name });
  const reference = (name: string) => ({ apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name });
  /** Sets a word in the memory of the guest alone, and on its disks. */
  const say = (word: string): Promise<string> =>
    guest.run(
      `word=${word}; for d in vdc vdd; do echo $word-on-$d | dd of=/dev/$d conv=fsync 2>/dev/null; done; sync`,
    );
  const heard = (): Promise<string> =>
    guest.run(
      'echo 3 > /proc/sys/vm/drop_caches; echo $word $(head -n 1 /dev/vdc) $(head -n 1 /dev/vdd) $(cat /proc/sys/kernel/random/boot_id)',
    );
  const restore = async (
    name: string,
    target: string,
    more: Partial<VirtualMachineRestoreSpec> = {},
  ): Promise<void> => {
    await instance.client.create(vmRestores, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineRestore',
      metadata: { namespace: NAMESPACE, name },
      spec: { target: reference(target), virtualMachineSnapshotName: SNAPSHOT.name, ...more },
    });
    await eventually(`restore ${name}`, 90_000, async () => {
      const { status } = await instance.client.get(vmRestores, { namespace: NAMESPACE, name });
      const failure = status?.conditions?.find(({ type }) => type === 'Failure');
      assert.equal(failure, undefined);
      return status?.complete === true ? true : undefined;
    });
  };
  const runs = (name: string) =>
    eventually(`${name} running`, 60_000, async () => {
      const vmi = await instance.client.find(resources.virtualMachineInstances, {
        namespace: NAMESPACE,
        name,
      });
      return vmi?.status?.phase === 'Running' ? vmi : undefined;
    });

  const macOf = async (name: string): Promise<string | undefined> =>
    (await runs(name)).status?.interfaces?.[0]?.mac?.toLowerCase();

  before(async () => {
    instance = await Instance.prepare();
    const manifest = join(instance.home, 'vm.json');
    writeFileSync(
      manifest,
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...claims, vmWithDisks()] }),
    );
    const up = await instance.up(manifest);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    guest = await GuestShell.open(instance, VM);
  });
  after(async () => {
    await guest?.close();
    await instance?.purge();
  });

  test('disks and memory are taken at one instant, and the guest goes on', async () => {
    await eventually('the agent', 60_000, async () =>
      (await runs(VM)).status?.conditions?.some(({ type }) => type === 'AgentConnected') ? true : undefined,
    );
    await say('one');
    bootId = await guest.run('cat /proc/sys/kernel/random/boot_id');
    await instance.client.create(vmSnapshots, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineSnapshot',
      metadata: SNAPSHOT,
      spec: { source: reference(VM), includeMemory: true },
    });
    const taken = await eventually('the snapshot', 60_000, async () => {
      const { status } = await instance.client.get(vmSnapshots, SNAPSHOT);
      assert.equal(status?.error, undefined);
      return status?.phase === 'Succeeded' ? status : undefined;
    });
    console.log(`stood still for ${taken.memory?.pauseMilliseconds} ms, ${taken.memory?.sizeBytes} bytes`);
    assert.deepEqual(taken.indications, ['Online', 'Memory']);
    assert.ok(
      Number(taken.memory?.pauseMilliseconds) > 0 && Number(taken.memory?.pauseMilliseconds) < 20_000,
    );
    assert.equal(await heard(), `one one-on-vdc one-on-vdd ${bootId}`);
    await say('two');
    await eventually('the claim unplugged', 30_000, async () =>
      (await runs(VM)).spec.utilityVolumes === undefined ? true : undefined,
    );
  });

  test('another VM goes on from that instant beside the first', async () => {
    await restore('beside', 'twin');
    await runs('twin');
    const first = guest;
    guest = await GuestShell.open(instance, 'twin');
    assert.equal(await heard(), `one one-on-vdc one-on-vdd ${bootId}`);
    await say('three');
    await guest.close();
    guest = first;
    assert.equal(await heard(), `two two-on-vdc two-on-vdd ${bootId}`);
  });

  test('a warm copy goes on from that instant with a name of its own', async () => {
    await cloneSnapshot(instance.client, SNAPSHOT, 'warm', { warm: true });
    await runs('warm');
    const first = guest;
    guest = await GuestShell.open(instance, 'warm');
    assert.equal(await heard(), `one one-on-vdc one-on-vdd ${bootId}`);
    assert.equal(await guest.run('hostname'), 'warm');
    const [origin, copy] = await Promise.all([macOf(VM), macOf('warm')]);
    assert.equal(await guest.run('cat /sys/class/net/eth0/address'), copy);
    assert.notEqual(copy, origin);
    const qemu = await GuestPage.of(instance, 'warm').pidOf(/qemu-system/);
    const mapped = readFileSync(`/proc/${qemu}/maps`, 'utf8').split('\n');
    assert.match(
      mapped.find((line) => line.includes('/memory')) ?? '',
      /^\S+ rw-p /,
      'it begins with memory that other copies can have too',
    );
    await guest.close();
    guest = first;
    assert.equal(await guest.run('cat /sys/class/net/eth0/address'), origin);
    assert.equal(await guest.run('hostname'), VM);
  });

  test('a warm pool is made of such copies', async () => {
    await instance.client.create(pools, {
      apiVersion: 'pool.kubevirt.io/v1beta1',
      kind: 'VirtualMachinePool',
      metadata: { namespace: NAMESPACE, name: 'workers' },
      spec: {
        replicas: 1,
        warm: true,
        source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: SNAPSHOT.name },
        selector: { matchLabels: { pool: 'workers' } },
        virtualMachineTemplate: { metadata: { labels: { pool: 'workers' } } },
      },
    });
    const key = { namespace: NAMESPACE, name: 'workers' };
    await eventually('the pool is ready', 90_000, async () => {
      const { status } = await instance.client.get(pools, key);
      assert.equal(status?.conditions, undefined);
      return status?.readyReplicas === 1 ? true : undefined;
    });
    const first = guest;
    guest = await GuestShell.open(instance, 'workers-0');
    assert.equal(await heard(), `one one-on-vdc one-on-vdd ${bootId}`);
    assert.equal(await guest.run('hostname'), 'workers-0');
    await guest.close();
    guest = first;
    await instance.client.delete(pools, key);
  });

  test('the VM itself goes back to that instant', async () => {
    await guest.close();
    await restore('back', VM, { targetReadinessPolicy: 'StopTarget' });
    await runs(VM);
    guest = await GuestShell.open(instance, VM);
    assert.equal(await heard(), `one one-on-vdc one-on-vdd ${bootId}`);
    assert.equal((await vmOf(VM))?.spec.runStrategy, 'Always');
  });

  test('memory that does not fit the VM is not loaded, and says why', async () => {
    const path = '/spec/template/spec/domain/memory/guest';
    await restore('larger', 'large', {
      patches: [`{"op": "replace", "path": "${path}", "value": "256Mi"}`],
    });
    const refused = await eventually('a refusal', 60_000, async () =>
      (await vmOf('large'))?.status?.conditions?.find(({ type }) => type === 'HibernatedStateRefused'),
    );
    assert.equal(refused.reason, 'StateDoesNotFit');
    assert.match(refused.message ?? '', /memory/);
  });

  test('the memory goes with its snapshot, and a copy that is on its way goes on all the same', async () => {
    const { status } = await instance.client.get(vmSnapshots, SNAPSHOT);
    const claim = { namespace: NAMESPACE, name: status?.memory?.claimName ?? '' };
    assert.ok(await instance.client.find(resources.persistentVolumeClaims, claim));
    await cloneSnapshot(instance.client, SNAPSHOT, 'late', { warm: true });
    await instance.client.delete(vmSnapshots, SNAPSHOT);
    await runs('late');
    const first = guest;
    guest = await GuestShell.open(instance, 'late');
    assert.equal(await heard(), `one one-on-vdc one-on-vdd ${bootId}`);
    await guest.close();
    guest = first;
    await eventually('no claim', 30_000, async () =>
      (await instance.client.find(resources.persistentVolumeClaims, claim)) === undefined ? true : undefined,
    );
    assert.equal(await heard(), `one one-on-vdc one-on-vdd ${bootId}`);
  });
});
