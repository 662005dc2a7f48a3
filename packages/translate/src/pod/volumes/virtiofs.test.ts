import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type KubeVirtConfiguration, type VMISpec } from '@podvisor/api';
import { vmiOf } from '../../testing/vmi.ts';
import { renderLauncherPod } from '../render.ts';

const volumes = [
  { name: 'work', persistentVolumeClaim: { claimName: 'work-claim' } },
  { name: 'settings', configMap: { name: 'settings' } },
  { name: 'account', serviceAccount: { serviceAccountName: 'team' } },
];
const filesystems = volumes.map(({ name }) => ({ name, virtiofs: {} }));

function podOf(spec: Partial<VMISpec> = {}, configuration: KubeVirtConfiguration = {}) {
  const vmi = vmiOf({ devices: { filesystems }, ...spec.domain }, { volumes });
  return renderLauncherPod(vmi, {
    launcherImage: 'launcher',
    config: clusterConfig({ spec: { configuration } }),
    claims: { 'work-claim': { block: false } },
  }).spec;
}

test('every shared volume has a container that serves it over a socket', () => {
  const [compute, ...containers] = podOf().containers;
  assert.deepEqual(
    containers.map(({ name, args = [], volumeMounts = [] }) => [
      name,
      ...args.slice(0, 2),
      ...volumeMounts.map((mount) => `${mount.name}:${mount.mountPath}`),
    ]),
    [
      [
        'virtiofs-work',
        '--socket-path=/var/run/kubevirt/virtiofs-containers/work.sock',
        '--shared-dir=/work',
        'virtiofs-containers:/var/run/kubevirt/virtiofs-containers',
        'work:/work',
      ],
      [
        'virtiofs-settings',
        '--socket-path=/var/run/kubevirt/virtiofs-containers/settings.sock',
        '--shared-dir=/var/run/kubevirt-private/config-map/settings',
        'virtiofs-containers:/var/run/kubevirt/virtiofs-containers',
        'settings:/var/run/kubevirt-private/config-map/settings',
      ],
      [
        'virtiofs-account',
        '--socket-path=/var/run/kubevirt/virtiofs-containers/account.sock',
        '--shared-dir=/var/run/secrets/kubernetes.io/serviceaccount/',
        'virtiofs-containers:/var/run/kubevirt/virtiofs-containers',
      ],
    ],
  );
  assert.ok(compute?.volumeMounts?.some(({ name }) => name === 'virtiofs-containers'));
});

test('they are small; the cluster may say otherwise', () => {
  assert.deepEqual(podOf().containers[1]?.resources, {
    limits: { cpu: '100m', memory: '80M' },
    requests: { cpu: '10m', memory: '1M' },
  });
  const supportContainerResources = [{ type: 'virtiofs', resources: { limits: { memory: '200M' } } }];
  assert.equal(podOf({}, { supportContainerResources }).containers[1]?.resources?.limits?.['memory'], '200M');
});

test('beside dedicated CPUs their requests equal their limits, so that the Pod stays guaranteed', () => {
  const domain = { cpu: { cores: 2, dedicatedCpuPlacement: true }, devices: { filesystems } };
  const resources = podOf({ domain }).containers[1]?.resources;
  assert.deepEqual(resources?.requests, resources?.limits);
});

test('a share whose volume is not there yet has its directory of sockets all the same', () => {
  const vmi = vmiOf({ devices: { filesystems: [{ name: 'later', virtiofs: {} }] } });
  const { volumes: found = [] } = renderLauncherPod(vmi, {
    launcherImage: 'l',
    config: clusterConfig(),
  }).spec;
  assert.ok(found.some(({ name }) => name === 'virtiofs-containers'));
});
