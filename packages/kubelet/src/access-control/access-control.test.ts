import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppArmorProfile, Pod, SecurityContext } from '@podvisor/api';
import { EMBEDDED_IMAGE_GRANT, PASST_SECCOMP_PROFILE } from '@podvisor/sys';
import { container, testPod } from '../testing/observed.ts';
import { appArmorProfile, appArmorRefusal } from './app-armor.ts';
import { appArmorProfiles, OWN_PROFILES } from './app-armor-profiles.ts';
import { parseLoaded } from './host.ts';
import { seLinuxLabels } from './selinux.ts';

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

test('SELinux: what is not named is as runtimes have it; a node without it passes it over', () => {
  const main = container('main', { securityContext: { seLinuxOptions: { level: 's0:c5' } } });
  const pod = testPod({ containers: [main], securityContext: { seLinuxOptions: { type: 'other_t' } } });
  assert.deepEqual(seLinuxLabels(pod, main, { hasSeLinux: true }), {
    process: 'system_u:system_r:container_t:s0:c5',
    mount: 'system_u:object_r:container_file_t:s0:c5',
  });
  assert.equal(seLinuxLabels(pod, main, { hasSeLinux: false }), undefined);
  const plain = container('main');
  assert.equal(seLinuxLabels(testPod({ containers: [plain] }), plain, { hasSeLinux: true }), undefined);
});
