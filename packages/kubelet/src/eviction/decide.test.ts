import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { container, testPod } from '../testing/observed.ts';
import { type DiskUsage, exceededLimit, hasDiskLimits, mostGreedy } from './decide.ts';

const MEBI = 1024 * 1024;
const usage = (volumes: Record<string, number>, containers: Record<string, number> = {}): DiskUsage => ({
  volumes: new Map(Object.entries(volumes)),
  containers: new Map(Object.entries(containers)),
  files: 0,
});
const limited = (...limits: (string | undefined)[]): Pod =>
  testPod({
    containers: limits.map((limit, i) =>
      container(
        `c${i}`,
        limit === undefined ? {} : { resources: { limits: { 'ephemeral-storage': limit } } },
      ),
    ),
  });
const withVolume = (emptyDir: object): Pod => testPod({ volumes: [{ name: 'v', emptyDir }] });

const cases: readonly (readonly [string, Pod, DiskUsage, string | undefined])[] = [
  [
    'an emptyDir beyond its limit',
    withVolume({ sizeLimit: '1Mi' }),
    usage({ v: 100 * MEBI }),
    'Usage of EmptyDir volume "v" exceeds the limit "1Mi". ',
  ],
  ['an emptyDir within its limit', withVolume({ sizeLimit: '1Mi' }), usage({ v: MEBI }), undefined],
  ['an emptyDir without a limit', withVolume({}), usage({ v: 100 * MEBI }), undefined],
  [
    'memory, which has its own limit',
    withVolume({ sizeLimit: '1Mi', medium: 'Memory' }),
    usage({ v: 2 * MEBI }),
    undefined,
  ],
  [
    'a container beyond its limit',
    limited('1Mi', undefined),
    usage({}, { c0: 2 * MEBI }),
    'Container c0 exceeded its local ephemeral storage limit "1Mi". ',
  ],
  [
    'all of it beyond the sum of the limits',
    limited('1Mi', '1Mi'),
    usage({ v: MEBI }, { c0: MEBI, c1: MEBI }),
    'Pod ephemeral local storage usage exceeds the total limit of containers 2Mi. ',
  ],
  ['a sum in which a limit is missing', limited('1Mi', undefined), usage({ v: 9 * MEBI }), undefined],
];
for (const [name, pod, used, expected] of cases)
  test(`disk: ${name}`, () => assert.equal(exceededLimit(pod, used), expected));

test('only Pods with a limit are looked at', () => {
  assert.equal(hasDiskLimits(withVolume({})), false);
  assert.equal(hasDiskLimits(withVolume({ sizeLimit: '1Mi' })), true);
  assert.equal(hasDiskLimits(limited('1Mi')), true);
});

test('where the node runs out, whoever takes most beyond what was asked for goes first', () => {
  const named = (uid: string, request: string, priority = 0): Pod => ({
    ...testPod({
      priority,
      containers: [container('c', { resources: { requests: { 'ephemeral-storage': request } } })],
    }),
    metadata: { uid },
  });
  const small = [named('small', '0'), usage({ v: 10 * MEBI })] as const;
  const honest = [named('honest', '1Gi'), usage({ v: 500 * MEBI })] as const;
  const greedy = [named('greedy', '10Mi'), usage({ v: 400 * MEBI })] as const;
  const important = [named('important', '0', 1000), usage({ v: 900 * MEBI })] as const;
  assert.equal(mostGreedy([small, honest, greedy, important])?.metadata.uid, 'greedy');
  assert.equal(mostGreedy([honest]), undefined);
});
