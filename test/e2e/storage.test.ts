/**
 * Disks of a running guest, against real QEMU: plugged in and out, as image files and as devices, discs in a
 * drive; nothing that helps may take a disk from the guest. The tests build on each other. On a cluster of somebody
 * else bytes of claims are read by guests that have them, and by exports.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { PersistentVolumeClaim, StorageClass, VirtualMachine, VolumeStatus } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { cloneSnapshot } from '../support/clone-snapshot.ts';
import { eventually } from '../support/eventually.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { isForeign, lacks, needsEmbedded, openHome } from '../support/home.ts';
import type { Instance } from '../support/instance.ts';
import { SNAPSHOT_API, vmRestores, vmSnapshots } from '../support/storage-resources.ts';

const NAMESPACE = 'default';
const VM = 'disks';
const key = { namespace: NAMESPACE, name: VM };
const MIB = 1024 * 1024;

const claim = (
  name: string,
  volumeMode: 'Filesystem' | 'Block',
  storage = '32Mi',
): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: NAMESPACE },
  spec: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage } } },
});

/** A VM with an empty CD drive. */
function vmWithDrive(): VirtualMachine {
  const vm = bootIdVm(VM);
  const { spec, ...template } = vm.spec.template;
  const devices = spec?.domain.devices;
  const disks = [...(devices?.disks ?? []), { name: 'disc', cdrom: { bus: 'sata' as const } }];
  assert.ok(spec);
  const domain = { ...spec.domain, devices: { ...devices, disks } };
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec: { ...spec, domain } } } };
}

describe('storage', { concurrency: 1 }, () => {
  let instance: Instance;
  let guest: GuestShell;
  let hasSnapshots = true;
  /** Of the image in the claim `files`: it grows where the class lets claims grow. */
  let imageBytes = 32 * MIB;

  const vmi = () => instance.client.get(resources.virtualMachineInstances, key);
  const statusOf = async (volume: string): Promise<VolumeStatus | undefined> =>
    (await vmi()).status?.volumeStatus?.find(({ name }) => name === volume);
  const phase = (volume: string, wanted: string | undefined) =>
    eventually(`volume ${volume} ${wanted ?? 'gone'}`, 60_000, async () => {
      const status = await statusOf(volume);
      return status?.phase === wanted ? { target: status?.target ?? '' } : undefined;
    });
  const attachmentPods = async () =>
    (await instance.client.list(resources.pods, { labelSelector: 'kubevirt.io=hotplug-disk' })).items;
  const virtctl = async (...args: string[]) => {
    const { code, stderr } = await instance.virtctl(...args);
    assert.equal(code, 0, stderr);
  };
  /** Directory of a claim on this machine. */
  const directoryOf = async (name: string): Promise<string> => {
    const bound = await eventually(`claim ${name} Bound`, 30_000, async () => {
      const found = await instance.client.get(resources.persistentVolumeClaims, {
        namespace: NAMESPACE,
        name,
      });
      return found.status?.phase === 'Bound' ? found.spec.volumeName : undefined;
    });
    const volume = await instance.client.get(resources.persistentVolumes, { name: bound });
    return volume.spec.local?.path ?? '';
  };

  before(async () => {
    instance = await openHome();
    if (isForeign) hasSnapshots = await classHasSnapshots(instance);
    // Through `up`, which brings the image of the guest along.
    const manifest = join(instance.home, 'vm.json');
    writeFileSync(manifest, JSON.stringify(vmWithDrive()));
    const up = await instance.up(manifest);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    for (const [name, mode] of [
      ['files', 'Filesystem'],
      ['device', 'Block'],
      ['medium', 'Filesystem'],
      ['trap', 'Filesystem'],
    ] as const)
      await instance.client.create(resources.persistentVolumeClaims, claim(name, mode));
    guest = await GuestShell.open(instance, VM);
  });
  after(async () => {
    await guest?.close();
    await instance?.purge();
  });

  test('a claim with files and a block device come to the running guest', async () => {
    await virtctl('addvolume', VM, '--volume-name=files', '--serial=F1');
    await virtctl('addvolume', VM, '--volume-name=device', '--bus=virtio');
    assert.match((await phase('files', 'Ready')).target, /^sd[a-z]$/);
    const { target } = await phase('device', 'Ready');
    assert.match(target, /^vd[c-z]$/);
    await guest.run('until [ -b /dev/sda -a -b /dev/vdc ]; do usleep 100000; done');
    assert.equal(await guest.run('cat /sys/block/vdc/size'), String((32 * MIB) / 512));
    await guest.run('for d in sda vdc; do echo kept-on-$d | dd of=/dev/$d conv=fsync 2>/dev/null; done');
    const vm = await instance.client.get(resources.virtualMachines, key);
    assert.ok(!vm.status?.conditions?.some(({ type }) => type === 'RestartRequired'), 'no restart is needed');
    const why = await instance.virtctl('why', `vm/${VM}`);
    for (const name of ['files', 'device'])
      assert.match(why.stdout, new RegExp(`${name}: claim ✓ → .* → in the domain ✓ → seen by the guest ✓`));
    assert.match(why.stdout, /root: overlay ✓ → in the domain ✓ → seen by the guest ✓/);
    const pods = await eventually('one attachment Pod', 30_000, async () => {
      const found = await attachmentPods();
      return found.length === 1 ? found : undefined;
    });
    assert.deepEqual(
      pods[0]?.spec.volumes
        ?.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [])
        .toSorted(),
      ['device', 'files'],
    );
  });

  test('the guest does not notice that its attachment Pod or virt-handler dies', async () => {
    await guest.run(
      '(n=0; while [ ! -e /tmp/stop ]; do n=$((n + 1)); for d in sda vdc; do echo $n | dd of=/dev/$d seek=8 conv=fsync 2>/dev/null || echo $d >> /tmp/failed; done; usleep 50000; done; echo $n > /tmp/rounds) & true',
    );
    const [before] = await attachmentPods();
    await guest.close(); // consoles end with the handler that carries them
    await instance.kill(isForeign ? 'virt-handler' : 'virt-handler-node-1');
    const deleted = await instance.kubectl('delete', 'pod', before?.metadata.name ?? '', '--wait=false');
    assert.equal(deleted.code, 0, deleted.stderr);
    const after = await eventually('another attachment Pod holds the claims', 60_000, async () => {
      const uid = (await statusOf('files'))?.hotplugVolume?.attachPodUID;
      return uid !== undefined && uid !== before?.metadata.uid ? uid : undefined;
    });
    assert.equal((await statusOf('device'))?.hotplugVolume?.attachPodUID, after);
    assert.equal((await statusOf('files'))?.phase, 'Ready');
    guest = await eventually('the console is back', 60_000, () => GuestShell.open(instance, VM));
    await guest.run(
      'touch /tmp/stop; until [ -e /tmp/rounds ]; do usleep 100000; done; [ ! -e /tmp/failed ]',
    );
    assert.equal(await guest.run('head -n 1 /dev/sda'), 'kept-on-sda');
  });

  test('claims that grow are larger in the guest', async (t) => {
    if (lacks(t, await classGrows(instance), 'a default StorageClass with allowVolumeExpansion')) return;
    const claimBytes = 48 * MIB;
    // A file system keeps a share for itself; the volumes of the embedded home are as large as their image.
    const overhead = Number((await statusOf('files'))?.persistentVolumeClaimInfo?.filesystemOverhead ?? 0);
    imageBytes = isForeign ? Math.floor((claimBytes * (1 - overhead)) / MIB) * MIB : claimBytes;
    // csi-driver-host-path makes claims of devices grow and not the devices, and a clone of such a claim cannot be read
    // to its end.
    for (const name of isForeign ? ['files'] : ['files', 'device']) {
      const body = { spec: { resources: { requests: { storage: '48Mi' } } } };
      const claimKey = { namespace: NAMESPACE, name };
      await instance.client.patch(resources.persistentVolumeClaims, claimKey, { type: 'merge', body });
    }
    // Kubernetes' kubelet looks after claims that grow once a minute only.
    const name = { namespace: NAMESPACE, name: 'files' };
    if (isForeign)
      await eventually('the claim has grown', 180_000, async () => {
        const { status } = await instance.client.get(resources.persistentVolumeClaims, name);
        return status?.capacity?.['storage'] === '48Mi' ? true : undefined;
      });
    const grown = (disk: string, bytes: number) =>
      guest.run(`until [ "$(cat /sys/block/${disk}/size)" = ${bytes / 512} ]; do usleep 200000; done`);
    await grown('sda', imageBytes);
    if (!isForeign) await grown('vdc', claimBytes);
    assert.equal(await guest.run('head -n 1 /dev/sda; head -n 1 /dev/vdc'), 'kept-on-sda\nkept-on-vdc');
  });

  test('a second VM cannot have a disk that is in use, neither as a file nor as a device', async () => {
    for (const [name, pattern] of [
      ['files', /lock/],
      ['device', /in use by another virtual machine/],
    ] as const) {
      const rival = { namespace: NAMESPACE, name: `rival-of-${name}` };
      await instance.client.create(resources.virtualMachineInstances, {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata: rival,
        spec: {
          terminationGracePeriodSeconds: 0,
          domain: {
            memory: { guest: '64Mi' },
            devices: { disks: [{ name: 'mine', disk: { bus: 'virtio' } }], autoattachPodInterface: false },
          },
          volumes: [{ name: 'mine', persistentVolumeClaim: { claimName: name } }],
        },
      });
      const message = await eventually(`${rival.name} is refused`, 60_000, async () => {
        const found = await instance.client.get(resources.virtualMachineInstances, rival);
        assert.notEqual(found.status?.phase, 'Running');
        return found.status?.conditions?.find(({ type }) => type === 'Synchronized')?.message;
      });
      assert.match(message, pattern);
      await instance.client.delete(resources.virtualMachineInstances, rival);
    }
    assert.equal(await guest.run('head -n 1 /dev/vdc'), 'kept-on-vdc');
  });

  test('what a tenant planted in place of a disk is refused, says so, and the disk is taken once it is right', async (t) => {
    if (needsEmbedded(t, 'writes into a claim on this machine')) return;
    const directory = await directoryOf('trap');
    const image = `${directory}/disk.img`;
    const plants: readonly (readonly [RegExp, () => unknown])[] = [
      [/is a symbolic link/, () => symlinkSync('/etc/shadow', image)],
      [/has 2 names/, () => [writeFileSync(`${directory}/other`, ''), linkSync(`${directory}/other`, image)]],
      [/is not a file but a device, a pipe or a socket/, () => execFileSync('mkfifo', [image])],
    ];
    for (const [i, [pattern, plant]] of plants.entries()) {
      rmSync(image, { force: true });
      plant();
      if (i === 0) await virtctl('addvolume', VM, '--volume-name=trap');
      await eventually(`the refusal ${pattern}`, 60_000, async () => {
        const status = await statusOf('trap');
        assert.notEqual(status?.phase, 'Ready');
        return status?.reason === 'AttachFailed' && pattern.test(status.message ?? '') ? true : undefined;
      });
    }
    rmSync(`${directory}/disk.img`);
    writeFileSync(`${directory}/new`, Buffer.alloc(1024 * 1024));
    renameSync(`${directory}/new`, `${directory}/disk.img`);
    await phase('trap', 'Ready');
    await virtctl('removevolume', VM, '--volume-name=trap');
    await phase('trap', undefined);
  });

  test('a disc goes into the drive and out again by editing the VM', async () => {
    await virtctl('addvolume', VM, '--volume-name=medium');
    await phase('medium', 'Ready');
    await guest.run('until [ -b /dev/sdb ]; do usleep 100000; done');
    await guest.run('echo "a disc" | dd of=/dev/sdb conv=fsync 2>/dev/null');
    await virtctl('removevolume', VM, '--volume-name=medium');
    await phase('medium', undefined);
    const path = '/spec/template/spec/volumes';
    const { spec } = await instance.client.get(resources.virtualMachines, key);
    const count = spec.template.spec?.volumes?.length ?? 0;
    const volume = { name: 'disc', persistentVolumeClaim: { claimName: 'medium', hotpluggable: true } };
    const edit = (body: readonly object[]) =>
      instance.client.patch(resources.virtualMachines, key, { type: 'json', body: body as [] });
    await edit([{ op: 'add', path: `${path}/-`, value: volume }]);
    await phase('disc', 'Ready');
    await guest.run('until [ "$(head -c 6 /dev/sr0 2>/dev/null)" = "a disc" ]; do usleep 200000; done');
    await edit([{ op: 'remove', path: `${path}/${count}` }]);
    await phase('disc', undefined);
    await guest.run('until ! head -c 6 /dev/sr0 2>/dev/null; do usleep 200000; done');
  });

  const VM_SNAPSHOT = { namespace: NAMESPACE, name: 'before' };
  const vmReference = (name: string) => ({ apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name });
  /** An image as whoever has the right takes it away; where no Ingress leads there, through the API server. */
  const exported = async (name: string, ...what: string[]): Promise<Buffer> => {
    const file = join(instance.home, `${name}.gz`);
    const way = isForeign && !what.includes('--port-forward') ? ['--port-forward'] : [];
    await virtctl('vmexport', 'download', name, ...what, `--output=${file}`, ...way);
    const image = gunzipSync(readFileSync(file));
    rmSync(file);
    return image;
  };
  /** First line of the disk in a claim of this machine. */
  const firstLine = async (claimed: string): Promise<string | undefined> => {
    const path = await directoryOf(claimed);
    const image = path.endsWith('.img') ? path : `${path}/disk.img`;
    return readFileSync(image, { encoding: 'latin1' }).split('\n')[0];
  };
  /** First lines of the two disks of a stopped VM; on a cluster of somebody else as its guest reads them. */
  const firstLines = async (vm: string, claims: readonly string[]): Promise<readonly string[]> => {
    if (!isForeign) return Promise.all(claims.map(async (name) => (await firstLine(name)) ?? ''));
    await virtctl('start', vm);
    await eventually(`${vm} runs`, 120_000, async () => {
      const found = await instance.client.find(resources.virtualMachineInstances, { ...key, name: vm });
      return found?.status?.phase === 'Running' ? true : undefined;
    });
    const shell = await eventually(`the console of ${vm}`, 240_000, () => GuestShell.open(instance, vm));
    const lines = await shell.run(
      'until [ -b /dev/sda -a -b /dev/vdc ]; do usleep 100000; done; head -n 1 /dev/sda; head -n 1 /dev/vdc',
    );
    await shell.close();
    await virtctl('stop', vm, '--grace-period=0', '--force');
    await eventually(`${vm} has stopped`, 120_000, async () => {
      const found = await instance.client.find(resources.virtualMachineInstances, { ...key, name: vm });
      return found === undefined ? true : undefined;
    });
    return lines.split('\n');
  };
  const lacksSnapshots = (t: TestContext): boolean =>
    lacks(t, hasSnapshots, 'VolumeSnapshots, with a class that has them');

  test('a snapshot of the running guest is taken with its file systems frozen for a moment', async (t) => {
    if (lacksSnapshots(t)) return;
    await guest.run('until [ -e /dev/virtio-ports/org.qemu.guest_agent.0 ]; do usleep 100000; done');
    await eventually('the agent', 60_000, async () =>
      (await vmi()).status?.conditions?.some(({ type }) => type === 'AgentConnected') ? true : undefined,
    );
    await guest.run('for d in sda vdc; do echo before-$d | dd of=/dev/$d conv=fsync 2>/dev/null; done');
    await instance.client.create(vmSnapshots, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineSnapshot',
      metadata: VM_SNAPSHOT,
      spec: { source: vmReference(VM) },
    });
    const taken = await eventually('the snapshot', 60_000, async () => {
      const { status } = await instance.client.get(vmSnapshots, VM_SNAPSHOT);
      return status?.phase === 'Succeeded' ? status : undefined;
    });
    assert.deepEqual(taken.indications, ['Online', 'GuestAgent']);
    assert.deepEqual(taken.snapshotVolumes?.includedVolumes, ['files', 'device']);
    // Thawed: the guest's own file system takes writes.
    await guest.run('for d in sda vdc; do echo after--$d | dd of=/dev/$d conv=fsync 2>/dev/null; done; sync');
    await eventually('nothing says frozen', 30_000, async () =>
      (await vmi()).status?.fsFreezeStatus === undefined ? true : undefined,
    );
    const vm = await instance.client.get(resources.virtualMachines, key);
    assert.equal(vm.status?.snapshotInProgress, undefined);
  });

  test('a clone is another machine with the disks of the snapshot', async (t) => {
    if (lacksSnapshots(t)) return;
    await cloneSnapshot(instance.client, VM_SNAPSHOT, 'twin');
    const twin = await instance.client.get(resources.virtualMachines, { namespace: NAMESPACE, name: 'twin' });
    assert.equal(twin.spec.runStrategy, 'Halted');
    const claims = (twin.spec.template.spec?.volumes ?? []).flatMap(
      ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
    );
    assert.deepEqual(await firstLines('twin', claims), ['before-sda', 'before-vdc']);
  });

  test('unplugged claims leave the guest, the Pod and the node, and keep their data', async () => {
    await virtctl('removevolume', VM, '--volume-name=files');
    await virtctl('removevolume', VM, '--volume-name=device');
    await phase('files', undefined);
    await phase('device', undefined);
    await guest.run('[ ! -e /sys/block/sda ] && [ ! -e /sys/block/vdc ]');
    await eventually('no attachment Pod', 30_000, async () =>
      (await attachmentPods()).length === 0 ? true : undefined,
    );
    if (!isForeign) assert.deepEqual(await pluggedOnNode(instance), []);
    const { stdout } = await instance.kubectl('get', 'events', '-o', 'jsonpath={.items[*].reason}');
    for (const reason of ['VolumeReady', 'VolumeUnMountedFromPod'])
      assert.ok(stdout.includes(reason), reason);
    const kept = hasSnapshots ? 'after--sda' : 'kept-on-sda';
    if (!isForeign) return assert.equal(await firstLine('files'), kept);
    await virtctl('addvolume', VM, '--volume-name=files');
    await phase('files', 'Ready');
    await guest.run('until [ -b /dev/sda ]; do usleep 100000; done');
    assert.equal(await guest.run('head -n 1 /dev/sda'), kept);
    await virtctl('removevolume', VM, '--volume-name=files');
    await phase('files', undefined);
  });

  test('a restore stops the guest and brings the disks of the snapshot back', async (t) => {
    if (lacksSnapshots(t)) return;
    const restore = { namespace: NAMESPACE, name: 'back' };
    await instance.client.create(vmRestores, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineRestore',
      metadata: restore,
      spec: {
        target: vmReference(VM),
        virtualMachineSnapshotName: VM_SNAPSHOT.name,
        targetReadinessPolicy: 'StopTarget',
      },
    });
    const { restores = [] } = await eventually('the restore', 90_000, async () => {
      const { status } = await instance.client.get(vmRestores, restore);
      return status?.complete === true ? status : undefined;
    });
    const claims = restores.map(({ persistentVolumeClaim }) => persistentVolumeClaim);
    assert.deepEqual(await firstLines(VM, claims), ['before-sda', 'before-vdc']);
    const vm = await instance.client.get(resources.virtualMachines, key);
    assert.equal(vm.status?.restoreInProgress, undefined);
    assert.deepEqual(
      (vm.spec.template.spec?.volumes ?? []).flatMap(
        ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
      ),
      claims,
    );
    // The stopped VM can be taken away: its volumes are served over TLS to whoever has the token.
    const image = await exported('take', `--vm=${VM}`, `--volume=${claims[0]}`);
    assert.deepEqual([image.length, image.toString('latin1', 0, 10)], [imageBytes, 'before-sda']);
  });

  test('a restore under the old names, and one to another VM under its own', async (t) => {
    if (lacksSnapshots(t)) return;
    const restored = async (name: string, target: string, volumeRestorePolicy: string) => {
      const restore = { namespace: NAMESPACE, name };
      const spec = {
        target: vmReference(target),
        virtualMachineSnapshotName: VM_SNAPSHOT.name,
        volumeRestorePolicy,
      };
      await instance.client.create(vmRestores, {
        apiVersion: SNAPSHOT_API,
        kind: 'VirtualMachineRestore',
        metadata: restore,
        spec,
      });
      await eventually(`the restore ${name}`, 90_000, async () =>
        (await instance.client.get(vmRestores, restore)).status?.complete === true ? true : undefined,
      );
      const { spec: vm } = await instance.client.get(resources.virtualMachines, {
        namespace: NAMESPACE,
        name: target,
      });
      return (vm.template.spec?.volumes ?? []).flatMap(
        ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
      );
    };
    const before = await instance.client.get(resources.persistentVolumeClaims, {
      namespace: NAMESPACE,
      name: 'files',
    });
    assert.deepEqual(await restored('in-place', VM, 'InPlace'), ['files', 'device']);
    const now = await instance.client.get(resources.persistentVolumeClaims, {
      namespace: NAMESPACE,
      name: 'files',
    });
    assert.notEqual(now.metadata.uid, before.metadata.uid, 'another claim of the same name');
    assert.deepEqual(await firstLines(VM, ['files', 'device']), ['before-sda', 'before-vdc']);
    const copies = await restored('prefixed', 'copy', 'PrefixTargetName');
    assert.deepEqual(copies, ['copy-files', 'copy-device']);
    assert.deepEqual(await firstLines('copy', copies), ['before-sda', 'before-vdc']);
    // A snapshot can be taken away as well, while nothing of it runs.
    const image = await exported(
      ...(['keep', `--snapshot=${VM_SNAPSHOT.name}`, '--volume=keep-files', '--port-forward'] as const),
    );
    assert.equal(image.toString('latin1', 0, 10), 'before-sda');
    await instance.client.delete(vmSnapshots, VM_SNAPSHOT);
    await eventually('the snapshot and all of it is gone', 60_000, async () => {
      const { items } = await instance.client.list(resources.volumeSnapshots, { namespace: NAMESPACE });
      const left = await instance.client.find(vmSnapshots, VM_SNAPSHOT);
      return items.length === 0 && left === undefined ? true : undefined;
    });
  });
});

async function defaultClass({ client }: Instance): Promise<StorageClass | undefined> {
  const { items } = await client.list(resources.storageClasses, {});
  const isDefault = 'storageclass.kubernetes.io/is-default-class';
  return items.find(({ metadata }) => metadata?.annotations?.[isDefault] === 'true');
}

/** Whether claims of the default StorageClass may grow. */
async function classGrows(instance: Instance): Promise<boolean> {
  return (await defaultClass(instance))?.allowVolumeExpansion === true;
}

/** Whether the driver of the default StorageClass takes snapshots. */
async function classHasSnapshots(instance: Instance): Promise<boolean> {
  const driver = (await defaultClass(instance))?.provisioner;
  const classes = await instance.client.list(resources.volumeSnapshotClasses, {}).catch((error: unknown) => {
    if (isStatus(error, 'NotFound')) return { items: [] }; // the kinds are not served
    throw error;
  });
  return classes.items.some((found) => found.driver === driver);
}

/** What is plugged into the only launcher, on the node. */
async function pluggedOnNode({ client, home }: Instance): Promise<readonly string[]> {
  const { items } = await client.list(resources.pods, { labelSelector: 'kubevirt.io=virt-launcher' });
  const pod = `${home}/nodes/node-1/kubelet/pods/${items[0]?.metadata.uid}`;
  return readdirSync(`${pod}/volumes/kubernetes.io~empty-dir/hotplug-disks`);
}
