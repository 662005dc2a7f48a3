import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type VirtualMachineInstance } from '@podvisor/api';
import type { LauncherPodOptions } from '../options.ts';
import { renderLauncherPod } from '../render.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vm', namespace: 'ns', uid: 'u' },
  spec: {
    domain: {
      devices: {},
      firmware: { kernelBoot: { container: { image: 'kernel:1', kernelPath: '/boot/vmlinuz' } } },
    },
    volumes: [
      { name: 'empty', emptyDisk: { capacity: '1Gi' } },
      { name: 'root', containerDisk: { image: 'guest:1', imagePullPolicy: 'Never' } },
    ],
  },
};

function render(more: Partial<LauncherPodOptions> = {}, configuration: object = {}, from = vmi) {
  const developerConfiguration = { disabledFeatureGates: ['ImageVolume'] };
  const config = clusterConfig({ spec: { configuration: { developerConfiguration, ...configuration } } });
  return renderLauncherPod(from, { launcherImage: 'launcher', config, ...more }).spec;
}

test('without image volumes, every image is pulled first and then served by a container', () => {
  const { containers, initContainers = [], volumes = [] } = render();
  assert.deepEqual(
    initContainers.map(({ name }) => name),
    ['guest-console-log', 'container-disk-binary', 'volumeroot-init', 'volumekernel-boot-volume-init'],
  );
  assert.deepEqual(containers.map(({ name, image, args }) => [name, image, args?.at(-1)]).slice(1), [
    ['volumeroot', 'guest:1', '/var/run/kubevirt/container-disks/u/disk_1'],
    ['volumekernel-boot-volume', 'kernel:1', '/var/run/kubevirt/container-disks/u/kernel-boot'],
  ]);
  assert.equal(containers[1]?.imagePullPolicy, 'Never');
  assert.ok(volumes.every(({ image }) => image === undefined));
  assert.ok(volumes.some(({ name }) => name === 'container-disks'));
});

test('a migration target runs the images of its source', () => {
  const migrationTarget = { migrationUid: 'm', migrationName: 'm', imageIds: { root: 'guest@sha256:1' } };
  assert.equal(render({ migrationTarget }).containers[1]?.image, 'guest@sha256:1');
});

test('containers that serve disks do not take a Pod its guarantee, and the cluster sizes them', () => {
  const cpu = { dedicatedCpuPlacement: true, cores: 1 };
  const pinned = { ...vmi, spec: { ...vmi.spec, domain: { ...vmi.spec.domain, cpu } } };
  const supportContainerResources = [{ type: 'container-disk', resources: { limits: { cpu: '20m' } } }];
  const [, disk] = render({}, { supportContainerResources }, pinned).containers;
  assert.deepEqual(disk?.resources, {
    limits: { cpu: '20m', memory: '40M' },
    requests: { cpu: '20m', memory: '40M', 'ephemeral-storage': '50M' },
  });
});

test('images are volumes where the nodes know nothing else', () => {
  const { containers, volumes = [] } = render({ containerDisks: 'image-volumes' });
  assert.equal(containers.length, 1);
  assert.deepEqual(
    volumes.flatMap(({ name, image }) => (image ? [name] : [])),
    ['root', 'kernel-boot-volume'],
  );
});

test('where architectures may be crossed, nodes of the guest’s own are only preferred', () => {
  const from = {
    ...vmi,
    spec: { ...vmi.spec, architecture: 'arm64', nodeSelector: { 'kubernetes.io/arch': 'arm64', zone: 'a' } },
  };
  const crossing = { developerConfiguration: { featureGates: ['CrossArchitectureVirtualization'] } };
  const { affinity, nodeSelector } = render({}, crossing, from);
  assert.deepEqual(nodeSelector, {
    'kubevirt.io/schedulable': 'true',
    'kubevirt.io/vm-arch-arm64': 'true',
    zone: 'a',
  });
  assert.deepEqual(affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution, [
    {
      weight: 100,
      preference: { matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] },
    },
  ]);
  assert.equal(render({}, {}, from).nodeSelector?.['kubernetes.io/arch'], 'arm64');
});
