/**
 * Every failure that `virtctl why` knows is provoked for real, on one machine, and recognised. Those that stop a VM
 * before QEMU runs are provoked all at once.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { DomainSpec, KubernetesObject, VirtualMachine, VMISpec } from '@podvisor/api';
import { defineResource, resources } from '@podvisor/kube';
import { tinyGuestDisk } from '../../packages/virt-launcher/src/testing/tiny-guest.ts';
import { catalogue } from '../../packages/virtctl/src/why/catalogue.ts';
import { parseQuantity } from '@podvisor/base';
import { gather } from '../../packages/virtctl/src/why/gather.ts';
import { reportOf } from '../../packages/virtctl/src/why/report.ts';
import { claimWith, writeDisk } from '../support/disk-claim.ts';
import { eventually } from '../support/eventually.ts';
import { command, Conversation, Instance, root } from '../support/instance.ts';
import { importImage } from '../support/plain-image.ts';
import { podProcess } from '../support/pod-processes.ts';

/** Busy machines take their time over a dozen Pods. */
const RECOGNISED_MS = 90_000;

const networkAttachments = defineResource<KubernetesObject & { readonly spec: unknown }>(
  'NetworkAttachmentDefinition',
  'network-attachment-definitions',
  'k8s.cni.cncf.io/v1',
);

/** Fills memory that no process maps, so that the kernel ends the largest process instead of this one. */
const FILL_MEMORY =
  'my $n = "x"; my $fd = syscall(319, $n, 0); open(my $f, "+<&=", $fd); syswrite($f, "0" x 1048576) or last for 1..600; sleep 5';

interface Spoilt {
  readonly domain?: Partial<DomainSpec>;
  readonly devices?: Partial<DomainSpec['devices']>;
  readonly spec?: Partial<VMISpec>;
  /** The claim that it boots from; absent: an empty disk. */
  readonly claim?: string;
  readonly namespace?: string;
  readonly runStrategy?: string;
  readonly dataVolumeTemplates?: VirtualMachine['spec']['dataVolumeTemplates'];
}

function vmOf(name: string, spoilt: Spoilt): VirtualMachine {
  const { domain, devices, spec, claim, namespace = 'default', runStrategy = 'Always' } = spoilt;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace },
    spec: {
      runStrategy,
      ...(spoilt.dataVolumeTemplates === undefined
        ? {}
        : { dataVolumeTemplates: spoilt.dataVolumeTemplates }),
      template: {
        spec: {
          terminationGracePeriodSeconds: 0,
          networks: [{ name: 'default', pod: {} }],
          volumes: [
            claim === undefined
              ? { name: 'root', emptyDisk: { capacity: '1Mi' } }
              : { name: 'root', persistentVolumeClaim: { claimName: claim } },
          ],
          ...spec,
          domain: {
            memory: { guest: '64Mi' },
            ...domain,
            devices: {
              disks: [{ name: 'root', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
              ...devices,
            },
          },
        },
      },
    },
  };
}

/** An image that is not a guest's. */
const NO_DISK = 'podvisor.local/no-disk:1';
const withVolume = (volume: object): Spoilt => ({ spec: { volumes: [{ name: 'root', ...volume }] } });

const withNetwork = (networkName: string): Spoilt => ({
  spec: {
    networks: [
      { name: 'default', pod: {} },
      { name: 'other', multus: { networkName } },
    ],
  },
  devices: {
    interfaces: [
      { name: 'default', masquerade: {} },
      { name: 'other', bridge: {} },
    ],
  },
});

const withSeed = (volume: object): Spoilt => ({
  spec: {
    volumes: [
      { name: 'root', emptyDisk: { capacity: '1Mi' } },
      { name: 'seed', ...volume },
    ],
  },
  devices: {
    disks: [
      { name: 'root', disk: { bus: 'virtio' } },
      { name: 'seed', disk: { bus: 'virtio' } },
    ],
  },
});

/** Known failure, and a VM that has it. All of these are declared at once. */
const AT_ONCE: readonly (readonly [id: string, spoilt: Spoilt])[] = [
  ['not-enough-memory', { domain: { memory: { guest: '900Gi' } } }],
  ['not-enough-cpu', { domain: { resources: { requests: { cpu: '500' } } } }],
  ['no-node-fits', { domain: { cpu: { model: 'NoSuchModel' } } }],
  ['hello-image-missing', withVolume({ containerDisk: { image: 'podvisor.local/hello:1' } })],
  ['image-missing', withVolume({ containerDisk: { image: 'podvisor.local/no-such-image:1' } })],
  ['image-not-a-disk', withVolume({ containerDisk: { image: NO_DISK } })],
  [
    'import-fails',
    {
      ...withVolume({ dataVolume: { name: 'import-fails' } }),
      dataVolumeTemplates: [
        {
          metadata: { name: 'import-fails' },
          spec: {
            source: { http: { url: 'http://127.0.0.1:9/nothing' } },
            storage: { resources: { requests: { storage: '1Mi' } } },
          },
        },
      ],
    },
  ],
  ['pvc-missing', { claim: 'no-such-claim' }],
  ['pvc-pending', { claim: 'classless' }],
  ['data-volume-missing', withVolume({ dataVolume: { name: 'no-such-volume' } })],
  ['bad-cloud-init', withSeed({ cloudInitNoCloud: { secretRef: { name: 'wrong-key' } } })],
  ['secret-missing', withSeed({ cloudInitNoCloud: { secretRef: { name: 'wrongkey' } } })],
  ['config-map-missing', withSeed({ configMap: { name: 'no-such-map' } })],
  [
    'libvirt-refuses-xml',
    { domain: { cpu: { model: 'Nehalem', features: [{ name: 'no-such-feature', policy: 'disable' }] } } },
  ],
  [
    'qemu-dies-at-start',
    {
      domain: {
        firmware: {
          kernelBoot: {
            kernelArgs: 'quiet',
            container: { image: NO_DISK, kernelPath: '/etc/one', initrdPath: '/etc/two' },
          },
        },
      },
    },
  ],
  ['network-attachment-missing', withNetwork('no-such-network')],
  ['pod-network-failed', withNetwork('pluginless')],
  // Its plugin makes no interface.
  ['network-phase-1-failed', withNetwork('loopback')],
  ['quota', { namespace: 'small' }],
  // The kubelet would dial a host of the tenant's choice.
  [
    'pod-security',
    { namespace: 'strict', spec: { readinessProbe: { tcpSocket: { host: '192.0.2.1', port: 80 } } } },
  ],
];

describe('why', { concurrency: 1 }, () => {
  let instance: Instance;
  const recognised = new Set<string>();
  const mounted: string[] = [];

  const diagnosesOf = async (name: string, namespace: string, laterMs = 0): Promise<readonly string[]> => {
    const observed = await gather(instance.client, namespace, name, Date.now() + laterMs);
    return reportOf(observed).diagnoses.map(({ id }) => id);
  };
  /** Waits until the failure is the first that is named. `laterMs`: as if it were asked so much later. */
  const isNamed = async (id: string, name = id, namespace = 'default', laterMs = 0): Promise<void> => {
    let last: readonly string[] = [];
    await eventually(`${id} is recognised`, RECOGNISED_MS, async () => {
      last = await diagnosesOf(name, namespace, laterMs);
      return last[0] === id ? true : undefined;
    }).catch((error: unknown) => {
      throw new Error(`${name} was taken for: ${last.join(', ') || 'nothing known'}`, { cause: error });
    });
    recognised.add(id);
  };
  const declare = (name: string, spoilt: Spoilt): Promise<VirtualMachine> =>
    instance.client.create(resources.virtualMachines, vmOf(name, spoilt));
  const remove = (name: string, namespace = 'default'): Promise<unknown> =>
    instance.client.delete(resources.virtualMachines, { namespace, name });
  const isRunning = (name: string): Promise<true> =>
    eventually(`${name} runs`, 120_000, async () => {
      const vmi = await instance.client.find(resources.virtualMachineInstances, {
        namespace: 'default',
        name,
      });
      return vmi?.status?.phase === 'Running' ? true : undefined;
    });
  /** While the supervisor stands still, what is killed stays dead. */
  const without = async (program: string, task: () => Promise<void>): Promise<void> => {
    const supervisor = await instance.pidOf('supervisor');
    process.kill(supervisor, 'SIGSTOP');
    try {
      process.kill(await instance.pidOf(program), 'SIGKILL');
      await task();
    } finally {
      process.kill(supervisor, 'SIGCONT');
    }
  };

  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    assert.equal((await instance.podvisor(['image', 'remove', 'podvisor.local/hello:1'])).code, 0);
    await importImage(instance, NO_DISK, (directory) => {
      mkdirSync(`${directory}/etc`);
      for (const name of ['one', 'two'])
        writeFileSync(`${directory}/etc/${name}`, 'neither a kernel nor a disk');
    });
    for (const args of [
      ['create', 'namespace', 'small'],
      ['create', 'namespace', 'strict'],
      ['label', 'namespace', 'strict', 'pod-security.kubernetes.io/enforce=restricted'],
      ['-n', 'small', 'create', 'quota', 'no-pods', '--hard=pods=0'],
    ])
      assert.equal((await instance.kubectl(...args)).code, 0);
    for (const [name, type] of [
      ['loopback', 'loopback'],
      ['pluginless', 'no-such-plugin'],
    ])
      await instance.client.create(networkAttachments, {
        metadata: { name, namespace: 'default' },
        spec: { config: JSON.stringify({ cniVersion: '0.4.0', name, type }) },
      });
    await instance.kubectl('create', 'secret', 'generic', 'wrong-key', '--from-literal=userdat=x');
    await instance.client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'classless', namespace: 'default' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'no-such-class',
        resources: { requests: { storage: '1Mi' } },
      },
    });
    await Promise.all(AT_ONCE.map(([id, spoilt]) => declare(id, spoilt)));
  });
  after(async () => {
    await instance?.purge();
    // Gone already, unless `down` was interrupted.
    for (const path of mounted) await command('umount', ['--lazy', path], process.env);
  });

  for (const [id, { namespace }] of AT_ONCE) test(id, () => isNamed(id, id, namespace));

  test('-o json names the handoff, the cause and the evidence; the exit code says that it is stuck', async () => {
    const { code, stdout } = await instance.virtctl('why', 'vm/image-missing', '-o', 'json');
    assert.equal(code, 2);
    const report = JSON.parse(stdout) as {
      readonly waitingFor?: unknown;
      readonly diagnoses: readonly { readonly id: string; readonly fix: string }[];
    };
    assert.equal(report.diagnoses[0]?.id, 'image-missing');
    assert.ok(report.waitingFor);
    const text = await instance.virtctl('why', 'vm/image-missing');
    assert.match(text.stdout, /^Image missing: handoff 5 of 11/m);
    assert.match(text.stdout, /image podvisor\.local\/no-such-image:1 of volume root/);
    const memory = await instance.virtctl('why', 'vm/not-enough-memory');
    assert.match(memory.stdout, /the Pod asks for 90\d\.\d GiB of memory .*node-1 has [\d.]+ GiB/);
    const secret = await instance.virtctl('why', 'vm/secret-missing');
    assert.match(secret.stdout, /Secret "wrongkey" does not exist .*did you mean "wrong-key"\?/);
  });

  test('crash-loop: a launcher that ends before its guest ran', async () => {
    const name = 'libvirt-refuses-xml';
    const selector = `vm.kubevirt.io/name=${name}`;
    assert.equal((await instance.kubectl('delete', 'pods', '-l', selector, '--wait=false')).code, 0);
    await eventually('the failed start is counted', RECOGNISED_MS, async () =>
      (await diagnosesOf(name, 'default')).includes('crash-loop') ? true : undefined,
    );
    recognised.add('crash-loop');
  });

  test('--watch follows a start to its end', async () => {
    for (const [id, { namespace }] of AT_ONCE) await remove(id, namespace);
    await claimWith(instance, 'tiny', (directory) => writeDisk(directory, tinyGuestDisk()));
    const watching = new Conversation(`${root}/bin/virtctl`, ['why', 'vm/tiny', '--watch'], instance.env);
    const started = instance.client.create(resources.virtualMachines, vmOf('tiny', { claim: 'tiny' }));
    await started;
    await watching.hear(/\[11\/11\][^\n]*Running/, 120_000);
    assert.equal(await watching.exited(20_000), 0);
  });

  test('guest-agent-missing', () => isNamed('guest-agent-missing', 'tiny', 'default', 180_000));

  test('pvc-in-use', async () => {
    await declare('second', { claim: 'tiny' });
    await isNamed('pvc-in-use', 'second');
    await remove('second');
  });

  test('paused-by-user', async () => {
    assert.equal((await instance.virtctl('pause', 'vmi', 'tiny')).code, 0);
    await isNamed('paused-by-user', 'tiny');
    assert.equal((await instance.virtctl('unpause', 'vmi', 'tiny')).code, 0);
  });

  test('restart-required', async () => {
    await instance.client.patch(
      resources.virtualMachines,
      { namespace: 'default', name: 'tiny' },
      {
        type: 'merge',
        body: { spec: { template: { spec: { domain: { features: { apic: {} } } } } } },
      },
    );
    await isNamed('restart-required', 'tiny');
  });

  test('on one node CPUs and memory come in place, and their Pod asks for more; where its Pod has a limit, a restart is asked for; resources-wait: another node that is none', async () => {
    const key = { namespace: 'default', name: 'resizes' };
    const template = (domain: object, name = key.name): Promise<unknown> =>
      instance.client.patch(
        resources.virtualMachines,
        { ...key, name },
        { type: 'merge', body: { spec: { template: { spec: { domain } } } } },
      );
    const bounded = {
      cpu: { sockets: 1 },
      resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } },
    };
    await declare('bounded', { domain: bounded });
    await declare('resizes', { domain: { cpu: { sockets: 1 }, memory: { guest: '1Gi' } } });
    await Promise.all([isRunning('resizes'), isRunning('bounded')]);
    const requests = async (): Promise<readonly string[]> => {
      const path = 'jsonpath={.items[0].spec.containers[0].resources.requests';
      const of = async (name: string): Promise<string> =>
        (await instance.kubectl('get', 'pods', '-l', 'vm.kubevirt.io/name=resizes', '-o', `${path}.${name}}`))
          .stdout;
      return [await of('cpu'), await of('memory')];
    };
    const [cpuBefore, memoryBefore] = await requests();
    await template({ cpu: { sockets: 2 } });
    await eventually('two CPUs', 30_000, async () => {
      const vmi = await instance.client.get(resources.virtualMachineInstances, key);
      return vmi.status?.currentCPUTopology?.sockets === 2 ? true : undefined;
    });
    await template({ memory: { guest: '1536Mi' } });
    await eventually('more memory', 30_000, async () => {
      const { status } = await instance.client.get(resources.virtualMachineInstances, key);
      const isChanging = status?.conditions?.some(({ type }) => type === 'HotMemoryChange');
      return status?.memory?.guestRequested === '1536Mi' && isChanging === false ? true : undefined;
    });
    const [cpu = '', memory = ''] = await requests();
    assert.equal(parseQuantity(cpu).milliValue(), 2 * parseQuantity(cpuBefore ?? '').milliValue());
    const more = parseQuantity(memory).value() - parseQuantity(memoryBefore ?? '').value();
    assert.equal(more, 512 * 1024 ** 2);
    assert.match((await instance.virtctl('why', 'vm/resizes')).stdout, /All handoffs are done/);

    await template({ cpu: { sockets: 2 } }, 'bounded');
    await isNamed('restart-required', 'bounded');
    const { stdout } = await instance.virtctl('why', 'vm/bounded');
    assert.match(stdout, /cpu\.sockets \(was 1, now 2\).*no other node, and its Pod has a limit of cpu/);
    const migrations = await instance.kubectl('get', 'vmim', '-o', 'name');
    assert.equal(migrations.stdout, '', 'none is tried');
    const paper = { name: 'paper', labels: { 'kubevirt.io/schedulable': 'true' } };
    await instance.client.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: paper });
    await template({ cpu: { sockets: 3 } });
    await isNamed('resources-wait', 'resizes');
    await instance.client.delete(resources.nodes, { name: 'paper' });
    await Promise.all([remove('resizes'), remove('bounded')]);
  });

  test('volumes-wait, volumes-move, volumes-not-copied: no second node, one that is none, and the guest ends', async () => {
    const key = { namespace: 'default', name: 'volumes' };
    const on = (claimName: string): Promise<unknown> => {
      const volumes = [{ name: 'root', persistentVolumeClaim: { claimName } }];
      const body = { spec: { updateVolumesStrategy: 'Migration', template: { spec: { volumes } } } };
      return instance.client.patch(resources.virtualMachines, key, { type: 'merge', body });
    };
    await claimWith(instance, 'here', (directory) => writeDisk(directory, tinyGuestDisk()));
    await claimWith(instance, 'there', () => {});
    await declare('volumes', { claim: 'here', runStrategy: 'Manual' });
    assert.equal((await instance.virtctl('start', 'volumes')).code, 0);
    await isRunning('volumes');
    await on('there');
    await isNamed('volumes-wait', 'volumes');
    const paper = { name: 'paper', labels: { 'kubevirt.io/schedulable': 'true' } };
    await instance.client.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: paper });
    await isNamed('volumes-move', 'volumes');
    await instance.client.delete(resources.nodes, { name: 'paper' });
    assert.equal((await instance.virtctl('stop', 'volumes')).code, 0);
    await isNamed('volumes-not-copied', 'volumes');
    const refused = await instance.virtctl('start', 'volumes');
    assert.match(refused.stderr, /VM recovery required/);
    await on('here');
    await eventually('it can be started again', 30_000, async () =>
      (await instance.virtctl('start', 'volumes')).code === 0 ? true : undefined,
    );
    await isRunning('volumes');
    await remove('volumes');
  });

  test('guest-panic', async () => {
    await claimWith(instance, 'panic', (directory) => writeDisk(directory, tinyGuestDisk({ panics: true })));
    await declare('guest-panic', { claim: 'panic', devices: { panicDevices: [{ model: 'isa' }] } });
    await isNamed('guest-panic');
    await remove('guest-panic');
  });

  test('no-space and paused-by-io-error: the guest writes to a full file system', async () => {
    await claimWith(instance, 'full', (directory) => {
      // Room for the boot sector and for what the launcher puts beside the image, not for what the guest writes.
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k,mode=777', 'full', directory]);
      mounted.push(directory);
      const image = tinyGuestDisk({ countSector: 16, countSectors: 64 });
      const disk = writeDisk(directory, image.subarray(0, 1024));
      execFileSync('truncate', ['-s', String(image.length), disk]);
    });
    await declare('full', { claim: 'full' });
    await isNamed('no-space', 'full');
    assert.ok((await diagnosesOf('full', 'default')).includes('paused-by-io-error'));
    recognised.add('paused-by-io-error');
    await remove('full');
  });

  test('oom-killed', async () => {
    // Its end stays to be seen: what runs once is not started again.
    const memory = { memory: '32Mi' };
    await declare('oom-killed', {
      runStrategy: 'Once',
      domain: { memory: { guest: '32Mi' }, resources: { limits: memory, requests: memory } },
    });
    await isRunning('oom-killed');
    const { stdout } = await instance.kubectl(
      'get',
      'pods',
      '-l',
      'vm.kubevirt.io/name=oom-killed',
      '-o',
      'name',
    );
    await instance.kubectl('exec', stdout.trim(), '-c', 'compute', '--', 'perl', '-e', FILL_MEMORY);
    await isNamed('oom-killed');
    await remove('oom-killed');
  });

  test('qemu-ended', async () => {
    await declare('qemu-ended', { runStrategy: 'Once' });
    await isRunning('qemu-ended');
    const key = { namespace: 'default', name: 'qemu-ended' };
    const { status } = await instance.client.get(resources.virtualMachineInstances, key);
    process.kill(podProcess(Object.keys(status?.activePods ?? {})[0] ?? '', /qemu-system/).pid, 'SIGKILL');
    await isNamed('qemu-ended');
    await remove('qemu-ended');
  });

  test('no-kvm: emulation is not allowed', async () => {
    const emulation = (useEmulation: boolean): Promise<unknown> =>
      instance.client.patch(
        resources.kubeVirts,
        { namespace: 'kubevirt', name: 'kubevirt' },
        {
          type: 'merge',
          body: { spec: { configuration: { developerConfiguration: { useEmulation } } } },
        },
      );
    await emulation(false);
    await eventually('virt-controller has heard of it', 60_000, async () => {
      await declare('no-kvm', {}).catch(() => undefined);
      const ids = await diagnosesOf('no-kvm', 'default');
      if (ids[0] === 'no-kvm') return true;
      return undefined;
    });
    recognised.add('no-kvm');
    await remove('no-kvm');
    await emulation(true);
  });

  test('device-plugin-gone: virt-handler does not run', async () => {
    await without('virt-handler-node-1', async () => {
      await declare('device-plugin-gone', {});
      await isNamed('device-plugin-gone');
    });
    await isRunning('device-plugin-gone');
    await remove('device-plugin-gone');
  });

  test('webhook-down: virt-api does not run', async () => {
    await without('virt-api', async () => {
      await instance.client.delete(resources.virtualMachineInstances, { namespace: 'default', name: 'tiny' });
      await isNamed('webhook-down', 'tiny');
    });
    await isRunning('tiny');
  });

  test('every known failure was provoked', () => {
    const missing = catalogue.map(({ id }) => id).filter((id) => !recognised.has(id));
    // Nodes that are lost need a second one (nodes.test.ts, faults/node-loss.test.ts), images that containers hold need
    // nodes without image volumes (show.machine.test.ts of virt-handler), and who sleeps is in hibernation.test.ts.
    assert.deepEqual(missing, [
      'disk-not-shown',
      'hibernated-state-does-not-fit',
      'hibernated-state-lost',
      'copy-without-identity',
      'hibernation-failed',
      'node-lost-no-lease',
      'node-lost-lease-renewed',
      'node-lost-watching',
      'storage-lost',
      'node-gone',
    ]);
  });
});
