/**
 * Backups of a running guest: full, then only what changed, over a restart and the death of a launcher in the middle
 * of a copy. What the files hold is compared with the guest's disk, byte by byte. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  KubernetesObject,
  VirtualMachine,
  VirtualMachineBackup,
  VirtualMachineBackupTracker,
} from '@podvisor/api';
import { defineResource, resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { GuestShell } from '../support/guest-shell.ts';
import { helloVm } from '../support/hello-vm.ts';
import { Instance } from '../support/instance.ts';
import { podProcess } from '../support/pod-processes.ts';

const API = 'backup.kubevirt.io/v1alpha1';
const backups = defineResource<VirtualMachineBackup>('VirtualMachineBackup', 'virtualmachinebackups', API);
const trackers = defineResource<VirtualMachineBackupTracker>(
  'VirtualMachineBackupTracker',
  'virtualmachinebackuptrackers',
  API,
);
const namespace = 'default';
const VM = 'kept';
const key = { namespace, name: VM };
const MIB = 1024 * 1024;
const LABEL = { backup: 'nightly' };
const DISK = '/dev/vdb';

const claim = (name: string, storage: string): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

function vm(): VirtualMachine {
  const plain = helloVm({
    name: VM,
    memory: '128Mi',
    interfaces: [{ name: 'default', masquerade: {} }],
    networks: [{ name: 'default', pod: {} }],
    graceSeconds: 20,
    commands: [],
  });
  const { spec, ...template } = plain.spec.template;
  assert.ok(spec);
  const [root, ...others] = spec.domain.devices.disks ?? [];
  assert.ok(root);
  const disks = [root, { name: 'data', disk: { bus: 'virtio' as const } }, ...others];
  const devices = { ...spec.domain.devices, disks };
  const volumes = [...(spec.volumes ?? []), { name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  return {
    ...plain,
    metadata: { ...plain.metadata, labels: LABEL },
    spec: {
      ...plain.spec,
      // Started by the test, when its changes are sure to be tracked.
      runStrategy: 'Manual',
      template: { ...template, spec: { ...spec, domain: { ...spec.domain, devices }, volumes } },
    },
  };
}

const kubevirt = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: { name: 'kubevirt', namespace: 'kubevirt' },
  spec: {
    configuration: {
      developerConfiguration: { useEmulation: true, featureGates: ['IncrementalBackup', 'UtilityVolumes'] },
      changedBlockTrackingLabelSelectors: { virtualMachineLabelSelector: { matchLabels: LABEL } },
    },
  },
};

const secrets = defineResource<KubernetesObject & { readonly stringData?: object }>(
  'Secret',
  'secrets',
  'v1',
);
const services = defineResource<KubernetesObject & { readonly spec?: { readonly clusterIP?: string } }>(
  'Service',
  'services',
  'v1',
);

/** Reads an address of an export at its Service, whose certificate its own authority signed. */
function download(
  url: URL,
  host: string,
  ca: string,
  token: string,
): Promise<{ readonly code: number; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-kubevirt-export-token': token };
    const path = `${url.pathname}${url.search}`;
    const sent = request({ host, port: 443, path, ca, servername: url.hostname, headers, agent: false });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('backups', { concurrency: 1 }, () => {
  let instance: Instance;
  let guest: GuestShell | undefined;
  let target: string;
  let disk: string;

  const vmi = () => instance.client.get(resources.virtualMachineInstances, key);
  const find = (name: string) => instance.client.get(backups, { namespace, name });
  const checkpoint = async () =>
    (await instance.client.get(trackers, { namespace, name: 'nightly' })).status?.latestCheckpoint?.name;
  const backUp = (name: string, spec: Partial<VirtualMachineBackup['spec']> = {}) =>
    instance.client.create(backups, {
      apiVersion: API,
      kind: 'VirtualMachineBackup',
      metadata: { name, namespace },
      spec: {
        source: { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackupTracker', name: 'nightly' },
        pvcName: 'backups',
        ...spec,
      },
    });
  const conditions = ({ status }: VirtualMachineBackup): Readonly<Record<string, string>> =>
    Object.fromEntries((status?.conditions ?? []).map((c) => [c.type, `${c.status} ${c.reason}`]));
  const ended = (name: string): Promise<VirtualMachineBackup> =>
    eventually(`backup ${name} ended`, 120_000, async () => {
      const backup = await find(name);
      return conditions(backup)['Progressing']?.startsWith('False') ? backup : undefined;
    });
  const directoryOf = async (name: string): Promise<string> => {
    const { spec } = await instance.client.get(resources.persistentVolumeClaims, { namespace, name });
    const volume = await instance.client.get(resources.persistentVolumes, { name: spec.volumeName ?? '' });
    return volume.spec.local?.path ?? '';
  };
  const fileOf = (name: string): string => {
    const [directory] = readdirSync(join(target, VM)).filter((entry) => entry.startsWith(`${name}-`));
    return join(target, VM, directory ?? '', `${name}-data.qcow2`);
  };
  const running = () =>
    eventually('the guest is tracked', 120_000, async () =>
      (await vmi()).status?.changedBlockTracking?.state === 'Enabled' ? true : undefined,
    );
  /** Whoever asks while the VM's status is being written is told to ask again. */
  const start = () =>
    eventually('the VM is asked to start', 60_000, async () => {
      const { code, stderr } = await instance.virtctl('start', VM);
      if (code !== 0) throw new Error(stderr);
      return true;
    });
  const openShell = async (): Promise<void> => {
    await guest?.close();
    guest = await GuestShell.open(instance, VM);
  };
  const write = (atMiB: number, countMiB: number) =>
    guest?.run(`dd if=/dev/urandom of=${DISK} bs=1M seek=${atMiB} count=${countMiB} conv=fsync 2>/dev/null`);
  /** The chain of files, each naming the one before it, holds what the disk holds. */
  const sameAsDisk = (chain: readonly string[]): void => {
    const files = chain.map(fileOf);
    for (const [index, file] of files.entries())
      if (index > 0)
        execFileSync('qemu-img', [
          'rebase',
          '-u',
          '-f',
          'qcow2',
          '-b',
          files[index - 1] ?? '',
          '-F',
          'qcow2',
          file,
        ]);
    execFileSync('qemu-img', ['compare', '-U', '-f', 'qcow2', '-F', 'raw', files.at(-1) ?? '', disk]);
  };

  before(async () => {
    instance = await Instance.prepare();
    const manifest = join(instance.home, 'vm.json');
    const objects = [kubevirt, claim('data', '128Mi'), claim('backups', '1Gi'), vm()];
    writeFileSync(manifest, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
    const up = await instance.up(manifest);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    await eventually('the VM will be tracked', 60_000, async () => {
      const { status } = await instance.client.get(resources.virtualMachines, key);
      return status?.changedBlockTracking?.state === 'Initializing' ? true : undefined;
    });
    await start();
    await instance.client.create(trackers, {
      apiVersion: API,
      kind: 'VirtualMachineBackupTracker',
      metadata: { name: 'nightly', namespace },
      spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: VM } },
    });
  });
  after(async () => {
    await guest?.close();
    await instance?.purge();
  });

  test('the disks of a selected VM are tracked', async () => {
    await running();
    const { status } = await eventually('the VM says so', 30_000, async () => {
      const found = await instance.client.get(resources.virtualMachines, key);
      return found.status?.changedBlockTracking?.state === 'Enabled' ? found : undefined;
    });
    assert.equal(status?.changedBlockTracking?.state, 'Enabled');
    target = await directoryOf('backups');
    disk = join(await directoryOf('data'), 'disk.img');
    await openShell();
    await eventually('the agent answers', 120_000, async () =>
      (await vmi()).status?.conditions?.some((c) => c.type === 'AgentConnected' && c.status === 'True')
        ? true
        : undefined,
    );
  });

  test('the first backup of a tracker is full, of a guest that stands still, and leaves nothing behind', async () => {
    await write(4, 3);
    await backUp('one');
    const one = await ended('one');
    assert.deepEqual(conditions(one), {
      Progressing: 'False Completed',
      Quiesced: 'True QuiesceSucceeded',
      Complete: 'True Completed',
    });
    assert.equal(one.status?.type, 'Full');
    assert.deepEqual(one.status?.includedVolumes, [{ volumeName: 'data' }]);
    assert.equal(await checkpoint(), one.status?.checkpointName);
    sameAsDisk(['one']);
    // Zeros take no room.
    assert.ok(statSync(fileOf('one')).blocks * 512 < 16 * MIB);
    await eventually('the claim is taken away', 30_000, async () => {
      const { spec, status } = await vmi();
      const { backupStatus } = status?.changedBlockTracking ?? {};
      const left = [spec.utilityVolumes, backupStatus, status?.fsFreezeStatus];
      return left.every((value) => value === undefined || value === null) ? true : undefined;
    });
    await guest?.run('echo awake');
  });

  test('the next one holds what changed since', async () => {
    await write(20, 2);
    await backUp('two');
    const two = await ended('two');
    assert.equal(two.status?.type, 'Incremental', JSON.stringify(two.status));
    assert.ok(statSync(fileOf('two')).size < 4 * MIB);
    sameAsDisk(['one', 'two']);
  });

  test('what changed is known over a restart', async () => {
    await write(40, 1);
    assert.equal((await instance.virtctl('restart', VM)).code, 0);
    const before = (await vmi()).metadata?.uid;
    await eventually('another guest', 120_000, async () =>
      (await vmi()).metadata?.uid === before ? undefined : true,
    );
    await running();
    await openShell();
    await write(60, 1);
    await backUp('three', { skipQuiesce: true });
    const three = await ended('three');
    assert.equal(three.status?.type, 'Incremental', JSON.stringify(three.status));
    assert.equal(conditions(three)['Quiesced'], 'False QuiesceSkipped');
    assert.ok(statSync(fileOf('three')).size < 4 * MIB);
    sameAsDisk(['one', 'two', 'three']);
  });

  test('a client pulls what changed, over TLS with a token, and ends the backup by deleting it', async () => {
    await write(80, 1);
    await instance.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'reader', namespace },
      stringData: { token: 'sesame' },
    });
    await backUp('pulled', { mode: 'Pull', tokenSecretRef: 'reader', skipQuiesce: true });
    const { status } = await eventually('the export is ready', 120_000, async () => {
      const found = await find('pulled');
      return conditions(found)['Progressing'] === 'True ExportReady' ? found : undefined;
    });
    assert.equal(status?.type, 'Incremental');
    const [volume] = status?.includedVolumes ?? [];
    assert.equal(volume?.volumeName, 'data');
    const service = await instance.client.get(services, { namespace, name: 'virt-export-pulled' });
    const get = (url: string | undefined, token: string): Promise<{ code: number; body: Buffer }> =>
      download(new URL(url ?? ''), service.spec?.clusterIP ?? '', status?.endpointCert ?? '', token);
    assert.equal((await get(volume?.mapEndpoint, 'wrong')).code, 401);
    const map = await get(volume?.mapEndpoint, 'sesame');
    const { extents } = JSON.parse(map.body.toString()) as {
      readonly extents: readonly {
        readonly offset: number;
        readonly length: number;
        readonly type: number;
      }[];
    };
    const dirty = extents.filter(({ type }) => type === 1);
    assert.deepEqual(
      dirty.map(({ offset, length }) => [offset, length]),
      [[80 * MIB, MIB]],
    );
    const part = await get(`${volume?.dataEndpoint}?offset=${80 * MIB}&length=${MIB}`, 'sesame');
    const bytes = Buffer.alloc(MIB);
    const fd = openSync(disk, 'r');
    readSync(fd, bytes, 0, MIB, 80 * MIB);
    closeSync(fd);
    assert.ok(part.body.equals(bytes));
    // The guest goes on, and the reader sees what was there before.
    await write(80, 1);
    const again = await get(`${volume?.dataEndpoint}?offset=${80 * MIB}&length=${MIB}`, 'sesame');
    assert.ok(again.body.equals(bytes));
    await instance.client.delete(backups, { namespace, name: 'pulled' });
    await eventually('it is gone', 60_000, async () =>
      (await instance.client.find(backups, { namespace, name: 'pulled' })) === undefined ? true : undefined,
    );
    assert.match((await checkpoint()) ?? '', /^pulled-/);
  });

  test('a launcher that dies in the middle fails the backup; the next one is full again', async () => {
    const known = await checkpoint();
    const [podUid = ''] = Object.keys((await vmi()).status?.activePods ?? {});
    const qemu = podProcess(podUid, /qemu-system/);
    // Enough for many slices below: on a slow machine the news of the beginning takes some of them.
    await write(0, 120);
    await backUp('four', { skipQuiesce: true });
    await eventually('the copy begins', 60_000, () => (existsSync(fileOf('four')) ? true : undefined));
    // In slices, so that it is on its way and not at its end when the node says that it has begun.
    for (let slice = 0; (await find('four')).status?.type === undefined; slice++) {
      assert.ok(slice < 500, 'the backup did not begin');
      process.kill(qemu.pid, 'SIGCONT');
      await delay(2);
      process.kill(qemu.pid, 'SIGSTOP');
      await delay(150);
    }
    await guest?.close();
    guest = undefined;
    process.kill(podProcess(podUid, /virt-launcher\.mjs/).pid, 'SIGKILL');
    const four = await ended('four');
    assert.match(conditions(four)['Failed'] ?? '', /^True Source/);
    assert.equal(await checkpoint(), known);
    await start();
    await running();
    await backUp('five', { skipQuiesce: true });
    const five = await ended('five');
    assert.equal(five.status?.type, 'Full', JSON.stringify(five.status));
    assert.equal(conditions(five)['Complete'], 'True Completed');
    assert.equal(await checkpoint(), five.status?.checkpointName);
    sameAsDisk(['five']);
    const events = await instance.client.list<KubernetesObject & { readonly reason?: string }>(
      defineResource('Event', 'events', 'v1'),
      { namespace },
    );
    assert.ok(events.items.some(({ reason }) => reason === 'CheckpointRedefinitionFailed'));
  });

  test('what cannot be backed up says why, and a deleted backup goes', async () => {
    await backUp('six', { pvcName: 'none' });
    await eventually('it says what is missing', 30_000, async () =>
      /PVC default\/none doesnt exist/.test((await find('six')).status?.conditions?.[0]?.message ?? '')
        ? true
        : undefined,
    );
    await instance.client.delete(backups, { namespace, name: 'six' });
    await eventually('it is gone', 30_000, async () =>
      (await instance.client.find(backups, { namespace, name: 'six' })) === undefined ? true : undefined,
    );
  });
});
