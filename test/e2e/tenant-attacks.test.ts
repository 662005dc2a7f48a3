/**
 * What a tenant tries who has `edit` in one namespace, or who has taken over a launcher: each test performs the attack
 * on a real home and fails if it works. Named after the CVEs of KubeVirt whose class they are. Where admission stops
 * the attack, it is tried again without admission: the second line must hold alone.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { KubernetesObject, OwnerReference, Pod, VirtualMachineInstance } from '@podvisor/api';
import { crds } from '@podvisor/api/crds';
import { StatusError } from '@podvisor/base';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { cgroupDirectories } from '@podvisor/sys';
import { sampleOf } from '../../packages/api/src/testing/sample-object.ts';
import { validObjects } from '../../packages/virt-api/src/testing/valid-objects.ts';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { eventually } from '../support/eventually.ts';
import { Instance } from '../support/instance.ts';
import { podProcess } from '../support/pod-processes.ts';
import { vmRestores, vmSnapshots } from '../support/storage-resources.ts';
import { tenantIn } from '../support/tenant.ts';

const VICTIM = { namespace: 'default', name: 'victim' };
const TENANT = 'tenant';
const MALLORY = { namespace: TENANT, name: 'mallory' };
const VMIS = resources.virtualMachineInstances;
const CONTROLLER = 'system:serviceaccount:kubevirt:kubevirt-controller';
const PODS_WEBHOOK = 'virt-launcher-pods-validator.kubevirt.io';
const webhookConfigurations = defineResource<KubernetesObject & { webhooks: { name: string }[] }>(
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
  'admissionregistration.k8s.io/v1',
  'Cluster',
);
const events = defineResource<KubernetesObject & { involvedObject: { uid?: string }; message?: string }>(
  'Event',
  'events',
  'v1',
);

describe('attacks of a tenant', { concurrency: 1 }, () => {
  let instance: Instance;
  let tenant: KubeClient;
  let node: string;
  /** What an attacker wants to get at: a file of root, and a socket that root listens on. */
  let loot: string;
  let visitors = 0;
  const door = createServer((socket) => {
    visitors += 1;
    socket.destroy();
  });

  const vmi = (key: typeof VICTIM): Promise<VirtualMachineInstance> => instance.client.get(VMIS, key);
  const running = (key: typeof VICTIM): Promise<VirtualMachineInstance> =>
    eventually(`VMI ${key.name} runs`, 120_000, async () => {
      const found = await vmi(key);
      return found.status?.phase === 'Running' ? found : undefined;
    });
  const launcherOf = async (key: typeof VICTIM): Promise<Pod> => {
    const { metadata } = await vmi(key);
    const labelSelector = `kubevirt.io/created-by=${metadata?.uid}`;
    const { items } = await instance.client.list(resources.pods, { namespace: key.namespace, labelSelector });
    assert.equal(items.length, 1);
    return items[0] as Pod;
  };
  const emptyDirOf = async (key: typeof VICTIM, name: string): Promise<string> => {
    const { uid } = (await launcherOf(key)).metadata;
    const pods = join(instance.home, 'nodes', node, 'kubelet/pods');
    return join(pods, uid ?? '', 'volumes/kubernetes.io~empty-dir', name);
  };
  const handlerLog = (): string => readFileSync(join(instance.home, `logs/virt-handler-${node}.log`), 'utf8');
  /** Ends virt-handler; resolves when its successor has done what `isDone` looks for in its log. */
  const restartHandler = async (isDone: (log: string) => boolean): Promise<void> => {
    const before = handlerLog().length;
    process.kill(await instance.pidOf(`virt-handler-${node}`), 'SIGKILL');
    await eventually('the new virt-handler has looked', 60_000, () =>
      isDone(handlerLog().slice(before)) ? true : undefined,
    );
  };
  /** Runs something while a process of the home stands still. */
  const whileStopped = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const pid = await instance.pidOf(name);
    process.kill(pid, 'SIGSTOP');
    try {
      return await work();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  };
  /** Runs something while no webhook looks at Pods. */
  const withoutPodsWebhook = async (work: () => Promise<void>): Promise<void> => {
    const { client } = instance;
    const key = { name: 'virt-api-validator' };
    const whole = await client.get(webhookConfigurations, key);
    const webhooks = whole.webhooks.filter(({ name }) => name !== PODS_WEBHOOK);
    assert.equal(webhooks.length, whole.webhooks.length - 1);
    await client.update(webhookConfigurations, { ...whole, webhooks });
    try {
      await work();
    } finally {
      const now = await client.get(webhookConfigurations, key);
      await client.update(webhookConfigurations, { ...now, webhooks: whole.webhooks });
    }
  };
  const lootIsUntouched = (): void => {
    const { uid, gid, mode, size } = statSync(join(loot, 'secret'));
    assert.deepEqual([uid, gid, mode & 0o777, size], [0, 0, 0o600, 6]);
    assert.equal(readFileSync(join(loot, 'secret'), 'utf8'), 'secret');
    assert.equal(visitors, 0, 'nobody knocks at the door of root');
  };
  const forgedPod = (
    owner: VirtualMachineInstance,
    namespace: string,
    more: Partial<OwnerReference> = {},
  ): Pod => {
    const { name = '', uid = '' } = owner.metadata ?? {};
    const reference = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      name,
      uid,
      controller: true,
    };
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `virt-launcher-${name}-forged`,
        namespace,
        labels: { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': uid },
        ownerReferences: [{ ...reference, ...more }],
        finalizers: ['evil.io/keep'],
      },
      spec: {
        nodeName: node,
        containers: [{ name: 'compute', image: 'none.invalid/none:1', imagePullPolicy: 'Never' }],
      },
    };
  };
  const removePod = async ({ metadata: { namespace, name = '' } }: Pod): Promise<void> => {
    const body = { metadata: { finalizers: null } };
    await instance.client.patch(resources.pods, { namespace, name }, { type: 'merge', body });
    await instance.client.delete(resources.pods, { namespace, name }, { gracePeriodSeconds: 0 });
  };
  const virtctl = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await instance.virtctl(...args);
    assert.equal(code, 0, stderr);
  };
  const claim = (namespace: string, name: string) =>
    instance.client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Mi' } } },
    });
  const volumeReady = (key: typeof VICTIM, volume: string) =>
    eventually(`volume ${volume} of ${key.name} is in the guest`, 90_000, async () =>
      (await vmi(key)).status?.volumeStatus?.find(({ name, phase }) => name === volume && phase === 'Ready'),
    );

  before(async () => {
    instance = await Instance.prepare();
    const manifest = join(instance.home, 'victim.json');
    const victim = bootIdVm(VICTIM.name);
    writeFileSync(manifest, JSON.stringify({ ...victim, metadata: { ...victim.metadata, ...VICTIM } }));
    const up = await instance.up(manifest);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    node =
      (JSON.parse(readFileSync(join(instance.home, 'config.json'), 'utf8')) as { nodes: { name: string }[] })
        .nodes[0]?.name ?? '';
    tenant = await tenantIn(instance, TENANT);
    const own = bootIdVm(MALLORY.name);
    await tenant.create(resources.virtualMachines, { ...own, metadata: { ...own.metadata, ...MALLORY } });
    await claim(VICTIM.namespace, 'data');
    await claim(TENANT, 'data');
    loot = mkdtempSync(join(tmpdir(), 'pv-loot-'));
    writeFileSync(join(loot, 'secret'), 'secret', { mode: 0o600 });
    await new Promise<void>((resolve) => door.listen(join(loot, 'door.sock'), resolve));
    chmodSync(loot, 0o755);
    await Promise.all([running(VICTIM), running(MALLORY)]);
    await virtctl('addvolume', VICTIM.name, '--volume-name=data');
    await volumeReady(VICTIM, 'data');
  });
  after(async () => {
    door.close();
    await instance?.purge();
    if (loot !== undefined) rmSync(loot, { recursive: true, force: true });
  });

  test('a status that somebody writes is in no kind, when it is made and when it is changed', async () => {
    const accepted: string[] = [];
    for (const { spec } of crds) {
      const { kind, plural } = spec.names;
      const version = spec.versions.find(({ storage }) => storage);
      const status = version?.schema.openAPIV3Schema.properties?.['status'];
      const valid = validObjects[kind];
      if (valid === undefined || status?.properties === undefined || version === undefined) continue;
      const forged = sampleOf(status) as Record<string, unknown>;
      const resource = defineResource<KubernetesObject & { status?: Record<string, unknown> }>(
        kind,
        plural,
        `${spec.group}/${version.name}`,
        spec.scope,
      );
      try {
        // Whoever may do anything may not do this.
        const made = await instance.client.create(resource, { ...valid, status: forged }, { dryRun: true });
        const kept = Object.entries(made.status ?? {}).filter(
          ([field, value]) => JSON.stringify(value) === JSON.stringify(forged[field]),
        );
        assert.deepEqual(kept, [], kind);
        accepted.push(kind);
      } catch (error) {
        // Another object that it needs is not there: the schema is looked at by the unit test.
        if (!(error instanceof StatusError)) throw error;
      }
    }
    for (const kind of ['VirtualMachine', 'VirtualMachineInstance', 'VirtualMachineInstanceReplicaSet'])
      assert.ok(accepted.includes(kind), `${kind} was tried; accepted: ${accepted.join(', ')}`);
    const body = { status: { nodeName: 'elsewhere', activePods: { x: node }, phase: 'Failed' } };
    const before = (await vmi(MALLORY)).status;
    const patched = await tenant.patch(VMIS, MALLORY, { type: 'merge', body });
    assert.deepEqual(
      [patched.status?.nodeName, patched.status?.activePods, patched.status?.phase],
      [before?.nodeName, before?.activePods, before?.phase],
    );
  });

  test('a VMI with a forged status gets neither disk nor socket nor address of its choice', async () => {
    const attachUid = (await vmi(VICTIM)).status?.volumeStatus?.find(({ name }) => name === 'data')
      ?.hotplugVolume?.attachPodUID;
    assert.ok(attachUid !== undefined);
    const { spec } = bootIdVm('forged').spec.template;
    assert.ok(spec !== undefined);
    for (const [index, attachPodUID] of [attachUid.slice(0, 5), attachUid, '/'].entries()) {
      const name = `forged-${index}`;
      const made: VirtualMachineInstance = await tenant.create(VMIS, {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata: { namespace: TENANT, name },
        spec,
        status: {
          activePods: { [attachPodUID]: node },
          nodeName: node,
          phase: 'Running',
          volumeStatus: [{ name: 'root', target: '', hotplugVolume: { attachPodUID } }],
          migratedVolumes: [{ volumeName: 'root' }],
          migrationState: {
            migrationUid: `../../../../../../..${loot}/listener`,
            sourceNode: node,
            targetNode: node,
            targetNodeAddress: '127.0.0.1',
            targetDirectMigrationNodePorts: { '1': 0 },
          },
        },
      });
      for (const field of [
        'activePods',
        'nodeName',
        'volumeStatus',
        'migratedVolumes',
        'migrationState',
      ] as const)
        assert.equal(made.status?.[field], undefined, field);
      assert.equal(made.status?.phase, 'Pending');
      await tenant.delete(VMIS, { namespace: TENANT, name });
    }
    assert.deepEqual(readdirSync(loot).toSorted(), ['door.sock', 'secret']);
    lootIsUntouched();
  });

  test('CVE-2024-1725: a Pod of another tenant is no source of claims, though the status names it', async () => {
    const attachPodUID = (await vmi(VICTIM)).status?.volumeStatus?.find(({ name }) => name === 'data')
      ?.hotplugVolume?.attachPodUID;
    const directory = await emptyDirOf(MALLORY, 'hotplug-disks');
    // As if admission let it through: virt-controller's own name, while virt-controller cannot say otherwise.
    await whileStopped('virt-controller', async () => {
      const { spec, status } = await vmi(MALLORY);
      const { volumes = [], domain } = spec;
      const { disks = [] } = domain.devices;
      const asController = async (
        moreVolumes: NonNullable<typeof spec.volumes>,
        moreDisks: typeof disks,
        moreStatus: NonNullable<NonNullable<typeof status>['volumeStatus']>,
      ): Promise<void> => {
        const patch = {
          spec: {
            volumes: [...volumes, ...moreVolumes],
            domain: { devices: { disks: [...disks, ...moreDisks] } },
          },
          status: { volumeStatus: [...(status?.volumeStatus ?? []), ...moreStatus] },
        };
        const { code, stderr } = await instance.kubectl(
          'patch',
          'vmi',
          MALLORY.name,
          `--namespace=${TENANT}`,
          `--as=${CONTROLLER}`,
          '--type=merge',
          `-p=${JSON.stringify(patch)}`,
        );
        assert.equal(code, 0, stderr);
      };
      await asController(
        [{ name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } }],
        [{ name: 'data', disk: { bus: 'scsi' } }],
        [{ name: 'data', target: '', phase: 'AttachedToNode', hotplugVolume: { attachPodUID } }],
      );
      await eventually('virt-handler refuses', 60_000, async () => {
        const { conditions } = (await vmi(MALLORY)).status ?? {};
        const message = conditions?.find(({ type }) => type === 'Synchronized')?.message ?? '';
        return message.includes('does not hold claims for this launcher') ? true : undefined;
      });
      assert.deepEqual(readdirSync(directory), []);
      await asController([], [], []);
    });
  });

  test('a disk of another namespace is not copied by a DataSource that leads there later', async () => {
    await claim(VICTIM.namespace, 'cold');
    const spec = {
      storage: { resources: { requests: { storage: '8Mi' } } },
      sourceRef: { kind: 'DataSource', name: 'turning' },
    };
    const stolen = { pvc: { namespace: VICTIM.namespace, name: 'cold' } };
    const dataVolume = (name: string, more: object) => ({
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: {
        namespace: TENANT,
        name,
        annotations: { 'podvisor.io/clone-allowed-from': 'pvc default/cold' },
      },
      spec: { ...spec, ...more },
    });
    await assert.rejects(
      tenant.create(
        resources.dataVolumes,
        dataVolume('direct', { sourceRef: undefined, source: stolen }) as never,
      ),
      { reason: 'Forbidden' },
    );
    // Nothing is there yet, so that nothing of another namespace is asked for; then it turns.
    await tenant.create(resources.dataVolumes, dataVolume('late', {}) as never);
    const turning = { namespace: TENANT, name: 'turning' };
    await tenant.create(resources.dataSources, { metadata: turning, spec: { source: stolen } } as never);
    const made = await tenant.get(resources.dataVolumes, { namespace: TENANT, name: 'late' });
    assert.equal(made.metadata.annotations?.['podvisor.io/clone-allowed-from'], undefined);
    const body = { metadata: { annotations: { 'podvisor.io/clone-allowed-from': 'pvc default/cold' } } };
    await assert.rejects(
      tenant.patch(resources.dataVolumes, { namespace: TENANT, name: 'late' }, { type: 'merge', body }),
      { reason: 'Forbidden' },
    );
    // A claim that says it is the DataVolume's.
    const { uid = '' } = made.metadata;
    const owner = {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      name: 'late',
      uid,
      controller: true,
    };
    const forged = {
      metadata: { namespace: TENANT, name: 'late', ownerReferences: [owner] },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Mi' } } },
    };
    await tenant.create(resources.persistentVolumeClaims, forged).catch((error: unknown) => {
      assert.ok(error instanceof StatusError && error.reason === 'AlreadyExists');
    });
    await eventually('the provisioner says what it waits for', 30_000, async () => {
      const { items } = await instance.client.list(events, { namespace: TENANT });
      return items.some(({ message }) => message?.startsWith('waiting: DataSource turning'));
    });
    const waiting = await tenant.get(resources.persistentVolumeClaims, { namespace: TENANT, name: 'late' });
    assert.notEqual(waiting.status?.phase, 'Bound');
  });

  test('a restore makes no DataVolume that a claim of the tenant is filled by from another namespace', async () => {
    const key = (name: string) => ({ namespace: TENANT, name });
    const note = { 'podvisor.io/clone-allowed-from': 'pvc default/cold' };
    await claim(TENANT, 'bait');
    // Before there is a DataVolume of this name, which nobody would fill it for.
    await eventually('the bait is bound', 30_000, async () => {
      const { status } = await tenant.get(resources.persistentVolumeClaims, key('bait'));
      return status?.phase === 'Bound' ? true : undefined;
    });
    const base = bootIdVm('thief');
    const guest = base.spec.template.spec;
    assert.ok(guest);
    const volumes = [...(guest.volumes ?? []), { name: 'bait', dataVolume: { name: 'bait' } }];
    const { devices } = guest.domain;
    const disks = [...(devices.disks ?? []), { name: 'bait', disk: { bus: 'virtio' } }];
    const domain = { ...guest.domain, devices: { ...devices, disks } };
    const thief = {
      ...base,
      metadata: { ...base.metadata, ...key('thief') },
      spec: {
        ...base.spec,
        runStrategy: 'Halted' as const,
        // A DataVolume that nobody makes: its claim is there. The source leads nowhere as long as anybody asks.
        dataVolumeTemplates: [
          {
            metadata: { name: 'bait', annotations: note },
            spec: {
              storage: { resources: { requests: { storage: '8Mi' } } },
              sourceRef: { kind: 'DataSource', name: 'turning-too' },
            },
          },
        ],
        template: { ...base.spec.template, spec: { ...guest, volumes, domain } },
      },
    };
    await tenant.create(resources.virtualMachines, thief);
    const reference = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'thief' };
    await tenant.create(vmSnapshots, { metadata: key('thief'), spec: { source: reference } } as never);
    await eventually('the snapshot', 60_000, async () => {
      const { status } = await tenant.get(vmSnapshots, key('thief'));
      return status?.phase === 'Succeeded' ? true : undefined;
    });
    const stolen = { source: { pvc: { namespace: VICTIM.namespace, name: 'cold' } } };
    await tenant.create(resources.dataSources, { metadata: key('turning-too'), spec: stolen } as never);
    const spec = { target: { ...reference, name: 'heir' }, virtualMachineSnapshotName: 'thief' };
    await tenant.create(vmRestores, { metadata: key('heir'), spec } as never);
    const restored = await eventually('the restore', 60_000, async () => {
      const { status } = await tenant.get(vmRestores, key('heir'));
      return status?.complete === true ? status.restores?.[0] : undefined;
    });
    const name = restored?.persistentVolumeClaim ?? '';
    assert.equal(restored?.dataVolumeName, name);
    const { metadata } = await tenant.get(resources.dataVolumes, key(name));
    assert.equal(metadata.annotations?.['podvisor.io/clone-allowed-from'], undefined);
    // In place of the restored claim one of the tenant's, which says that it is the DataVolume's.
    await tenant.delete(resources.persistentVolumeClaims, key(name));
    await eventually('the restored claim is gone', 30_000, async () =>
      (await tenant.find(resources.persistentVolumeClaims, key(name))) === undefined ? true : undefined,
    );
    const owner = {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      name,
      uid: metadata.uid ?? '',
      controller: true,
    };
    await tenant.create(resources.persistentVolumeClaims, {
      metadata: { ...key(name), ownerReferences: [owner] },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Mi' } } },
    });
    await eventually('the provisioner says what it waits for', 30_000, async () => {
      const { items } = await instance.client.list(events, { namespace: TENANT });
      return items.some(({ message }) => message?.startsWith('waiting: DataSource turning-too'));
    });
    const waiting = await tenant.get(resources.persistentVolumeClaims, key(name));
    assert.notEqual(waiting.status?.phase, 'Bound');
  });

  test('CVE-2025-64435: a Pod of a tenant is never a launcher, neither here nor in another namespace', async () => {
    const victim = await vmi(VICTIM);
    const own = await vmi(MALLORY);
    for (const pod of [
      forgedPod(own, TENANT),
      forgedPod(victim, TENANT),
      forgedPod(own, TENANT, { controller: false }),
    ])
      await assert.rejects(tenant.create(resources.pods, pod), /made and owned by virt-controller only/);
    const plain = forgedPod(own, TENANT);
    const { labels: _, ownerReferences: __, ...metadata } = plain.metadata;
    await tenant.create(resources.pods, { ...plain, metadata });
    const key = { namespace: TENANT, name: plain.metadata.name ?? '' };
    const body = { metadata: { labels: plain.metadata.labels } };
    await assert.rejects(tenant.patch(resources.pods, key, { type: 'merge', body }), /virt-controller only/);
    await tenant.delete(resources.pods, key);
    const owners = { metadata: { ownerReferences: plain.metadata.ownerReferences } };
    await assert.rejects(
      tenant.patch(resources.pods, key, { type: 'merge', body: owners }),
      /virt-controller only/,
      'a dying Pod',
    );
    await removePod(plain).catch(() => undefined);
  });

  test('CVE-2025-64435: without admission, a forged Pod still is in no record, speaks for nobody and holds up nothing', async () => {
    const before = await vmi(VICTIM);
    const forged = [forgedPod(before, TENANT), forgedPod(before, VICTIM.namespace)];
    await withoutPodsWebhook(async () => {
      for (const pod of forged) await instance.client.create(resources.pods, pod);
    });
    try {
      // Something that virt-controller has to look at afterwards, so that it has seen the Pods.
      await virtctl('pause', 'vmi', VICTIM.name);
      await virtctl('unpause', 'vmi', VICTIM.name);
      const ready = await eventually('the guest is ready again', 60_000, async () => {
        const found = await vmi(VICTIM);
        const isReady = found.status?.conditions?.some(
          ({ type, status }) => type === 'Ready' && status === 'True',
        );
        return isReady === true ? found : undefined;
      });
      assert.deepEqual(ready.status?.activePods, before.status?.activePods);
      const path =
        '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/victim/domainxml';
      const { stdout, stderr } = await instance.kubectl('get', '--raw', path);
      assert.match(stdout, new RegExp(before.spec.domain.firmware?.uuid ?? 'no uuid'), stderr);
    } finally {
      for (const pod of forged) await removePod(pod);
    }
  });

  test('CVE-2025-64437, CVE-2026-7374: root follows no link that a launcher puts in place of its socket', async () => {
    const sockets = await emptyDirOf(MALLORY, 'sockets');
    const socket = join(sockets, 'launcher-sock');
    renameSync(socket, join(sockets, 'kept'));
    for (const target of ['door.sock', 'secret']) {
      symlinkSync(join(loot, target), socket);
      await restartHandler((log) => log.includes('launcher socket refused'));
      lootIsUntouched();
      assert.ok(lstatSync(socket).isSymbolicLink());
      rmSync(socket);
    }
    renameSync(join(sockets, 'kept'), socket);
    await eventually('the launcher is there again', 60_000, async () =>
      (await instance.virtctl('pause', 'vmi', MALLORY.name, '-n', TENANT)).code === 0 ? true : undefined,
    );
    await virtctl('unpause', 'vmi', MALLORY.name, '-n', TENANT);
  });

  test('CVE-2026-13218: root writes through no link that a launcher plants', async () => {
    const directory = await emptyDirOf(MALLORY, 'hotplug-disks');
    for (const name of ['data.img', '.data.claim', 'data']) {
      rmSync(join(directory, name), { force: true });
      symlinkSync(join(loot, 'secret'), join(directory, name));
    }
    await virtctl('addvolume', MALLORY.name, '--volume-name=data', '-n', TENANT);
    await volumeReady(MALLORY, 'data');
    lootIsUntouched();
    assert.ok(lstatSync(join(directory, 'data.img')).isFile(), 'the image is there, not the link');
  });

  test('CVE-2026-13208: what a launcher says is about its own VMI, whatever name and UID it uses', async () => {
    const victim = await vmi(VICTIM);
    const { metadata } = await launcherOf(MALLORY);
    const sockets = await emptyDirOf(MALLORY, 'sockets');
    const launcher = podProcess(metadata.uid ?? '', /node.*virt-launcher\.mjs/);
    const group =
      /^\d+:[^:]*:(\/podvisor\/.+)$/m.exec(readFileSync(`/proc/${launcher.pid}/cgroup`, 'utf8'))?.[1] ?? '';
    const domain = {
      name: 'default_victim',
      uuid: victim.spec.domain.firmware?.uuid,
      vmiUid: victim.metadata?.uid,
      state: 'Shutoff',
      reason: 'Shutdown',
      forged: { nodeName: 'forged' },
      interfaces: [{ mac: '02:00:00:00:00:01', source: 'domain', forged: 'forged' }],
    };
    const main = join(import.meta.dirname, '../support/hostile-launcher-main.ts');
    const args = [main, cgroupDirectories(group).join(':'), sockets, JSON.stringify(domain)];
    process.kill(launcher.pid, 'SIGSTOP');
    const hostile = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    hostile.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    try {
      await eventually('the hostile launcher listens', 30_000, () =>
        said.includes('listening') ? true : undefined,
      );
      await restartHandler(() => said.includes('watched'));
      const own = await eventually('virt-handler has heard it', 60_000, async () => {
        const found = await vmi(MALLORY);
        return found.status?.phase === 'Succeeded' || found.status?.phase === 'Failed' ? found : undefined;
      });
      assert.ok(!JSON.stringify(own.status).includes('forged'));
      assert.equal((await vmi(VICTIM)).status?.phase, 'Running');
      const { items } = await instance.client.list(events, { namespace: VICTIM.namespace });
      assert.ok(!items.some(({ message }) => message?.includes('hostile') === true));
    } finally {
      hostile.kill('SIGKILL');
      if (existsSync(`/proc/${launcher.pid}`)) process.kill(launcher.pid, 'SIGCONT');
    }
  });

  test('a VM is deleted although webhooks stand still, its Pod has a finalizer of a stranger, and others claim to be its Pods', async () => {
    const found = await vmi(VICTIM);
    const forged = [forgedPod(found, TENANT), forgedPod(found, VICTIM.namespace)];
    await withoutPodsWebhook(async () => {
      for (const pod of forged) await instance.client.create(resources.pods, pod);
    });
    const launcher = await eventually('one launcher is left', 60_000, async () => {
      const labelSelector = `kubevirt.io/created-by=${found.metadata?.uid}`;
      const { items } = await instance.client.list(resources.pods, { ...VICTIM, labelSelector });
      return items.find(({ metadata }) => !metadata.name?.endsWith('-forged'));
    });
    const { namespace, name = '' } = launcher.metadata;
    const body = { metadata: { finalizers: ['evil.io/keep'] } };
    await instance.client.patch(resources.pods, { namespace, name }, { type: 'merge', body });
    await whileStopped('virt-api', async () => {
      await instance.client.delete(resources.virtualMachines, VICTIM);
      await eventually('VM and VMI are gone', 120_000, async () => {
        const left = await Promise.all([
          instance.client.find(resources.virtualMachines, VICTIM),
          instance.client.find(VMIS, VICTIM),
        ]);
        return left.every((object) => object === undefined) ? true : undefined;
      });
    });
    for (const pod of [launcher, ...forged]) await removePod(pod).catch(() => undefined);
  });
});
