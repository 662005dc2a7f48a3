import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { instancePaths } from '@podvisor/sys';
import { type GrantFacts, homeFacts, type HomeFacts, weakSettings } from './doctor-security.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const DAY_MS = 86_400_000;
const GOOD: HomeFacts = {
  open: [],
  encryption: 'resources: [{resources: [secrets], providers: [{aesgcm: {keys: []}}, {identity: {}}]}]',
  auditPolicy: undefined,
  certificates: [{ file: 'pki/a.crt', subject: 'CN=a', notAfter: NOW + 100 * DAY_MS }],
  shared: [],
  unlimited: [],
};
const ANYONE: GrantFacts = { binding: 'b', role: 'view', group: 'system:anonymous' };

const named = (facts: Partial<HomeFacts>, grants: readonly GrantFacts[] = []): string =>
  weakSettings({ ...GOOD, ...facts }, grants, NOW)
    .filter(({ level }) => level !== 'PASS')
    .map(({ level, what, found }) => `${level} ${what}: ${found}`)
    .join('\n');

test('a home as it is made has no weak settings', () => {
  assert.equal(named({}), '');
  assert.equal(
    named({}, [{ binding: 'b', role: 'system:public-info-viewer', group: 'system:unauthenticated' }]),
    '',
  );
});

const WEAK: readonly (readonly [string, Partial<HomeFacts>, RegExp])[] = [
  ['modes', { open: ['/home is 0711', '/home/store.db is 0644'] }, /WARN home files: .*store\.db is 0644/],
  ['no keys', { encryption: undefined }, /WARN encryption: there is no/],
  [
    'encryption off',
    { encryption: 'resources: [{resources: [secrets], providers: [{identity: {}}]}]' },
    /WARN encryption: .*plain text/,
  ],
  ['encryption of something else', { encryption: 'resources: []' }, /WARN encryption: .*plain text/],
  ['shared certificates', { shared: ['pki/virt-handler'] }, /WARN node identity: .*pki\/virt-handler/],
  [
    'nodes as superusers',
    {
      certificates: [
        { file: 'k.crt', subject: 'O=system:masters\nCN=system:node:n', notAfter: NOW + 99 * DAY_MS },
      ],
    },
    /WARN node identity: .*k\.crt/,
  ],
  [
    'expired certificates',
    { certificates: [{ file: 'old.crt', subject: 'CN=a', notAfter: NOW - 1 }] },
    /FAIL certificates: no longer valid: old\.crt/,
  ],
  [
    'certificates about to expire',
    { certificates: [{ file: 'old.crt', subject: 'CN=a', notAfter: NOW + DAY_MS }] },
    /WARN certificates: .*less than a week: old\.crt/,
  ],
  ['claims without a limit', { unlimited: ['pvc-1'] }, /WARN claims: .*as much as the disk does: pvc-1/],
  ['audit off', { auditPolicy: 'rules: [{level: None}]' }, /WARN audit: .*notes nothing/],
];
for (const [what, facts, expected] of WEAK)
  test(`doctor names: ${what}`, () => assert.match(named(facts), expected));

test('doctor names: what is given to anybody, and power that is given to everybody', () => {
  assert.match(named({}, [ANYONE]), /WARN access: b gives view to system:anonymous/);
  assert.match(
    named({}, [{ ...ANYONE, role: 'cluster-admin', group: 'system:serviceaccounts' }]),
    /WARN access/,
  );
  assert.match(named({}, [{ ...ANYONE, role: 'system:node', group: 'system:nodes' }]), /WARN access/);
});

test('volumes without a limit are those that are neither a file system of their own nor a device', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'pv-doctor-'));
  t.after(() => rmSync(home, { recursive: true }));
  const { config, pki, volumes } = instancePaths(home);
  for (const directory of [
    dirname(config),
    pki,
    ...['pvc-a', 'pvc-b', 'pvc-c'].map((name) => join(volumes, name)),
  ])
    mkdirSync(directory, { recursive: true });
  writeFileSync(config, '{}');
  writeFileSync(join(volumes, 'pvc-a.ext4'), '');
  writeFileSync(join(volumes, 'pvc-b', 'disk.img'), '', { mode: 0o600 });
  writeFileSync(join(volumes, 'pvc-c', 'disk.img'), '', { mode: 0o660 });
  assert.deepEqual(homeFacts(home)?.unlimited, ['pvc-c']);
});
