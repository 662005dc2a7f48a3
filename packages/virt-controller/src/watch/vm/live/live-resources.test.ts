import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance, VMICondition, VMISpec } from '@podvisor/api';
import { NOW_MS, vmiWith } from '../../../testing/objects.ts';
import { liveResources, resourcesNeedRestart, whyNotLive } from './live-resources.ts';
import { freeBytesOf, type PlaceToGrow, raisedRequests } from '../place-to-grow.ts';

const ELSEWHERE: PlaceToGrow = { kind: 'other node' };

const MOVABLE: VMICondition = { type: 'LiveMigratable', status: 'True' };

function guest(
  conditions: readonly VMICondition[] = [MOVABLE],
  more: Partial<VMISpec> = {},
): VirtualMachineInstance {
  return vmiWith(
    { phase: 'Running', conditions, memory: { guestAtBoot: '1Gi' } },
    {
      spec: {
        architecture: 'amd64',
        domain: {
          devices: {},
          cpu: { sockets: 2, cores: 1, threads: 1, maxSockets: 8 },
          memory: { guest: '2Gi', maxGuest: '8Gi' },
        },
        ...more,
      },
    },
  );
}

const cpu = (sockets: number): VMISpec => ({ domain: { devices: {}, cpu: { sockets } } });
const memory = (size: string): VMISpec => ({ domain: { devices: {}, memory: { guest: size } } });

const table: readonly (readonly [string, VMISpec, VirtualMachineInstance, 'live' | 'restart' | 'none'])[] = [
  [
    'the same',
    { domain: { devices: {}, cpu: { sockets: 2 }, memory: { guest: '2048Mi' } } },
    guest(),
    'none',
  ],
  ['no opinion', { domain: { devices: {} } }, guest(), 'none'],
  ['more sockets', cpu(4), guest(), 'live'],
  ['fewer sockets', cpu(1), guest(), 'restart'],
  ['more than there is room for', cpu(9), guest(), 'restart'],
  ['more memory', memory('4Gi'), guest(), 'live'],
  ['less memory, not below boot', memory('1Gi'), guest(), 'live'],
  ['less memory than at boot', memory('512Mi'), guest(), 'restart'],
  ['memory beyond its room', memory('16Gi'), guest(), 'restart'],
  ['memory that is not aligned', memory('2049Mi'), guest(), 'restart'],
  ['cannot be migrated', cpu(4), guest([]), 'restart'],
  [
    'another change is on its way',
    cpu(4),
    guest([MOVABLE, { type: 'HotMemoryChange', status: 'True' }]),
    'none',
  ],
];

for (const [name, template, vmi, want] of table) {
  test(`live resources: ${name}`, () => {
    const found = liveResources(template, vmi, ELSEWHERE, NOW_MS);
    assert.equal(found !== undefined, want === 'live');
    assert.equal(resourcesNeedRestart(template, vmi, ELSEWHERE), want === 'restart');
  });
}

test('the change comes with the condition that asks for a migration', () => {
  assert.deepEqual(liveResources(cpu(4), guest(), ELSEWHERE, NOW_MS)?.patch, [
    { op: 'test', path: '/spec/domain/cpu/sockets', value: 2 },
    { op: 'add', path: '/spec/domain/cpu/sockets', value: 4 },
    {
      op: 'add',
      path: '/status/conditions/-',
      value: { type: 'HotVCPUChange', status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' },
    },
  ]);
});

/** KubeVirt's [test_id:10825] looks at the request. */
test('what the VMI asks for its Pod grows with the guest', () => {
  const asks = (requests: string, limits?: string): VirtualMachineInstance => {
    const vmi = guest();
    const resources = {
      requests: { memory: requests },
      ...(limits === undefined ? {} : { limits: { memory: limits } }),
    };
    return { ...vmi, spec: { ...vmi.spec, domain: { ...vmi.spec.domain, resources } } };
  };
  const wants = (vmi: VirtualMachineInstance): VMISpec => {
    const { resources = {} } = vmi.spec.domain;
    return { domain: { devices: {}, memory: { guest: '4Gi' }, resources } };
  };
  const memoryOf = (vmi: VirtualMachineInstance): unknown =>
    liveResources(wants(vmi), vmi, ELSEWHERE, NOW_MS)
      ?.patch.filter(({ op, path }) => op === 'add' && path.startsWith('/spec/domain/resources'))
      .map((operation) => [operation.path.slice(23), 'value' in operation ? operation.value : undefined]);
  assert.deepEqual(memoryOf(asks('2Gi')), [['requests/memory', '4Gi']]);
  assert.deepEqual(memoryOf(asks('3Gi', '3Gi')), [
    ['requests/memory', '5Gi'],
    ['limits/memory', '5Gi'],
  ]);
  // Overcommitted before: never below the guest.
  assert.deepEqual(memoryOf(asks('1Gi')), [['requests/memory', '4Gi']]);
  assert.deepEqual(memoryOf(guest()), []);
});

const here = (
  resources: { requests?: Record<string, string>; limits?: Record<string, string> } = {},
  freeBytes = 8 * 1024 ** 3,
): PlaceToGrow => ({
  kind: 'in place',
  pod: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'launcher', namespace: 'default', uid: 'p' },
    spec: { containers: [{ name: 'compute', image: 'x', resources }] },
  },
  freeBytes: () => freeBytes,
});

test('without another node the change is made in place, also of a guest that cannot move', () => {
  const found = liveResources(cpu(4), guest([]), here(), NOW_MS);
  assert.deepEqual(found?.patch.at(-1), {
    op: 'add',
    path: '/status/conditions/-',
    value: {
      type: 'HotVCPUChange',
      status: 'True',
      reason: 'InPlace',
      lastTransitionTime: '2026-01-01T00:01:00Z',
    },
  });
  assert.deepEqual(found?.increase, { cpuFactor: 2, memoryBytes: 0 });
  assert.equal(liveResources(memory('4Gi'), guest(), here(), NOW_MS)?.increase.memoryBytes, 2 * 1024 ** 3);
});

test('where its Pod or its node cannot give it, a restart is asked for, and why', () => {
  const cases: readonly (readonly [VMISpec, VirtualMachineInstance, PlaceToGrow, RegExp])[] = [
    [cpu(4), guest(), { kind: 'nowhere' }, /no other node, and nothing is known of its Pod/],
    [cpu(4), guest(), here({ limits: { cpu: '2' } }), /its Pod has a limit of cpu/],
    [memory('4Gi'), guest(), here({ limits: { memory: '3Gi' } }), /its Pod has a limit of memory/],
    [memory('4Gi'), guest(), here({}, 1024 ** 3), /its own has 1024Mi of memory left/],
    [
      cpu(4),
      guest([], {
        domain: { devices: {}, cpu: { sockets: 2, maxSockets: 8, dedicatedCpuPlacement: true } },
      }),
      here(),
      /its CPUs are chosen when its Pod starts/,
    ],
    [
      cpu(2),
      guest([{ type: 'HotVCPUChange', status: 'False', message: 'the guest cannot have 2 CPUs' }]),
      here(),
      /the guest cannot have 2 CPUs/,
    ],
  ];
  for (const [template, vmi, place, why] of cases) {
    assert.equal(liveResources(template, vmi, place, NOW_MS), undefined);
    assert.equal(resourcesNeedRestart(template, vmi, place), true);
    assert.match(whyNotLive(template, vmi, place) ?? '', why);
  }
});

test('one change at a time, in place too', () => {
  const busy = guest([{ type: 'HotMemoryChange', status: 'True', reason: 'InPlace' }]);
  assert.equal(liveResources(cpu(4), busy, here(), NOW_MS), undefined);
});

test('a Pod asks for more by as much as its guest gets, and for nothing that it did not ask for', () => {
  const place = here({ requests: { cpu: '100m', memory: '1Gi' } });
  assert.ok(place.kind === 'in place');
  assert.deepEqual(raisedRequests(place.pod, { cpuFactor: 2, memoryBytes: 1024 ** 3 }), {
    cpu: '200m',
    memory: String(2 * 1024 ** 3),
  });
  const none = here();
  assert.ok(none.kind === 'in place');
  assert.deepEqual(raisedRequests(none.pod, { cpuFactor: 2, memoryBytes: 1024 ** 3 }), {});
});

test('a node has left what no Pod that still runs has asked for', () => {
  const pod = (phase: 'Running' | 'Succeeded' | 'Pending') => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: phase } },
    spec: { containers: [{ name: 'compute', image: 'x', resources: { requests: { memory: '1Gi' } } }] },
    status: { phase },
  });
  const node = { metadata: { name: 'n' }, status: { allocatable: { memory: '4Gi' } } };
  assert.equal(freeBytesOf(node, [pod('Running'), pod('Succeeded'), pod('Pending')]), 2 * 1024 ** 3);
  assert.equal(freeBytesOf(undefined, []), 0);
});
