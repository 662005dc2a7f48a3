import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  VirtualMachine,
  VirtualMachineInstance,
  VMMemoryDumpRequest,
  VolumeStatus,
  Volume,
} from '@podvisor/api';
import { dumpNote, memoryDumpPatch, memoryDumpTemplatePatch, nextMemoryDump } from './memory-dump.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const root: Volume = { name: 'root', emptyDisk: { capacity: '1Gi' } };
const dump: Volume = { name: 'c', memoryDump: { claimName: 'c', hotpluggable: true } };

function vmi(volumes: readonly Volume[], status: readonly VolumeStatus[] = []): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a', namespace: 'n' },
    spec: { domain: { devices: {} }, volumes },
    status: { phase: 'Running', volumeStatus: status },
  };
}
function vm(request: VMMemoryDumpRequest | undefined, volumes: readonly Volume[]): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'a', namespace: 'n' },
    spec: { template: { spec: { domain: { devices: {} }, volumes } } },
    status: { memoryDumpRequest: request },
  };
}
const next = (
  request: VMMemoryDumpRequest,
  seen: VirtualMachineInstance | undefined,
  volumes: readonly Volume[] = request.remove === true ? [root] : [root, dump],
): VMMemoryDumpRequest | undefined => nextMemoryDump(vm(request, volumes), seen, NOW);
const at = (phase: string, more: Partial<VMMemoryDumpRequest> = {}): VMMemoryDumpRequest => ({
  claimName: 'c',
  phase,
  ...more,
});
const shown = (phase: string, more: Partial<VolumeStatus> = {}): readonly VolumeStatus[] => [
  { name: 'c', target: '', phase, ...more },
];

test('the claim is with the VMI while it is dumped, and only then', () => {
  for (const [request, volumes, wanted] of [
    [at('Associating'), [root], [root, dump]],
    [at('InProgress'), [root, dump], undefined],
    [at('Unmounting'), [root, dump], [root]],
    [at('Completed'), [root], undefined],
    [at('Failed'), [root, dump], [root]],
    [at('Dissociating', { remove: true }), [root, dump], [root]],
    [undefined, [root], undefined],
  ] as const) {
    const patch = memoryDumpPatch(request, vmi(volumes));
    assert.deepEqual(
      patch,
      wanted === undefined
        ? []
        : [
            { op: 'test', path: '/spec/volumes', value: volumes },
            { op: 'add', path: '/spec/volumes', value: wanted },
          ],
      request?.phase,
    );
  }
});

test('a request goes as far as is seen', () => {
  const file = { targetFileName: 'f', endTimestamp: '2025-12-31T00:00:00Z' };
  const table: readonly (readonly [
    VMMemoryDumpRequest,
    VirtualMachineInstance | undefined,
    string | undefined,
  ])[] = [
    [at('Associating'), vmi([root]), 'Associating'],
    [at('Associating'), vmi([root, dump]), 'InProgress'],
    [at('Associating'), undefined, 'Failed'],
    [at('InProgress'), vmi([root, dump], shown('MemoryDumpVolumeInProgress')), 'InProgress'],
    [
      at('InProgress'),
      vmi([root, dump], shown('MemoryDumpVolumeCompleted', { memoryDumpVolume: file })),
      'Unmounting',
    ],
    [at('InProgress'), vmi([root, dump], shown('MemoryDumpVolumeFailed', { message: 'full' })), 'Failed'],
    [at('Unmounting'), vmi([root, dump], shown('MemoryDumpVolumeCompleted')), 'Unmounting'],
    [at('Unmounting'), vmi([root], shown('Detaching')), 'Unmounting'],
    [at('Unmounting'), vmi([root]), 'Completed'],
    [at('Unmounting'), undefined, 'Completed'],
    [at('Completed'), vmi([root]), 'Completed'],
    [at('Dissociating', { remove: true }), vmi([root], shown('Detaching')), 'Dissociating'],
    [at('Dissociating', { remove: true }), vmi([root]), undefined],
  ];
  for (const [request, seen, phase] of table)
    assert.equal(next(request, seen)?.phase, phase, `${request.phase} → ${phase}`);
  const done = next(
    at('InProgress'),
    vmi([root, dump], shown('MemoryDumpVolumeCompleted', { memoryDumpVolume: file })),
  );
  assert.deepEqual([done?.fileName, done?.endTimestamp], ['f', file.endTimestamp]);
  const full = vmi([root, dump], shown('MemoryDumpVolumeFailed', { message: 'full' }));
  assert.equal(next(at('InProgress'), full)?.message, 'full');
});

test('the VM names the claim from the request on until it is told to forget it', () => {
  for (const [request, volumes, wanted] of [
    [at('Associating'), [root], [root, dump]],
    [at('InProgress'), [root, dump], undefined],
    // Restored, for example: a dump that is done changes nothing.
    [at('Completed'), [root], undefined],
    [at('Completed'), [root, dump], undefined],
    [at('Failed'), [root, dump], undefined],
    [at('Completed', { remove: true }), [root, dump], [root]],
    [undefined, [root], undefined],
  ] as const) {
    const path = '/spec/template/spec/volumes';
    const patch =
      wanted === undefined
        ? []
        : [
            { op: 'test', path, value: volumes },
            { op: 'add', path, value: wanted },
          ];
    assert.deepEqual(memoryDumpTemplatePatch(vm(request, volumes)), patch, request?.phase);
  }
  assert.equal(next(at('Associating'), vmi([root, dump]), [root])?.phase, 'Associating');
  const leaving = at('Dissociating', { remove: true });
  assert.equal(next(leaving, vmi([root]), [root, dump])?.phase, 'Dissociating');
});

test('the claim says which dump is in it', () => {
  const claim = (annotations?: Record<string, string>) => ({
    apiVersion: 'v1' as const,
    kind: 'PersistentVolumeClaim' as const,
    metadata: { name: 'c', annotations },
    spec: {},
  });
  const file = { fileName: 'f' };
  assert.equal(dumpNote(at('InProgress'), claim()), undefined);
  assert.equal(dumpNote(at('Unmounting', file), claim()), 'f');
  assert.equal(dumpNote(at('Completed', file), claim({ 'kubevirt.io/memory-dump': 'old' })), 'f');
  assert.equal(dumpNote(at('Completed', file), claim({ 'kubevirt.io/memory-dump': 'f' })), undefined);
  assert.equal(dumpNote(at('Failed'), claim()), 'Memory dump failed');
  assert.equal(dumpNote(at('Failed'), undefined), undefined);
});
