/**
 * Backups of a running guest: full, then only what changed, over a restart and the death of each component in the
 * middle of a copy. What the files hold is compared with the guest's disk, byte by byte. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  annotations,
  type BackupProgress,
  type KubernetesObject,
  type VirtualMachine,
  type VirtualMachineBackup,
} from '@podvisor/api';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { helloVm } from '../support/guests/hello-vm.ts';
import { Instance } from '../support/instance.ts';
import { podProcess } from '../support/pod-processes.ts';
import { BACKUP_API, vmBackups, vmBackupTrackers } from '../support/storage-resources.ts';

const namespace = 'default';
const VM = 'kept';
const key = { namespace, name: VM };
const MIB = 1024 * 1024;
/** A limit holds what comes after the first 64 MiB, which QEMU has on their way when it is told. */
const DISK_MIB = 256;
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
  /** One for all questions: each has connections of its own. */
  let client: KubeClient;
  let guest: GuestShell | undefined;
  let target: string;
  let disk: string;

  const vmi = () => client.get(resources.virtualMachineInstances, key);
  const find = (name: string) => client.get(vmBackups, { namespace, name });
  const checkpoint = async () =>
    (await client.get(vmBackupTrackers, { namespace, name: 'nightly' })).status?.latestCheckpoint?.name;
  const backUp = (name: string, spec: Partial<VirtualMachineBackup['spec']> = {}, bandwidth?: string) =>
    client.create(vmBackups, {
      apiVersion: BACKUP_API,
      kind: 'VirtualMachineBackup',
      metadata: {
        name,
        namespace,
        ...(bandwidth === undefined ? {} : { annotations: { [annotations.backupBandwidth]: bandwidth } }),
      },
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
  /** How much of the backup that is copied now has been; undefined: none is. */
  const share = async (): Promise<number | undefined> => {
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${VM}/backupprogress`;
    const progress = await client.request<BackupProgress>({ method: 'GET', path }).catch(() => undefined);
    if (progress === undefined) return undefined;
    const { totalBytes, doneBytes } = progress;
    return doneBytes / totalBytes;
  };
  /**
   * Begins a full backup that its limit makes slow, and answers its name while it is on its way. QEMU takes the limit
   * when the copy has begun; on a machine that is slow in that very moment it may be over, and another one is begun.
   */
  const copying = async (prefix: string, bandwidth: string): Promise<string> => {
    for (let attempt = 0; attempt < 8; attempt++) {
      const name = `${prefix}-${attempt}`;
      await backUp(name, { skipQuiesce: true, forceFullBackup: true }, bandwidth);
      await eventually(`backup ${name} begins`, 120_000, async () => (await find(name)).status?.type);
      const done = await share();
      if (done !== undefined && done < 0.7) return name;
      await ended(name);
    }
    throw new Error('no backup could be caught in the middle');
  };
  const tidy = () =>
    eventually('the claim is taken away', 60_000, async () => {
      const { spec, status } = await vmi();
      const { backupStatus } = status?.changedBlockTracking ?? {};
      const left = [spec.utilityVolumes, backupStatus, status?.fsFreezeStatus];
      return left.every((value) => value === undefined || value === null) ? true : undefined;
    });
  const killed = async (process_: string): Promise<void> => {
    const pid = await instance.pidOf(process_);
    process.kill(pid, 'SIGKILL');
    await eventually(`another ${process_}`, 60_000, async () =>
      (await instance.pidOf(process_)) === pid ? undefined : true,
    );
  };
  const directoryOf = async (name: string): Promise<string> => {
    const { spec } = await client.get(resources.persistentVolumeClaims, { namespace, name });
    const volume = await client.get(resources.persistentVolumes, { name: spec.volumeName ?? '' });
    return volume.spec.local?.path ?? '';
  };
  const fileOf = (name: string, volume = 'data'): string => {
    const [directory] = readdirSync(join(target, VM)).filter((entry) => entry.startsWith(`${name}-`));
    return join(target, VM, directory ?? '', `${name}-${volume}.qcow2`);
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
  /** Behind the guest's back, which has none of it in memory: a full backup has much to copy. */
  const fill = (): void => {
    const bytes = randomBytes(8 * MIB);
    const fd = openSync(disk, 'r+');
    for (let at = 0; at < DISK_MIB * MIB; at += bytes.length) writeSync(fd, bytes, 0, bytes.length, at);
    closeSync(fd);
  };
  /** The chain of files, each naming the one before it, holds what the disk holds. */
  const sameAsDisk = (chain: readonly string[], volume = 'data', image = disk): void => {
    const files = chain.map((name) => fileOf(name, volume));
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
    execFileSync('qemu-img', ['compare', '-U', '-f', 'qcow2', '-F', 'raw', files.at(-1) ?? '', image]);
  };

  before(async () => {
    instance = await Instance.prepare();
    const manifest = join(instance.home, 'vm.json');
    const objects = [
      kubevirt,
      claim('data', `${DISK_MIB}Mi`),
      claim('backups', '1Gi'),
      claim('more', '16Mi'),
      vm(),
    ];
    writeFileSync(manifest, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
    const up = await instance.up(manifest);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    client = instance.client;
    await eventually('the VM will be tracked', 60_000, async () => {
      const { status } = await client.get(resources.virtualMachines, key);
      return status?.changedBlockTracking?.state === 'Initializing' ? true : undefined;
    });
    await start();
    await client.create(vmBackupTrackers, {
      apiVersion: BACKUP_API,
      kind: 'VirtualMachineBackupTracker',
      metadata: { name: 'nightly', namespace },
      spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: VM } },
    });
  });
  after(async () => {
    await guest?.close();
    await client?.close();
    await instance?.purge();
  });

  test('the disks of a selected VM are tracked', async () => {
    await running();
    const { status } = await eventually('the VM says so', 30_000, async () => {
      const found = await client.get(resources.virtualMachines, key);
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
    await tidy();
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
    await client.create(secrets, {
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
    const service = await client.get(services, { namespace, name: 'virt-export-pulled' });
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
    await client.delete(vmBackups, { namespace, name: 'pulled' });
    await eventually('it is gone', 60_000, async () =>
      (await client.find(vmBackups, { namespace, name: 'pulled' })) === undefined ? true : undefined,
    );
    assert.match((await checkpoint()) ?? '', /^pulled-/);
  });

  test('a disk that is plugged in is tracked from then on', async () => {
    const seen = async () => (await vmi()).status?.volumeStatus?.find(({ name }) => name === 'more');
    await instance.virtctl('addvolume', VM, '--volume-name', 'more');
    await eventually('it is plugged in', 120_000, async () =>
      (await seen())?.phase === 'Ready' ? true : undefined,
    );
    const image = join(await directoryOf('more'), 'disk.img');
    await backUp('wider', { skipQuiesce: true });
    const wider = await ended('wider');
    // Of the disk that nobody knew before, everything.
    assert.equal(wider.status?.type, 'Incremental', JSON.stringify(wider.status));
    assert.deepEqual(wider.status?.includedVolumes, [{ volumeName: 'data' }, { volumeName: 'more' }]);
    sameAsDisk(['wider'], 'more', image);
    await guest?.run(`dd if=/dev/urandom of=/dev/sda bs=1M seek=3 count=1 conv=fsync 2>/dev/null`);
    await backUp('again', { skipQuiesce: true });
    assert.equal((await ended('again')).status?.type, 'Incremental');
    assert.ok(statSync(fileOf('again', 'more')).size < 3 * MIB);
    sameAsDisk(['wider', 'again'], 'more', image);
    await tidy();
    await instance.virtctl('removevolume', VM, '--volume-name', 'more');
    await eventually('it is gone', 60_000, async () => ((await seen()) === undefined ? true : undefined));
  });

  test('the node agent and the controller die in the middle: the copy goes on, and its end is told', async () => {
    fill();
    const name = await copying('four', '8Mi');
    await eventually('how far it is can be read', 30_000, async () =>
      /^\d+%$/.test((await find(name)).metadata?.annotations?.[annotations.backupProgress] ?? '')
        ? true
        : undefined,
    );
    await killed('virt-handler-node-1');
    await killed('virt-controller');
    const four = await ended(name);
    assert.equal(conditions(four)['Complete'], 'True Completed');
    assert.equal(four.metadata?.annotations?.[annotations.backupProgress], undefined);
    assert.equal(await checkpoint(), four.status?.checkpointName);
    sameAsDisk([name]);
    await tidy();
    // The console went through the node agent.
    await openShell();
  });

  test('one that is deleted in the middle stops and leaves nothing; the next one knows what changed', async () => {
    const name = await copying('dropped', '1Mi');
    const known = await checkpoint();
    const base = known?.replace(/-\d{4}-.*$/, '') ?? '';
    await client.delete(vmBackups, { namespace, name });
    await eventually('it is gone', 60_000, async () =>
      (await client.find(vmBackups, { namespace, name })) === undefined ? true : undefined,
    );
    assert.equal(existsSync(fileOf(name)), false);
    assert.equal(await checkpoint(), known);
    await tidy();
    await write(30, 1);
    await backUp('next', { skipQuiesce: true });
    const next = await ended('next');
    assert.equal(next.status?.type, 'Incremental', JSON.stringify(next.status));
    sameAsDisk([base, 'next']);
  });

  test('a launcher that dies in the middle fails the backup; the next one is full again', async () => {
    const name = await copying('lost', '1Mi');
    const known = await checkpoint();
    const [podUid = ''] = Object.keys((await vmi()).status?.activePods ?? {});
    await guest?.close();
    guest = undefined;
    process.kill(podProcess(podUid, /virt-launcher\.mjs/).pid, 'SIGKILL');
    const lost = await ended(name);
    assert.match(conditions(lost)['Failed'] ?? '', /^True Source/);
    assert.equal(await checkpoint(), known);
    await start();
    await running();
    await backUp('five', { skipQuiesce: true });
    const five = await ended('five');
    assert.equal(five.status?.type, 'Full', JSON.stringify(five.status));
    assert.equal(conditions(five)['Complete'], 'True Completed', JSON.stringify(five.status));
    assert.equal(await checkpoint(), five.status?.checkpointName);
    sameAsDisk(['five']);
    const events = await client.list<KubernetesObject & { readonly reason?: string }>(
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
    await client.delete(vmBackups, { namespace, name: 'six' });
    await eventually('it is gone', 30_000, async () =>
      (await client.find(vmBackups, { namespace, name: 'six' })) === undefined ? true : undefined,
    );
  });
});
