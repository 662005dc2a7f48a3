/**
 * A disk moves to other claims while its guest counts on it: from an image to a device and back, with refusals, a
 * target that is killed in the middle, a move that is called off, and a guest that ends before its disk has arrived.
 * Two nodes, one guest (examples/storage-migration.yaml). Each test brings the guest to rest first and makes the claims
 * that it moves to, so that none needs the one before. Copies that have to be caught in the act are slowed down.
 */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { MigrationPolicy, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { command, Instance, root } from '../support/instance.ts';
import { podProcess } from '../support/pod-processes.ts';

const key = { namespace: 'default', name: 'counter' };
const policies = defineResource<MigrationPolicy>(
  'MigrationPolicy',
  'migrationpolicies',
  'migrations.kubevirt.io/v1alpha1',
  'Cluster',
);
/** Migrations of the guest are this fast; without it, as fast as they can be. */
const pace = (bandwidthPerMigration: string): MigrationPolicy => ({
  apiVersion: 'migrations.kubevirt.io/v1alpha1',
  kind: 'MigrationPolicy',
  metadata: { name: 'pace' },
  spec: { bandwidthPerMigration, selectors: { virtualMachineInstanceSelector: { app: 'counter' } } },
});
/** 64 MiB take half a minute: long enough to be caught in the act on a busy machine. */
const SLOW = pace('2Mi');
/** They take some seconds: whoever follows sees them. */
const UNHURRIED = pace('8Mi');

describe('storage migration', { concurrency: 1 }, () => {
  let instance: Instance;
  /** One for all questions: each has connections of its own. */
  let client: KubeClient;
  /** The claim that the guest is on when a test begins. */
  let now: string;
  const vm = (): Promise<VirtualMachine> => client.get(resources.virtualMachines, key);
  const vmi = (): Promise<VirtualMachineInstance | undefined> =>
    client.find(resources.virtualMachineInstances, key);
  const conditionOf = async (type: string) =>
    (await vm()).status?.conditions?.find((condition) => condition.type === type);
  /** The condition of the VM, when its message or reason says this. */
  const says = (type: string, words: RegExp, timeoutMs = 60_000) =>
    eventually(`${type}: ${words}`, timeoutMs, async () => {
      const { message = '', reason = '' } = (await conditionOf(type)) ?? {};
      return words.test(`${reason} ${message}`) ? true : undefined;
    });
  const makeClaim = (name: string, storage: string) =>
    client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
  const wantClaim = async (claimName: string): Promise<void> => {
    const path = '/spec/template/spec/volumes/2/persistentVolumeClaim/claimName';
    const body = [{ op: 'replace', path, value: claimName }] as const;
    await client.patch(resources.virtualMachines, key, { type: 'json', body });
  };
  const claimOf = (of: VirtualMachineInstance | undefined): string | undefined =>
    of?.spec.volumes?.find(({ name }) => name === 'data')?.persistentVolumeClaim?.claimName;
  const isOn = (claimName: string): Promise<VirtualMachineInstance> =>
    eventually(`the guest is on ${claimName}`, 120_000, async () => {
      const found = await vmi();
      const isThere = claimOf(found) === claimName && found?.status?.migratedVolumes === undefined;
      return isThere ? found : undefined;
    });
  /** The disk on a claim, as a file of this machine. */
  const imageOf = async (name: string): Promise<string> => {
    const claim = await client.get(resources.persistentVolumeClaims, { ...key, name });
    const volume = await client.get(resources.persistentVolumes, {
      name: claim.spec.volumeName ?? '',
    });
    const path = volume.spec.local?.path ?? '';
    // A device is a file of its own, an image one in a directory.
    return path.endsWith('/disk.img') ? path : join(path, 'disk.img');
  };
  /** What the guest has counted on a claim. */
  const counted = async (name: string): Promise<readonly number[]> => {
    const disk = readFileSync(await imageOf(name));
    const text = disk.subarray(0, Math.max(0, disk.indexOf(0))).toString('latin1');
    return text.match(/\d{8}\n/g)?.map(Number) ?? [];
  };
  /** The guest counts on: on this claim, from what it had, without a gap. */
  const countsOn = (claimName: string, from: number): Promise<number> =>
    eventually(`the guest counts on ${claimName} beyond ${from}`, 120_000, async () => {
      const numbers = await counted(claimName);
      if (numbers.length <= from + 2) return undefined;
      assert.deepEqual(
        numbers.filter((number, index) => number !== index),
        [],
      );
      return numbers.length;
    });
  /** A migration that copies disks, far enough to be harmed. */
  const copying = (): Promise<{ readonly source: string; readonly target: string }> =>
    eventually('the disks are being copied', 90_000, async () => {
      const progress = await client
        .request<{ uid?: string; diskTotalBytes?: number; diskRemainingBytes?: number }>({
          method: 'GET',
          path: '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/counter/migrationprogress',
        })
        .catch(() => undefined);
      const { uid, diskTotalBytes = 0, diskRemainingBytes = 0 } = progress ?? {};
      const { migrationUid, sourcePod, targetPod } = (await vmi())?.status?.migrationState ?? {};
      if (uid !== migrationUid) return undefined;
      const hasBegun = diskTotalBytes > 0 && diskRemainingBytes > 0 && diskRemainingBytes < diskTotalBytes;
      return hasBegun && sourcePod !== undefined && targetPod !== undefined
        ? { source: sourcePod, target: targetPod }
        : undefined;
    });
  /** Ends what a failed test has left: its pace, its plugged disk, its move. The claim that the guest is on then. */
  const atRest = async (): Promise<string> => {
    await client.delete(policies, { name: 'pace' }).catch(() => undefined);
    const plugged = (await vm()).spec.template?.spec?.volumes?.some(({ name }) => name === 'extra');
    if (plugged) await instance.virtctl('removevolume', 'counter', '--volume-name', 'extra');
    const moved = (await vmi())?.status?.migratedVolumes ?? [];
    const recovery = /to claim (\S+?)[,.]/.exec(
      (await conditionOf('ManualRecoveryRequired'))?.message ?? '',
    )?.[1];
    const old = moved.find(({ volumeName }) => volumeName === 'data')?.sourcePVCInfo?.claimName ?? recovery;
    if (old !== undefined) await wantClaim(old);
    return await eventually('the guest is at rest', 180_000, async () => {
      const found = await vmi();
      const claim = claimOf(found);
      const isQuiet = found?.status?.phase === 'Running' && found.status.migratedVolumes === undefined;
      if (!isQuiet || claim === undefined) return undefined;
      await wantClaim(claim);
      return claim;
    });
  };
  const killLauncher = async (pod: string): Promise<void> => {
    const { metadata } = await client.get(resources.pods, { namespace: 'default', name: pod });
    process.kill(podProcess(metadata.uid ?? '', /virt-launcher\.mjs/).pid, 'SIGKILL');
  };

  before(async () => {
    instance = await Instance.prepare();
    const up = await instance.up('--nodes', '2', `${root}/examples/storage-migration.yaml`);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    client = instance.client;
    await makeClaim('extra', '16Mi');
    await client.create(resources.dataVolumes, {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: { name: 'extra-filled', namespace: 'default' },
      spec: {
        source: { blank: {} },
        storage: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '24Mi' } } },
      },
    });
    await countsOn('counter-old', 0);
  });
  beforeEach(async () => {
    now = await atRest();
    await countsOn(now, 0);
  });
  after(async () => {
    await client?.close();
    await instance?.purge();
  });

  test('what cannot move is refused, with what can be done', async () => {
    const live = (await vmi())?.status?.conditions?.find(({ type }) => type === 'LiveMigratable');
    assert.match(live?.message ?? '', /PVC counter-old is not shared.*updateVolumesStrategy: Migration/);
    await makeClaim('small', '32Mi');
    await wantClaim('small');
    await says('RestartRequired', /claim small has 32Mi, its disk has 64Mi/);
    await wantClaim('not-there');
    await says('Failure', /VolumesUpdateError .*PVC not-there does not exist/);
    await wantClaim(now);
    await eventually('all is well', 30_000, async () =>
      (await conditionOf('RestartRequired')) === undefined && (await conditionOf('Failure')) === undefined
        ? true
        : undefined,
    );
  });

  test('from an image to a device of another class, while the guest writes', async () => {
    const before = await vmi();
    await client.create(policies, UNHURRIED);
    await wantClaim('counter-new');
    const followed = await command(
      `${root}/bin/virtctl`,
      ['migrate', 'counter', '--follow'],
      instance.env,
      180_000,
    );
    assert.equal(followed.code, 0, followed.stdout + followed.stderr);
    assert.match(followed.stdout, /to copy: up to 160\.0 MiB of memory, .* of disks \(root, .*data\)/);
    assert.match(followed.stdout, /Succeeded[\s\S]*of it disks/);
    const arrived = await isOn('counter-new');
    assert.equal(arrived.metadata?.uid, before?.metadata?.uid);
    assert.notEqual(arrived.status?.nodeName, before?.status?.nodeName);
    await countsOn('counter-new', (await counted(now)).length);
    assert.equal(await conditionOf('RestartRequired'), undefined);
    assert.equal(await conditionOf('VolumesChange'), undefined);
    const { migratedVolumes } = (await vm()).status?.volumeUpdateState?.volumeMigrationState ?? {};
    assert.equal(migratedVolumes?.[0]?.destinationPVCInfo?.volumeMode, 'Block');
  });

  test('a target that dies leaves the guest on its old claim, which can be put back', async () => {
    const { uid } = (await vmi())?.metadata ?? {};
    await client.create(policies, SLOW);
    await makeClaim('doomed', '96Mi');
    await makeClaim('never', '128Mi');
    await wantClaim('doomed');
    const { target } = await copying();
    const refused = await instance.virtctl('restart', 'counter');
    assert.match(refused.stderr, /VM recovery required/);
    await killLauncher(target);
    await says('VolumesChange', /the guest is on its old claims and it is tried again/, 60_000);
    await countsOn(now, (await counted(now)).length);
    assert.equal((await vmi())?.metadata?.uid, uid, 'the guest has not ended');
    await wantClaim('never');
    await says('Failure', /can only be reverted to the previous version/);
    await wantClaim(now);
    await says('VolumesChange', /VolumesChangeCancellation/);
    await isOn(now);
  });

  test('from the device to a larger image, which the guest then sees; a plugged disk moves along', async () => {
    if (now !== 'counter-new') {
      await wantClaim('counter-new');
      await isOn('counter-new');
    }
    await makeClaim('file', '96Mi');
    const extra = async () => (await vmi())?.status?.volumeStatus?.find(({ name }) => name === 'extra');
    await instance.virtctl('addvolume', 'counter', '--volume-name', 'extra');
    await eventually('it is plugged in', 120_000, async () =>
      (await extra())?.phase === 'Ready' ? true : undefined,
    );
    const device = (await extra())?.target;
    const mark = Buffer.from('on the plugged disk');
    const fd = openSync(await imageOf('extra'), 'r+');
    writeSync(fd, mark, 0, mark.length, 1024 * 1024);
    closeSync(fd);
    // A claim of this node alone: neither disk moves without the other.
    await wantClaim('file');
    await says('RestartRequired', /The volume extra is RWO and not included/);
    const path = '/spec/template/spec/volumes/3';
    const value = { name: 'extra', dataVolume: { name: 'extra-filled', hotpluggable: true } };
    await client.patch(resources.virtualMachines, key, {
      type: 'json',
      body: [{ op: 'replace', path, value }],
    });
    await isOn('file');
    const moved = await eventually('the plugged disk is on its DataVolume', 60_000, async () => {
      const found = await extra();
      const isThere = found?.persistentVolumeClaimInfo?.claimName === 'extra-filled';
      return isThere && found.phase === 'Ready' ? found : undefined;
    });
    assert.equal(moved.target, device);
    assert.ok(readFileSync(await imageOf('extra-filled')).includes(mark));
    await instance.virtctl('removevolume', 'counter', '--volume-name', 'extra');
    await eventually('it is unplugged', 60_000, async () =>
      (await extra()) === undefined ? true : undefined,
    );
    await countsOn('file', (await counted('counter-new')).length);
    await eventually('the image has grown into its claim', 60_000, async () => {
      const status = (await vmi())?.status?.volumeStatus?.find(({ name }) => name === 'data');
      return status?.size === 96 * 1024 ** 2 ? true : undefined;
    });
  });

  test('a guest that ends meanwhile is not started before its old claim is back', async () => {
    await client.create(policies, SLOW);
    await makeClaim('unreached', '128Mi');
    await wantClaim('unreached');
    const { source } = await copying();
    await killLauncher(source);
    const asked = new RegExp(`Put back volume data to claim ${now}\\b`);
    await says('ManualRecoveryRequired', asked, 120_000);
    const written = (await counted(now)).length;
    assert.equal((await conditionOf('Ready'))?.status, 'False');
    await wantClaim(now);
    // It boots, finds what it had, and counts on from there.
    assert.ok((await countsOn(now, written)) > written);
    assert.equal(await conditionOf('ManualRecoveryRequired'), undefined);
  });
});
