/**
 * The power goes while disks of a running VM are plugged, grown, snapshotted and restored: every process dies at
 * once, QEMU, its launcher and the supervisor too. What was begun is finished when the machine is back, and the
 * guest's own disk is never half of anything. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { tinyGuestBoots } from '../../packages/virt-launcher/src/testing/tiny-guest.ts';
import { eventually } from '../support/eventually.ts';
import { FailPoints } from '../support/fail-points/fail-points.ts';
import { Instance } from '../support/instance.ts';
import { cutPower } from '../support/power-cut.ts';
import { SNAPSHOT_API, vmRestores, vmSnapshots } from '../support/storage-resources.ts';
import { CountingVm } from './counting-vm.ts';

const namespace = 'default';
const key = { namespace, name: 'cut' };
const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: key.name };
const MIB = 1024 * 1024;
const WAIT_MS = 180_000;

describe('a power cut while the disks of a VM change', { concurrency: 1 }, () => {
  let instance: Instance;
  let points: FailPoints;

  const up = async (): Promise<void> => {
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
  };
  const vm = (): Promise<VirtualMachine> => instance.client.get(resources.virtualMachines, key);
  const edit = (type: 'merge' | 'json', body: object): Promise<unknown> =>
    instance.client.patch(resources.virtualMachines, key, { type, body: body as never });
  const running = (uid?: string): Promise<VirtualMachineInstance> =>
    eventually('the guest runs', WAIT_MS, async () => {
      const vmi = await instance.client.find(resources.virtualMachineInstances, key);
      return vmi?.status?.phase === 'Running' && vmi.metadata?.uid !== uid ? vmi : undefined;
    });
  /** Image in a claim, on this machine. */
  const imageOf = async (claim: string): Promise<string> => {
    const { spec } = await instance.client.get(resources.persistentVolumeClaims, { namespace, name: claim });
    const volume = await instance.client.get(resources.persistentVolumes, { name: spec.volumeName ?? '' });
    return `${volume.spec.local?.path}/disk.img`;
  };
  /** How often the guest on this image has booted. */
  const boots = (image: string): number => {
    const sectors = Buffer.alloc(1024);
    const file = openSync(image, 'r');
    try {
      readSync(file, sectors, 0, sectors.length, 0);
      return tinyGuestBoots(sectors);
    } finally {
      closeSync(file);
    }
  };

  before(async () => {
    instance = await Instance.prepare();
    points = new FailPoints(instance);
    await up();
    const counting = await CountingVm.create(instance, key.name);
    await edit('merge', { spec: { runStrategy: 'Always' } });
    await eventually('the guest has booted', WAIT_MS, () => (counting.boots() > 0 ? true : undefined));
  });
  after(() => instance?.purge());

  test('plugging and growing', async () => {
    const { uid } = (await running()).metadata ?? {};
    await instance.client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name: 'more' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Mi' } } },
    });
    const volume = { name: 'more', persistentVolumeClaim: { claimName: 'more', hotpluggable: true } };
    await edit('json', [
      {
        op: 'add',
        path: '/spec/template/spec/domain/devices/disks/-',
        value: { name: 'more', disk: { bus: 'scsi' } },
      },
      { op: 'add', path: '/spec/template/spec/volumes/-', value: volume },
    ]);
    const more = { namespace, name: 'more' };
    await eventually('the claim is bound', WAIT_MS, async () => {
      const { status } = await instance.client.get(resources.persistentVolumeClaims, more);
      return status?.phase === 'Bound' ? true : undefined;
    });
    const body = { spec: { resources: { requests: { storage: '4Mi' } } } };
    await instance.client.patch(resources.persistentVolumeClaims, more, { type: 'merge', body });
    const before = boots(await imageOf('cut'));
    cutPower(instance);
    await up();
    await running(uid);
    await eventually('the volume is plugged', WAIT_MS, async () => {
      const { status } = await instance.client.get(resources.virtualMachineInstances, key);
      return (
        status?.volumeStatus?.some(({ name, phase }) => name === 'more' && phase === 'Ready') || undefined
      );
    });
    const [image, plugged] = [await imageOf('cut'), await imageOf('more')];
    await eventually('its other disk has grown', WAIT_MS, () =>
      statSync(plugged).size === 4 * MIB ? true : undefined,
    );
    await eventually('the guest has booted again', WAIT_MS, () => (boots(image) > before ? true : undefined));
  });

  test('a claim that grew while its VM was off, and is on the node before the guest is started', async () => {
    await edit('merge', { spec: { runStrategy: 'Halted' } });
    await eventually('the guest is gone', WAIT_MS, async () =>
      (await instance.client.find(resources.virtualMachineInstances, key)) === undefined ? true : undefined,
    );
    const more = { namespace, name: 'more' };
    const body = { spec: { resources: { requests: { storage: '8Mi' } } } };
    await instance.client.patch(resources.persistentVolumeClaims, more, { type: 'merge', body });
    await eventually('the claim has grown', WAIT_MS, async () => {
      const { status } = await instance.client.get(resources.persistentVolumeClaims, more);
      return status?.capacity?.['storage'] === '8Mi' ? true : undefined;
    });
    const image = await imageOf('more');
    assert.equal(statSync(image).size, 4 * MIB, 'its image grows when a guest has it');
    // virt-handler dies before the first sync of the guest, until the claim has come.
    points.set('virt-handler', 'network-before', 'kill');
    await edit('merge', { spec: { runStrategy: 'Always' } });
    await eventually('the claim is on the node', WAIT_MS, async () => {
      if (points.wasTaken('virt-handler', 'network-before'))
        points.set('virt-handler', 'network-before', 'kill');
      const { status } = (await instance.client.find(resources.virtualMachineInstances, key)) ?? {};
      const volume = status?.volumeStatus?.find(({ name }) => name === 'more');
      return volume?.hotplugVolume?.attachPodUID !== undefined ? true : undefined;
    });
    assert.notEqual(
      (await instance.client.get(resources.virtualMachineInstances, key)).status?.phase,
      'Running',
    );
    points.clear('virt-handler', 'network-before');
    await running();
    await eventually('its image has grown', WAIT_MS, () =>
      statSync(image).size === 8 * MIB ? true : undefined,
    );
  });

  test('a snapshot', async () => {
    const { uid } = (await running()).metadata ?? {};
    await instance.client.create(vmSnapshots, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineSnapshot',
      metadata: { namespace, name: 'before' },
      spec: { source },
    });
    cutPower(instance);
    await up();
    await eventually('the snapshot is finished', WAIT_MS, async () => {
      const { status } = await instance.client.get(vmSnapshots, { namespace, name: 'before' });
      return status?.phase === 'Succeeded' ? true : undefined;
    });
    await running(uid);
    assert.equal((await vm()).status?.snapshotInProgress, undefined, 'the VM is free again');
  });

  test('a restore', async () => {
    await edit('merge', { spec: { runStrategy: 'Halted' } });
    await eventually('the guest is gone', WAIT_MS, async () =>
      (await instance.client.find(resources.virtualMachineInstances, key)) === undefined ? true : undefined,
    );
    const booted = boots(await imageOf('cut'));
    await instance.client.create(vmRestores, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineRestore',
      metadata: { namespace, name: 'back' },
      spec: { target: source, virtualMachineSnapshotName: 'before' },
    });
    cutPower(instance);
    const old = await eventually('the machine is back', WAIT_MS, async () => {
      await up();
      return vm();
    });
    assert.ok(old.spec.template.spec?.volumes?.length === 2, 'the old VM or the new one, never half');
    const { status } = await eventually('the restore is finished', WAIT_MS, async () => {
      const restore = await instance.client.get(vmRestores, { namespace, name: 'back' });
      return restore.status?.complete === true ? restore : undefined;
    });
    const { spec, status: free } = await vm();
    assert.equal(free?.restoreInProgress, undefined);
    const claims = (spec.template.spec?.volumes ?? []).map(
      (one) => one.persistentVolumeClaim?.claimName ?? '',
    );
    assert.deepEqual(
      claims.toSorted(),
      (status?.restores ?? []).map(({ persistentVolumeClaim }) => persistentVolumeClaim).toSorted(),
    );
    const image = await imageOf(claims[0] ?? '');
    assert.ok(boots(image) <= booted && boots(image) > 0, 'the disk is that of the snapshot');
    const back = boots(image);
    await edit('merge', { spec: { runStrategy: 'Always' } });
    await eventually('the guest boots from it', WAIT_MS, () => (boots(image) > back ? true : undefined));
  });
});
