import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance, VMICondition, VMISpec } from '@podvisor/api';
import { NOW_MS, vmiWith } from '../../testing/objects.ts';
import { liveResourcesPatch, resourcesNeedRestart, resourcesNeedNode } from './live-resources.ts';

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
    const patch = liveResourcesPatch(template, vmi, true, NOW_MS);
    assert.equal(patch.length > 0, want === 'live');
    assert.equal(resourcesNeedRestart(template, vmi, true), want === 'restart');
  });
}

test('the change comes with the condition that asks for a migration', () => {
  assert.deepEqual(liveResourcesPatch(cpu(4), guest(), true, NOW_MS), [
    { op: 'test', path: '/spec/domain/cpu/sockets', value: 2 },
    { op: 'add', path: '/spec/domain/cpu/sockets', value: 4 },
    {
      op: 'add',
      path: '/status/conditions/-',
      value: { type: 'HotVCPUChange', status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' },
    },
  ]);
});

test('without another node nothing is tried, and a restart is asked for', () => {
  assert.deepEqual(liveResourcesPatch(cpu(4), guest(), false, NOW_MS), []);
  assert.equal(resourcesNeedRestart(cpu(4), guest(), false), true);
  assert.equal(resourcesNeedNode(cpu(4), guest()), true);
});
