import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppArmorProfile, Pod, SecurityContext } from '@podvisor/api';
import { EMBEDDED_IMAGE_GRANT, PASST_SECCOMP_PROFILE } from '@podvisor/sys';
import { container, testPod } from '../testing/observed.ts';
import { appArmorProfile, appArmorRefusal } from './app-armor.ts';
import { appArmorProfiles, OWN_PROFILES } from './app-armor-profiles.ts';
import { parseLoaded } from './host.ts';
import { relabelVolumes } from './relabel.ts';
import { categoriesOf, seLinuxLabels } from './selinux.ts';

const HOST = { loaded: new Set(['mine', ...OWN_PROFILES]) };
const LAUNCHER = { labels: { 'kubevirt.io': 'virt-launcher' }, annotations: { [EMBEDDED_IMAGE_GRANT]: 'x' } };

function profileOf(
  securityContext: SecurityContext,
  podProfile?: AppArmorProfile,
  metadata: Partial<Pod['metadata']> = {},
): string | undefined {
  const main = container('main', { securityContext });
  const plain = testPod({
    containers: [main],
    ...(podProfile === undefined ? {} : { securityContext: { appArmorProfile: podProfile } }),
  });
  return appArmorProfile({ ...plain, metadata: { ...plain.metadata, ...metadata } }, main, HOST);
}

test('a container has the profile that it names, else its Pod’s, else the node’s', () => {
  const mine = { type: 'Localhost', localhostProfile: 'mine' } as const;
  const unconfined = { type: 'Unconfined' } as const;
  assert.equal(profileOf({}), 'podvisor-default');
  assert.equal(profileOf({ privileged: true }), undefined);
  assert.equal(
    profileOf({ privileged: true, appArmorProfile: { type: 'RuntimeDefault' } }),
    'podvisor-default',
  );
  assert.equal(profileOf({ appArmorProfile: mine }), 'mine');
  assert.equal(profileOf({}, mine), 'mine');
  assert.equal(profileOf({ appArmorProfile: unconfined }, mine), undefined);
  assert.equal(profileOf({ appArmorProfile: { type: 'RuntimeDefault' } }, unconfined), 'podvisor-default');
});

test('launchers have a profile of their own, and so has what makes itself a root directory', () => {
  const passt = { seccompProfile: { type: 'Localhost', localhostProfile: PASST_SECCOMP_PROFILE } } as const;
  assert.equal(profileOf({}, undefined, LAUNCHER), 'podvisor-launcher');
  assert.equal(profileOf(passt, undefined, LAUNCHER), 'podvisor-launcher-sandbox');
  assert.equal(profileOf(passt, undefined, { labels: LAUNCHER.labels }), 'podvisor-default');
});

test('a node without our profiles confines who asks and fails, not who does not', () => {
  const main = container('main');
  const bare = { loaded: new Set<string>() };
  assert.equal(appArmorProfile(testPod({ containers: [main] }), main, bare), undefined);
  const asked = testPod({
    containers: [main],
    securityContext: { appArmorProfile: { type: 'RuntimeDefault' } },
  });
  assert.equal(appArmorProfile(asked, main, bare), 'podvisor-default');
  assert.equal(appArmorProfile(asked, main, undefined), undefined);
});

for (const [what, appArmorProfile, host, message] of [
  ['no AppArmor, none asked', undefined, undefined, undefined],
  ['no AppArmor, unconfined', { type: 'Unconfined' }, undefined, undefined],
  [
    'no AppArmor, default asked',
    { type: 'RuntimeDefault' },
    undefined,
    /AppArmor is not enabled on the host$/,
  ],
  ['default asked', { type: 'RuntimeDefault' }, HOST, undefined],
  ['a loaded one', { type: 'Localhost', localhostProfile: 'mine' }, HOST, undefined],
  ['an unknown one', { type: 'Localhost', localhostProfile: 'other' }, HOST, /"other" is not loaded$/],
  ['an empty one', { type: 'Localhost', localhostProfile: ' ' }, HOST, /empty AppArmor profile name$/],
] as const)
  test(`admission: ${what}`, () => {
    const securityContext = appArmorProfile === undefined ? {} : { appArmorProfile };
    const refused = appArmorRefusal(testPod({ securityContext }), host);
    if (message === undefined) assert.equal(refused, undefined);
    else {
      assert.equal(refused?.reason, 'AppArmor');
      assert.match(refused?.message ?? '', message);
    }
  });

test('names of loaded profiles may have blanks and brackets', () => {
  const text = 'podvisor-default (enforce)\n/usr/bin/man (complain)\nmy profile (x) (enforce)\n\n';
  assert.deepEqual([...parseLoaded(text)], ['podvisor-default', '/usr/bin/man', 'my profile (x)']);
});

test('the profiles are all there, and only sandboxes may mount', () => {
  const text = appArmorProfiles();
  const blocks = text.split(/^profile /m).slice(1);
  assert.deepEqual(
    blocks.map((block) => block.split(' ')[0]),
    OWN_PROFILES,
  );
  for (const block of blocks)
    assert.equal(/^ {2}mount,$/m.test(block), block.startsWith('podvisor-launcher-sandbox'));
  assert.equal((text.match(/{\n/g) ?? []).length, 3);
});

const PLACE = { uid: '6d5ee2f1-5a4a-4b57-9a2e-0d6a1f7e1c11', userRange: 0x7000_0000 };

test('SELinux: what is not named is as runtimes have it; a node without it passes it over', () => {
  const main = container('main', { securityContext: { seLinuxOptions: { level: 's0:c5' } } });
  const pod = testPod({ containers: [main], securityContext: { seLinuxOptions: { type: 'other_t' } } });
  assert.deepEqual(seLinuxLabels(pod, main, { hasSeLinux: true }, PLACE), {
    process: 'system_u:system_r:container_t:s0:c5',
    mount: 'system_u:object_r:container_file_t:s0:c5',
  });
  assert.equal(seLinuxLabels(pod, main, { hasSeLinux: false }, PLACE), undefined);
});

test('SELinux: who names no level has two categories of his own; who is the node’s has none', () => {
  const plain = container('main');
  const categories = categoriesOf(PLACE);
  assert.deepEqual(seLinuxLabels(testPod({ containers: [plain] }), plain, { hasSeLinux: true }, PLACE), {
    process: `system_u:system_r:container_t:s0:${categories}`,
    mount: `system_u:object_r:container_file_t:s0:${categories}`,
  });
  const typed = testPod({ securityContext: { seLinuxOptions: { type: 'virt_launcher.process' } } });
  assert.equal(
    seLinuxLabels(typed, plain, { hasSeLinux: true }, PLACE)?.process,
    `system_u:system_r:virt_launcher.process:s0:${categories}`,
  );
  const ofNode = testPod({ containers: [plain], hostPID: true });
  assert.equal(seLinuxLabels(ofNode, plain, { hasSeLinux: true }, PLACE), undefined);
  const strong = container('main', { securityContext: { privileged: true } });
  assert.equal(seLinuxLabels(testPod({}), strong, { hasSeLinux: true }, PLACE), undefined);
});

test('SELinux: no two ranges of ids have the same categories, and every pair is one', () => {
  const all = Array.from({ length: 4095 }, (_, index) =>
    categoriesOf({ uid: '', userRange: 0x7000_0000 + index * 65_536 }),
  );
  assert.equal(new Set(all).size, all.length);
  const byUid = Array.from({ length: 1000 }, (_, index) => categoriesOf({ uid: `uid-${index}` }));
  for (const pair of [...all, ...byUid]) {
    const [, low, high] = /^c(\d+),c(\d+)$/.exec(pair) ?? [];
    assert.ok(Number(low) < Number(high) && Number(high) < 1024, pair);
  }
});

test('SELinux: the Pod’s own volumes have its categories, claims none, and what is the node’s stays as it is', async () => {
  const pod = testPod({
    volumes: [
      { name: 'own', emptyDir: {} },
      { name: 'disk', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'node', hostPath: { path: '/etc' } },
    ],
  });
  const files = (path: string) => ({ kind: 'files', path, readOnly: false }) as const;
  const volumes = new Map([
    ['own', files('/own')],
    ['disk', files('/disk')],
    ['node', files('/etc')],
  ]);
  const calls: (readonly string[])[] = [];
  const warned: object[] = [];
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (what: object) => void warned.push(what),
  };
  const start = (program: string, args: readonly string[]): Promise<void> => {
    calls.push([program, ...args]);
    return args.at(-1) === '/disk' ? Promise.reject(new Error('read-only')) : Promise.resolve();
  };
  await relabelVolumes(pod, volumes, PLACE, { hasSeLinux: false, log, start });
  assert.deepEqual(calls, []);
  await relabelVolumes(pod, volumes, PLACE, { hasSeLinux: true, log, start });
  const chcon = ['chcon', '--recursive', '-P', '--no-dereference'];
  const label = 'system_u:object_r:container_file_t:s0';
  assert.deepEqual(calls, [
    [...chcon, `${label}:${categoriesOf(PLACE)}`, '--', '/own'],
    [...chcon, label, '--', '/disk'],
  ]);
  assert.equal(warned.length, 1);
});
