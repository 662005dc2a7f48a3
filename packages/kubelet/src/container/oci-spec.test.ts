import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container, PodSpec } from '@podvisor/api';
import { container, testPod } from '../testing/observed.ts';
import { boundingSet, capabilities } from './capabilities.ts';
import { cgroupResources, oomScoreAdj } from './cgroup-resources.ts';
import { deviceNumbers } from './devices.ts';
import { type OciSpecInput, ociSpec } from './oci-spec.ts';
import { defaultSeccomp } from './seccomp.ts';

const ALL = boundingSet('CapBnd:\t000001ffffffffff\n');

function render(
  more: Partial<Container> = {},
  spec: Partial<PodSpec> = {},
  input: Partial<OciSpecInput> = {},
) {
  const main = container('main', more);
  return ociSpec({
    pod: testPod({ containers: [main], ...spec }),
    container: main,
    rootfs: 'rootfs',
    args: ['/bin/x'],
    env: new Map([['A', 'b']]),
    cwd: '/',
    user: { uid: 107, gid: 107, groups: [107, 36], home: '/' },
    hostname: 'p',
    cgroup: '/podvisor/i/uid-1/main-0',
    netns: spec.hostNetwork === true ? undefined : '/run/netns/x',
    mounts: [
      { destination: '/a/b/c', type: 'bind', source: '/2' },
      { destination: '/a', type: 'bind', source: '/1' },
    ],
    devices: [{ device: { path: '/dev/kvm', type: 'c', major: 10, minor: 232 }, access: 'rw' }],
    availableCapabilities: ALL,
    oomScoreAdj: undefined,
    cgroupVersion: 2,
    accessControl: { appArmor: undefined, hasSeLinux: false },
    ...input,
  });
}

test('what a container mounts reaches the node only where a mount is Bidirectional', () => {
  assert.equal(render().linux.rootfsPropagation, 'rslave');
  const mounts = [{ destination: '/a', type: 'bind', source: '/1', options: ['rbind', 'rw', 'rshared'] }];
  assert.equal(render({}, {}, { mounts }).linux.rootfsPropagation, 'rshared');
});

test('an unprivileged container is fenced in', () => {
  const spec = render({
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  });
  assert.deepEqual(spec.process.capabilities.bounding, []);
  assert.deepEqual(spec.process.capabilities.ambient, []);
  assert.equal(spec.process.noNewPrivileges, true);
  assert.ok(spec.linux.maskedPaths?.includes('/proc/kcore'));
  assert.ok(spec.linux.seccomp !== undefined);
  assert.deepEqual(spec.linux.namespaces.map((n) => n.type).toSorted(), [
    'cgroup',
    'ipc',
    'mount',
    'network',
    'pid',
    'uts',
  ]);
  assert.deepEqual(spec.linux.resources.devices[0], { allow: false, access: 'rwm' });
  assert.deepEqual(spec.linux.resources.devices.at(-1), {
    allow: true,
    type: 'c',
    major: 10,
    minor: 232,
    access: 'rw',
  });
});

test('a privileged container is not', () => {
  const spec = render({ securityContext: { privileged: true } });
  assert.ok(spec.process.capabilities.effective.includes('CAP_SYS_ADMIN'));
  assert.equal(spec.linux.maskedPaths, undefined);
  assert.equal(spec.linux.seccomp, undefined);
  assert.deepEqual(spec.linux.resources.devices, [{ allow: true, access: 'rwm' }]);
});

test('hostNetwork keeps the network, and sees sysfs of the host', () => {
  const spec = render({}, { hostNetwork: true });
  assert.equal(
    spec.linux.namespaces.some((n) => n.type === 'network'),
    false,
  );
  assert.equal(spec.mounts.find((m) => m.destination === '/sys')?.type, 'bind');
  assert.equal(spec.hostname, undefined);
});

test('a mount inside another comes after it', () => {
  const own = render()
    .mounts.map((m) => m.destination)
    .filter((d) => d.startsWith('/a'));
  assert.deepEqual(own, ['/a', '/a/b/c']);
});

test('capabilities: add beats "drop ALL", one drop beats "add ALL", nobody gets more than we have', () => {
  const of = (add: string[], drop: string[], have = ALL): readonly string[] =>
    capabilities({ capabilities: { add, drop } }, have);
  assert.deepEqual(of(['NET_BIND_SERVICE'], ['ALL']), ['CAP_NET_BIND_SERVICE']);
  assert.ok(!of(['ALL'], ['SYS_ADMIN']).includes('CAP_SYS_ADMIN'));
  assert.ok(of([], []).includes('CAP_CHOWN') && !of([], []).includes('CAP_NET_ADMIN'));
  assert.deepEqual(of(['SYS_RESOURCE'], ['ALL'], ['CHOWN']), []);
});

test('seccomp: mount is denied without CAP_SYS_ADMIN, userfaultfd never', () => {
  const denied = (caps: string[]): string[] => defaultSeccomp(caps).syscalls.flatMap((s) => [...s.names]);
  assert.ok(denied([]).includes('mount') && denied([]).includes('clone3'));
  assert.ok(!denied(['CAP_SYS_ADMIN']).includes('mount') && !denied(['CAP_SYS_ADMIN']).includes('clone3'));
  assert.ok(!denied([]).includes('userfaultfd'));
});

test('limits become shares, quota and bytes', () => {
  const limits = { cpu: '1500m', memory: '64Mi', 'hugepages-2Mi': '4Mi' };
  const { cpu, memory, hugepageLimits } = cgroupResources(
    container('c', { resources: { limits, requests: { cpu: '250m' } } }),
    [],
  );
  assert.deepEqual(cpu, { shares: 256, quota: 150_000, period: 100_000 });
  assert.deepEqual(memory, { limit: 67_108_864 });
  assert.deepEqual(hugepageLimits, [{ pageSize: '2MB', limit: 4_194_304 }]);
  assert.deepEqual(cgroupResources(container('c'), []).cpu, { shares: 2 });
  assert.deepEqual(
    cgroupResources(container('c'), []).pids,
    { limit: 4096 },
    'no fork bomb takes the machine',
  );
});

test('out-of-memory scores follow the promise', () => {
  const score = (resources: Container['resources']): number => {
    const main = container('main', { resources });
    return oomScoreAdj(testPod({ containers: [main] }), main, 1000);
  };
  assert.equal(score(undefined), 1000);
  assert.equal(score({ limits: { cpu: '1', memory: '1' } }), -997);
  assert.equal(score({ requests: { memory: '500' } }), 500);
});

test('device numbers are split over the bits', () => {
  assert.deepEqual(deviceNumbers(0x103), { major: 1, minor: 3 });
  assert.deepEqual(deviceNumbers((259 << 8) | 5), { major: 259, minor: 5 });
  assert.deepEqual(deviceNumbers(0x100000 | (7 << 8) | 1), { major: 7, minor: 257 });
});

test('in a user namespace ids are others, and devices and sysfs are mounts that were made outside', () => {
  const spec = render(
    {},
    {},
    { userNamespace: { path: '/run/u', first: 1_879_048_192, sysfs: '/stage/sys' } },
  );
  const all = [{ containerID: 0, hostID: 1_879_048_192, size: 65_536 }];
  assert.deepEqual([spec.linux.uidMappings, spec.linux.gidMappings], [all, all]);
  assert.deepEqual(spec.linux.namespaces.at(-1), { type: 'user', path: '/run/u' });
  assert.deepEqual(spec.linux.devices, []);
  assert.ok(spec.linux.resources.devices.some(({ allow, minor }) => allow && minor === 232));
  assert.deepEqual(
    spec.mounts.find(({ destination }) => destination === '/sys'),
    { destination: '/sys', type: 'bind', source: '/stage/sys', options: ['rbind'] },
  );
  assert.equal(render().linux.uidMappings, undefined);
});

test('AppArmor and SELinux of the Pod reach the runtime where the node has them', () => {
  const securityContext = {
    appArmorProfile: { type: 'Localhost', localhostProfile: 'mine' },
    seLinuxOptions: { type: 'virt_launcher.process', level: 's0:c1,c2' },
  } as const;
  const appArmor = { loaded: new Set(['mine', 'podvisor-default']) };
  const on = render({}, { securityContext }, { accessControl: { appArmor, hasSeLinux: true } });
  assert.equal(on.process.apparmorProfile, 'mine');
  assert.equal(on.process.selinuxLabel, 'system_u:system_r:virt_launcher.process:s0:c1,c2');
  assert.equal(on.linux.mountLabel, 'system_u:object_r:container_file_t:s0:c1,c2');
  const off = render({}, { securityContext });
  assert.equal('apparmorProfile' in off.process || 'selinuxLabel' in off.process, false);
  assert.equal('mountLabel' in off.linux, false);
});
