/**
 * Everything that manages disks dies at once in the middle of plugging, growing and a snapshot: each is finished
 * afterwards, the guest runs on, and it never stays frozen. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { VolumeStatus } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { eventually } from '../support/eventually.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { Instance } from '../support/instance.ts';
import { SNAPSHOT_API, vmSnapshots } from '../support/storage-resources.ts';

const key = { namespace: 'default', name: 'cut' };
const claimKey = { namespace: 'default', name: 'data' };

describe('disks over a power cut of the control plane', { concurrency: 1 }, () => {
  let instance: Instance;
  let bootId: string;

  const inGuest = async (command: string): Promise<string> => {
    const guest = await eventually('a console', 90_000, () => GuestShell.open(instance, key.name));
    try {
      return await guest.run(command, 90_000);
    } finally {
      await guest.close();
    }
  };
  /** No warning, no order: as when the power goes. QEMU and its launcher have their own. */
  const cutPower = async (): Promise<void> => {
    const pids = await Promise.all(
      ['control-plane', 'node-agent', 'virt-controller', 'virt-handler-node-1'].map((name) =>
        instance.pidOf(name),
      ),
    );
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  };
  const volume = async (): Promise<VolumeStatus | undefined> =>
    (await instance.client.get(resources.virtualMachineInstances, key)).status?.volumeStatus?.find(
      ({ name }) => name === claimKey.name,
    );

  before(async () => {
    instance = await Instance.prepare();
    const manifest = join(instance.home, 'vm.json');
    writeFileSync(manifest, JSON.stringify(bootIdVm(key.name)));
    const up = await instance.up(manifest);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    await instance.client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: claimKey,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '32Mi' } } },
    });
    bootId = await inGuest('cat /proc/sys/kernel/random/boot_id');
  });
  after(() => instance?.purge());

  test('plugging', async () => {
    const { code, stderr } = await instance.virtctl('addvolume', key.name, `--volume-name=${claimKey.name}`);
    assert.equal(code, 0, stderr);
    await cutPower();
    await eventually('the volume is there', 120_000, async () =>
      (await volume())?.phase === 'Ready' ? true : undefined,
    );
    await inGuest(
      'until [ -b /dev/sda ]; do usleep 100000; done; echo kept | dd of=/dev/sda conv=fsync 2>/dev/null',
    );
  });

  test('growing', async () => {
    const body = { spec: { resources: { requests: { storage: '48Mi' } } } };
    await instance.client.patch(resources.persistentVolumeClaims, claimKey, { type: 'merge', body });
    await cutPower();
    await inGuest(
      `until [ "$(cat /sys/block/sda/size)" = ${(48 * 1024 * 1024) / 512} ]; do usleep 200000; done`,
    );
  });

  test('a snapshot', async () => {
    await eventually('the agent', 120_000, async () => {
      const { status } = await instance.client.get(resources.virtualMachineInstances, key);
      return status?.conditions?.some(({ type }) => type === 'AgentConnected') ? true : undefined;
    });
    await instance.client.create(vmSnapshots, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineSnapshot',
      metadata: { ...key, name: 'cut' },
      spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: key.name } },
    });
    await cutPower();
    await eventually('the snapshot is finished', 120_000, async () => {
      const { status } = await instance.client.get(vmSnapshots, { ...key, name: 'cut' });
      return status?.phase === 'Succeeded' ? true : undefined;
    });
    const said = await inGuest('sync; head -n 1 /dev/sda; cat /proc/sys/kernel/random/boot_id');
    assert.equal(said, `kept\n${bootId}`, 'the guest writes, has its data, and never started anew');
    const vm = await instance.client.get(resources.virtualMachines, key);
    assert.equal(vm.status?.snapshotInProgress, undefined);
  });
});
