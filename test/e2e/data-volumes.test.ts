/**
 * DataVolumes, with real Pods and tools: from a container image, over http (and a VM boots from it), by upload, as a
 * clone; and what a user sees when an image is missing. On a cluster of somebody else bytes of claims are read by exports.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { DataSource, DataVolume, VirtualMachine } from '@podvisor/api';
import { defineResource, resources } from '@podvisor/kube';
import { signedHeaders } from '../../packages/importer/src/source/aws-signature.ts';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { addressForPods, askForDataVolumes, diskOf, helloDisk } from '../support/data-volume-world.ts';
import { eventually } from '../support/eventually.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { isForeign, lacks, needsEmbedded, openHome } from '../support/home.ts';
import { type ImageServer, serveImage } from '../support/image-server.ts';
import { Conversation, type Instance, root } from '../support/instance.ts';
import { makeOva, makeVmdk } from '../support/ova.ts';
import { rowsOf } from '../support/pages-of-docs/page-rows.ts';
import { typeRow } from '../support/pages-of-docs/type-row.ts';
import { SNAPSHOT_API, vmRestores, vmSnapshots } from '../support/storage-resources.ts';

const namespace = 'default';

const dataSources = defineResource<DataSource>('DataSource', 'datasources', 'cdi.kubevirt.io/v1beta1');
const csiDrivers = defineResource('CSIDriver', 'csidrivers', 'storage.k8s.io/v1', 'Cluster');
const roleBindings = defineResource('RoleBinding', 'rolebindings', 'rbac.authorization.k8s.io/v1');
const dataVolume = (name: string, source: DataVolume['spec']['source'], size = '64Mi'): DataVolume => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { name, namespace },
  // A class that nobody has described needs to be told the access mode.
  spec: { source, storage: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } } },
});

/** The usual guest, on a disk that is imported over http. */
function vmFrom(url: string): VirtualMachine {
  const vm = bootIdVm('imported');
  const spec = vm.spec.template.spec;
  assert.ok(spec);
  const volumes = (spec.volumes ?? []).map((volume) =>
    volume.name === 'root' ? { name: 'root', dataVolume: { name: 'imported-root' } } : volume,
  );
  const { spec: template } = dataVolume('imported-root', { http: { url } }, '96Mi');
  return {
    ...vm,
    spec: {
      ...vm.spec,
      dataVolumeTemplates: [{ metadata: { name: 'imported-root' }, spec: template }],
      template: { ...vm.spec.template, spec: { ...spec, volumes } },
    },
  };
}

describe('data volumes', { concurrency: 1 }, () => {
  let instance: Instance;
  let server: ImageServer;
  let image: string;

  const create = (volume: DataVolume) => instance.client.create(resources.dataVolumes, volume);
  const get = (name: string) => instance.client.get(resources.dataVolumes, { namespace, name });
  const succeeded = (name: string) =>
    eventually(`DataVolume ${name} Succeeded`, 180_000, async () =>
      (await get(name)).status?.phase === 'Succeeded' ? true : undefined,
    );
  const mayEdit = (where: string) =>
    instance.client.create(roleBindings, {
      metadata: { namespace: where, name: 'bob' },
      ...{
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
        subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' }],
      },
    });
  /** Compares the disk of a claim with the image that it came from. */
  const assertSame = async (name: string) => {
    execFileSync('qemu-img', ['compare', '-f', 'qcow2', '-F', 'raw', image, await diskOf(instance, name)]);
  };
  /** Copies within the storage: a class of a CSI driver. */
  const cannotCopy = async (t: TestContext): Promise<boolean> => {
    const drivers = isForeign ? (await instance.client.list(csiDrivers, {})).items : [];
    return lacks(t, drivers.length > 0, 'a CSI driver that clones');
  };

  before(async () => {
    instance = await openHome();
    await askForDataVolumes(instance);
    const manifest = join(instance.home, 'registry.json');
    const source = { registry: { url: 'docker://podvisor.local/hello:1' } };
    writeFileSync(manifest, JSON.stringify(dataVolume('from-registry', source)));
    const up = await instance.up(manifest);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    image = helloDisk(instance);
    server = await serveImage(image, await addressForPods(instance));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await instance?.purge();
  });

  test('a VM with a template boots from a disk that came over http', async () => {
    await instance.client.create(resources.virtualMachines, vmFrom(server.url));
    const key = { namespace, name: 'imported' };
    await eventually('the VM waits for its disk', 60_000, async () =>
      (await instance.client.get(resources.virtualMachines, key)).status?.printableStatus === 'Provisioning'
        ? true
        : undefined,
    );
    await succeeded('imported-root');
    const guest = await eventually('a console', 180_000, () => GuestShell.open(instance, 'imported'));
    assert.equal(await guest.run('cat /sys/block/vda/size'), String((96 * 1024 * 1024) / 512));
    await guest.close();
    const { metadata } = await get('imported-root');
    assert.equal(metadata.ownerReferences?.[0]?.kind, 'VirtualMachine');
  });

  test('machines of other systems, an OVA and a VMDK, are imported and boot to a login', async () => {
    const facts = { name: 'server-1', mac: '00:50:56:aa:bb:01', memoryMib: 256 };
    const ova = makeOva(instance.home, image, facts);
    const vmdk = makeVmdk(image, join(instance.home, 'bare.vmdk'), 'monolithicSparse');
    const [dry] = rowsOf('data-volumes', 'cookbook.md');
    const told = await typeRow(instance, 'cookbook.md', dry ?? '', {
      vm: 'bare',
      files: { 'server.ova': ova },
    });
    assert.match(told, /network card 1 +vmxnet3/);
    const [first, second] = await Promise.all([
      instance.virtctl('import', ova),
      instance.virtctl('import', vmdk, '--memory', '256Mi', '--cpu', '1'),
    ]);
    assert.equal(first.code, 0, first.stdout + first.stderr);
    assert.equal(second.code, 0, second.stdout + second.stderr);
    assert.match(
      first.stdout,
      /disk 1 +server-1-disk1\.vmdk, scsi, \d+Mi +server-1-disk1, sata +scsi is not there/,
    );
    assert.match(first.stdout, /network card 1 +vmxnet3, 00:50:56:aa:bb:01/);
    for (const name of ['server-1', 'bare']) {
      const heard = await eventually(`a login of ${name}`, 180_000, async () => {
        const talk = new Conversation(`${root}/bin/virtctl`, ['console', name], instance.env);
        try {
          talk.say('\n');
          await talk.hear(/login: /, 60_000);
          return true;
        } catch {
          return undefined;
        } finally {
          talk.end();
        }
      });
      assert.equal(heard, true);
    }
    const found = await instance.client.get(resources.virtualMachineInstances, {
      namespace,
      name: 'server-1',
    });
    assert.equal(found.status?.interfaces?.[0]?.mac, facts.mac);
    await instance.client.delete(resources.virtualMachines, { namespace, name: 'server-1' });
  });

  test('and back: a VM that is off leaves as an OVA and as a qcow2, with the bytes of its disk', async (t) => {
    if (needsEmbedded(t, 'it looks into a claim of this machine')) return;
    const [, back] = rowsOf('data-volumes', 'cookbook.md');
    await typeRow(instance, 'cookbook.md', back ?? '', { vm: 'bare' });
    const { spec } = await instance.client.get(resources.persistentVolumeClaims, {
      namespace,
      name: 'bare-disk1',
    });
    const disk = join(instance.home, 'volumes', spec.volumeName ?? '', 'disk.img');
    const [ova, qcow2] = [join(instance.home, 'bare.ova'), join(instance.home, 'bare.qcow2')];
    const told = await instance.virtctl('export', 'bare', '--output', ova, '--progress', 'json');
    assert.equal(told.code, 0, told.stdout + told.stderr);
    assert.match(told.stderr, /^\{"progress":"download".*"done":true\}$/m);
    const again = await instance.virtctl('export', 'bare', '--format', 'qcow2', '--output', qcow2);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    execFileSync('qemu-img', ['compare', '-f', 'qcow2', '-F', 'raw', qcow2, disk]);
    execFileSync('tar', ['-xf', ova, '-C', instance.home]);
    const vmdk = join(instance.home, 'bare-disk1.vmdk');
    execFileSync('qemu-img', ['compare', '-f', 'vmdk', '-F', 'raw', vmdk, disk]);
    const seen = await instance.virtctl('import', ova, '--dry-run');
    assert.equal(seen.code, 0, seen.stderr);
    assert.match(seen.stdout, /memory +256 MiB/);
    assert.match(seen.stdout, /disk 1 +bare-disk1\.vmdk, sata/);
    await instance.client.delete(resources.virtualMachines, { namespace, name: 'bare' });
  });

  test('a restore gives the VM a DataVolume of its own for the restored disk', async (t) => {
    if (await cannotCopy(t)) return;
    const key = { namespace, name: 'imported' };
    const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'imported' };
    const done = async (what: string, look: () => Promise<unknown>) =>
      eventually(what, 120_000, async () => ((await look()) === true ? true : undefined));
    await instance.client.patch(resources.virtualMachines, key, {
      type: 'merge',
      body: { spec: { runStrategy: 'Halted' } },
    });
    await instance.client.create(vmSnapshots, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineSnapshot',
      metadata: { namespace, name: 'kept' },
      spec: { source },
    });
    await done('the snapshot', async () => {
      const { status } = await instance.client.get(vmSnapshots, { namespace, name: 'kept' });
      return status?.readyToUse;
    });
    const restore = { namespace, name: 'back' };
    await instance.client.create(vmRestores, {
      apiVersion: SNAPSHOT_API,
      kind: 'VirtualMachineRestore',
      metadata: restore,
      spec: { target: source, virtualMachineSnapshotName: 'kept', targetReadinessPolicy: 'StopTarget' },
    });
    await done('the restore', async () => (await instance.client.get(vmRestores, restore)).status?.complete);
    const { status } = await instance.client.get(vmRestores, restore);
    const [{ dataVolumeName = '', persistentVolumeClaim = '' } = {}] = status?.restores ?? [];
    assert.equal(dataVolumeName, persistentVolumeClaim);
    assert.deepEqual(status?.deletedDataVolumes, ['imported-root']);
    await succeeded(dataVolumeName);
    const { spec } = await instance.client.get(resources.virtualMachines, key);
    assert.equal(spec.dataVolumeTemplates?.[0]?.metadata?.name, dataVolumeName);
    await done('the old DataVolume is gone with its disk', async () => {
      const old = { namespace, name: 'imported-root' };
      const left = await instance.client.find(resources.persistentVolumeClaims, old);
      return left === undefined && (await instance.client.find(resources.dataVolumes, old)) === undefined;
    });
    await instance.client.patch(resources.virtualMachines, key, {
      type: 'merge',
      body: { spec: { runStrategy: 'Always' } },
    });
    await done('the VM runs on it', async () => {
      const vmi = await instance.client.find(resources.virtualMachineInstances, key);
      return vmi?.status?.phase === 'Running';
    });
  });

  test('from a container image and by upload', async () => {
    await succeeded('from-registry');
    await assertSame('from-registry');
    const upload = ['image-upload', 'dv', 'uploaded', '--size=64Mi', `--image-path=${image}`, '--insecure'];
    const { code, stdout, stderr } = await instance.virtctl(...upload);
    assert.equal(code, 0, stdout + stderr);
    await assertSame('uploaded');
  });

  test('as a clone, by names that stand for it, too', async (t) => {
    if (await cannotCopy(t)) return;
    await create(dataVolume('cloned', { pvc: { namespace, name: 'uploaded' } }));
    await succeeded('cloned');
    await assertSame('cloned');
    // By a name that stands for whatever is the newest, and by one that stands for that name.
    for (const [name, source] of [
      ['golden', { pvc: { namespace, name: 'uploaded' } }],
      ['newest', { dataSource: { namespace, name: 'golden' } }],
    ] as const)
      await instance.client.create(dataSources, {
        apiVersion: 'cdi.kubevirt.io/v1beta1',
        kind: 'DataSource',
        metadata: { name, namespace },
        spec: { source },
      });
    const { spec, ...referring } = dataVolume('referring', undefined);
    await create({ ...referring, spec: { ...spec, sourceRef: { kind: 'DataSource', name: 'newest' } } });
    await succeeded('referring');
    await assertSame('referring');
  });

  test('what contradicts itself or changes its source is refused', async () => {
    const refused = (spec: DataVolume['spec'], why: RegExp) =>
      assert.rejects(create({ ...dataVolume('wrong', undefined), spec }), why);
    const storage = { resources: { requests: { storage: '8Mi' } } };
    await refused({ source: { blank: {} } }, /Missing Data volume PVC/);
    await refused({ storage, source: { blank: {}, upload: {} } }, /Multiple Data volume sources/);
    const body = { spec: { source: { http: null, registry: null, blank: {} } } };
    const key = { namespace, name: 'from-registry' };
    await assert.rejects(
      instance.client.patch(resources.dataVolumes, key, { type: 'merge', body }),
      /Cannot update DataVolume Spec/,
    );
  });

  test('what is cloned by somebody who may not read it is refused', async (t) => {
    if (needsEmbedded(t, 'it gives rights to another user')) return;
    await instance.client.create(resources.namespaces, { metadata: { name: 'team' } });
    const source = { pvc: { namespace, name: 'from-registry' } };
    const asBob = (name: string): Promise<unknown> =>
      instance.client.request({
        method: 'POST',
        path: '/apis/cdi.kubevirt.io/v1beta1/namespaces/team/datavolumes',
        headers: { 'impersonate-user': 'bob', 'content-type': 'application/json' },
        body: JSON.stringify({ ...dataVolume(name, source), metadata: { name } }),
      });
    await mayEdit('team');
    await assert.rejects(
      asBob('stolen'),
      /bob has insufficient permissions in clone source namespace default/,
    );
    await mayEdit(namespace);
    await asBob('allowed');
  });

  test('from an S3 store, with the keys of a Secret', async () => {
    const keys = { accessKeyId: 'podvisor', secretKey: 'a+secret/key' };
    await instance.client.create(resources.secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'keys', namespace },
      stringData: keys,
    });
    // As a store does it: what was signed, and when, is worked out again.
    server.allow = ({ headers }) => {
      const time = String(headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
      const range: Record<string, string> = headers.range === undefined ? {} : { range: headers.range };
      const nowMs = Date.parse(time);
      const expected = signedHeaders({ url: server.url, region: 'us-east-1', keys, nowMs, headers: range });
      return headers.authorization === expected['authorization'];
    };
    await create(dataVolume('from-s3', { s3: { url: server.url, secretRef: 'keys' } }));
    await succeeded('from-s3');
    await assertSame('from-s3');
    server.allow = () => true;
  });

  test('an upload that refers to another file is refused, saying so', async () => {
    const evil = join(instance.home, 'evil.qcow2');
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', '/etc/hostname', '-F', 'raw', evil, '1M']);
    // Without --insecure: the cluster says whom to trust.
    const { code, stderr } = await instance.virtctl(
      'image-upload',
      'dv',
      'evil',
      '--size=8Mi',
      `--image-path=${evil}`,
    );
    assert.equal(code, 1);
    assert.match(stderr, /names a backing file/);
    await instance.client.delete(resources.dataVolumes, { namespace, name: 'evil' });
  });

  test('an upload that does not fit is refused, saying so in the client, a condition and an event', async () => {
    const { code, stderr } = await instance.virtctl(
      ...['image-upload', 'dv', 'small', '--size=1Mi', `--image-path=${image}`],
    );
    assert.equal(code, 1);
    assert.match(stderr, /A larger PVC is required/);
    await eventually('the condition', 30_000, async () =>
      (await get('small')).status?.conditions?.find(({ message }) => message?.includes('A larger PVC')),
    );
    const { stdout } = await instance.kubectl(
      'get',
      'events',
      '--field-selector',
      'involvedObject.name=small',
    );
    assert.match(stdout, /Warning +Error +.*A larger PVC is required/);
    await instance.client.delete(resources.dataVolumes, { namespace, name: 'small' });
  });

  test('an image that is not there is told, and nothing is left when it is deleted', async () => {
    await create(dataVolume('missing', { http: { url: `${server.url}-missing` } }));
    const message = await eventually(
      'the reason',
      60_000,
      async () =>
        (await get('missing')).status?.conditions?.find(({ reason }) => reason === 'Error')?.message,
    );
    assert.match(message, /expected status code 200, got 404/);
    await instance.client.delete(resources.dataVolumes, { namespace, name: 'missing' });
    await eventually('claim and Pod gone', 60_000, async () => {
      const pods = await instance.client.list(resources.pods, { namespace });
      const claims = await instance.client.list(resources.persistentVolumeClaims, { namespace });
      const left = [...pods.items, ...claims.items].filter(({ metadata }) =>
        metadata.name?.includes('missing'),
      );
      return left.length === 0 ? true : undefined;
    });
  });
});
