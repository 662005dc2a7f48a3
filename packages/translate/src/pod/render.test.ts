import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Container, clusterConfig, type DomainSpec, type Pod, type VMISpec } from '@podvisor/api';
import { vmiOf } from '../testing/vmi.ts';
import { LauncherPodError, type LauncherPodOptions } from './options.ts';
import { kubevirtOverhead, podvisorOverhead } from './resources/overhead-tables.ts';
import { renderLauncherPod } from './render.ts';

const options: LauncherPodOptions = { launcherImage: 'launcher', config: clusterConfig() };

function podOf(
  domain: Partial<DomainSpec>,
  spec: Partial<VMISpec> = {},
  more: Partial<LauncherPodOptions> = {},
): Pod {
  return renderLauncherPod(vmiOf(domain, spec), { ...options, ...more });
}
function compute(pod: Pod): Container {
  const [container] = pod.spec.containers;
  assert.ok(container);
  return container;
}

test('the launcher runs unprivileged, under an init, and has the grace period it needs', () => {
  const pod = podOf({}, { terminationGracePeriodSeconds: 10 });
  const { command = [], securityContext } = compute(pod);
  assert.deepEqual(command.slice(0, 4), ['/usr/bin/tini', '-s', '--', '/usr/lib/podvisor/virt-launcher']);
  assert.equal(command[command.indexOf('--grace-period-seconds') + 1], '25');
  assert.equal(pod.spec.terminationGracePeriodSeconds, 40);
  assert.deepEqual([securityContext?.runAsUser, securityContext?.allowPrivilegeEscalation], [107, false]);
  assert.deepEqual(securityContext?.capabilities, { add: ['NET_BIND_SERVICE'], drop: ['ALL'] });
});

test('an annotation makes the launcher crash, for tests of what follows', () => {
  const annotations = { 'kubevirt.io/func-test-virt-launcher-fail-fast': '' };
  const crashing = renderLauncherPod(vmiOf({}, {}, { annotations }), options);
  assert.ok(compute(crashing).command?.includes('--simulate-crash'));
  assert.ok(!compute(podOf({})).command?.includes('--simulate-crash'));
});

test('our table asks for less than KubeVirt, for the same guest', () => {
  const memory = (overheadTable: LauncherPodOptions['overheadTable']): unknown =>
    compute(podOf({ memory: { guest: '1Gi' } }, {}, { overheadTable })).resources?.requests?.memory;
  assert.equal(memory(kubevirtOverhead), '1312Mi');
  assert.equal(memory(podvisorOverhead), '1137Mi');
});

test('a claim that does not exist is an error that can be waited out', () => {
  const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }];
  assert.throws(
    () => podOf({}, { volumes }),
    (error) => error instanceof LauncherPodError && error.kind === 'missing-claim',
  );
  const pod = podOf({}, { volumes }, { claims: { c: { block: true } } });
  assert.deepEqual(compute(pod).volumeDevices, [{ name: 'd', devicePath: '/dev/d' }]);
});

test('a migration target runs the image of its source', () => {
  const pod = podOf(
    {},
    { volumes: [{ name: 'd', containerDisk: { image: 'img:latest' } }] },
    { migrationTarget: { migrationUid: 'm', migrationName: 'mig', imageIds: { d: 'img@sha256:1' } } },
  );
  assert.equal(pod.spec.volumes?.find(({ name }) => name === 'd')?.image?.reference, 'img@sha256:1');
  assert.equal(pod.metadata.labels?.['kubevirt.io/migrationJobUID'], 'm');
});

test('a quota on limits makes a limit', () => {
  const pod = podOf(
    { memory: { guest: '1Gi' } },
    {},
    { namespace: { cpuLimitsQuota: true, memoryLimitsQuota: true } },
  );
  const { limits, requests } = compute(pod).resources ?? {};
  assert.equal(limits?.cpu, '1');
  assert.deepEqual([requests?.memory, limits?.memory], ['1137Mi', '2274Mi']);
});

test('probes wait for the guest, and those inside it ask the agent', () => {
  const pod = podOf({}, { readinessProbe: { exec: { command: ['cat', '/x'] }, timeoutSeconds: 5 } });
  const probe = compute(pod).readinessProbe;
  assert.deepEqual([probe?.initialDelaySeconds, probe?.timeoutSeconds], [10, 6]);
  assert.deepEqual(probe?.exec?.command?.slice(-4), ['--command', 'cat', '--', '/x']);
});

test('every node selector term carries what the CPU model needs', () => {
  const term = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] };
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term, term] } },
  };
  const pod = podOf({}, { affinity });
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  assert.deepEqual(
    terms.map(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)),
    Array.from({ length: 2 }, () => ['zone', 'node-labeller.kubevirt.io/obsolete-host-model']),
  );
});

test('rendering changes nothing it is given', () => {
  const vmi = vmiOf({ resources: { requests: { memory: '1Gi' } } });
  const before = JSON.stringify(vmi);
  renderLauncherPod(vmi, options);
  assert.equal(JSON.stringify(vmi), before);
});

test('what somebody wrote down for a device wins over what is counted', () => {
  const devices = { gpus: [{ name: 'g', deviceName: 'vendor.com/gpu' }] };
  const counted = compute(podOf({ devices })).resources;
  assert.deepEqual([counted?.limits?.['vendor.com/gpu'], counted?.requests?.['vendor.com/gpu']], ['1', '1']);
  const limits = { 'vendor.com/gpu': '2', 'devices.kubevirt.io/kvm': '5' };
  const written = compute(podOf({ devices, resources: { limits } })).resources?.limits;
  assert.deepEqual([written?.['vendor.com/gpu'], written?.['devices.kubevirt.io/kvm']], ['2', '1']);
});

test('memory beyond huge pages is written in the units of the request', () => {
  const memory = { guest: '64Mi', hugepages: { pageSize: '2Mi' } };
  const requests = { memory: '128Mi' };
  const { resources } = compute(
    podOf({ memory, resources: { requests } }, {}, { overheadTable: kubevirtOverhead }),
  );
  assert.match(String(resources?.requests?.memory), /^\d+Ki$/);
  const same = compute(podOf({ memory, resources: { requests: { memory: '67108864' } } })).resources;
  assert.equal(same?.limits?.['hugepages-2Mi'], '67108864');
});

test('devices come through claims only where the cluster lets them', () => {
  const devices = { gpus: [{ name: 'g', claimName: 'c', requestName: 'r' }] };
  assert.deepEqual(compute(podOf({ devices })).resources?.claims, [{ name: 'c', request: 'r' }]);
  const developerConfiguration = { disabledFeatureGates: ['GPUsWithDRA'] };
  const config = clusterConfig({ spec: { configuration: { developerConfiguration } } });
  assert.equal(compute(podOf({ devices }, {}, { config })).resources?.claims, undefined);
});

test('where the cluster lists devices, others are refused', () => {
  const permittedHostDevices = {
    pciHostDevices: [{ pciVendorSelector: '1:1', resourceName: 'vendor.com/nic' }],
  };
  const config = clusterConfig({ spec: { configuration: { permittedHostDevices } } });
  const pod = (deviceName: string): Pod =>
    podOf({ devices: { hostDevices: [{ name: 'h', deviceName }] } }, {}, { config });
  assert.equal(compute(pod('vendor.com/nic')).resources?.limits?.['vendor.com/nic'], '1');
  assert.throws(
    () => pod('vendor.com/other'),
    /HostDevice vendor.com\/other is not permitted in permittedHostDevices configuration/,
  );
});

test('a zero in a probe is as good as nothing, and a command for the agent is left alone', () => {
  const probe = (livenessProbe: VMISpec['livenessProbe']): Container['livenessProbe'] =>
    compute(podOf({}, { livenessProbe })).livenessProbe;
  assert.equal(probe({ httpGet: { port: 80 }, periodSeconds: 0 })?.periodSeconds, 10);
  const command = ['virt-probe', '--guestAgentPing'];
  const own = probe({ exec: { command } });
  assert.deepEqual([own?.exec?.command, own?.timeoutSeconds], [command, 1]);
});

test('a share of a CPU is requested exactly, below a thousandth too', () => {
  const ratio = (cpuAllocationRatio: number) =>
    clusterConfig({ spec: { configuration: { developerConfiguration: { cpuAllocationRatio } } } });
  const request = (domain: Partial<DomainSpec>, cpuAllocationRatio: number) =>
    compute(podOf(domain, {}, { config: ratio(cpuAllocationRatio) })).resources?.requests?.cpu;
  assert.equal(request({ cpu: { cores: 1 } }, 16), '62500u');
  assert.equal(request({ cpu: { cores: 1 } }, 10), '100m');
  assert.equal(request({ cpu: { cores: 4 } }, 3), '1333333334n');
});

test('a launcher may emulate another architecture where the gate says so', () => {
  const gated = { developerConfiguration: { featureGates: ['CrossArchitectureVirtualization'] } };
  const config = clusterConfig({ spec: { configuration: gated } });
  assert.ok(compute(podOf({}, {}, { config })).command?.includes('--allow-cross-arch-emulation'));
  assert.ok(!compute(podOf({})).command?.includes('--allow-cross-arch-emulation'));
});

test('the channel of downward metrics needs no volume of its own', () => {
  const { volumes = [] } = podOf({ devices: { downwardMetrics: {} } }).spec;
  assert.deepEqual(
    volumes.map(({ name }) => name).filter((name) => name.includes('metrics')),
    [],
  );
});

test("a hook sidecar of the launcher's user has the directories of that user", () => {
  const annotations = { 'hooks.kubevirt.io/hookSidecars': '[{"image":"hook"}]' };
  const hook = (runtimeUser: number): readonly (string | undefined)[] => {
    const pod = renderLauncherPod({ ...vmiOf({}, {}, { annotations }), status: { runtimeUser } }, options);
    return (pod.spec.containers[1]?.env ?? []).map(({ name }) => name);
  };
  assert.deepEqual(hook(107), ['CONTAINER_NAME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']);
  assert.deepEqual(hook(0), ['CONTAINER_NAME']);
});

test('only shared directories that this Pod mounts are told to libvirt', () => {
  const shared = (hotpluggable: boolean): boolean => {
    const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'c', hotpluggable } }];
    const pod = podOf({}, { volumes }, { claims: { c: { block: false, shared: true } } });
    return (compute(pod).env ?? []).some(({ name }) => name === 'SHARED_FILESYSTEM_PATHS');
  };
  assert.deepEqual([shared(false), shared(true)], [true, false]);
});

test('a cluster with plugins has a place for their sockets in each launcher', () => {
  const config = clusterConfig({
    spec: { configuration: { developerConfiguration: { featureGates: ['Plugins'] } } },
  });
  const names = (more: Partial<LauncherPodOptions>): readonly (string | undefined)[] =>
    (compute(podOf({}, {}, more)).volumeMounts ?? [])
      .filter(({ mountPath }) => mountPath === '/var/run/kubevirt-plugin')
      .map(({ name }) => name);
  assert.deepEqual([names({ config }), names({})], [['kubevirt-plugin-sockets'], []]);
});

test('a host disk without a directory is in the current one', () => {
  const path = (file: string): unknown => {
    const pod = podOf({}, { volumes: [{ name: 'd', hostDisk: { path: file, type: 'Disk' } }] });
    return pod.spec.volumes?.find(({ name }) => name === 'd')?.hostPath?.path;
  };
  assert.deepEqual([path('disk.img'), path('/disk.img'), path('/a/b/disk.img')], ['.', '/', '/a/b']);
});
